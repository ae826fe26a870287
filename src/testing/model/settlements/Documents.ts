/** The model of documents: reports, invoices and credit notes, uploaded by callers or rendered by a worker. */
import type { DocumentKind, Facts } from "../../../domain/Document.ts";
import type { CommandOf } from "../Command.ts";
import { areFacts } from "../prediction/Bounds.ts";
import {
  accept,
  applyRules,
  conflict,
  type Generated,
  NOTHING_GENERATED,
  type Prediction,
  refuse,
  STATE_CONFLICT,
} from "../prediction/Prediction.ts";
import { permissionOf, personOf } from "../prediction/Rights.ts";
import { moveSettlement, total } from "../world/Lines.ts";
import { nextMoment } from "../world/Log.ts";
import {
  ASSIGNED_BY_SERVICE,
  type Linked,
  type Settlement,
  type TaxReview,
  UPLOADS_MAX,
} from "../world/Settlements.ts";
import { chargeTax, decidingAmount, groupShares } from "../world/Taxes.ts";
import { dateOf } from "../world/Time.ts";
import { dayOf } from "../world/Workspaces.ts";
import type { World } from "../world/World.ts";
import { findSettlement } from "./Actions.ts";
import { brokenRules, profileOf } from "./EInvoices.ts";
import { isAllowedFile } from "./Files.ts";

const NOTHING_DUE = { type: "paid", method: "nothing_due" } as const;

const withReport = (world: World, settlement: Settlement): Partial<Settlement> => {
  const amount = decidingAmount(settlement);
  if (amount < 0) return { status: { type: "negative_review" } };
  return amount > 0 || groupShares(settlement.shares).some(({ base }) => base !== 0n)
    ? { status: { type: "awaiting_invoice" } }
    : { status: NOTHING_DUE, paidAt: nextMoment(settlement.log, world.now) };
};

/** The counterpart of the linked document that an ended settlement still needs; null while its payment may still arrive. */
export const owedDocument = ({
  status,
  linked,
  hasReference,
}: Settlement): "invoice" | "credit_note" | null => {
  const ended = status.type === "cancelled" || status.type === "written_off";
  if (!ended || hasReference || (linked.invoice === null) === (linked.credit_note === null)) return null;
  return linked.invoice === null ? "invoice" : "credit_note";
};

/** True if an upload may replace an earlier one. */
export const isReplaceable = ({ status, linked }: Settlement, kind: DocumentKind): boolean =>
  status.type === "awaiting_payment" && linked[kind]?.uploaded === true;

/** True if the settlement waits for a document of the kind. */
const waitsFor = (settlement: Settlement, kind: DocumentKind): boolean =>
  settlement.status.type === `awaiting_${kind}` || kind === owedDocument(settlement);

/** The tax stated by a partner's own document, with the sign of the total. */
const statedTax = (settlement: Settlement, stated: number | null): number | null =>
  stated !== null && total(settlement) < 0 && stated > 0 ? -stated : stated;

/** The tax of a partner's document that somebody has to accept: it differs from the rate, or there is no rate. */
const reviewOf = (settlement: Settlement, taxAmount: number | null, uploadedBy: string): TaxReview | null => {
  const { invoiceTaxBps: rateBps } = settlement;
  if (taxAmount === null) return null;
  if (rateBps === "unknown")
    return taxAmount === 0 ? null : { taxAmount, expectedTaxAmount: null, uploadedBy };
  const terms = { treatment: "standard", label: "", rateBps } as const;
  const expected = chargeTax(BigInt(total(settlement)), terms);
  const difference = BigInt(taxAmount) - expected;
  return difference >= -1n && difference <= 1n
    ? null
    : { taxAmount, expectedTaxAmount: Number(expected), uploadedBy };
};

/** The change of a settlement when an invoice or credit note is linked or replaced. */
const withDocument = (
  world: World,
  settlement: Settlement,
  { facts, person }: LinkedDocument,
): Partial<Settlement> => {
  const { taxAmount: stated = null, dueDate = null } = facts;
  const status = { type: "awaiting_payment" } as const;
  if (settlement.billingMode !== "self_billing") {
    const taxAmount = statedTax(settlement, stated);
    const taxReview = reviewOf(settlement, taxAmount, person);
    return { status, dueDate, taxAmount, payableAmount: total(settlement) + (taxAmount ?? 0), taxReview };
  }
  return settlement.payableAmount === 0
    ? { status: NOTHING_DUE, dueDate, paidAt: nextMoment(settlement.log, world.now) }
    : { status, dueDate };
};

interface LinkedDocument {
  readonly kind: DocumentKind;
  readonly uploaded: boolean;
  readonly issued: Linked["issued"];
  readonly facts: Facts;
  readonly person: string;
}

const EVENT_FIELDS = {
  report: ["report_number", "report_date"],
  invoice: ["invoice_number", "invoice_date"],
  credit_note: ["credit_note_number", "credit_note_date"],
} as const;

/** The fields of the event for a document; a number that the service assigns is not predicted. */
const eventFields = ({ kind, uploaded, facts: { number, date, dueDate } }: LinkedDocument) => {
  const [numberField, dateField] = EVENT_FIELDS[kind];
  return {
    ...(number === undefined || !uploaded ? {} : { [numberField]: number }),
    ...(date === undefined ? {} : { [dateField]: date }),
    ...(dueDate === undefined ? {} : { due_date: dueDate }),
  };
};

/** How many documents were uploaded of the kinds whose linked document is an upload; a refused one is not linked. */
const countUploads = ({ linked, uploadCounts }: Settlement): number =>
  (["report", "invoice", "credit_note"] as const)
    .filter((kind) => linked[kind]?.uploaded === true)
    .reduce((sum, kind) => sum + uploadCounts[kind], 0);

/** The world after a document was linked. */
const link = (world: World, settlement: Settlement, handed: LinkedDocument): World => {
  const { kind, uploaded, facts, issued } = handed;
  const { number = null, date = null } = facts;
  const profile = uploaded || kind === "report" ? undefined : profileOf(world, settlement);
  const cancels = kind === owedDocument(settlement);
  const rules = profile === undefined ? [] : brokenRules(world, profile, settlement, cancels);
  const linked = {
    linked: { ...settlement.linked, [kind]: { uploaded, number, date, issued, rules } },
    uploadCounts: {
      ...settlement.uploadCounts,
      [kind]: settlement.uploadCounts[kind] + (uploaded ? 1 : 0),
    },
  };
  const fields = eventFields(handed);
  if (kind === "report") {
    const moves = settlement.status.type === "awaiting_report";
    const change = moves ? withReport(world, settlement) : {};
    return moveSettlement(world, settlement, "link_report", { ...linked, ...change }, fields);
  }
  const change = cancels ? {} : withDocument(world, settlement, handed);
  const review = change.taxReview ?? null;
  const reviewed =
    review === null
      ? {}
      : { tax_review: { tax_amount: review.taxAmount, expected_tax_amount: review.expectedTaxAmount } };
  return moveSettlement(
    world,
    settlement,
    `link_${kind}`,
    { ...linked, ...change },
    { ...fields, ...reviewed },
  );
};

/** True if total and stated tax exceed the largest amount. */
const isTooLarge = (settlement: Settlement, { taxAmount = 0 }: Facts): boolean =>
  !Number.isSafeInteger(Math.abs(total(settlement)) + taxAmount);

export const upload = (world: World, command: CommandOf<"upload">): Prediction =>
  applyRules(world, {
    principal: command.principal,
    permission: permissionOf(command),
    idempotency: command.idempotency,
    valid: isAllowedFile(command.content) && areFacts(command.kind, command.facts),
    decide: () => {
      const settlement = findSettlement(world, command);
      if (settlement === undefined) return refuse("Missing");
      const { kind, facts } = command;
      if (isTooLarge(settlement, facts)) return refuse("Invalid");
      if (!waitsFor(settlement, kind) && !isReplaceable(settlement, kind)) return STATE_CONFLICT;
      const selfBilled = kind !== "report" && settlement.billingMode === "self_billing";
      // For a credit note that the service issues, the table does not order the two tokens.
      if (selfBilled && world.policy.documents === "auto") {
        return conflict("billing_mode", "settlement_state");
      }
      const person = personOf(command.principal);
      const after = link(world, settlement, { kind, uploaded: true, issued: null, facts, person });
      const due = selfBilled ? Math.abs(settlement.taxAmount ?? 0) : facts.taxAmount;
      if (facts.taxAmount !== undefined && facts.taxAmount !== due) return conflict("billing_mode");
      return countUploads(settlement) >= UPLOADS_MAX ? conflict("upload_limit") : accept(() => after);
    },
  });

const NUMBER_PARTS: Readonly<Record<DocumentKind, string>> = {
  report: "REP",
  invoice: "INV",
  credit_note: "CN",
};

/** What the number of a document begins with, which names its series. */
const stemOf = (world: World, settlement: Settlement, kind: DocumentKind, day: string): string => {
  const { documentNumbers, invoicePrefix = "" } = profileOf(world, settlement) ?? {};
  if (documentNumbers === undefined) return `${invoicePrefix}${NUMBER_PARTS[kind]}-`;
  const isCorrection = kind === "credit_note" || owedDocument(settlement) === kind;
  const { prefix, correctionPrefix, separator = "-", year = false, series = "customer" } = documentNumbers;
  return [
    isCorrection ? (correctionPrefix ?? prefix) : prefix,
    kind === "report" ? "REP" : null,
    series === "partner" ? settlement.partnerId.slice(-8).toUpperCase() : null,
    year ? day.slice(0, 4) : null,
    "",
  ]
    .filter((part) => part !== null)
    .join(separator);
};

/** The kind of document that a worker renders next for a settlement; null when there is none. */
const nextWorkerDocument = ({ policy }: World, settlement: Settlement): DocumentKind | null => {
  if (policy.documents === "manual") return null;
  if (settlement.status.type === "awaiting_report") return "report";
  if (settlement.billingMode !== "self_billing") return null;
  if (settlement.status.type === "awaiting_invoice") return "invoice";
  return settlement.status.type === "awaiting_credit_note" ? "credit_note" : owedDocument(settlement);
};

const latestOf = (first: string, others: ReadonlyArray<string>): string =>
  others.reduce((latest, day) => (day > latest ? day : latest), first);

/**
 * The series and date of a document that a worker renders now: no document is dated before its predecessor in its series. The
 * documents of one round of work are issued in any order, so that one may have the date of another whose zone is ahead.
 */
const issueOf = (
  world: World,
  settlement: Settlement,
  kind: DocumentKind,
  made: Generated["issued"],
): NonNullable<Linked["issued"]> => {
  const day = dayOf(world, settlement, world.now);
  const stem = stemOf(world, settlement, kind, day);
  const own = world.settlements.filter(({ customerId }) => customerId === settlement.customerId);
  const dates = own
    .flatMap(({ linked }) => Object.values(linked).map((item) => item?.issued))
    .flatMap((issued) => (issued?.stem === stem ? issued.on : []));
  const earliest = latestOf(day, dates);
  const waiting = own.filter((candidate) => nextWorkerDocument(world, candidate) !== null);
  const latest = latestOf(
    earliest,
    waiting.map((item) => dayOf(world, item, world.now)),
  );
  const found = made.find(
    (candidate) => candidate.settlementId === settlement.id && candidate.kind === kind,
  )?.on;
  return { stem, on: found !== undefined && found >= earliest && found <= latest ? found : earliest };
};

/** The facts of a document that a worker renders now. */
const workerFacts = (on: string, kind: DocumentKind, { selfBillingData }: Settlement): Facts => {
  if (kind === "report") return { number: ASSIGNED_BY_SERVICE };
  const terms = selfBillingData?.paymentTermsDays;
  return {
    number: ASSIGNED_BY_SERVICE,
    date: on,
    ...(kind === "invoice" && terms !== undefined ? { dueDate: dateOf(Date.parse(on), terms) } : {}),
  };
};

/** The world after a worker has processed every message; `before` is the world in which it began. */
export const finishWork = (world: World, made: Generated = NOTHING_GENERATED, before = world): World => {
  for (const settlement of world.settlements) {
    const kind = nextWorkerDocument(world, settlement);
    if (kind === null) continue;
    const issued = issueOf(before, settlement, kind, made.issued);
    const facts = workerFacts(issued.on, kind, settlement);
    const person = "system:documents";
    const after = link(world, settlement, { kind, uploaded: false, issued, facts, person });
    return finishWork(after, made, before);
  }
  return world;
};

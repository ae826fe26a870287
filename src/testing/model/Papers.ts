/** What the model says of documents: reports, invoices and credit notes, handed in or made by a worker. */
import type { DocumentKind } from "../../domain/Document.ts";
import { seen, state } from "./Actions.ts";
import { areFacts } from "./Bounds.ts";
import type { Command, DocumentFacts } from "./Command.ts";
import { moved, total } from "./Lines.ts";
import { accepted, conflicting, judge, type Prediction, refused } from "./Prediction.ts";
import { deedOf } from "./Rights.ts";
import { dateOf, MADE_HERE, momentAfter, type Settlement, type World } from "./World.ts";

type Of<Type extends Command["type"]> = Extract<Command, { readonly type: Type }>;

const MOST_BYTES = 10 * 1024 * 1024;

/** Tax on a total at a rate of so many ten-thousandths, half away from zero. */
const taxOn = (amount: number, rateBps: number): number => {
  const product = BigInt(amount) * BigInt(rateBps);
  const size = product < 0n ? -product : product;
  const rounded = Number((size * 2n + 10_000n) / 20_000n);
  return product < 0n ? 0 - rounded : rounded;
};

/** Tax and what is to be paid with it; null when that is beyond the largest amount, and no document can say it. */
export const billed = (
  settlement: Settlement,
  stated: number | null = null,
): Pick<Settlement, "taxAmount" | "payableAmount"> | null => {
  const net = total(settlement);
  const config = settlement.selfBillingData?.taxConfig;
  if (settlement.billingMode !== "self_billing" || config === undefined) {
    if (stated === null) return { taxAmount: null, payableAmount: net };
    const tax = net < 0 && stated > 0 ? -stated : stated;
    return { taxAmount: tax, payableAmount: net + tax };
  }
  const tax = config.treatment === "standard" ? taxOn(net, config.rateBps ?? 0) : 0;
  return Number.isSafeInteger(net + tax) ? { taxAmount: tax, payableAmount: net + tax } : null;
};

const reported = (world: World, settlement: Settlement): Partial<Settlement> => {
  const net = total(settlement);
  if (net > 0) return { status: { type: "awaiting_invoice" } };
  if (net < 0) return { status: { type: "negative_review" } };
  return {
    status: { type: "paid", method: "nothing_due" },
    paidAt: momentAfter(settlement.log, world.now),
  };
};

/** Whether a cancelling credit note is due: upheld after an invoice, and none linked yet. */
export const owesCreditNote = ({ status, linked }: Settlement): boolean =>
  status.type === "cancelled" &&
  status.cause === "dispute_upheld" &&
  linked.invoice !== null &&
  linked.credit_note === null;

/** Whether an upload takes the place of an earlier one. */
export const replaces = ({ status, linked }: Settlement, kind: DocumentKind): boolean =>
  status.type === "awaiting_payment" && linked[kind]?.uploaded === true;

/** Whether the settlement waits for a document of the kind. */
const waitsFor = (settlement: Settlement, kind: DocumentKind): boolean =>
  settlement.status.type === `awaiting_${kind}` || (kind === "credit_note" && owesCreditNote(settlement));

/** A document to be linked. */
interface Handed {
  readonly kind: DocumentKind;
  readonly uploaded: boolean;
  readonly facts: DocumentFacts;
}

const EVENT_FIELDS = {
  report: ["report_number", "report_date"],
  invoice: ["invoice_number", "invoice_date"],
  credit_note: ["credit_note_number", "credit_note_date"],
} as const;

/** What the event shows of a document; a number that the service gives is not foretold. */
const shownOf = ({ kind, uploaded, facts: { number, date, dueDate } }: Handed) => {
  const [numberField, dateField] = EVENT_FIELDS[kind];
  return {
    ...(number === undefined || !uploaded ? {} : { [numberField]: number }),
    ...(date === undefined ? {} : { [dateField]: date }),
    ...(dueDate === undefined ? {} : { due_date: dueDate }),
  };
};

/** The world once a document is linked; null when no document can say its sum. */
const link = (world: World, settlement: Settlement, handed: Handed): World | null => {
  const { kind, uploaded, facts } = handed;
  const { number = null, date = null, dueDate = null, taxAmount = null } = facts;
  const linked = { ...settlement.linked, [kind]: { uploaded, number, date } };
  const fields = shownOf(handed);
  const moves = settlement.status.type === `awaiting_${kind}`;
  if (kind === "report") {
    const change = moves ? reported(world, settlement) : {};
    return moved(world, settlement, "link_report", { linked, ...change }, fields);
  }
  const bill = billed(settlement, taxAmount);
  if (bill === null) return null;
  if (owesCreditNote(settlement)) return moved(world, settlement, "link_credit_note", { linked }, fields);
  const change: Partial<Settlement> = { linked, ...bill, dueDate, status: { type: "awaiting_payment" } };
  return moved(world, settlement, `link_${kind}`, change, fields);
};

/** Whether the sum and a stated tax are beyond what an amount can be. */
const isTooLarge = (settlement: Settlement, { taxAmount = 0 }: DocumentFacts): boolean =>
  !Number.isSafeInteger(Math.abs(total(settlement)) + taxAmount);

/** A document handed in. */
export const upload = (world: World, command: Of<"upload">): Prediction =>
  judge(world, {
    principal: command.principal,
    deed: deedOf(command),
    idempotency: command.idempotency,
    sound:
      command.byteLength >= 1 && command.byteLength <= MOST_BYTES && areFacts(command.kind, command.facts),
    verdict: () => {
      const settlement = seen(world, command);
      if (settlement === undefined) return refused("Missing");
      const { kind, facts } = command;
      if (isTooLarge(settlement, facts)) return refused("Invalid");
      if (!waitsFor(settlement, kind) && !replaces(settlement, kind)) return state;
      const selfBilled = kind !== "report" && settlement.billingMode === "self_billing";
      // Of a credit note that a worker makes, the table says only that it is not the caller's.
      if (selfBilled && world.policy.documents === "auto") {
        return kind === "invoice"
          ? conflicting("billing_mode")
          : conflicting("billing_mode", "settlement_state");
      }
      const after = link(world, settlement, { kind, uploaded: true, facts });
      if (after === null) return state;
      const due = selfBilled ? Math.abs(billed(settlement)?.taxAmount ?? 0) : facts.taxAmount;
      return facts.taxAmount === undefined || facts.taxAmount === due
        ? accepted(() => after)
        : conflicting("billing_mode");
    },
  });

/** What a document that a worker makes now says of itself. */
const madeNow = ({ now }: World, kind: DocumentKind, { selfBillingData }: Settlement): DocumentFacts => {
  if (kind === "report") return { number: MADE_HERE };
  const terms = selfBillingData?.paymentTermsDays;
  return {
    number: MADE_HERE,
    date: dateOf(now),
    ...(kind === "invoice" && terms !== undefined ? { dueDate: dateOf(now, terms) } : {}),
  };
};

/** The document that a worker makes for a settlement now; null when none. */
const awaited = ({ policy }: World, settlement: Settlement): DocumentKind | null => {
  if (policy.documents === "manual") return null;
  if (settlement.status.type === "awaiting_report") return "report";
  if (settlement.billingMode !== "self_billing") return null;
  if (settlement.status.type === "awaiting_invoice") return "invoice";
  return settlement.status.type === "awaiting_credit_note" || owesCreditNote(settlement)
    ? "credit_note"
    : null;
};

/** Everything that waits for a worker, done. */
export const worked = (world: World): World => {
  for (const settlement of world.settlements) {
    const kind = awaited(world, settlement);
    const after =
      kind === null
        ? null
        : link(world, settlement, { kind, uploaded: false, facts: madeNow(world, kind, settlement) });
    if (after !== null) return worked(after);
  }
  return world;
};

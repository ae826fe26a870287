/** Builders of settlements, their documents, payments and runs. */
import type * as Commission from "../../domain/Commission.ts";
import type { Currency } from "../../domain/Currency.ts";
import type { Document } from "../../domain/Document.ts";
import type { NumberSeries } from "../../domain/DocumentNumber.ts";
import type { CustomerId, PartnerId, SettlementId } from "../../domain/Ids.ts";
import { due } from "../../domain/Ledger.ts";
import type { BankPayment, PaymentFile } from "../../domain/PaymentFile.ts";
import type { Line, Settlement, SettlementEvent } from "../../domain/Settlement.ts";
import * as SettlementPolicy from "../../domain/SettlementPolicy.ts";
import {
  nothingDue,
  resultId,
  type SettlementRun,
  type SettlementRunResult,
} from "../../domain/SettlementRun.ts";
import type { TaxOrigin } from "../../domain/Tax.ts";
import * as Workspace from "../../domain/Workspace.ts";
import type { SaveFlat, SaveLogged, Versioned } from "../../ports/Storage.ts";
import { ACTOR, BY, EPOCH, EUR, type FormulaSetKey, first, flat, fresh, next, type Owner } from "./Basics.ts";

/** The lines that settle what the commissions are due. */
export const linesOf = (commissions: ReadonlyArray<Versioned<Commission.Commission>>) =>
  commissions.map((row) => ({ commissionId: row.id, amount: due(row), expected: row.version }));

const total = (lines: ReadonlyArray<Line>): number => lines.reduce((sum, { amount }) => sum + amount, 0);

/** The first event of a settlement with these lines. */
export const createdEvent = (lines: ReadonlyArray<Line>, currency = EUR): SettlementEvent => ({
  type: "create_settlement",
  total: total(lines),
  line_count: lines.length,
  stored: { currency, lines: lines.map(({ commissionId, amount }) => ({ commissionId, amount })) },
});

/** A new settlement with these lines; reserving the lines is a change of its own. */
export const settlement = (
  { customerId, workspaceId, partnerId }: Omit<FormulaSetKey, "schemaId">,
  lines: ReadonlyArray<Line>,
  {
    id = fresh.settlement(),
    createdAt = EPOCH,
    currency = EUR,
  }: { readonly id?: SettlementId; readonly createdAt?: number; readonly currency?: Currency } = {},
): SaveLogged<"settlement"> =>
  first("settlement", { id, customerId, workspaceId, partnerId }, [createdEvent(lines, currency)], createdAt);

/** The events that take a draft to `awaiting_payment` (a positive total) or `awaiting_credit_note` (a negative one). */
export const approvalEvents = (row: { readonly total: number }): ReadonlyArray<SettlementEvent> => [
  {
    type: "approve_settlement",
    billing_mode: "partner_billing",
    stored: { partner_name: "Nordlys ApS", self_billing_data: null },
  },
  { type: "link_report", report_reference: fresh.document() },
  ...(row.total > 0
    ? [{ type: "link_invoice" as const, invoice_reference: fresh.document(), stored: { tax_amount: null } }]
    : row.total < 0
      ? [
          { type: "review_settlement" as const, decision: "issue_credit_note" as const },
          {
            type: "link_credit_note" as const,
            credit_note_reference: fresh.document(),
            stored: { tax_amount: null },
          },
        ]
      : []),
];

/** The tax origin of a settlement: its total at 25 %, unless the test gives other sums. */
export const taxOrigin = (
  { id, customerId, workspaceId, partnerId, total: base }: Versioned<Settlement>,
  overrides: Partial<TaxOrigin> = {},
): SaveFlat<"taxOrigin"> =>
  flat("taxOrigin", {
    ...{ id, customerId, workspaceId, partnerId },
    terms: { treatment: "standard", label: "VAT", rateBps: 2_500 },
    base: String(base),
    tax: "0",
    shares: [{ originId: id, base, tax: 0 }],
    createdAt: EPOCH,
    ...overrides,
  });

const ACCOUNT = { beneficiaryName: "Nordlys ApS", iban: "DK5000400440116243", bic: "NDEADKKK" };

/** A payment file of a customer, not handed over. */
export const paymentFile = (
  customerId: CustomerId,
  overrides: Partial<PaymentFile> = {},
): SaveFlat<"paymentFile"> =>
  flat("paymentFile", {
    id: fresh.paymentFile(),
    customerId,
    executionDate: "2026-01-05",
    debtor: ACCOUNT,
    count: 1,
    sum: 1_250,
    createdAt: EPOCH,
    handedOverAt: null,
    discardedAt: null,
    ...overrides,
  });

/** The policy of a workspace, or of one partner of it, with a next period if one is given. */
export const settlementPolicy = (
  { customerId, workspaceId, partnerId = null }: Owner & { readonly partnerId?: PartnerId | null },
  { nextRunAt = null }: { readonly nextRunAt?: number | null } = {},
): SaveLogged<"settlementPolicy"> => {
  const identity = {
    id: SettlementPolicy.policyId(customerId, workspaceId, partnerId),
    customerId,
    workspaceId,
    partnerId,
  };
  const terms =
    partnerId === null ? SettlementPolicy.DEFAULT : { ...SettlementPolicy.NO_OVERRIDE, holdDays: 1 };
  const next = nextRunAt === null ? null : { label: "2026-01", at: nextRunAt };
  const events = SettlementPolicy.write(identity, null, terms, { ...BY, at: EPOCH }).map((event) => ({
    ...event,
    stored: { terms, next },
  }));
  return first("settlementPolicy", identity, events as ReadonlyArray<SettlementPolicy.PolicyEvent>);
};

/** A workspace with a time zone. */
export const workspace = (
  { customerId, workspaceId }: Pick<Owner, "customerId" | "workspaceId">,
  timeZone = "Asia/Tokyo",
): SaveLogged<"workspace"> => {
  const identity = { id: Workspace.recordIdOf(customerId, workspaceId), customerId, workspaceId };
  return first("workspace", identity, Workspace.write(identity, null, { name: "Nippon", timeZone }, BY));
};

/** The policy once its period has begun; without a further one unless a moment is given. */
export const begunPeriod = (
  row: Versioned<SettlementPolicy.SettlementPolicy>,
  nextRunAt: number,
  at = EPOCH,
): SaveLogged<"settlementPolicy"> => {
  const following = { label: "2026-02", at: nextRunAt };
  const event = SettlementPolicy.beginPeriod(
    row,
    {
      period: row.next ?? { label: "2026-01", at: EPOCH },
      next: following,
      runId: fresh.settlementRun(),
    },
    BY,
  );
  return next("settlementPolicy", row, [event], at);
};

/** A run of a workspace that has just begun. */
export const settlementRun = (
  { customerId, workspaceId }: Owner,
  overrides: Partial<SettlementRun> = {},
): SaveFlat<"settlementRun"> =>
  flat("settlementRun", {
    ...{ id: fresh.settlementRun(), customerId, workspaceId, partnerIds: null, currencies: null },
    ...{ until: EPOCH, period: null, policyId: null, state: "running" },
    ...{ startedBy: ACTOR, startedByPerson: ACTOR },
    ...{ partnerCount: 1, partnersDone: 0, batchSize: 20 },
    ...{ draftCount: 0, lineCount: 0, approvedCount: 0, totals: {} },
    ...{ createdAt: EPOCH, finishedAt: null },
    ...overrides,
  });

/** The result of a run for a partner with nothing due. */
export const settlementRunResult = (
  { id: runId, customerId, workspaceId }: SettlementRun,
  partnerId: PartnerId,
  overrides: Partial<SettlementRunResult> = {},
): SaveFlat<"settlementRunResult"> =>
  flat("settlementRunResult", {
    ...{ id: resultId(runId, partnerId, null), customerId, workspaceId, runId, step: 0 },
    ...nothingDue(partnerId),
    ...{ drafts: [], after: null, createdAt: EPOCH },
    ...overrides,
  });

/** A payment of a settlement that waits for a file. */
export const bankPayment = (
  { id, customerId, total, currency }: Versioned<Settlement>,
  overrides: Partial<BankPayment> = {},
): SaveFlat<"bankPayment"> =>
  flat("bankPayment", {
    id: fresh.payment(),
    customerId,
    settlementId: id,
    amount: total,
    currency,
    bankAccount: ACCOUNT,
    remittance: "Invoice 1",
    fileId: null,
    isWaiting: true,
    bookings: [],
    ...overrides,
  });

/** A series of numbers whose last one is of a document of 1 January 2026. */
export const series = (customerId: CustomerId, name: string, lastNumber: number): NumberSeries => ({
  ...{ customerId, name, lastNumber },
  lastDate: "2026-01-01",
});

/** A report of a settlement; by default of five bytes. */
export const document = (
  { id, customerId, workspaceId, partnerId }: Omit<FormulaSetKey, "schemaId"> & { readonly id: SettlementId },
  overrides: Partial<Document> = {},
): SaveFlat<"document"> =>
  flat("document", {
    ...{ id: fresh.document(), customerId, workspaceId, partnerId },
    settlementId: id,
    kind: "report",
    revision: 1,
    number: null,
    fileName: "report.pdf",
    mediaType: "application/pdf",
    byteLength: 5,
    sha256: "0".repeat(64),
    createdAt: EPOCH,
    ...overrides,
  });

/** Content of statements for the tests: a sale, a payment with tax, a correction that a write-off covers, a refund. */
import { CalendarDate, Currency, type Documents, Ids, Movement, type MovementText } from "quittance";
import { BUYER, CUSTOMER_ID, ISSUED_AT, SUPPLIER } from "./content.ts";

const DAY = 86_400_000;
const FROM = Date.UTC(2026, 0, 1);

const sale = (day: number, fields: Partial<MovementText.EarnedSubject> = {}): MovementText.EarnedSubject => ({
  ...{
    type: "earned",
    schemaName: "Sale",
    occurredOn: CalendarDate.dateOf(FROM, day - 1),
    externalReference: `ORD-${10_000 + day}`,
  },
  ...{ part: null, cause: null, cancelReason: null, replaces: null, replacedBy: null, receipt: null },
  settledElsewhere: null,
  ...fields,
});

const payment = (fields: Partial<MovementText.SettledSubject> = {}): MovementText.SettledSubject => ({
  ...{ type: "paid", total: 120_000, taxAmount: 30_000, isNothingDue: false, paymentReference: null },
  ...{
    documentNumber: "HM-2026-000017",
    documentKind: "invoice",
    isSelfBilled: true,
    bankReference: null,
    paidAt: null,
    reason: null,
  },
  ...fields,
});

interface Step {
  readonly day: number;
  readonly earned?: number;
  readonly settled?: number;
  readonly waiting?: number;
  readonly subject: MovementText.Subject;
}

/** Every type of movement, and each of the ways in which one changes less than its amount. */
export const STEPS: ReadonlyArray<Step> = [
  { day: 5, earned: 80_000, subject: sale(5) },
  { day: 9, earned: 40_000, subject: sale(3) },
  {
    day: 12,
    settled: 120_000,
    subject: payment({ paidAt: FROM + 10 * DAY, bankReference: "2026-0111-118" }),
  },
  { day: 13, settled: -120_000, subject: payment({ type: "payment_returned", reason: "account closed" }) },
  { day: 15, settled: 120_000, subject: payment() },
  {
    day: 18,
    earned: -40_000,
    subject: sale(3, { type: "adjusted", cause: "attribution_cancelled", cancelReason: "goods returned" }),
  },
  {
    day: 20,
    settled: -40_000,
    subject: payment({
      ...{
        total: -40_000,
        taxAmount: -10_000,
        documentKind: "credit_note",
        documentNumber: "HM-CN-2026-000003",
      },
    }),
  },
  { day: 21, earned: 25_000, subject: sale(20) },
  {
    day: 24,
    settled: 25_000,
    subject: payment({ type: "written_off", total: 25_000, documentNumber: null }),
  },
  {
    day: 26,
    earned: -25_000,
    settled: -25_000,
    subject: sale(20, { type: "adjusted", cause: "formula_cancelled" }),
  },
  {
    day: 28,
    earned: 33_333,
    settled: 25_000,
    subject: sale(20, { type: "adjusted", cause: "formula_updated" }),
  },
];

/** The partner of statements and terms. */
export const PARTNER: Documents.StatementContent["partner"] = {
  id: Ids.PartnerId.make("0198c1d2-ffff-7abc-8def-000000000001"),
  customerId: CUSTOMER_ID,
  workspaceId: Ids.WorkspaceId.make("0198c1d2-eeee-7abc-8def-000000000001"),
  name: "Nordlys",
  billingMode: "self_billing",
  selfBillingData: SUPPLIER,
  ...{ externalReference: null, email: null, notes: null, status: "active", tags: [] },
  payoutAccounts: null,
  createdAt: FROM,
};

/** A statement of January 2026 in EUR, unless varied. */
export const statementOf = ({
  steps = STEPS,
  opening = 0n,
  ...fields
}: Partial<Documents.StatementContent> & {
  readonly steps?: ReadonlyArray<Step>;
  readonly opening?: bigint;
} = {}): Documents.StatementContent => {
  let balance = opening;
  const lines = steps.map(
    ({ day, earned = 0, settled = 0, waiting = 0, subject }): Documents.StatementLine => {
      const movement = { earned: BigInt(earned), settled: BigInt(settled), waiting: BigInt(waiting) };
      const amount = Movement.amountOf(movement);
      balance += amount;
      const reference = "schemaName" in subject ? subject.externalReference : subject.documentNumber;
      return {
        at: FROM + (day - 1) * DAY,
        amount,
        balance,
        settled: movement.settled,
        waiting: movement.waiting,
        reference,
        subject,
      };
    },
  );
  return {
    kind: "statement",
    customerId: CUSTOMER_ID,
    partner: PARTNER,
    buyer: BUYER,
    issuedAt: ISSUED_AT,
    currency: Currency.Currency.make("EUR"),
    from: FROM,
    to: Date.UTC(2026, 1, 1),
    final: true,
    openingBalance: opening,
    closingBalance: balance,
    lines,
    ...fields,
  };
};

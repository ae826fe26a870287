/** What the export of another system has in its columns. A file may state another one. */
import { Effect, Either, Schema } from "effect";
import { Refusal } from "quittance";
import { type CommandFailed, usageError } from "../CommandFailed.ts";
import { MomentFormat } from "../importing/Dates.ts";
import { readJson } from "../importing/Mapping.ts";

const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true });
const Texts = Schema.NonEmptyArray(Schema.String);

/** An amount of a column. */
const AmountColumn = Schema.Struct({
  column: Schema.String,
  /** `minor`: in the smallest unit of the currency, such as cents; `major`: with decimals. */
  unit: Schema.Literal("minor", "major"),
  /** As in the mapping of an import: where it is stated, digits may be in groups. */
  decimal: optional(Schema.Literal(".", ",")),
});
export type AmountColumn = typeof AmountColumn.Type;

/** A moment of a column. */
const MomentColumn = Schema.Struct({ column: Schema.String, date: optional(MomentFormat) });
export type MomentColumn = typeof MomentColumn.Type;

/** The columns of an export with one commission in each row. In NDJSON, dots lead into objects. */
export const System = Schema.Struct({
  /** What people call the system. */
  title: Schema.NonEmptyString,
  format: Schema.Literal("csv", "ndjson"),
  /** The id of the commission there. */
  reference: Schema.String,
  /** Who earns: the id there; the columns of the name, joined by blanks; and the e-mail address. */
  partner: Schema.Struct({ reference: Schema.String, name: Texts, email: optional(Schema.String) }),
  currency: Schema.String,
  /** The commission, and what the sale was worth. */
  earned: AmountColumn,
  sale: optional(AmountColumn),
  occurred_at: MomentColumn,
  /** The texts of a column, in any case. A row with another text is wrong: whether it was paid is never guessed. */
  state: Schema.Struct({ column: Schema.String, paid: Texts, due: Texts, void: Schema.Array(Schema.String) }),
  /** When it was paid there, and with which payment. */
  paid_at: MomentColumn,
  paid_reference: optional(Schema.String),
});
export type System = typeof System.Type;

const decode = Schema.decodeUnknownEither(System, { onExcessProperty: "error" });

/** The columns that a file states. */
export const read = (file: string): Effect.Effect<System, CommandFailed> =>
  Effect.flatMap(readJson(file), (value) =>
    Either.mapLeft(decode(value), (error) => usageError(`${file}: ${Refusal.fromParseError(error).message}`)),
  );

/** The columns without which rows cannot be read. */
export const columnsOf = (system: System): ReadonlyArray<string> => [
  ...[system.reference, system.partner.reference, ...system.partner.name, system.currency],
  ...[system.earned.column, system.occurred_at.column, system.state.column, system.paid_at.column],
  ...[system.sale?.column, system.partner.email, system.paid_reference].filter((name) => name !== undefined),
];

const MILLISECONDS = { form: "epoch_milliseconds" } as const;

/** The systems whose exports are known; docs/how-to/move-from-*.md state the source of each. */
export const SYSTEMS = {
  rewardful: {
    title: "Rewardful",
    format: "ndjson",
    reference: "id",
    partner: {
      reference: "sale.affiliate.id",
      name: ["sale.affiliate.first_name", "sale.affiliate.last_name"],
      email: "sale.affiliate.email",
    },
    currency: "currency",
    earned: { column: "amount", unit: "minor" },
    sale: { column: "sale.sale_amount_cents", unit: "minor" },
    occurred_at: { column: "sale.charged_at" },
    state: { column: "state", paid: ["paid"], due: ["due", "pending"], void: ["voided"] },
    paid_at: { column: "paid_at" },
  },
  dub: {
    title: "Dub",
    format: "csv",
    reference: "ID",
    partner: { reference: "Partner ID", name: ["Partner name"], email: "Partner email" },
    currency: "Currency",
    earned: { column: "Earnings", unit: "major", decimal: "." },
    sale: { column: "Amount", unit: "major", decimal: "." },
    occurred_at: { column: "Created at" },
    state: {
      column: "Status",
      paid: ["paid"],
      due: ["pending", "processed", "hold"],
      void: ["refunded", "duplicate", "fraud", "canceled"],
    },
    paid_at: { column: "Paid at" },
  },
  partnerstack: {
    title: "PartnerStack",
    format: "ndjson",
    reference: "key",
    partner: {
      reference: "partner.partner_key",
      name: ["partner.first_name", "partner.last_name"],
      email: "partner.email",
    },
    currency: "currency",
    earned: { column: "amount", unit: "minor" },
    sale: { column: "transaction.amount", unit: "minor" },
    occurred_at: { column: "created_at", date: MILLISECONDS },
    state: {
      column: "payment_status",
      paid: ["withdrawn", "in_transit", "paid_externally"],
      due: ["available", "failed"],
      void: ["expired", "paid_and_refunded"],
    },
    paid_at: { column: "updated_at", date: MILLISECONDS },
  },
  "odoo-oca": {
    title: "Odoo",
    format: "csv",
    reference: "id",
    partner: { reference: "agent_id/id", name: ["agent_id/name"], email: "agent_id/email" },
    currency: "currency_id/name",
    earned: { column: "amount", unit: "major" },
    sale: { column: "object_id/price_subtotal", unit: "major" },
    occurred_at: { column: "invoice_date" },
    state: { column: "settled", paid: ["true"], due: ["false"], void: [] },
    paid_at: { column: "settlement_line_ids/settlement_id/date_to" },
    paid_reference: "settlement_line_ids/settlement_id/id",
  },
} as const satisfies Readonly<Record<string, System>>;

/** What is due to a partner: its balance at a date, and its statement of a period. */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint";
import { Schema } from "effect";
import { Currency as Codes, Ids, PartnerStatement } from "quittance";
import { extension } from "./shared/Annotation.ts";
import { NotFound, RecordFailure } from "./shared/Failure.ts";
import { Currency, DateTime, Id } from "./shared/Field.ts";
import { DateTime as Moment, recordPath, whole } from "./shared/Query.ts";

/** A sum or a difference in the smallest unit of its currency; it may exceed what one amount can hold. */
const Sum = Schema.Number.annotations({ jsonSchema: { type: "integer" } });

/** The balance of a partner at a date, by currency, ascending; `earned` is `settled` plus `due`. */
export const PartnerBalance = Schema.Struct({
  at: DateTime,
  final: Schema.Boolean,
  balances: Schema.Array(
    Schema.Struct({ currency: Currency, earned: Sum, settled: Sum, pending: Sum, due: Sum }),
  ),
}).annotations({ identifier: "PartnerBalance" });

/** One change of what is due, or an event that left it as it was (0). `balance` is what is due after it. */
export const Movement = Schema.Struct({
  datetime: DateTime,
  type: Schema.Literal("earned", "adjusted", "paid", "written_off", "payment_returned"),
  amount: Sum,
  balance: Sum,
  commission_id: Schema.optionalWith(Id, { exact: true }),
  settlement_id: Schema.optionalWith(Id, { exact: true }),
  reference: Schema.optionalWith(Schema.String, { exact: true }),
  text: Schema.String,
}).annotations({ identifier: "Movement" });

/** A statement: the opening balance plus all movements of all its pages is the closing balance. */
export const Statement = Schema.Struct({
  partner_id: Id,
  currency: Currency,
  from: DateTime,
  to: DateTime,
  final: Schema.Boolean,
  opening_balance: Sum,
  movements: Schema.Array(Movement),
  closing_balance: Sum,
  next_cursor: Schema.NullOr(Schema.String).annotations({
    description: "The parameter after of the next page; null on the last page.",
  }),
}).annotations({ identifier: "PartnerStatement" });

const exactly = { exact: true } as const;

const balance = HttpApiEndpoint.get("balance", "/partners/:id/balance")
  .setPath(recordPath(Ids.PartnerId))
  .setUrlParams(
    Schema.Struct({
      at: Schema.optionalWith(
        Moment.annotations({
          description: "Events before this moment count; not in the future. By default all events until now.",
        }),
        exactly,
      ),
    }),
  )
  .addSuccess(PartnerBalance)
  .addError(NotFound)
  .annotateContext(
    extension(
      "read balance",
      "readPartnerBalance",
      "Read a partner's balance",
      "What was earned, settled, pending and due at a date, net of tax, in each currency. What is pending is still due. final is false within 60 seconds of now: events that are being stored may still be dated before at. Needs settlements:read.",
    ),
  );

const statement = HttpApiEndpoint.get("statement", "/partners/:id/statement")
  .setPath(recordPath(Ids.PartnerId))
  .setUrlParams(
    Schema.Struct({
      from: Moment.annotations({ description: "Inclusive." }),
      to: Schema.optionalWith(
        Moment.annotations({
          description: "Exclusive; not in the future. By default all events until now.",
        }),
        exactly,
      ),
      currency: Schema.optionalWith(
        Codes.Currency.annotations({
          jsonSchema: {
            type: "string",
            pattern: "^[A-Z]{3}$",
            description: "An ISO 4217 code. May be absent when the partner has amounts in one currency only.",
          },
        }),
        exactly,
      ),
      after: Schema.optionalWith(
        Schema.String.annotations({
          description: "next_cursor of the previous page, of the same partner, from, to and currency.",
        }),
        exactly,
      ),
      limit: Schema.optionalWith(
        whole(1, PartnerStatement.LIMIT_MAX, PartnerStatement.LIMIT_MAX, "Movements on a page at most."),
        exactly,
      ),
    }),
  )
  .addSuccess(Statement)
  .addError(RecordFailure)
  .annotateContext(
    extension(
      "read statement",
      "readPartnerStatement",
      "Read a partner's statement",
      `Every event that concerns what is due to the partner, by its own datetime, net of tax; opening balance plus movements is closing balance. A statement of a final period never changes. Further pages need the value of to that the first page returned. With the header \`Accept: text/csv\` or \`Accept: application/pdf\` the whole statement is a file; a PDF has at most ${PartnerStatement.PDF_MOVEMENTS_MAX} movements.`,
    ),
  );

/** The operations on what is due to a partner. */
export const partnerStatements = { balance, statement };

/** The balance of a partner at a date, and the statement of a period. */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint";
import { Schema } from "effect";
import { Currency as Codes, Ids, Limits, PartnerStatement } from "quittance";
import { PARTNER } from "./openapi/examples/Ids.ts";
import * as Example from "./openapi/examples/Story.ts";
import { extension } from "./shared/Annotation.ts";
import { NotFound, RecordFailure } from "./shared/Failure.ts";
import { Currency, DateTime, Id, optional, Sum } from "./shared/Field.ts";
import { csvFormat, dateTime, recordPath, wholeNumber } from "./shared/Query.ts";

/** The balance of a partner at a date, by currency, ascending; `earned` is `settled` plus `due` plus `waiting`. */
export const PartnerBalance = Schema.Struct({
  at: DateTime,
  final: Schema.Boolean,
  balances: Schema.Array(
    Schema.Struct({ currency: Currency, earned: Sum, settled: Sum, pending: Sum, due: Sum, waiting: Sum }),
  ),
}).annotations({ identifier: "PartnerBalance" });

/** The balances of several partners at a date, in the order in which they are named, then by currency. */
export const PartnerBalances = Schema.Struct({
  at: DateTime,
  final: Schema.Boolean,
  balances: Schema.Array(
    Schema.Struct({
      partner_id: Id,
      ...{ currency: Currency, earned: Sum, settled: Sum, pending: Sum, due: Sum, waiting: Sum },
    }),
  ),
}).annotations({ identifier: "PartnerBalances" });

/** One event that concerns the amount due; `amount` is its change and may be 0, `balance` is the amount due after it. */
export const Movement = Schema.Struct({
  datetime: DateTime,
  type: Schema.Literal(
    "earned",
    "adjusted",
    "received",
    "settled_elsewhere",
    "paid",
    "written_off",
    "payment_returned",
  ),
  amount: Sum,
  balance: Sum,
  commission_id: optional(Id),
  settlement_id: optional(Id),
  reference: optional(Schema.String),
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

const at = optional(
  dateTime(
    "Exclusive: includes the events before this moment, which may not be in the future. By default all events until now.",
  ),
);

const balance = HttpApiEndpoint.get("balance", "/partners/:id/balance")
  .setPath(recordPath(Ids.PartnerId))
  .setUrlParams(Schema.Struct({ at }))
  .addSuccess(PartnerBalance)
  .addError(NotFound)
  .pipe(
    extension({
      operation: "read balance",
      id: "readPartnerBalance",
      summary: "Read a partner's balance",
      description:
        "Returns the earned, settled, pending, due and waiting amounts at a date, net of tax, in each currency. The due amount includes the pending amount, which is in open settlements. waiting is what waits for buyers under on_receipt; it is not due. final is false when at is less than 60 seconds ago: requests in progress may still store events dated before it. Needs settlements:read.",
      response: {
        at: Example.MONTH_END,
        final: true,
        balances: [{ currency: "EUR", earned: 1200, settled: 1200, pending: 0, due: 0, waiting: 0 }],
      },
      refused: "at: must not be in the future",
    }),
  );

const balances = HttpApiEndpoint.get("balances", "/partners/balances")
  .setUrlParams(
    Schema.Struct({
      partnerIds: Schema.Array(Ids.PartnerId)
        .annotations({
          jsonSchema: {
            description: `The partners, at most ${Limits.FILTER_VALUES_MAX}; repeat the parameter for several values.`,
            type: "array",
            minItems: 1,
            maxItems: Limits.FILTER_VALUES_MAX,
            items: { type: "string", format: "uuid" },
          },
        })
        .pipe(Schema.propertySignature, Schema.fromKey("partner_ids")),
      at,
    }),
  )
  .addSuccess(PartnerBalances)
  .pipe(
    extension({
      operation: "read balance",
      id: "readPartnerBalances",
      summary: "Read the balances of several partners",
      description:
        "Returns for each partner what its balance returns, in one list: partners in the order in which they are named, then by currency. A partner that the credential does not see, or that has never earned anything, has none. Needs settlements:read.",
      response: {
        at: Example.MONTH_END,
        final: true,
        balances: [
          {
            partner_id: PARTNER,
            ...{ currency: "EUR", earned: 1200, settled: 1200, pending: 0, due: 0, waiting: 0 },
          },
        ],
      },
      refused: "at: must not be in the future",
    }),
  );

const statement = HttpApiEndpoint.get("statement", "/partners/:id/statement")
  .setPath(recordPath(Ids.PartnerId))
  .setUrlParams(
    Schema.Struct({
      from: dateTime("The start of the period. Inclusive."),
      to: optional(
        dateTime("The end of the period. Exclusive, and not in the future. By default all events until now."),
      ),
      currency: optional(
        Codes.Currency.annotations({
          jsonSchema: {
            type: "string",
            pattern: "^[A-Z]{3}$",
            description:
              "The currency of the statement. An ISO 4217 code. Required when the partner has amounts in more than one currency.",
          },
        }),
      ),
      after: optional(
        Schema.String.annotations({
          description: "next_cursor of the previous page; requires the same partner, from, to and currency.",
        }),
      ),
      limit: optional(
        wholeNumber(
          1,
          PartnerStatement.LIMIT_MAX,
          PartnerStatement.LIMIT_MAX,
          "The greatest number of movements on a page.",
        ),
      ),
      format: optional(
        csvFormat(
          "Of the CSV file, which the header Accept asks for: spreadsheet begins with a byte order mark.",
        ),
      ),
    }),
  )
  .addSuccess(Statement)
  .addError(RecordFailure)
  .pipe(
    extension({
      operation: "read statement",
      id: "readPartnerStatement",
      summary: "Read a partner's statement",
      description: `Returns every event that concerns the amount due to the partner, by its datetime, net of tax. The opening balance plus all movements is the closing balance. A final statement never changes. For further pages, send the value of to from the first page. With the header \`Accept: text/csv\` or \`Accept: application/pdf\` returns the whole statement as a file: amounts of the CSV have the decimals of the currency, and amount_minor and balance_minor are in the smallest unit; a PDF has at most ${PartnerStatement.PDF_MOVEMENTS_MAX} movements.`,
      response: Example.statement,
      refused: "to: must be after from",
    }),
  );

/** The operations on a partner's balance and statement. */
export const partnerStatements = { balance, balances, statement };

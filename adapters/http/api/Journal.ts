/** The journal of a customer, as double entries. */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint";
import * as HttpApiGroup from "@effect/platform/HttpApiGroup";
import * as PlatformOpenApi from "@effect/platform/OpenApi";
import { Schema } from "effect";
import { Currency as Codes, Journal as Domain, JournalFile, Limits, PayablesReport } from "quittance";
import * as Example from "./openapi/examples/Story.ts";
import { extension } from "./shared/Annotation.ts";
import { Currency, DateTime, Id, optional, Sum } from "./shared/Field.ts";
import { filters } from "./shared/Filters.ts";
import { dateTime, optionalParameter, wholeNumber } from "./shared/Query.ts";

/** A posting: `debit` or `credit`, never both, in the smallest unit of the currency. */
export const JournalLine = Schema.Struct({
  account: Domain.Account.annotations({
    description: Object.entries(Domain.ACCOUNTS)
      .map(([name, meaning]) => `${name}: ${meaning}.`)
      .join(" "),
  }),
  number: optional(Schema.String.annotations({ description: "The account that a posting rule states." })),
  cost_centre: optional(Schema.String),
  text: optional(Schema.String),
  debit: optional(Sum),
  credit: optional(Sum),
}).annotations({ identifier: "JournalLine" });

/** One entry, whose debits and credits have the same sum. */
export const JournalEntry = Schema.Struct({
  datetime: DateTime,
  kind: Domain.Kind,
  partner_id: Id,
  partner_name: Schema.String,
  currency: Currency,
  commission_id: optional(Id),
  settlement_id: optional(Id),
  document: optional(Schema.String.annotations({ description: "The number of the invoice or credit note." })),
  reference: optional(Schema.String.annotations({ description: "The external reference of the sale." })),
  concerns: optional(
    Schema.String.annotations({
      jsonSchema: { type: "string", pattern: "^[0-9]{4}-[0-9]{2}$" },
      description: "The month of the sale, YYYY-MM, where it is before the month of the entry.",
    }),
  ),
  text: Schema.String,
  lines: Schema.Array(JournalLine),
}).annotations({ identifier: "JournalEntry" });

/** A page of a journal. */
export const JournalPage = Schema.Struct({
  from: DateTime,
  to: DateTime,
  final: Schema.Boolean,
  entries: Schema.Array(JournalEntry),
  next_cursor: Schema.NullOr(Schema.String).annotations({
    description: "The parameter after of the next page; null on the last page.",
  }),
}).annotations({ identifier: "JournalPage" });

/** What a row leaves out is of several. The smallest unit of the currency. */
export const PayablesRow = Schema.Struct({
  currency: Currency,
  partner_id: optional(Id),
  partner_name: optional(Schema.String),
  workspace_id: optional(Id),
  earned: Sum,
  awaiting_receipt: Sum,
  accrued: Sum,
  in_settlement: Sum,
  tax: Sum,
  payable: Sum,
  current: Sum,
  overdue_1_to_30: Sum,
  overdue_31_to_60: Sum,
  overdue_61_to_90: Sum,
  overdue_over_90: Sum,
  paid: Sum,
  settled_elsewhere: Sum,
  written_off: Sum,
}).annotations({ identifier: "PayablesRow" });

/** A page of payables and accruals at a date. */
export const PayablesPage = Schema.Struct({
  at: DateTime,
  final: Schema.Boolean,
  rows: Schema.Array(PayablesRow),
  next_cursor: Schema.NullOr(Schema.String).annotations({
    description: "The parameter after of the next page; null on the last page.",
  }),
}).annotations({ identifier: "PayablesPage" });

const read = HttpApiEndpoint.get("read", "/journal")
  .setUrlParams(
    Schema.Struct({
      from: dateTime("The start of the period. Inclusive."),
      to: optional(
        dateTime("The end of the period. Exclusive, and not in the future. By default all events until now."),
      ),
      ...filters("commission", ["partnerIds", "workspaceIds"]),
      currency: optional(
        Codes.Currency.annotations({
          jsonSchema: {
            type: "string",
            pattern: "^[A-Z]{3}$",
            description:
              "Only entries in this currency. An ISO 4217 code. Required for datev, quickbooks and xero.",
          },
        }),
      ),
      kinds: optional(Domain.KindFilter),
      after: optional(
        Schema.String.annotations({
          description: "next_cursor of the previous page; requires the same other parameters, and its to.",
        }),
      ),
      limit: optional(
        wholeNumber(
          1,
          Domain.LIMIT_MAX,
          Domain.LIMIT_MAX,
          "About how many entries a page has: those of one moment are not separated.",
        ),
      ),
      format: optional(
        Schema.Literal("json", ...JournalFile.FORMAT_NAMES).annotations({
          jsonSchema: {
            type: "string",
            enum: ["json", ...JournalFile.FORMAT_NAMES],
            default: "json",
            description:
              "json: pages. The others are the whole journal as a file: csv, a line for each posting; spreadsheet, the same with a byte order mark; hledger and beancount, plain text accounting; datev, a batch of postings (EXTF); quickbooks, journal entries for QuickBooks Online; xero, manual journals; quickbooks_bills and xero_bills, the documents as bills. datev, xero and xero_bills need settings, and rules for every account, of the posting rules. Without it the header Accept decides: text/csv and text/plain ask for csv and hledger.",
          },
        }),
      ),
    }),
  )
  .addSuccess(JournalPage)
  .pipe(
    extension({
      operation: "read journal",
      id: "readJournal",
      summary: "Read the journal",
      description:
        "Returns double entries for what partners earn, are billed and are paid: partner by partner in the order of their creation, by currency, then by datetime. Commissions are net of tax. An entry is dated by its event, so a final journal never changes; that of a closed month does not under any clocks. The entries of all periods together are the balances of all partners. A page may be empty and have a next_cursor. Needs settlements:read.",
      response: {
        from: Example.statement.from ?? null,
        to: Example.MONTH_END,
        final: true,
        entries: [Example.journalEntry],
        next_cursor: null,
      },
      refused: "to: must be after from",
    }),
  );

const payables = HttpApiEndpoint.get("payables", "/payables")
  .setUrlParams(
    Schema.Struct({
      at: optional(
        dateTime(
          "Exclusive: includes the events before this moment, which may not be in the future. By default all events until now.",
        ),
      ),
      groupBy: optionalParameter(
        PayablesReport.Grouping.annotations({
          jsonSchema: {
            type: "string",
            enum: ["partner", "workspace", "currency"],
            default: "partner",
            description: "What a row is about: a partner, or all partners of a workspace, or all partners.",
          },
        }),
        "group_by",
      ),
      ...filters("commission", ["partnerIds", "workspaceIds"]),
      after: optional(
        Schema.String.annotations({
          description:
            "next_cursor of the previous page, with the same other parameters and its at. Only for rows of partners.",
        }),
      ),
      limit: optional(
        wholeNumber(
          1,
          Limits.PER_PAGE_MAX,
          Limits.PER_PAGE_MAX,
          "How many partners a page covers at most. Only for rows of partners.",
        ),
      ),
      format: optional(
        Schema.Literal("json", "csv", "spreadsheet").annotations({
          jsonSchema: {
            type: "string",
            enum: ["json", "csv", "spreadsheet"],
            default: "json",
            description:
              "json: pages. csv: all rows as a file; spreadsheet, the same with a byte order mark. Without it the header Accept decides: text/csv asks for csv.",
          },
        }),
      ),
    }),
  )
  .addSuccess(PayablesPage)
  .pipe(
    extension({
      operation: "read payables",
      id: "readPayables",
      summary: "Read payables and accruals",
      description:
        "Returns what partners have earned before a moment and where it is on its way to them, in each currency; earned plus tax is awaiting_receipt, accrued, payable, paid, settled_elsewhere and written_off together, and each is the balance of its account of the journal. payable is unpaid invoices and credit notes with tax, by their age on the day before at: current is not past due. in_settlement is the part of accrued in settlements under way. A page may be empty and have a next_cursor. Needs settlements:read.",
      response: { at: Example.MONTH_END, final: true, rows: [Example.payablesRow], next_cursor: null },
      refused: "at: must not be in the future",
    }),
  );

/** The operations on the journal. */
export const JournalGroup = HttpApiGroup.make("journal")
  .add(read)
  .add(payables)
  .annotate(PlatformOpenApi.Title, "Journal")
  .annotate(
    PlatformOpenApi.Description,
    "Double entries for accounting, and what they add up to: payables and accruals.",
  );

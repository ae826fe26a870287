/** The journal of a customer, as double entries. */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint";
import * as HttpApiGroup from "@effect/platform/HttpApiGroup";
import * as PlatformOpenApi from "@effect/platform/OpenApi";
import { Schema } from "effect";
import { Journal as Domain } from "quittance";
import * as Example from "./openapi/examples/Story.ts";
import { extension } from "./shared/Annotation.ts";
import { Currency, DateTime, Id, optional, Sum } from "./shared/Field.ts";
import { filters } from "./shared/Filters.ts";
import { dateTime, wholeNumber } from "./shared/Query.ts";

/** A posting: `debit` or `credit`, never both, in the smallest unit of the currency. */
export const JournalLine = Schema.Struct({
  account: Domain.Account.annotations({
    description: Object.entries(Domain.ACCOUNTS)
      .map(([name, meaning]) => `${name}: ${meaning}.`)
      .join(" "),
  }),
  debit: optional(Sum),
  credit: optional(Sum),
}).annotations({ identifier: "JournalLine" });

/** One entry, whose debits and credits have the same sum. */
export const JournalEntry = Schema.Struct({
  datetime: DateTime,
  partner_id: Id,
  partner_name: Schema.String,
  currency: Currency,
  commission_id: optional(Id),
  settlement_id: optional(Id),
  document: optional(Schema.String.annotations({ description: "The number of the invoice or credit note." })),
  reference: optional(Schema.String.annotations({ description: "The external reference of the sale." })),
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

/** The forms of a journal as a file. */
export const FILE_FORMATS = ["csv", "spreadsheet", "hledger"] as const;

const read = HttpApiEndpoint.get("read", "/journal")
  .setUrlParams(
    Schema.Struct({
      from: dateTime("The start of the period. Inclusive."),
      to: optional(
        dateTime("The end of the period. Exclusive, and not in the future. By default all events until now."),
      ),
      ...filters("commission", ["partnerIds", "workspaceIds"]),
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
        Schema.Literal("json", ...FILE_FORMATS).annotations({
          jsonSchema: {
            type: "string",
            enum: ["json", ...FILE_FORMATS],
            default: "json",
            description:
              "json: pages. The others are the whole journal as a file: csv, a line for each posting; spreadsheet, the same with a byte order mark; hledger, a journal of plain text accounting. Without it the header Accept decides: text/csv and text/plain ask for csv and hledger.",
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
        "Returns double entries for what partners earn, are billed and are paid: partner by partner in the order of their creation, by currency, then by datetime. Commissions are net of tax. An entry is dated by its event, so a final journal never changes, and the entries of all periods together are the balances of all partners. A page may be empty and have a next_cursor. Needs settlements:read.",
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

/** The operations on the journal. */
export const JournalGroup = HttpApiGroup.make("journal")
  .add(read)
  .annotate(PlatformOpenApi.Title, "Journal")
  .annotate(PlatformOpenApi.Description, "Double entries for accounting.");

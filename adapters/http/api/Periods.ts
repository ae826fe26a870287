/** Accounting periods: closing months and reopening them. */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint";
import * as HttpApiGroup from "@effect/platform/HttpApiGroup";
import * as HttpApiSchema from "@effect/platform/HttpApiSchema";
import * as PlatformOpenApi from "@effect/platform/OpenApi";
import { Schema } from "effect";
import { AccountingPeriod as Domain, Journal } from "quittance";
import * as Example from "./openapi/examples/Story.ts";
import { extension } from "./shared/Annotation.ts";
import { BodyFailure, Conflict } from "./shared/Failure.ts";
import { Count, Currency, DateTime, EventActor, event, optional, Sum } from "./shared/Field.ts";

const Month = Schema.String.annotations({
  jsonSchema: { type: "string", pattern: "^[0-9]{4}-[0-9]{2}$", description: "A month of UTC, YYYY-MM." },
});

const Sha256 = Schema.String.annotations({
  jsonSchema: { type: "string", pattern: "^[0-9a-f]{64}$" },
});

/** The sums of an account. */
const PeriodTotal = Schema.Struct({
  currency: Currency,
  account: Journal.Account,
  debit: Sum,
  credit: Sum,
}).annotations({ identifier: "PeriodTotal" });

const PeriodJournal = Schema.Struct({
  sha256: Sha256.annotations({ description: "The hash of the last entry, which covers all before it." }),
  entries: Count,
  totals: Schema.Array(PeriodTotal).annotations({ description: "By currency, then by account." }),
}).annotations({ identifier: "PeriodJournal" });

/** A month that is or was closed. */
const Period = Schema.Struct({
  month: Month,
  from: Schema.NullOr(DateTime).annotations({
    description: "Inclusive; null for the first period, which contains everything before its end.",
  }),
  to: DateTime.annotations({ description: "Exclusive." }),
  status: Schema.Literal("closing", "closed", "reopened").annotations({
    description:
      "closed; closing: closed, and the hash is being computed; reopened: not closed any more, the other fields are of the last closing.",
  }),
  closed_at: DateTime,
  closed_by: Schema.String,
  reopened_at: optional(DateTime),
  reopened_by: optional(Schema.String),
  reopen_reason: optional(Schema.String),
  journal: Schema.NullOr(PeriodJournal).annotations({ description: "Null while closing." }),
}).annotations({ identifier: "Period" });

/** All periods of a customer. */
export const PeriodList = Schema.Struct({
  periods: Schema.Array(Period).annotations({ description: "In the order of their months." }),
  next_month: Schema.NullOr(Month).annotations({
    description: "The only month that may be closed next; null where any may be, because none ever was.",
  }),
}).annotations({ identifier: "PeriodList" });

const DIGITS = { description: "Decimal digits, because a sum may exceed ±(2^53 − 1)." };

/** The events of periods. */
export const PeriodEvent = Schema.Union(
  event("close_period", { actor: EventActor, month: Month }),
  event("seal_period", {
    actor: EventActor,
    month: Month,
    journal_sha256: Sha256,
    entries: Count,
    sums: Schema.Array(
      Schema.Struct({
        currency: Currency,
        account: Journal.Account,
        debit: Schema.String.annotations(DIGITS),
        credit: Schema.String.annotations(DIGITS),
      }),
    ),
  }),
  event("reopen_period", { actor: EventActor, month: Month, reason: Schema.String }),
);

const path = Schema.Struct({ month: Domain.Month });

const read = HttpApiEndpoint.get("read", "/periods")
  .addSuccess(PeriodList)
  .pipe(
    extension({
      operation: "read books",
      id: "readPeriods",
      summary: "Read the closed months",
      description:
        "Every month that is or was closed, with who closed it, and the hash and totals of its journal. Needs settlements:read.",
      response: { periods: [Example.period], next_month: "2026-02" },
      refused: "page: is not a known parameter",
    }),
  );

const close = HttpApiEndpoint.post("close", "/periods/:month/close")
  .setPath(path)
  .addSuccess(HttpApiSchema.Empty(200))
  .addError(Conflict)
  .pipe(
    extension({
      operation: "write books",
      id: "closePeriod",
      summary: "Close a month",
      description:
        "Closes a month that has ended, after those before it; the first one that is closed contains everything before. From then on nothing is dated in it: what is recorded later is in the month in which it is recorded, and an entry about an earlier sale states its month in concerns. Its postings keep the posting rules of this moment. A worker stores the hash and the totals of its journal. Closing a closed month changes nothing. Needs settlements:approve.",
      refused: "month: must be a month as YYYY-MM",
    }),
  );

const reopen = HttpApiEndpoint.post("reopen", "/periods/:month/reopen")
  .setPath(path)
  .setPayload(Domain.Reopen)
  .addSuccess(HttpApiSchema.Empty(200))
  .addError(BodyFailure)
  .pipe(
    extension({
      operation: "write books",
      id: "reopenPeriod",
      summary: "Reopen a month",
      description:
        "Opens the last closed month again. Another person than the one who closed it has to. Needs settlements:approve.",
      request: { reason: "An invoice of January was missing" },
      refused: "month: must be a month as YYYY-MM",
    }),
  );

/** The operations on accounting periods. */
export const Periods = HttpApiGroup.make("periods")
  .add(read)
  .add(close)
  .add(reopen)
  .annotate(PlatformOpenApi.Title, "Periods")
  .annotate(PlatformOpenApi.Description, "Months whose books are closed: their journal never changes.");

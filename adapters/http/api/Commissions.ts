/** Commissions: the amount of one attribution under one formula. */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint";
import * as HttpApiGroup from "@effect/platform/HttpApiGroup";
import * as PlatformOpenApi from "@effect/platform/OpenApi";
import { Schema } from "effect";
import { Commission as Domain, Ids } from "quittance";
import * as Example from "./openapi/examples/Story.ts";
import { extension, publishedOperation } from "./shared/Annotation.ts";
import { NotFound } from "./shared/Failure.ts";
import {
  Amount,
  Count,
  Currency,
  DateTime,
  entryOf,
  Id,
  optional,
  pageOf,
  Sum,
  Trace,
} from "./shared/Field.ts";
import { filters } from "./shared/Filters.ts";
import { paging, recordPath, statistics } from "./shared/Query.ts";
import { shownFields, shownMembers } from "./shared/Record.ts";

const view = shownFields(Domain.Shown);

const { formula_version, parameters_version, released_amount, waiting_amount } = view;

/** The events of a commission. */
export const CommissionEvent = Schema.Union(...shownMembers(Domain.CommissionEvent)).annotations({
  identifier: "CommissionEvent",
});

/** A commission; `computed_amount` is always the settled plus the due amount, and what waits for the buyer: of a commission under `on_receipt`, `released_amount` and `waiting_amount` add up to it. */
export const Commission = Schema.Struct({
  id: Id,
  partner_id: Id,
  attribution_id: Id,
  customer_id: Id,
  commission_formula_id: Id,
  workspace_id: Id,
  currency: Currency,
  events: Schema.Array(entryOf(CommissionEvent)),
  view: Schema.Struct(view),
}).annotations({ identifier: "Commission" });

/** A count and exact sums per currency, ascending; a sum may exceed what one amount can hold. */
const Totals = Schema.Struct({
  count: Count,
  amounts: Schema.Array(
    Schema.Struct({
      currency: Currency,
      amount: Sum,
    }),
  ),
}).annotations({ identifier: "Totals" });

const totals = { count: Count, settled: Totals, unsettled: Totals };

/** Commissions by the bucket in which their attribution occurred: their number, and their settled and due sums. */
export const CommissionStatistics = Schema.Struct({
  summary: Schema.Struct(totals),
  buckets: Schema.Array(Schema.Struct({ timestamp: DateTime, ...totals })),
}).annotations({ identifier: "CommissionStatistics" });

/** The derivation of a commission's amount; it has a trace when the expression was evaluated, even if that failed. */
export const Explanation = Schema.Struct({
  commission_id: Id,
  amount: Schema.NullOr(Amount),
  basis: Schema.Literal(
    "evaluated",
    "attribution_cancelled",
    "formula_cancelled",
    "outside_window",
    "failed",
  ),
  formula_version,
  parameters_version,
  apply_share: optional(
    Schema.Boolean.annotations({
      description:
        "Of a sale with several credits: true if the credit's share multiplies what the formula pays.",
    }),
  ),
  receipt: optional(
    Schema.Struct({ received: Schema.Number, of: Schema.Number }).annotations({
      description:
        "Of an amount that waits for the buyer: what the buyer has paid, of how much; absent before anything is stated.",
    }),
  ),
  released_amount,
  waiting_amount,
  settled_elsewhere: optional(
    Schema.Struct({ amount: Amount, at: DateTime, reference: optional(Schema.String) }).annotations({
      description:
        "What was settled in another system before the sale was recorded; absent where nothing was.",
    }),
  ),
  trace: Schema.NullOr(Trace),
}).annotations({ identifier: "Explanation" });

const list = HttpApiEndpoint.get("list", "/commissions")
  .setUrlParams(
    Schema.Struct({
      ...filters("commission"),
      ...paging,
    }),
  )
  .addSuccess(pageOf("commissions", Commission))
  .pipe(
    publishedOperation({
      operation: "list commissions",
      id: "listCommissions",
      summary: "List commissions",
      description:
        "Oldest first by created_at by default. settlement_ids matches commissions with a line in any of these settlements, including cancelled ones. occurred_from and occurred_to compare the attribution's occurred_at.",
      response: { commissions: [Example.commission], ...Example.paged },
      refused: "settlement_status: must be one of unsettled, pending_settlement, settled",
    }),
  );

const stats = HttpApiEndpoint.get("stats", "/commissions/stats")
  .setUrlParams(
    Schema.Struct({
      ...statistics,
      ...filters("commission", ["partnerIds", "workspaceIds"]),
    }),
  )
  .addSuccess(CommissionStatistics)
  .pipe(
    publishedOperation({
      operation: "commission statistics",
      id: "commissionStatistics",
      summary: "Count and sum commissions",
      description:
        "Per bucket of the attribution's occurred_at, net of tax, by currency. A commission counts as settled or unsettled by its status; its settled and its due amount are added to the sums separately, so that a partly settled commission is in both. Buckets are UTC days, ISO weeks or months, at most 1,000, including empty ones.",
      response: { summary: Example.sums, buckets: [{ ...Example.bucket, ...Example.sums }] },
      refused: `to: ${Example.MOMENT}`,
    }),
  );

const explanation = HttpApiEndpoint.get("explanation", "/commissions/:id/explanation")
  .setPath(recordPath(Ids.CommissionId))
  .addSuccess(Explanation)
  .addError(NotFound)
  .pipe(
    extension({
      operation: "explain commission",
      id: "explainCommission",
      summary: "Explain a commission",
      description:
        "Returns the rule that decides the amount, and every step of the evaluation when there was one. With the header `Accept: text/plain` returns sentences for the partner instead: the amount, how much of it is payable where it waits for the buyer, its calculation, and the reasons, in the language of the header `Accept-Language` (English, German, French or Spanish; English by default).",
      response: {
        commission_id: Example.COMMISSION,
        amount: 1200,
        basis: "evaluated",
        formula_version: 1,
        trace: Example.trace,
      },
    }),
  );

/** The operations on commissions. */
export const Commissions = HttpApiGroup.make("commissions")
  .add(list)
  .add(stats)
  .add(explanation)
  .annotate(PlatformOpenApi.Title, "Commissions")
  .annotate(
    PlatformOpenApi.Description,
    "The amounts of attributions under formulas, how much of each is settled, and how much is due.",
  );

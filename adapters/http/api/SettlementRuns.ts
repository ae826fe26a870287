/** Settlement runs: one draft for each partner and currency of everything due. */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint";
import * as HttpApiGroup from "@effect/platform/HttpApiGroup";
import * as PlatformOpenApi from "@effect/platform/OpenApi";
import { Schema } from "effect";
import { SettlementRun as Domain, Ids } from "quittance";
import { extension } from "./shared/Annotation.ts";
import { BodyFailure, NotFound } from "./shared/Failure.ts";
import { Amount, Count, Created, Currency, DateTime, Id, pageOf } from "./shared/Field.ts";
import { filter, paging, recordPath } from "./shared/Query.ts";

const extent = {
  workspace_id: Id,
  partner_ids: Schema.NullOr(Schema.Array(Id)).annotations({
    description: "Null: every partner of the workspace.",
  }),
  currencies: Schema.NullOr(Schema.Array(Currency)).annotations({ description: "Null: every currency." }),
  until: DateTime.annotations({ description: "Exclusive: the run settles what occurred before." }),
};

const Totals = Schema.Array(Schema.Struct({ currency: Currency, amount: Amount })).annotations({
  description: "The sums of the drafts, net of tax; a sum may exceed what one amount can hold.",
});

/** A run and its progress. */
export const SettlementRun = Schema.Struct({
  id: Id,
  customer_id: Id,
  ...extent,
  period: Schema.NullOr(Schema.String).annotations({
    description: "The label of the period whose cadence started it, such as 2026-02; null if a request did.",
  }),
  state: Schema.Literal("running", "done"),
  partner_count: Count.annotations({
    description: "The number of partners that it covers, counted at its start.",
  }),
  partners_done: Count,
  draft_count: Count,
  line_count: Count,
  approved_count: Count.annotations({ description: "Drafts that it has approved by the policy." }),
  totals: Totals,
  created_at: DateTime,
  finished_at: Schema.NullOr(DateTime),
}).annotations({ identifier: "SettlementRun" });

const Reason = Schema.NullOr(Schema.Literal(...Domain.REASONS)).annotations({
  description: "Why there is no draft; null if there is one.",
});

const finding = {
  partner_id: Id,
  currency: Schema.NullOr(Currency).annotations({ description: "Null: nothing is due in any currency." }),
  reason: Reason,
  total: Schema.NullOr(Amount).annotations({
    description: "What may be settled, net of tax; null beyond the largest amount.",
  }),
  line_count: Count.annotations({ description: "Commissions that may be settled." }),
  on_hold_count: Count,
  on_hold_amount: Schema.NullOr(Amount),
  not_computable_count: Count,
  in_open_settlement_count: Count,
};

/** The result of a run for one partner and currency. */
export const SettlementRunResult = Schema.Struct({
  ...finding,
  drafts: Schema.Array(
    Schema.Struct({
      settlement_id: Id,
      total: Amount,
      line_count: Count,
      approval: Schema.Literal("manual", "pending", "approved", "refused").annotations({
        description: "Whether the run approves it by the policy: not at all, not yet, done, or refused.",
      }),
      approval_problem: Schema.NullOr(Schema.String),
    }),
  ).annotations({ description: "One, or one for each 10,000 commissions." }),
}).annotations({ identifier: "SettlementRunResult" });

/** A run with one page of its results. */
export const SettlementRunDetails = Schema.Struct({
  run: SettlementRun,
  ...pageOf("results", SettlementRunResult).fields,
}).annotations({ identifier: "SettlementRunDetails" });

/** What a run would find for one partner and currency. */
export const SettlementDryRunResult = Schema.Struct({
  ...finding,
  draft_count: Count,
  auto_approve: Schema.Boolean.annotations({ description: "Whether the run would approve the drafts." }),
}).annotations({ identifier: "SettlementDryRunResult" });

/** What a run would do; nothing is stored. */
export const SettlementDryRun = Schema.Struct({
  ...extent,
  partner_count: Count,
  draft_count: Count,
  line_count: Count,
  totals: Totals,
  results: Schema.Array(SettlementDryRunResult),
}).annotations({ identifier: "SettlementDryRun" });

const list = HttpApiEndpoint.get("list", "/settlement-runs")
  .setUrlParams(
    Schema.Struct({
      ids: filter(Ids.SettlementRunId, "ids"),
      workspaceIds: filter(Ids.WorkspaceId, "workspace_ids"),
      ...paging,
    }),
  )
  .addSuccess(pageOf("settlement_runs", SettlementRun))
  .annotateContext(
    extension(
      "list settlement runs",
      "listSettlementRuns",
      "List settlement runs",
      "Oldest first, unless asked otherwise. Needs a credential for all partners.",
    ),
  );

const start = HttpApiEndpoint.post("start", "/settlement-runs")
  .setPayload(Domain.Start)
  .addSuccess(Created, { status: 201 })
  .addSuccess(SettlementDryRun)
  .addError(BodyFailure)
  .annotateContext(
    extension(
      "start settlement run",
      "startSettlementRun",
      "Start a settlement run",
      "Creates one draft for each partner and currency of everything due that occurred before until (default: now) and is not on hold, in the background. With dry_run it returns 200 with what it would do, for at most 5,000 partners, and stores nothing. Needs a credential for all partners.",
    ),
  );

const read = HttpApiEndpoint.get("read", "/settlement-runs/:id")
  .setPath(recordPath(Ids.SettlementRunId))
  .setUrlParams(Schema.Struct({ partnerIds: filter(Ids.PartnerId, "partner_ids"), ...paging }))
  .addSuccess(SettlementRunDetails)
  .addError(NotFound)
  .annotateContext(
    extension(
      "list settlement runs",
      "readSettlementRun",
      "Read a settlement run",
      "Its progress, and one page of its results: of each partner and currency the drafts, or why there is none.",
    ),
  );

/** The operations on settlement runs. */
export const SettlementRuns = HttpApiGroup.make("settlement_runs")
  .add(list)
  .add(start)
  .add(read)
  .annotate(PlatformOpenApi.Title, "Settlement runs")
  .annotate(
    PlatformOpenApi.Description,
    "One draft for each partner and currency of everything due, by the settlement policy.",
  );

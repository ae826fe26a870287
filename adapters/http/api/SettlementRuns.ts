/** Settlement runs: drafts of everything due, one for each partner and currency. */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint";
import * as HttpApiGroup from "@effect/platform/HttpApiGroup";
import * as PlatformOpenApi from "@effect/platform/OpenApi";
import { Schema } from "effect";
import { SettlementRun as Domain, Ids } from "quittance";
import * as Example from "./openapi/examples/Story.ts";
import { extension } from "./shared/Annotation.ts";
import { BodyFailure, NotFound } from "./shared/Failure.ts";
import { Count, Created, Currency, DateTime, Id, pageOf, Sum } from "./shared/Field.ts";
import { filters } from "./shared/Filters.ts";
import { paging, recordPath } from "./shared/Query.ts";
import { shown, shownFields } from "./shared/Record.ts";

const criteria = shownFields(Domain.Criteria);

const Totals = Schema.Array(Schema.Struct({ currency: Currency, amount: Sum })).annotations({
  description: "The sums of the drafts, net of tax.",
});

/** A run and its progress. */
export const SettlementRun = Schema.Struct({
  id: Id,
  customer_id: Id,
  ...criteria,
  ...shownFields(Domain.Progress),
  totals: Totals,
  person: Schema.String.annotations({
    description: "The person that started the run, or set the cadence that did.",
  }),
  created_at: DateTime,
  finished_at: Schema.NullOr(DateTime),
}).annotations({ identifier: "SettlementRun" });

const finding = shownFields(Domain.Finding);

/** The result of a run for one partner and currency. */
export const SettlementRunResult = Schema.Struct({
  ...finding,
  drafts: Schema.Array(shown(Domain.RunDraft)).annotations({
    description: "One draft per 10,000 commissions.",
  }),
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
  auto_approve: Schema.Boolean.annotations({
    description:
      "Whether the policy covers the drafts; a run leaves those to a person that its starter may not approve alone.",
  }),
}).annotations({ identifier: "SettlementDryRunResult" });

/** What a run would do; nothing is stored. */
export const SettlementDryRun = Schema.Struct({
  ...criteria,
  partner_count: Count,
  draft_count: Count,
  line_count: Count,
  totals: Totals,
  results: Schema.Array(SettlementDryRunResult),
}).annotations({ identifier: "SettlementDryRun" });

const list = HttpApiEndpoint.get("list", "/settlement-runs")
  .setUrlParams(
    Schema.Struct({
      ...filters("settlementRun"),
      ...paging,
    }),
  )
  .addSuccess(pageOf("settlement_runs", SettlementRun))
  .pipe(
    extension({
      operation: "list settlement runs",
      id: "listSettlementRuns",
      summary: "List settlement runs",
      description: "Oldest first by default. Needs a credential for all partners.",
      response: { settlement_runs: [Example.settlementRun], ...Example.paged },
      refused: Example.PAGE,
    }),
  );

const start = HttpApiEndpoint.post("start", "/settlement-runs")
  .setPayload(Domain.Start)
  .addSuccess(Created, { status: 201 })
  .addSuccess(SettlementDryRun)
  .addError(BodyFailure)
  .pipe(
    extension({
      operation: "start settlement run",
      id: "startSettlementRun",
      summary: "Start a settlement run",
      description:
        "Creates, in the background, a draft for each partner and currency of everything due that occurred before until (default: now) and is not on hold. With dry_run returns 200 and the result that a run would have, for at most 5,000 partners, and stores nothing. Needs a credential for all partners.",
      request: { workspace_id: Example.WORKSPACE, until: "2026-02-01T00:00:00Z" },
      response: Example.created(Example.RUN),
      dryRun: {
        ...Example.extent,
        partner_count: 1,
        draft_count: 1,
        line_count: 1,
        totals: [{ currency: "EUR", amount: 1200 }],
        results: [{ ...Example.finding, draft_count: 1, auto_approve: false }],
      },
      refused: "partner_ids: must have 1 to 1000 ids",
    }),
  );

const read = HttpApiEndpoint.get("read", "/settlement-runs/:id")
  .setPath(recordPath(Ids.SettlementRunId))
  .setUrlParams(Schema.Struct({ ...filters("settlementRunResult"), ...paging }))
  .addSuccess(SettlementRunDetails)
  .addError(NotFound)
  .pipe(
    extension({
      operation: "list settlement runs",
      id: "readSettlementRun",
      summary: "Read a settlement run",
      description:
        "Returns the progress, and one page of results: for each partner and currency the drafts, or the reason why there is none. Needs a credential for all partners.",
      response: { run: Example.settlementRun, results: [Example.runResult], ...Example.paged },
    }),
  );

/** The operations on settlement runs. */
export const SettlementRuns = HttpApiGroup.make("settlement_runs")
  .add(list)
  .add(start)
  .add(read)
  .annotate(PlatformOpenApi.Title, "Settlement runs")
  .annotate(
    PlatformOpenApi.Description,
    "Drafts of everything due, one for each partner and currency, by the settlement policy.",
  );

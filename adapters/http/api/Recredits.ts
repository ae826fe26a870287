/** Recredit runs: the uplines of all sales of a span derived again. */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint";
import * as HttpApiGroup from "@effect/platform/HttpApiGroup";
import * as PlatformOpenApi from "@effect/platform/OpenApi";
import { Schema } from "effect";
import { RecreditRun as Domain, Ids } from "quittance";
import * as Example from "./openapi/examples/Story.ts";
import { extension } from "./shared/Annotation.ts";
import { BodyFailure, NotFound } from "./shared/Failure.ts";
import { Created, Currency, DateTime, Id, pageOf, Sum } from "./shared/Field.ts";
import { filters } from "./shared/Filters.ts";
import { paging, recordPath } from "./shared/Query.ts";
import { shownFields } from "./shared/Record.ts";

const { state, ...counts } = shownFields(Domain.Progress);

/** A run and its progress. */
export const RecreditRun = Schema.Struct({
  id: Id,
  customer_id: Id,
  workspace_id: Id,
  ...shownFields(Domain.Criteria),
  state,
  reached: DateTime.annotations({
    description:
      "Every sale of the span that occurred before this moment is done; from at the start, to at the end.",
  }),
  ...counts,
  totals: Schema.Array(
    Schema.Struct({ currency: Currency, amount_before: Sum, amount_after: Sum }),
  ).annotations({
    description:
      "What the credits that were cancelled earned, and what the new ones earn; an amount that cannot be computed counts as 0.",
  }),
  person: Schema.String.annotations({
    description: "The person that started the run.",
  }),
  created_at: DateTime,
  finished_at: Schema.NullOr(DateTime),
}).annotations({ identifier: "RecreditRun" });

/** What a run found of one sale. */
export const RecreditRunResult = Schema.Struct({
  attribution_id: Id.annotations({ description: "The origin of the sale." }),
  ...shownFields(Domain.Found),
}).annotations({ identifier: "RecreditRunResult" });

/** A run with one page of its results. */
export const RecreditRunDetails = Schema.Struct({
  run: RecreditRun,
  ...pageOf("results", RecreditRunResult).fields,
}).annotations({ identifier: "RecreditRunDetails" });

const list = HttpApiEndpoint.get("list", "/recredits")
  .setUrlParams(Schema.Struct({ ...filters("recreditRun"), ...paging }))
  .addSuccess(pageOf("recredits", RecreditRun))
  .pipe(
    extension({
      operation: "list recredit runs",
      id: "listRecredits",
      summary: "List recredit runs",
      description: "Oldest first by default. Needs a credential for all partners.",
      response: { recredits: [Example.recreditRun], ...Example.paged },
      refused: Example.PAGE,
    }),
  );

const start = HttpApiEndpoint.post("start", "/recredits")
  .setPayload(Domain.Start)
  .addSuccess(Created, { status: 201 })
  .addError(BodyFailure)
  .pipe(
    extension({
      operation: "start recredit run",
      id: "startRecredit",
      summary: "Derive the uplines of a span of sales again",
      description:
        "For sales that were recorded before a team was entered, or under links that were wrong. Recredits in the background every sale of the workspace that occurred from from (inclusive) to to (exclusive), each as POST /attributions/{id}/recredit does and in a commit of its own. With partner_ids only sales in which one of these partners has a credit. A cancelled sale, one that would have more than 100 credits, and one with another problem are left as they are and named in the results; the others go on. A second run over the same span changes nothing. With dry_run the run has the same results and changes no sale; it needs commissions:read too, and is removed 30 days after its end. Needs a credential for all partners.",
      request: Example.startRecredit,
      response: Example.created(Example.RECREDIT),
      refused: "to: must be after from",
    }),
  );

const read = HttpApiEndpoint.get("read", "/recredits/:id")
  .setPath(recordPath(Ids.RecreditRunId))
  .setUrlParams(Schema.Struct({ ...filters("recreditRunResult"), ...paging }))
  .addSuccess(RecreditRunDetails)
  .addError(NotFound)
  .pipe(
    extension({
      operation: "list recredit runs",
      id: "readRecredit",
      summary: "Read a recredit run",
      description:
        "Returns the progress, and one page of results: the sales that changed with their credits and commissions, and those that were left as they are. Sales that have the uplines that they should have are counted in sales_done alone. Needs a credential for all partners.",
      response: { run: Example.recreditRun, results: [Example.recreditRunResult], ...Example.paged },
    }),
  );

/** The operations on recredit runs. */
export const Recredits = HttpApiGroup.make("recredits")
  .add(list)
  .add(start)
  .add(read)
  .annotate(PlatformOpenApi.Title, "Recredit runs")
  .annotate(
    PlatformOpenApi.Description,
    "The uplines of all sales of a span derived again, from the links of now at the dates of the sales.",
  );

/** Attributions: credits business events to partners and makes the commissions they earn. */
import { Effect, Either } from "effect";
import * as Attribution from "../domain/Attribution.ts";
import { bucketStarts, type Granularity } from "../domain/Calendar.ts";
import * as Commission from "../domain/Commission.ts";
import type { Formula } from "../domain/Formula.ts";
import type { AttributionId, CommissionId, PartnerId, WorkspaceId } from "../domain/Ids.ts";
import { type Principal, restrict } from "../domain/Principal.ts";
import { missing } from "../domain/Refusal.ts";
import type { Timestamp } from "../domain/Timestamp.ts";
import { IdSource } from "../ports/IdSource.ts";
import {
  type AttributionTally,
  type Change,
  type Listed,
  Storage,
  type TallyQuery,
} from "../ports/Storage.ts";
import { admit, allowed, type Failure, required, tenantOf, validated, visible } from "./Access.ts";
import { Evaluator } from "./Evaluator.ts";
import { type Filters, type Listing, listOf, type Paging } from "./Listing.ts";
import { type CommandOptions, type Execution, noEffect, Pipeline, type Replayed } from "./Pipeline.ts";
import * as Save from "./Save.ts";

/** The span of a statistic, and whose records it counts. */
export interface StatisticsInput {
  /** Inclusive. */
  readonly from: Timestamp;
  /** Exclusive. */
  readonly to: Timestamp;
  readonly granularity: Granularity;
  readonly partnerIds?: ReadonlyArray<PartnerId> | undefined;
  readonly workspaceIds?: ReadonlyArray<WorkspaceId> | undefined;
}

/** Attributions by present status; `total` is the sum of the two. */
export interface AttributionCounts {
  readonly total: number;
  readonly confirmed: number;
  readonly cancelled: number;
}

/** Counts over the span and per bucket, ascending, empty buckets included; the buckets add up to the summary. */
export interface AttributionStatistics {
  readonly summary: AttributionCounts;
  readonly buckets: ReadonlyArray<AttributionCounts & { readonly timestamp: Timestamp }>;
}

/** The query behind a statistic of what the principal sees. */
export const tallyQuery = (
  principal: Principal,
  { from, to, granularity, ...filters }: StatisticsInput,
): Either.Either<TallyQuery, Failure> =>
  Either.map(bucketStarts(granularity, from, to), (starts) => ({
    from,
    to,
    bucketStarts: starts,
    where: restrict(principal, filters),
  }));

const counts = (tallies: ReadonlyArray<AttributionTally>): AttributionCounts => {
  const of = (status: AttributionTally["status"]) =>
    tallies.reduce((sum, tally) => (tally.status === status ? sum + tally.count : sum), 0);
  const [confirmed, cancelled] = [of("confirmed"), of("cancelled")];
  return { total: confirmed + cancelled, confirmed, cancelled };
};

const make = Effect.gen(function* () {
  const storage = yield* Storage;
  const ids = yield* IdSource;
  const evaluator = yield* Evaluator;
  const pipeline = yield* Pipeline;

  const commissionsOf = (
    execution: Execution,
    attribution: Attribution.Attribution,
    formulas: ReadonlyArray<Formula>,
    evaluate: Commission.Evaluate,
  ): Effect.Effect<ReadonlyArray<Change>> =>
    Effect.forEach(
      formulas.filter((formula) => Commission.arises(attribution, formula)),
      (formula) =>
        Effect.map(ids.next, (id) =>
          Save.logged(
            "commission",
            execution,
            Commission.identity(id as CommissionId, attribution, formula),
            Commission.revise(null, Commission.compute(attribution, formula, evaluate), "formula_updated"),
          ),
        ),
    );

  const create = (
    principal: Principal,
    input: Attribution.Create,
    options: CommandOptions = {},
  ): Effect.Effect<{ readonly id: AttributionId } & Replayed, Failure> =>
    Effect.gen(function* () {
      const named = { workspaceIds: [input.workspaceId], partnerIds: [input.partnerId] };
      const customerId = yield* admit(principal, "create attribution", named);
      const asked = yield* validated(Attribution.Create)(input);
      return yield* pipeline.run(customerId, principal, options, (execution) =>
        Effect.gen(function* () {
          const { partnerId, schemaId, workspaceId } = asked;
          const [partner, schema, program] = yield* Effect.all(
            [
              visible(storage, principal, "partner", partnerId),
              visible(storage, principal, "schema", schemaId),
              storage.program(customerId, partnerId, schemaId),
            ],
            { concurrency: "unbounded" },
          );
          if (partner === null || partner.workspaceId !== workspaceId) return yield* missing("partner_id");
          if (schema === null || schema.workspaceId !== workspaceId) return yield* missing("schema_id");
          const event = yield* Attribution.create(asked.properties, schema.properties);
          const externalReference = asked.externalReference ?? null;
          if (externalReference !== null) {
            const existing = yield* storage.referenced(customerId, schemaId, externalReference);
            if (existing !== null) {
              yield* Attribution.repeats(existing, asked, event.properties);
              return noEffect({ id: existing.id });
            }
          }
          const saved = Save.logged(
            "attribution",
            execution,
            {
              id: (yield* ids.next) as AttributionId,
              customerId,
              workspaceId,
              partnerId,
              schemaId,
              agentId: principal.agentId,
              externalReference,
            },
            [event],
          );
          const commissions = yield* commissionsOf(
            execution,
            saved.row,
            program.formulas,
            evaluator.forSchema(schema),
          );
          return {
            answer: { id: saved.row.id },
            requires: [{ type: "program", partnerId, schemaId, version: program.version }],
            changes: [saved, ...commissions],
          };
        }),
      );
    });

  const cancel = (
    principal: Principal,
    id: AttributionId,
    input: Attribution.Cancel,
    options: CommandOptions = {},
  ): Effect.Effect<Replayed, Failure> =>
    Effect.gen(function* () {
      const customerId = yield* admit(principal, "cancel attribution");
      const { reason } = yield* validated(Attribution.Cancel)(input);
      return yield* pipeline.run(customerId, principal, options, (execution) =>
        Effect.gen(function* () {
          const attribution = yield* required(storage, principal, "attribution", id);
          const events = Attribution.cancel(attribution, reason);
          if (events.length === 0) return noEffect({});
          const commissions = yield* storage.commissionsOf(customerId, id);
          const outcome: Commission.Outcome = Either.right({ amount: 0, formulaVersion: null });
          const revisions = commissions.flatMap((commission) =>
            Commission.revise(commission, outcome, "attribution_cancelled").map((event) =>
              Save.revision(execution, commission, event),
            ),
          );
          return {
            answer: {},
            requires: [
              { type: "record", kind: "attribution", id, version: attribution.version },
              { type: "commissions", attributionId: id, count: commissions.length },
            ],
            changes: [
              { type: "revise", revisions },
              Save.logged("attribution", execution, attribution, events),
            ],
          };
        }),
      );
    });

  const list = (
    principal: Principal,
    input: Paging & Filters<"ids" | "partnerIds" | "workspaceIds"> = {},
  ): Effect.Effect<Listing<Listed["attribution"]>, Failure> =>
    listOf(storage, principal, "list attributions", "attribution", input);

  const statistics = (
    principal: Principal,
    input: StatisticsInput,
  ): Effect.Effect<AttributionStatistics, Failure> =>
    Effect.gen(function* () {
      yield* allowed(principal, "attribution statistics");
      const query = yield* tallyQuery(principal, input);
      const tallies = yield* storage.tallyAttributions(yield* tenantOf(principal), query);
      return {
        summary: counts(tallies),
        buckets: query.bucketStarts.map((timestamp, bucket) => ({
          timestamp,
          ...counts(tallies.filter((tally) => tally.bucket === bucket)),
        })),
      };
    });

  return {
    /**
     * Credits an event to a partner and makes its commissions, all in one commit.
     * A known external reference with the same content answers with the attribution it names.
     */
    create,
    /** Cancels for good; every commission of it becomes 0. A second cancellation changes nothing. */
    cancel,
    /** One page of the attributions the principal sees. */
    list,
    /** Counts by creation date and present status. */
    statistics,
  };
});

/** The service of attributions. */
export class Attributions extends Effect.Service<Attributions>()("quittance/services/Attributions", {
  effect: make,
}) {}

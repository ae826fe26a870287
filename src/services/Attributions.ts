/** Attributions: credits business events to partners and creates the commissions that they earn. */
import { Effect, Either } from "effect";
import * as Attribution from "../domain/Attribution.ts";
import { bucketStarts, type Granularity } from "../domain/Calendar.ts";
import * as Commission from "../domain/Commission.ts";
import type { AttributionId, PartnerId, WorkspaceId } from "../domain/Ids.ts";
import { authorize, type Principal, restrict } from "../domain/Principal.ts";
import { invalid, type Refusal } from "../domain/Refusal.ts";
import type { Timestamp } from "../domain/Timestamp.ts";
import { IdSource } from "../ports/IdSource.ts";
import {
  type AttributionStatistic,
  type Listed,
  type Requirement,
  type StatisticsQuery,
  Storage,
} from "../ports/Storage.ts";
import {
  type AttributionCreation,
  begin,
  decide,
  prepare,
  type Tools,
} from "./attributions/AttributionCreation.ts";
import { Evaluator } from "./attributions/Evaluator.ts";
import { FormulaSetCache } from "./attributions/FormulaSetCache.ts";
import {
  authorizeCustomer,
  authorizeRequest,
  type Failure,
  required,
  tenantOf,
  validated,
} from "./commands/Access.ts";
import { type Filters, type Listing, listOf, type Paging } from "./commands/Listing.ts";
import {
  type CommandOptions,
  type Decision,
  noEffect,
  Pipeline,
  type Replayed,
} from "./commands/Pipeline.ts";
import * as Save from "./commands/Save.ts";
import * as TimeSlice from "./process/TimeSlice.ts";

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

/** Which attributions, and which page of them. */
export type ListAttributions = Paging &
  Filters<
    "ids" | "partnerIds" | "workspaceIds" | "schemaIds" | "externalReferences" | "occurredFrom" | "occurredTo"
  > & {
    readonly statuses?: ReadonlyArray<Attribution.View["status"]> | undefined;
  };

/** The query behind a statistic of what the principal sees. */
export const tallyQuery = (
  principal: Principal,
  { from, to, granularity, ...filters }: StatisticsInput,
): Either.Either<StatisticsQuery, Failure> =>
  Either.map(bucketStarts(granularity, from, to), (starts) => ({
    from,
    to,
    bucketStarts: starts,
    where: restrict(principal, filters),
  }));

/** One attribution of a batch: its id, or why it was refused. */
export type BatchResult =
  | { readonly id: AttributionId }
  | { readonly refusal: Refusal["_tag"]; readonly message: string };

const grantsNamed = (inputs: ReadonlyArray<Attribution.Create>) => ({
  workspaceIds: inputs.map(({ workspaceId }) => workspaceId),
  partnerIds: inputs.map(({ partnerId }) => partnerId),
});

/** Each requirement once: a command rests on one version of the formulas of a partner and schema. */
const formulaSetsOnce = (requires: ReadonlyArray<Requirement>): ReadonlyArray<Requirement> => [
  ...new Map(
    requires.map((requirement) => [
      requirement.type === "formula_set" ? `${requirement.partnerId}/${requirement.schemaId}` : requirement,
      requirement,
    ]),
  ).values(),
];

const counts = (tallies: ReadonlyArray<AttributionStatistic>): AttributionCounts => {
  const of = (status: AttributionStatistic["status"]) =>
    tallies.reduce((sum, tally) => (tally.status === status ? sum + tally.count : sum), 0);
  const [confirmed, cancelled] = [of("confirmed"), of("cancelled")];
  return { total: confirmed + cancelled, confirmed, cancelled };
};

const checkedCreate = validated(Attribution.Create);
const checkedBatch = validated(Attribution.CreateBatch);

const make = Effect.gen(function* () {
  const storage = yield* Storage;
  const pipeline = yield* Pipeline;

  const tools: Tools = {
    storage,
    ids: yield* IdSource,
    formulaSets: yield* FormulaSetCache,
    evaluator: yield* Evaluator,
  };

  const create = (
    principal: Principal,
    input: Attribution.Create,
    options: CommandOptions = {},
  ): Effect.Effect<{ readonly id: AttributionId } & Replayed, Failure> =>
    Effect.flatMap(
      authorizeRequest(principal, "create attribution", checkedCreate(input), (one) => grantsNamed([one])),
      ({ customerId, asked }) =>
        pipeline.run(customerId, principal, options, (execution) => {
          const creation = begin(principal, customerId, execution);
          return Effect.flatMap(prepare(tools, creation, asked), () => decide(tools, creation, asked));
        }),
    );

  /** The decisions on a batch, in its order; an atomic one is refused with the first that is. */
  const decided = (
    creation: AttributionCreation,
    { mode, attributions }: Attribution.CreateBatch,
  ): Effect.Effect<ReadonlyArray<Decision<BatchResult>>, Refusal> =>
    TimeSlice.mapEither(attributions, (asked, index) =>
      Either.orElse(
        decide(tools, creation, asked),
        ({ _tag: refusal, message }): Either.Either<Decision<BatchResult>, Refusal> =>
          mode === "atomic"
            ? Either.left(invalid(`attributions.${index}`, message))
            : Either.right(noEffect({ refusal, message })),
      ),
    );

  const createBatch = (
    principal: Principal,
    input: Attribution.CreateBatch,
    options: CommandOptions = {},
  ): Effect.Effect<{ readonly results: ReadonlyArray<BatchResult> } & Replayed, Failure> =>
    Effect.flatMap(
      authorizeRequest(principal, "create attribution", checkedBatch(input), ({ attributions }) =>
        grantsNamed(attributions),
      ),
      ({ customerId, asked }) =>
        pipeline.run(customerId, principal, options, (execution) =>
          Effect.gen(function* () {
            const creation = begin(principal, customerId, execution);
            for (const one of asked.attributions) yield* prepare(tools, creation, one);
            const decisions = yield* decided(creation, asked);
            return {
              answer: { results: decisions.map(({ answer }) => answer) },
              requires: formulaSetsOnce(decisions.flatMap(({ requires }) => requires)),
              changes: decisions.flatMap(({ changes }) => changes),
            };
          }),
        ),
    );

  const cancel = (
    principal: Principal,
    id: AttributionId,
    input: Attribution.Cancel,
    options: CommandOptions = {},
  ): Effect.Effect<Replayed, Failure> =>
    Effect.gen(function* () {
      const customerId = yield* authorizeCustomer(principal, "cancel attribution");
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
              // One that is 0 already is not revised, and must not be given an amount meanwhile.
              ...commissions.map(
                (commission): Requirement => ({
                  type: "record",
                  kind: "commission",
                  id: commission.id,
                  version: commission.version,
                }),
              ),
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
    input: ListAttributions = {},
  ): Effect.Effect<Listing<Listed["attribution"]>, Failure> =>
    listOf(storage, principal, "list attributions", "attribution", input);

  const statistics = (
    principal: Principal,
    input: StatisticsInput,
  ): Effect.Effect<AttributionStatistics, Failure> =>
    Effect.gen(function* () {
      yield* authorize(principal, "attribution statistics");
      const query = yield* tallyQuery(principal, input);
      const tallies = yield* storage.attributionStatistics(yield* tenantOf(principal), query);
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
     * Credits an event to a partner and creates its commissions, all in one commit.
     * A repeated external reference with the same content returns the attribution that has it.
     */
    create,
    /**
     * Creates up to 1 000 attributions in one commit; the results are in their order. `atomic`: one refusal refuses
     * all, and names the index; `independent`: a refusal stands in its place and the others are stored.
     */
    createBatch,
    /** Cancels for good; every commission of it becomes 0. A second time changes nothing. */
    cancel,
    /** One page of the attributions the principal sees. */
    list,
    /** Counts by the date that attributions count for (`occurredAt`) and by present status. */
    statistics,
  };
});

export class Attributions extends Effect.Service<Attributions>()("quittance/services/Attributions", {
  effect: make,
}) {}

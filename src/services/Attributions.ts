/** Attributions: credits business events to partners and makes the commissions they earn. */
import { Effect, Either } from "effect";
import * as Attribution from "../domain/Attribution.ts";
import { bucketStarts, type Granularity } from "../domain/Calendar.ts";
import * as Commission from "../domain/Commission.ts";
import type { Formula } from "../domain/Formula.ts";
import type {
  AttributionId,
  CommissionId,
  CustomerId,
  PartnerId,
  SchemaId,
  WorkspaceId,
} from "../domain/Ids.ts";
import { type Principal, restrict } from "../domain/Principal.ts";
import { invalid, missing, type Refusal } from "../domain/Refusal.ts";
import type { Timestamp } from "../domain/Timestamp.ts";
import { IdSource } from "../ports/IdSource.ts";
import {
  type AttributionTally,
  type Change,
  type Listed,
  type Program,
  type Requirement,
  Storage,
  type TallyQuery,
} from "../ports/Storage.ts";
import { admit, admitted, allowed, type Failure, required, tenantOf, validated, visible } from "./Access.ts";
import { Evaluator } from "./Evaluator.ts";
import { type Filters, type Listing, listOf, type Paging } from "./Listing.ts";
import {
  type CommandOptions,
  type Decision,
  type Execution,
  noEffect,
  Pipeline,
  type Replayed,
} from "./Pipeline.ts";
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

/** One attribution of a batch: its id, or why it was refused. */
export type BatchResult =
  | { readonly id: AttributionId }
  | { readonly refusal: Refusal["_tag"]; readonly message: string };

const grantsNamed = (inputs: ReadonlyArray<Attribution.Create>) => ({
  workspaceIds: inputs.map(({ workspaceId }) => workspaceId),
  partnerIds: inputs.map(({ partnerId }) => partnerId),
});

const programsOnce = (requires: ReadonlyArray<Requirement>): ReadonlyArray<Requirement> => [
  ...new Map(requires.map((requirement) => [JSON.stringify(requirement), requirement])).values(),
];

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

  /** What creating an attribution needs to know; one loader per command asks for each thing once. */
  const loader = (principal: Principal, customerId: CustomerId) => {
    const once = <A>(load: (id: string) => Effect.Effect<A, Failure>) => {
      const known = new Map<string, A>();
      return (id: string): Effect.Effect<A, Failure> => {
        const value = known.get(id);
        return value === undefined
          ? Effect.tap(load(id), (loaded) => Effect.sync(() => known.set(id, loaded)))
          : Effect.succeed(value);
      };
    };
    const partner = once((id) => visible(storage, principal, "partner", id));
    const schema = once((id) => visible(storage, principal, "schema", id));
    const programs = new Map<string, Program>();
    const program = (partnerId: PartnerId, schemaId: SchemaId): Effect.Effect<Program, Failure> => {
      const key = `${partnerId}/${schemaId}`;
      const known = programs.get(key);
      return known !== undefined
        ? Effect.succeed(known)
        : Effect.tap(storage.program(customerId, partnerId, schemaId), (loaded) =>
            Effect.sync(() => programs.set(key, loaded)),
          );
    };
    return { partner, schema, program, references: new Map<string, Attribution.Attribution>() };
  };

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

  /** The effect of one creation, or why it is refused. */
  const creation = (
    principal: Principal,
    customerId: CustomerId,
    execution: Execution,
    load: ReturnType<typeof loader>,
    asked: Attribution.Create,
  ): Effect.Effect<Decision<{ readonly id: AttributionId }>, Failure> =>
    Effect.gen(function* () {
      const { partnerId, schemaId, workspaceId } = asked;
      const [partner, schema, program] = yield* Effect.all(
        [load.partner(partnerId), load.schema(schemaId), load.program(partnerId, schemaId)],
        { concurrency: "unbounded" },
      );
      if (partner === null || partner.workspaceId !== workspaceId) return yield* missing("partner_id");
      if (schema === null || schema.workspaceId !== workspaceId) return yield* missing("schema_id");
      const event = yield* Attribution.create(asked.properties, schema.properties);
      const externalReference = asked.externalReference ?? null;
      const key = `${schemaId}/${externalReference}`;
      if (externalReference !== null) {
        const existing =
          load.references.get(key) ?? (yield* storage.referenced(customerId, schemaId, externalReference));
        if (existing !== null) {
          yield* Attribution.repeats(existing, asked, event.properties);
          return noEffect({ id: existing.id });
        }
      }
      const id = (yield* ids.next) as AttributionId;
      const { agentId } = principal;
      const identity = { id, customerId, workspaceId, partnerId, schemaId, agentId, externalReference };
      const saved = Save.logged("attribution", execution, identity, [event]);
      if (externalReference !== null) load.references.set(key, saved.row);
      const evaluate = evaluator.forSchema(schema);
      const commissions = yield* commissionsOf(execution, saved.row, program.formulas, evaluate);
      return {
        answer: { id },
        requires: [{ type: "program", partnerId, schemaId, version: program.version }],
        changes: [saved, ...commissions],
      };
    });

  const create = (
    principal: Principal,
    input: Attribution.Create,
    options: CommandOptions = {},
  ): Effect.Effect<{ readonly id: AttributionId } & Replayed, Failure> =>
    Effect.gen(function* () {
      const { customerId, asked } = yield* admitted(
        principal,
        "create attribution",
        validated(Attribution.Create)(input),
        (one) => grantsNamed([one]),
      );
      return yield* pipeline.run(customerId, principal, options, (execution) =>
        creation(principal, customerId, execution, loader(principal, customerId), asked),
      );
    });

  const createBatch = (
    principal: Principal,
    input: Attribution.CreateBatch,
    options: CommandOptions = {},
  ): Effect.Effect<{ readonly results: ReadonlyArray<BatchResult> } & Replayed, Failure> =>
    Effect.gen(function* () {
      const {
        customerId,
        asked: { mode, attributions },
      } = yield* admitted(
        principal,
        "create attribution",
        validated(Attribution.CreateBatch)(input),
        ({ attributions: all }) => grantsNamed(all),
      );
      return yield* pipeline.run(customerId, principal, options, (execution) =>
        Effect.gen(function* () {
          const load = loader(principal, customerId);
          const decisions: Array<Decision<BatchResult>> = [];
          for (const [index, asked] of attributions.entries()) {
            const decided = yield* Effect.either(creation(principal, customerId, execution, load, asked));
            if (Either.isRight(decided)) decisions.push(decided.right);
            else if (decided.left._tag === "StorageFailed") return yield* decided.left;
            else if (mode === "atomic") return yield* invalid(`attributions.${index}`, decided.left.message);
            else decisions.push(noEffect({ refusal: decided.left._tag, message: decided.left.message }));
          }
          return {
            answer: { results: decisions.map(({ answer }) => answer) },
            requires: programsOnce(decisions.flatMap(({ requires }) => requires)),
            changes: decisions.flatMap(({ changes }) => changes),
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
    /**
     * Creates up to 1 000 attributions in one commit, answered in their order. `atomic`: one that is refused refuses
     * all, named by its index; `independent`: a refused one is answered in its place and the others are stored.
     */
    createBatch,
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

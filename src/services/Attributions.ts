/** Attributions: credits business events to partners and creates the commissions that they earn. */
import { Effect, Either } from "effect";
import * as Attribution from "../domain/Attribution.ts";
import type { AttributionId } from "../domain/Ids.ts";
import { BATCH_CREDITS_MAX } from "../domain/Limits.ts";
import { authorize, type Principal } from "../domain/Principal.ts";
import { invalid, type Refusal } from "../domain/Refusal.ts";
import type * as Replacement from "../domain/Replacement.ts";
import type { Timestamp } from "../domain/Timestamp.ts";
import { IdSource } from "../ports/IdSource.ts";
import {
  type AttributionStatistic,
  type Earnings,
  type Listed,
  type Records,
  type Reporting,
  type Requirement,
  Storage,
} from "../ports/Storage.ts";
import { ArrivalQueue } from "./accumulation/ArrivalQueue.ts";
import type { OrderKey } from "./accumulation/ArrivalState.ts";
import {
  decideOrdered,
  decideOrderedBatch,
  orderOf,
  ordersOf,
  readStates,
} from "./accumulation/OrderedCreation.ts";
import { decide } from "./attributions/AttributionCreation.ts";
import {
  type AttributionCreation,
  prepare,
  startCreation,
  type Tools,
} from "./attributions/CreationReads.ts";
import { Evaluator } from "./attributions/Evaluator.ts";
import { FormulaSetCache } from "./attributions/FormulaSetCache.ts";
import { withoutHiddenPairs } from "./attributions/HiddenPairs.ts";
import { WorkspaceCache } from "./attributions/WorkspaceCache.ts";
import {
  authorizeReplacing,
  decideReplacing,
  ordersOf as ordersOfBoth,
  prospectOf,
  type ReplacementProspect,
  startReplacing,
} from "./cancellation/Replacing.ts";
import { cancelSale } from "./cancellation/SaleCancellation.ts";
import { makeChangeSale, unchanged } from "./cancellation/SaleChange.ts";
import {
  authorizeCustomer,
  authorizeRequest,
  type Failure,
  requireVisible,
  tenantOf,
  validate,
} from "./commands/Access.ts";
import type { BatchResult } from "./commands/Batch.ts";
import * as Batch from "./commands/Batch.ts";
import { type ListInput, type Listing, listOf } from "./commands/Listing.ts";
import {
  type CommandOptions,
  type Decision,
  type InTurn,
  noEffect,
  Pipeline,
  type Replayed,
  unstored,
} from "./commands/Pipeline.ts";
import * as Statistics from "./commands/Statistics.ts";
import * as TimeSlice from "./process/TimeSlice.ts";

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
export type ListAttributions = ListInput<"attribution">;

export type { ReplacementProspect } from "./cancellation/Replacing.ts";
export type { BatchResult, RefusedResult } from "./commands/Batch.ts";

const namedIds = (inputs: ReadonlyArray<Attribution.Create>) => ({
  workspaceIds: inputs.map(({ workspaceId }) => workspaceId),
  partnerIds: inputs.flatMap(({ partnerId, credits }) =>
    credits === undefined ? partnerId : credits.map((credit) => credit.partnerId),
  ),
});

/** The requirements of all decisions, each once: a command rests on one version of the formulas of a partner and schema. */
const distinctRequirements = (
  decisions: ReadonlyArray<Decision<BatchResult>>,
): ReadonlyArray<Requirement> => {
  const once = new Map<unknown, Requirement>();
  for (const { requires } of decisions) {
    for (const requirement of requires) {
      const { type } = requirement;
      once.set(
        type === "formula_set" ? `${requirement.partnerId}/${requirement.schemaId}` : requirement,
        requirement,
      );
    }
  }
  return [...once.values()];
};

const countByStatus = (statistics: ReadonlyArray<AttributionStatistic>): AttributionCounts => {
  const of = (status: AttributionStatistic["status"]) =>
    statistics.reduce((sum, statistic) => (statistic.status === status ? sum + statistic.count : sum), 0);
  const [confirmed, cancelled] = [of("confirmed"), of("cancelled")];
  return { total: confirmed + cancelled, confirmed, cancelled };
};

type Created = { readonly id: AttributionId };

const validateCreate = validate(Attribution.Create);
const validateBatch = validate(Attribution.CreateBatch);

const make = Effect.gen(function* () {
  const storage: Records & Earnings & Reporting = yield* Storage;
  const pipeline = yield* Pipeline;

  const tools: Tools = {
    storage,
    ids: yield* IdSource,
    formulaSets: yield* FormulaSetCache,
    workspaces: yield* WorkspaceCache,
    evaluator: yield* Evaluator,
  };
  const queue = yield* ArrivalQueue;
  const changeSale = yield* makeChangeSale;

  /** The decision on a sale that several partners may earn from: it joins the orders of all of them at once. */
  const decideSale = (
    creation: AttributionCreation,
    request: Attribution.Create,
  ): Either.Either<Decision<Created> | InTurn<Created>, Refusal> => {
    const keys = ordersOf(creation, [request]);
    if (keys.length === 0) return decide(tools, creation, request);
    const ordered = Effect.flatMap(readStates(storage, keys), (states) =>
      decideOrdered(tools, creation, request, states),
    );
    return Either.right(queue.alone(keys, ordered));
  };

  const create = (
    principal: Principal,
    input: Attribution.Create,
    options: CommandOptions = {},
  ): Effect.Effect<{ readonly id: AttributionId } & Replayed, Failure> =>
    Effect.flatMap(
      authorizeRequest(principal, "create attribution", validateCreate(input), (item) => namedIds([item])),
      ({ customerId, request }) =>
        pipeline.run(customerId, principal, options, (execution) => {
          const creation = startCreation(principal, customerId, execution);
          return Effect.flatMap(
            prepare(tools, creation, [request]),
            (): Either.Either<Decision<Created> | InTurn<Created>, Refusal> => {
              if (request.credits !== undefined || creation.uplines.size > 0)
                return decideSale(creation, request);
              const order = orderOf(creation, request);
              return order === null
                ? decide(tools, creation, request)
                : Either.right(queue.create(order, { creation, request }));
            },
          );
        }),
    );

  type Decided = Either.Either<Decision<{ readonly id: AttributionId }>, Refusal>;

  /** The decision on one attribution of a batch. */
  const inBatch = (mode: Batch.Mode, index: number, decision: Decided) =>
    Batch.decided(decision, { mode, path: `attributions.${index}`, refused: noEffect<BatchResult> });

  /** The decisions on a batch, in its order; an atomic one is refused with the first that is. */
  const decideBatch = (
    creation: AttributionCreation,
    { mode, attributions }: Attribution.CreateBatch,
  ): Effect.Effect<ReadonlyArray<Decision<BatchResult>>, Refusal> =>
    TimeSlice.mapEither(attributions, (request, index) =>
      inBatch(mode, index, decide(tools, creation, request)),
    );

  /** The effect of a batch whose attributions are decided, unless it has too many with those of uplines. */
  const batchOf = (decisions: ReadonlyArray<Decision<BatchResult>>) => {
    const changes = decisions.flatMap((decision) => decision.changes);
    const count = changes.filter((change) => change.type === "save" && change.kind === "attribution").length;
    const problem = `must have at most ${BATCH_CREDITS_MAX} credits with those of uplines; they have ${count}`;
    if (count > BATCH_CREDITS_MAX) return Either.left(invalid("attributions", problem));
    const results = decisions.map(({ result }) => result);
    return Either.right({ result: { results }, requires: distinctRequirements(decisions), changes });
  };

  /** The effect of a batch with attributions that join orders of arrival. */
  const orderedBatch = (
    creation: AttributionCreation,
    { mode, attributions }: Attribution.CreateBatch,
    keys: ReadonlyArray<OrderKey>,
  ) =>
    Effect.gen(function* () {
      const { outcomes, requires, changes, at } = yield* decideOrderedBatch(
        tools,
        creation,
        attributions,
        yield* readStates(storage, keys),
      );
      const decided = yield* batchOf(
        yield* Either.all(outcomes.map((outcome, index) => inBatch(mode, index, outcome))),
      );
      return {
        ...decided,
        at,
        requires: [...decided.requires, ...requires],
        changes: [...decided.changes, ...changes],
      };
    });

  const createBatch = (
    principal: Principal,
    input: Attribution.CreateBatch,
    options: CommandOptions = {},
  ): Effect.Effect<{ readonly results: ReadonlyArray<BatchResult> } & Replayed, Failure> =>
    Effect.flatMap(
      authorizeRequest(principal, "create attribution", validateBatch(input), ({ attributions }) =>
        namedIds(attributions),
      ),
      ({ customerId, request }) =>
        pipeline.run(customerId, principal, options, (execution) =>
          Effect.gen(function* () {
            const creation = startCreation(principal, customerId, execution);
            yield* prepare(tools, creation, request.attributions);
            const keys = ordersOf(creation, request.attributions);
            if (keys.length > 0) return queue.alone(keys, orderedBatch(creation, request, keys));
            const decisions = yield* decideBatch(creation, request);
            return yield* batchOf(decisions);
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
      const { reason } = yield* validate(Attribution.Cancel)(input);
      return yield* changeSale({ customerId, principal }, options, (execution) =>
        Effect.gen(function* () {
          const attribution = yield* requireVisible(storage, principal, "attribution", id);
          if (attribution.status === "cancelled") return unchanged({});
          yield* Attribution.requireOrigin(attribution);
          return yield* cancelSale(tools, execution, attribution, reason);
        }),
      );
    });

  const replace = (
    principal: Principal,
    id: AttributionId,
    input: Replacement.Replace,
    options: CommandOptions = {},
  ): Effect.Effect<Created & Replayed, Failure> =>
    Effect.gen(function* () {
      const command = yield* authorizeReplacing(principal, id, input);
      if (command.change.dryRun === true)
        return yield* invalid("dry_run", "a dry run has no id; ask for its result");
      return yield* changeSale(command, options, (execution) =>
        Effect.map(startReplacing(tools, command, execution), (replacing) =>
          replacing === null
            ? unchanged({ id })
            : { orders: ordersOfBoth(replacing), decided: decideReplacing(tools, replacing) },
        ),
      );
    });

  const dryRun = (
    principal: Principal,
    id: AttributionId,
    input: Replacement.Replace,
  ): Effect.Effect<ReplacementProspect, Failure> =>
    Effect.gen(function* () {
      // The result shows what the partners earn.
      yield* authorize(principal, "list commissions");
      const command = yield* authorizeReplacing(principal, id, input);
      const replacing = yield* startReplacing(tools, command, yield* unstored(tools.ids, principal));
      return yield* prospectOf(tools, command, replacing);
    });

  const list = (
    principal: Principal,
    input: ListAttributions = {},
  ): Effect.Effect<Listing<Listed["attribution"]>, Failure> =>
    Effect.flatMap(listOf(storage, principal, "attribution", input), (listing) =>
      Effect.map(withoutHiddenPairs(storage, principal, listing.items), (items) => ({ ...listing, items })),
    );

  const statistics = (
    principal: Principal,
    input: Statistics.Input,
  ): Effect.Effect<AttributionStatistics, Failure> =>
    Effect.gen(function* () {
      yield* authorize(principal, "attribution statistics");
      const query = yield* Statistics.queryOf(principal, input);
      const found = yield* storage.attributionStatistics(yield* tenantOf(principal), query);
      return {
        summary: countByStatus(found),
        buckets: Statistics.buckets(query, found, countByStatus),
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
     * all, and names the index; `independent`: a refusal is returned in its place and the others are stored.
     */
    createBatch,
    /** Cancels for good; every commission of it becomes 0. A second time changes nothing. */
    cancel,
    /**
     * Cancels an attribution and records it anew in one commit, with what changes and otherwise with the facts as they were
     * given. The external reference moves to the new one. Returns its id, or the old one where nothing changes.
     */
    replace,
    /** Returns what replacing would change of the commissions, and stores nothing. */
    dryRun,
    /** One page of the attributions the principal sees. */
    list,
    /** Counts by the date that attributions count for (`occurredAt`) and by present status. */
    statistics,
  };
});

export class Attributions extends Effect.Service<Attributions>()("quittance/services/Attributions", {
  effect: make,
}) {}

/** Receipts: what the buyers of sales have paid, as far as which commissions that wait for it are released. */
import { Effect, Either } from "effect";
import * as Attribution from "../domain/Attribution.ts";
import type { AttributionId, CustomerId } from "../domain/Ids.ts";
import { canSee, type Principal } from "../domain/Principal.ts";
import * as Receipt from "../domain/Receipt.ts";
import { missing, type Refusal } from "../domain/Refusal.ts";
import { IdSource } from "../ports/IdSource.ts";
import { type Earnings, type Records, Storage, type Versioned } from "../ports/Storage.ts";
import { authorizeCustomer, type Failure, requireVisible, validate } from "./commands/Access.ts";
import type { RefusedResult } from "./commands/Batch.ts";
import * as Batch from "./commands/Batch.ts";
import {
  type CommandOptions,
  type Execution,
  noEffect,
  Pipeline,
  type Replayed,
  unstored,
} from "./commands/Pipeline.ts";
import { type ReleaseChange, releaseChanges } from "./receipts/Prospect.ts";
import { decideReceived, type Received, readSales, type Sale } from "./receipts/Receiving.ts";

export type { ReleaseChange } from "./receipts/Prospect.ts";

/** What stating a receipt would release. */
export interface ReceiptPreview {
  readonly commissions: ReadonlyArray<ReleaseChange>;
}

/** One statement of a batch: its sale, and whether it changed anything of what is known; or why it was refused. */
export type StatedResult = RefusedResult | { readonly id: AttributionId; readonly changed: boolean };

/** What one statement of a batch leads to. */
interface OneStated extends Received {
  readonly result: StatedResult;
}

const refused = (result: RefusedResult): OneStated => ({ result, requires: [], changes: [] });

/** The effect of one statement of a batch on the sale that it names, or why it is refused. */
const decideOne = (
  execution: Execution,
  sale: Sale | Versioned<Attribution.Attribution> | undefined,
  { attributionId, ...stated }: Receipt.StateOne,
): Either.Either<OneStated, Refusal> => {
  if (sale === undefined) return Either.left(missing("attribution_id"));
  if (!("origin" in sale))
    return Either.flatMap(Attribution.requireOrigin(sale), () => Either.left(missing("attribution_id")));
  return Either.map(decideReceived(execution, sale, stated), (received) => ({
    result: { id: attributionId, changed: received.changes.length > 0 },
    ...received,
  }));
};

const make = Effect.gen(function* () {
  const storage: Records & Earnings = yield* Storage;
  const pipeline = yield* Pipeline;
  const ids = yield* IdSource;

  const stateReceived = (
    principal: Principal,
    id: AttributionId,
    input: Receipt.State,
    options: CommandOptions = {},
  ): Effect.Effect<Replayed, Failure> =>
    Effect.gen(function* () {
      const customerId = yield* authorizeCustomer(principal, "state received");
      const stated = yield* validate(Receipt.State)(input);
      return yield* pipeline.run(customerId, principal, options, (execution) =>
        Effect.gen(function* () {
          const origin = yield* requireVisible(storage, principal, "attribution", id);
          yield* Attribution.requireOrigin(origin);
          const [sale] = yield* readSales(storage, customerId, [origin]);
          if (sale === undefined) return noEffect({});
          return { result: {}, ...(yield* decideReceived(execution, sale, stated)) };
        }),
      );
    });

  /** The sales of attributions that the principal sees, by id; an attribution that is another credit of a sale by itself. */
  const readNamed = (principal: Principal, customerId: CustomerId, ids: ReadonlyArray<AttributionId>) =>
    Effect.gen(function* () {
      const found = yield* storage.find(customerId, "attribution", ids);
      const visible = found.filter((one) => canSee(principal, one));
      const origins = visible.filter(({ originId }) => originId === null);
      const named = new Map<AttributionId, Sale | Versioned<Attribution.Attribution>>(
        visible.map((one) => [one.id, one]),
      );
      for (const sale of yield* readSales(storage, customerId, origins)) named.set(sale.origin.id, sale);
      return named;
    });

  const previewReceived = (
    principal: Principal,
    id: AttributionId,
    input: Receipt.State,
  ): Effect.Effect<ReceiptPreview, Failure> =>
    Effect.gen(function* () {
      const customerId = yield* authorizeCustomer(principal, "preview received");
      const stated = yield* validate(Receipt.State)(input);
      const origin = yield* requireVisible(storage, principal, "attribution", id);
      yield* Attribution.requireOrigin(origin);
      const [sale] = yield* readSales(storage, customerId, [origin]);
      if (sale === undefined) return { commissions: [] };
      const { changes } = yield* decideReceived(yield* unstored(ids, principal), sale, stated);
      return { commissions: releaseChanges(principal, sale, changes) };
    });

  const stateReceivedBatch = (
    principal: Principal,
    input: Receipt.StateBatch,
    options: CommandOptions = {},
  ): Effect.Effect<{ readonly results: ReadonlyArray<StatedResult> } & Replayed, Failure> =>
    Effect.gen(function* () {
      const customerId = yield* authorizeCustomer(principal, "state received");
      const { mode, receipts } = yield* validate(Receipt.StateBatch)(input);
      const attributionIds = receipts.map(({ attributionId }) => attributionId);
      return yield* pipeline.run(customerId, principal, options, (execution) =>
        Effect.gen(function* () {
          const named = yield* readNamed(principal, customerId, attributionIds);
          const decisions = yield* Either.all(
            receipts.map((stated, index) =>
              Batch.decided(decideOne(execution, named.get(stated.attributionId), stated), {
                ...{ mode, refused },
                path: `receipts.${index}`,
              }),
            ),
          );
          return {
            result: { results: decisions.map(({ result }) => result) },
            requires: decisions.flatMap(({ requires }) => requires),
            changes: decisions.flatMap(({ changes }) => changes),
          };
        }),
      );
    });

  return {
    /**
     * States what the buyer of a sale has paid so far, of how much: commissions that wait for it are released as far. It counts
     * for every attribution of the sale, and replaces the statement before; one of an earlier moment changes nothing.
     */
    stateReceived,
    /**
     * Returns what stating a receipt would release of every commission of the sale that waits for its buyer and that the principal
     * sees, and stores nothing.
     */
    previewReceived,
    /**
     * States what the buyers of up to 1 000 sales have paid, in one commit; the results are in the order of the statements.
     * `atomic`: one refusal refuses all, and names the index; `independent`: a refusal is returned in its place.
     * A result says whether the statement changed anything: one that is known, or older than the last one, did not.
     */
    stateReceivedBatch,
  };
});

/** The service of what the buyers of sales have paid. */
export class Receipts extends Effect.Service<Receipts>()("quittance/services/Receipts", { effect: make }) {}

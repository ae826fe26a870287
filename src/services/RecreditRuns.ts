/** Recredit runs: the uplines of all sales of a span derived again, in the background. */
import { Effect, Either } from "effect";
import { RecreditRunId } from "../domain/Ids.ts";
import { authorize, type Principal, personOf } from "../domain/Principal.ts";
import * as RecreditRun from "../domain/RecreditRun.ts";
import { missing } from "../domain/Refusal.ts";
import type { Timestamp } from "../domain/Timestamp.ts";
import { IdSource } from "../ports/IdSource.ts";
import { type Listed, type Records, Storage, type Versioned } from "../ports/Storage.ts";
import { authorizeRequest, type Failure, findVisible, validate } from "./commands/Access.ts";
import { requirePartners } from "./commands/ChosenPartners.ts";
import { type ListInput, type Listing, listOf } from "./commands/Listing.ts";
import { type CommandOptions, Pipeline, type Replayed } from "./commands/Pipeline.ts";
import * as Save from "./commands/Save.ts";

/** A run and its progress. */
export interface Run extends Omit<Versioned<RecreditRun.RecreditRun>, "totals" | "after"> {
  /** Every sale of the span that occurred before this moment is done. */
  readonly reached: Timestamp;
  /** What the changed credits earn, by currency. */
  readonly totals: ReadonlyArray<RecreditRun.Total>;
}

/** A run, and one page of its results. */
export interface RunWithResults extends Omit<Listing<unknown>, "items"> {
  readonly run: Run;
  /** The sales that changed, and those that were left as they are. */
  readonly results: ReadonlyArray<Listed["recreditRunResult"]>;
}

const runOf = ({ after, ...row }: Versioned<RecreditRun.RecreditRun>): Run => ({
  ...row,
  reached: RecreditRun.reached({ ...row, after }),
  totals: RecreditRun.totalsOf(row),
});

const validateStart = validate(RecreditRun.Start);

const make = Effect.gen(function* () {
  const storage: Records = yield* Storage;
  const ids = yield* IdSource;
  const pipeline = yield* Pipeline;

  const start = (
    principal: Principal,
    input: RecreditRun.Start,
    options: CommandOptions = {},
  ): Effect.Effect<{ readonly id: RecreditRunId } & Replayed, Failure> =>
    Effect.gen(function* () {
      // Its result shows what the partners earn.
      if (input.dryRun === true) yield* authorize(principal, "list recredit runs");
      const { customerId, request } = yield* authorizeRequest(
        principal,
        "start recredit run",
        Either.flatMap(validateStart(input), (request) =>
          Either.map(RecreditRun.checkStart(request), () => request),
        ),
        ({ workspaceId }) => ({ workspaceIds: [workspaceId] }),
      );
      const { workspaceId, partnerIds = null, from, to, reason, dryRun = false } = request;
      return yield* pipeline.run(customerId, principal, options, (execution) =>
        Effect.gen(function* () {
          if (partnerIds !== null) yield* requirePartners(storage, { customerId, workspaceId }, partnerIds);
          const id = yield* ids.next(RecreditRunId);
          const save = Save.flat("recreditRun", execution, {
            ...{ id, customerId, workspaceId, partnerIds, from, to, reason, dryRun },
            ...RecreditRun.NOTHING_DONE,
            startedBy: principal.principalId,
            startedByPerson: personOf(principal),
            createdAt: execution.at,
          });
          return {
            result: { id },
            requires: [],
            changes: [save],
            outbox: [{ topic: "recredit_run", recordId: id, reference: null }],
          };
        }),
      );
    });

  const list = (
    principal: Principal,
    input: ListInput<"recreditRun"> = {},
  ): Effect.Effect<Listing<Run>, Failure> =>
    Effect.map(listOf(storage, principal, "recreditRun", input), (page) => ({
      ...page,
      items: page.items.map(runOf),
    }));

  const read = (
    principal: Principal,
    id: RecreditRunId,
    input: ListInput<"recreditRunResult"> = {},
  ): Effect.Effect<RunWithResults, Failure> =>
    Effect.gen(function* () {
      const { items, ...page } = yield* listOf(storage, principal, "recreditRunResult", {
        ...input,
        runIds: [id],
      });
      const run = yield* findVisible(storage, principal, "recreditRun", id);
      return run === null ? yield* missing("recredit run") : { run: runOf(run), results: items, ...page };
    });

  return {
    /**
     * Starts a run over the sales of a workspace in a span; workers perform it in the background. Each sale changes in a commit of
     * its own, as by `Recredits.recredit`; a dry run changes none, and has the same results.
     */
    start,
    /** One page of the runs that the principal sees. */
    list,
    /** A run with its progress, and one page of its results. */
    read,
  };
});

/** The service of recredit runs. */
export class RecreditRuns extends Effect.Service<RecreditRuns>()("quittance/services/RecreditRuns", {
  effect: make,
}) {}

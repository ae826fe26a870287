/** Changes lines while another transaction revises the same commissions, on PostgreSQL. */
import { Effect } from "effect";
import type pg from "pg";
import { Storage } from "quittance";
import { Build, Scene } from "quittance/testing";
import { body } from "../../../adapters/sql/writing/ChangeSet.ts";
import { DISCREPANCIES } from "./discrepancies.ts";

const COMMIT = "select quittance.commit_command($1::uuid, $2::jsonb) as conflict";
const BLOCKED =
  "select exists (select from pg_stat_activity where pid = $1 and wait_event_type = 'Lock') as blocked";

type Open = Effect.Effect.Success<ReturnType<typeof Scene.draft>>;

/** The commands that change lines: the state before, and the change set. */
const CHANGES = {
  settle: {
    before: (draft: Open) => Scene.advance(draft, Build.approvalEvents(draft)),
    event: { type: "mark_as_paid" },
    lines: (settlementId: Open["id"]): Storage.Change => ({ type: "settle", settlementId, as: "paid" }),
  },
  release: {
    before: (draft: Open) => Effect.succeed(draft),
    event: { type: "cancel_settlement" },
    lines: (settlementId: Open["id"]): Storage.Change => ({
      type: "release",
      settlementId,
      cause: "draft_cancelled",
    }),
  },
  reopen: {
    before: (draft: Open) => Scene.pay(draft),
    event: { type: "return_payment", payment_reference: Build.fresh.payment(), reason: "closed" },
    lines: (settlementId: Open["id"]): Storage.Change => ({ type: "reopen", settlementId }),
  },
} as const;

/** Waits until the backend waits for a lock or has replied. */
const untilBlocked = async (watcher: pg.Client, backend: pg.Client, isDone: () => boolean): Promise<void> => {
  for (let tries = 0; tries < 2_000 && !isDone(); tries++) {
    const { rows } = await watcher.query<{ blocked: boolean }>(BLOCKED, [Reflect.get(backend, "processID")]);
    if (rows[0]?.blocked === true) return;
    await new Promise((resume) => setTimeout(resume, 2));
  }
};

/**
 * Starts the change of lines while the revision is written and not committed: the change must wait and then count the
 * revised commissions. Returns the discrepancies, none when the sums are right. The caller closes the connections.
 */
export const lockedLines = (
  type: keyof typeof CHANGES,
  connect: () => Promise<pg.Client>,
): Effect.Effect<
  ReadonlyArray<string>,
  Storage.StorageError | Storage.VersionConflict | Storage.IdempotencyKeyUsed,
  Storage.Storage
> =>
  Effect.gen(function* () {
    const storage = yield* Storage.Storage;
    const change = CHANGES[type];
    const scene = yield* Scene.create();
    const earned = yield* Scene.earn(scene, [100, -40, 7]);
    const draft = yield* Scene.draft(
      scene,
      earned.map(({ commission }) => commission),
    );
    const settlement = yield* change.before(draft);
    const rows = yield* storage.find(
      scene.customerId,
      "commission",
      earned.map(({ commission }) => commission.id),
    );
    const revision = yield* body(
      scene.customerId,
      Build.changeSet({ changes: rows.map((row) => Scene.revisionOf(row, (row.computedAmount ?? 0) + 11)) }),
    );
    const moved = yield* body(
      scene.customerId,
      Build.changeSet({
        changes: [Build.next("settlement", settlement, [change.event]), change.lines(settlement.id)],
      }),
    );
    const found = yield* Effect.promise(async () => {
      const [reviser, mover, watcher] = [await connect(), await connect(), await connect()];
      await reviser.query("begin");
      await reviser.query(COMMIT, [scene.customerId, revision]);
      let done = false;
      const outcome = mover.query(COMMIT, [scene.customerId, moved]).then(
        ({ rows: [committed] }) =>
          committed?.conflict == null ? null : `the lines conflict: ${JSON.stringify(committed.conflict)}`,
        (error: unknown) => `the lines are refused: ${error}`,
      );
      void outcome.then(() => {
        done = true;
      });
      await untilBlocked(watcher, mover, () => done);
      await reviser.query("commit");
      const problem = await outcome;
      const { rows: wrong } = await watcher.query(DISCREPANCIES);
      return [
        ...(problem === null ? [] : [problem]),
        ...wrong.map((row) => `rollups: ${JSON.stringify(row)}`),
      ];
    });
    return found;
  });

import { Effect, Exit, Redacted, Scope } from "effect";
import fc from "fast-check";
import pg from "pg";
import { Commission, Ledger, Limits, Storage } from "quittance";
import { layer } from "quittance/postgres";
import { Build, Scene } from "quittance/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { database } from "../../support/postgres.ts";

/** So large that sums are near the limit, and so small that three of them are within it. */
const LARGE = Math.floor(Limits.MAX_AMOUNT / 4);

describe("the constraints of the database", () => {
  let scope: Scope.CloseableScope;
  let url: Redacted.Redacted;
  let client: pg.Client;

  beforeAll(async () => {
    scope = await Effect.runPromise(Scope.make());
    url = await Effect.runPromise(Scope.extend(database(), scope));
    client = new pg.Client({ connectionString: Redacted.value(url) });
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await Effect.runPromise(Scope.close(scope, Exit.void));
  });

  it("compute the settled amount and the status as the ledger does", async () => {
    await client.query("create temp table quantities (like quittance.commissions including generated)");
    const amount = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.integer({ min: -LARGE, max: LARGE }));
    const earned = fc.option(amount).chain((computedAmount) =>
      fc.record({
        computedAmount: fc.constant(computedAmount),
        waitingAmount: fc.option(fc.integer({ min: 0, max: Math.max(0, computedAmount ?? 0) })),
      }),
    );
    const others = fc.record({
      paidAmount: amount,
      writtenOffPositive: amount.map((value) => Math.abs(value)),
      writtenOffNegative: amount.map((value) => -Math.abs(value)),
      openSettlementId: fc.option(fc.uuid(), { freq: 5 }),
      settledLineCount: fc.integer({ min: 0, max: 2 }),
    });
    const quantities = fc.tuple(earned, others).map(([amounts, other]) => ({ ...amounts, ...other }));
    const insert = `insert into quantities (customer_id, id, workspace_id, partner_id, attribution_id, formula_id,
        currency, pending_amount, created_at, occurred_at, version, last_at,
        computed_amount, paid_amount, paid_negative, written_off_positive, written_off_negative, open_settlement_id,
        settled_line_count, waiting_amount)
      select id, id, id, id, id, id, 'EUR', 0, 0, 0, 1, 0, $1, $2, $3, $4, $5, $6, $7, $8 from gen_random_uuid() as id
      returning settled_amount::text as settled, settlement_status as status`;
    await fc.assert(
      fc.asyncProperty(quantities, async (given) => {
        const { computedAmount, paidAmount, writtenOffPositive, writtenOffNegative } = given;
        const { rows } = await client.query<{ settled: string; status: string }>(insert, [
          computedAmount,
          paidAmount,
          Math.min(0, paidAmount),
          writtenOffPositive,
          writtenOffNegative,
          given.openSettlementId,
          given.settledLineCount,
          given.waitingAmount,
        ]);
        expect(rows[0]).toEqual({
          settled: String(Ledger.settledAmount(given)),
          status: Ledger.settlementStatus(given),
        });
      }),
      { numRuns: 500 },
    );
  });

  it("refuse the amounts that the ledger refuses, whichever lines are paid or open", async () => {
    await client.query(
      "create temp table amounts (like quittance.commissions including generated including constraints)",
    );
    const near = fc.integer({ min: -2, max: 2 });
    const amount = fc.oneof(
      near,
      fc
        .tuple(fc.constantFrom(-1, -0.5, 0.5, 1), near)
        .map(([part, more]) => Math.trunc(part * Limits.MAX_AMOUNT) + more),
    );
    const given = fc.record({
      computedAmount: amount,
      paid: fc.array(amount, { maxLength: 3 }),
      pendingAmount: amount,
    });
    const insert = `insert into amounts (customer_id, id, workspace_id, partner_id, attribution_id, formula_id,
        currency, created_at, occurred_at, version, last_at, computed_amount, paid_amount, paid_negative, written_off_positive,
        written_off_negative, pending_amount, open_settlement_id, settled_line_count)
      select id, id, id, id, id, id, 'EUR', 0, 0, 1, 0, $1, $2, $3, 0, 0, $4, id, 0 from gen_random_uuid() as id`;
    let [accepted, refused] = [0, 0];
    await fc.assert(
      fc.asyncProperty(given, async ({ computedAmount, paid, pendingAmount }) => {
        const paidNegative = paid.reduce((sum, line) => sum + Math.min(0, line), 0);
        const paidPositive = paid.reduce((sum, line) => sum + Math.max(0, line), 0);
        // Amounts due stay in range, so lines beyond the range do not occur.
        fc.pre(
          Ledger.staysInRange(0, { paidAmount: paidPositive + paidNegative, paidNegative, pendingAmount }),
        );
        const lines = { paidAmount: paidPositive + paidNegative, paidNegative, pendingAmount };
        fc.pre([computedAmount, lines.paidAmount].every((value) => Number.isSafeInteger(value)));
        const stored = client.query(insert, [computedAmount, lines.paidAmount, paidNegative, pendingAmount]);
        if (Ledger.staysInRange(computedAmount, lines)) {
          await stored;
          accepted += 1;
        } else {
          await expect(stored).rejects.toThrow("commissions_in_range");
          refused += 1;
        }
      }),
      { numRuns: 500 },
    );
    expect(Math.min(accepted, refused)).toBeGreaterThan(50);
  });

  it("keep events and lines append-only, reserve a commission once and keep amounts in range", async () => {
    const scene = Effect.gen(function* () {
      const scene = yield* Scene.create();
      const earned = yield* Scene.earn(scene, [100, 200]);
      const commissions = earned.map(({ commission }) => commission);
      return yield* Scene.draft(scene, commissions);
    });
    const draft = await Effect.runPromise(Effect.provide(scene, layer({ url })));
    const refusals: ReadonlyArray<readonly [string, string]> = [
      ["update quittance.events set actor = 'somebody else'", "append-only"],
      ["delete from quittance.events", "append-only"],
      ["truncate quittance.events", "append-only"],
      ["update quittance.settlement_lines set amount = 0", "append-only"],
      ["insert into quittance.reservations select * from quittance.reservations", "reservations_pkey"],
      ["update quittance.commissions set computed_amount = 9007199254740992", "amount_check"],
      ["update quittance.formulas set end_datetime = start_datetime", "formulas_window"],
    ];
    for (const [text, constraint] of refusals)
      await expect(client.query(text), text).rejects.toThrow(constraint);
    const { rows } = await client.query("select * from quittance.reservations where settlement_id = $1", [
      draft.id,
    ]);
    expect(rows.length).toBe(2);
  });

  it("prevent that an attribution is created unseen by a concurrent change of its formulas", async () => {
    const race = Effect.gen(function* () {
      const storage = yield* Storage.Storage;
      const scene = yield* Scene.create();
      const { customerId, partnerId, schemaId } = scene;
      let stored = 0;
      for (let version = 1; version <= 40; version++) {
        const requires = [{ type: "formula_set", partnerId, schemaId, version } as const];
        const create = Effect.suspend(() => {
          const attribution = Build.attribution(scene);
          return Effect.match(
            storage.commit(customerId, Build.changeSet({ changes: [attribution], requires })),
            {
              onSuccess: () => attribution.row.id,
              onFailure: (failure) => {
                expect(failure._tag).toBe("VersionConflict");
                return null;
              },
            },
          );
        });
        const span = { from: 0, to: null, after: null, limit: 10_000 };
        const raise = Effect.zipRight(
          storage.commit(
            customerId,
            Build.changeSet({ changes: [{ type: "bump_formula_set", partnerId, schemaId }] }),
          ),
          Effect.map(storage.attributionsForFormula(scene.formula, span), (found) =>
            found.map(({ attribution }) => attribution.id),
          ),
        );
        const creations = Effect.all(
          Array.from({ length: 12 }, () => create),
          { concurrency: "unbounded" },
        );
        const [created, seen] = yield* Effect.all([creations, raise], { concurrency: "unbounded" });
        const ids = created.filter((id) => id !== null);
        stored += ids.length;
        expect(ids.filter((id) => !seen.includes(id))).toEqual([]);
      }
      expect(stored).toBeGreaterThan(0);
    });
    await Effect.runPromise(Effect.provide(race, layer({ url, maxConnections: 14 })));
  });

  it("agree with the fold of the events after set-based changes", async () => {
    const story = Effect.gen(function* () {
      const storage = yield* Storage.Storage;
      const scene = yield* Scene.create();
      const earned = yield* Scene.earn(scene, [100, -40, 0]);
      const ids = earned.map(({ commission }) => commission.id);
      const draft = yield* Scene.draft(
        scene,
        earned.map(({ commission }) => commission),
      );
      yield* Scene.writeOff(draft);
      for (const row of yield* storage.find(scene.customerId, "commission", ids)) {
        const log = yield* storage.log(scene.customerId, "commission", row.id);
        let view: Commission.View | null = null;
        for (const entry of log) view = Commission.evolve(view, entry);
        expect(row).toMatchObject({ ...view, version: log.length });
      }
    });
    await Effect.runPromise(Effect.provide(story, layer({ url })));
  });
});

/** The metrics of the engine at `/metrics`. */
import { Effect, Layer } from "effect";
import { Storage } from "quittance";
import { layer as memory } from "quittance/memory";
import { describe, expect, it } from "vitest";
import { type Engine, start } from "./Engine.ts";
import { scene } from "./Scene.ts";

const textOf = async (engine: Pick<Engine, "call">): Promise<string> =>
  (await engine.call("GET", "/metrics", { token: null })).text;

/** The value of a series as the text format writes it, 0 when it is not there yet. */
const sampleOf = (text: string, series: string): number => {
  const line = text.split("\n").find((sample) => sample.startsWith(`${series} `));
  return Number(line?.slice(series.length + 1) ?? 0);
};

const change = (from: string, to: string) =>
  `quittance_settlement_transitions_total{from="${from}",to="${to}"}`;

describe("metrics of the engine", () => {
  it("count the states that settlements enter, once for each stored change", async () => {
    const engine = await start();
    const { draft, act } = await scene(engine);
    const before = await textOf(engine);
    const id = await draft();
    await act(id, "approve");
    expect((await act(id, "approve")).status).toBe(409);
    await engine.settle();
    const after = await textOf(engine);
    const counted = (series: string) => sampleOf(after, series) - sampleOf(before, series);
    expect(counted(change("none", "draft"))).toBe(1);
    expect(counted(change("draft", "awaiting_report"))).toBe(1);
    expect(counted(change("awaiting_report", "awaiting_invoice"))).toBe(1);
  });

  it("count nothing for commands that do not change the state", async () => {
    const engine = await start();
    const { draft, act } = await scene(engine);
    const id = await draft();
    await act(id, "approve");
    await engine.settle();
    await act(id, "write-off");
    const before = await textOf(engine);
    expect((await act(id, "write-off")).status).toBe(409);
    expect(await textOf(engine)).not.toMatch(/transitions_total\{from="(\w+)",to="\1"\}/);
    expect(sampleOf(await textOf(engine), change("awaiting_invoice", "written_off"))).toBe(
      sampleOf(before, change("awaiting_invoice", "written_off")),
    );
  });

  it("count evaluations without an amount by their code", async () => {
    const engine = await start();
    const { attribution, formula, partnerId, schemaId } = await scene(engine);
    const large = { type: "property", name: "order_value" };
    await formula(partnerId, schemaId, { expression: { type: "multiply", operands: [large, large] } });
    const series = 'quittance_evaluation_errors_total{code="OVERFLOW"}';
    const before = sampleOf(await textOf(engine), series);
    await attribution(partnerId, schemaId, 1_000_000_000);
    expect(sampleOf(await textOf(engine), series)).toBe(before + 1);
  });

  it("show how much work waits, and for how long", async () => {
    const engine = await start();
    const { draft, act } = await scene(engine);
    const kept = () => new Promise((resolve) => setTimeout(resolve, 1_050));
    const figures = async () => {
      const text = await textOf(engine);
      return {
        waiting: sampleOf(text, 'quittance_outbox_waiting{lane="documents"}'),
        payments: sampleOf(text, 'quittance_outbox_waiting{lane="payments"}'),
        deadLettered: sampleOf(text, 'quittance_outbox_dead_lettered{lane="documents"}'),
        seconds: sampleOf(text, 'quittance_outbox_oldest_seconds{lane="documents"}'),
      };
    };
    const before = await figures();
    expect([before.deadLettered, before.seconds]).toEqual([0, 0]);
    await act(await draft(), "approve");
    await kept();
    const approved = await figures();
    expect(approved.waiting).toBe(before.waiting + 1);
    expect(approved.payments).toBe(before.payments);
    expect(approved.seconds).toBeGreaterThan(1);
    expect(approved.seconds).toBeLessThan(60);
    await engine.settle();
    await kept();
    expect(await figures()).toEqual(before);
  });

  it("have a description and a type each", async () => {
    const text = await textOf(await start());
    const heads = [...text.matchAll(/^# (HELP|TYPE) (\S+) (.+)$/gm)].map(
      ([, what, name]) => `${what} ${name}`,
    );
    expect(new Set(heads).size).toBe(heads.length);
    for (const name of ["settlement_transitions_total", "outbox_waiting", "outbox_oldest_seconds"]) {
      expect(heads).toContain(`HELP quittance_${name}`);
    }
    expect(text).toContain("# TYPE quittance_outbox_waiting gauge\n");
    expect(text).toContain("# TYPE quittance_settlement_transitions_total counter\n");
  });
});

/** A store whose next commits, as many as are left, fail with a version conflict. */
const disturbed = (failures: { left: number }): typeof memory =>
  Layer.merge(
    memory,
    Layer.effect(
      Storage.Storage,
      Effect.map(Storage.Storage, (storage) => ({
        ...storage,
        commit: (...asked: Parameters<Storage.StorageService["commit"]>) =>
          Effect.suspend(() =>
            failures.left-- > 0
              ? Effect.fail(new Storage.VersionConflict({ what: "partner" }))
              : storage.commit(...asked),
          ),
      })),
    ).pipe(Layer.provide(memory)),
  );

describe("metrics of the write path", () => {
  const stale = 'quittance_commit_retries_total{reason="version_conflict"}';
  const busy = "quittance_commands_busy_total";

  it.each([
    ["tried again", 3, 201, 3, 0],
    ["given up", 100, 409, 8, 1],
  ])("count commits that were %s", async (_what, left, status, retried, givenUp) => {
    const failures = { left: 0 };
    const engine = await start({}, [], { store: disturbed(failures) });
    const before = await textOf(engine);
    failures.left = left;
    const json = { name: "Nordlys ApS", workspace_id: engine.workspaceId };
    expect((await engine.call("POST", "/api/v1/partners", { json })).status).toBe(status);
    const after = await textOf(engine);
    expect(sampleOf(after, stale) - sampleOf(before, stale)).toBe(retried);
    expect(sampleOf(after, busy) - sampleOf(before, busy)).toBe(givenUp);
  });
});

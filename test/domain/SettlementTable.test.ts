import { Either } from "effect";
import { Settlement, SettlementMachine } from "quittance";
import { describe, expect, it } from "vitest";
import * as Scene from "./SettlementScene.ts";

const { decide, STEPS, TRANSITIONS } = SettlementMachine;

type Event = Settlement.SettlementEvent;

const HISTORIES: ReadonlyArray<ReadonlyArray<Event>> = [
  ...Object.values(Scene.HISTORY),
  ...Object.values(Scene.SELF_BILLED),
  [...Scene.SELF_BILLED.awaiting_payment, Scene.WRITTEN_OFF],
  [...Scene.SELF_BILLED.credited, Scene.WRITTEN_OFF],
  [...Scene.SELF_BILLED.payment_initiated, Scene.WRITTEN_OFF],
  [...Scene.HISTORY.paid, { type: "reconcile_settlement" }],
  [...Scene.HISTORY.payment_initiated, Scene.PAID],
  [Scene.draft(0), Scene.APPROVED],
  [Scene.draft(200), Scene.selfBilled(Scene.group(1000, 0, null), Scene.group(-800, -200))],
  [Scene.draft(200), Scene.selfBilled(Scene.group(1000, 0, null), Scene.group(-800, -200)), Scene.report()],
  [Scene.draft(0), Scene.selfBilled(Scene.group(0, 0))],
  [Scene.draft(-1000), Scene.selfBilled(Scene.group(-1000, -250))],
  [Scene.draft(), Scene.APPROVED, Scene.report(true), Scene.invoice()],
  [...Scene.HISTORY.awaiting_credit_note, Scene.creditNote()],
  [...Scene.HISTORY.payment_initiated, Scene.HANDED_OVER],
  [...Scene.HISTORY.awaiting_invoice, { ...Scene.invoice(300), ...Scene.TAX_TO_REVIEW } as Event],
  [...Scene.HISTORY.awaiting_credit_note, { ...Scene.creditNote(-300), ...Scene.TAX_TO_REVIEW } as Event],
];

const stateOf = (history: ReadonlyArray<Event>): Settlement.View => {
  const { state } = Scene.given(...history);
  if (state === null) throw new Error("no history");
  return state;
};

const MANUAL = { ...Scene.POLICY, documents: "manual" } as const;

const CASES = HISTORIES.flatMap((history) =>
  Scene.COMMANDS.flatMap((command) =>
    [Scene.POLICY, MANUAL].map((policy) => ({ state: stateOf(history), command, policy })),
  ),
);

describe("the transition table", () => {
  it("numbers its rows T1 to T33, each once, six of them with a second case", () => {
    const rows = TRANSITIONS.map(({ row }) => row);
    expect(rows.filter((row) => !row.endsWith("a"))).toEqual(
      Array.from({ length: 33 }, (_, index) => `T${index + 1}`),
    );
    expect(rows.filter((row) => row.endsWith("a"))).toEqual(["T7a", "T17a", "T23a", "T24a", "T30a", "T31a"]);
  });

  it("keeps the state when a document follows the end, a file is handed over, an account is chosen, or a side comments", () => {
    const staying = TRANSITIONS.filter(({ to }) => to === "same").map(({ row }) => row);
    expect(staying).toEqual(["T24", "T24a", "T28", "T31", "T31a", "T33"]);
  });

  it("creates a draft whose lines are reserved, and has no other row without a state before", () => {
    expect(TRANSITIONS[0]).toEqual({
      row: "T1",
      from: [],
      command: "create",
      guards: [
        { words: "one partner, workspace and currency" },
        { words: "no commission in an open settlement" },
      ],
      to: "draft",
      events: ["create_settlement"],
      lines: { type: "reserve" },
    });
    expect(TRANSITIONS.slice(1)).toEqual(STEPS);
    expect(STEPS.filter(({ from }) => from.length === 0)).toEqual([]);
  });

  it("describes every guard, with different words for two rows of one state and command", () => {
    const keys = STEPS.flatMap(({ from, command, guards }) =>
      from.map((state) => `${state} ${command} ${guards.map(({ words }) => words).join("; ")}`),
    );
    expect(new Set(keys).size).toBe(keys.length);
    expect(STEPS.flatMap(({ guards }) => guards.filter(({ words }) => words === ""))).toEqual([]);
  });

  it("has at most one matching row for a state and a command, so its order does not matter", () => {
    for (const { state, command, policy } of CASES) {
      const rows = STEPS.filter(
        (step) =>
          step.command === command.type &&
          step.from.includes(state.status.type) &&
          step.guards.every((guard) => guard.check(state, command, policy) !== false),
      ).map(({ row }) => row);
      expect(rows.length, `${state.status.type}, ${command.type}: ${rows.join(", ")}`).toBeLessThan(2);
    }
  });

  it("agrees with the fold: every accepted command results in the target of its row", () => {
    for (const { state, command, policy } of CASES) {
      const decided = decide(state, command, policy);
      if (Either.isLeft(decided)) continue;
      const { row, events, lines } = decided.right;
      const after = events.reduce<Settlement.View>(
        (before, event) => Settlement.evolve(before, { at: 5, actor: "a", event }),
        state,
      );
      if (row === null) {
        expect(after.status).toEqual(state.status);
        continue;
      }
      const step = STEPS.find((candidate) => candidate.row === row);
      expect(step?.from).toContain(state.status.type);
      expect(step?.lines).toEqual(lines);
      expect(step?.events).toEqual(events.map(({ type }) => type));
      const resumed = state.status.type === "disputed" ? state.status.resume : null;
      const to = step?.to === "same" ? state.status.type : step?.to === "resume" ? resumed : step?.to;
      expect(after.status.type, `${row}: ${command.type}`).toBe(to);
    }
  });

  it("has no row that is unreachable", () => {
    const taken = new Set<string | null>(["T1"]);
    for (const { state, command, policy } of CASES) {
      const decided = decide(state, command, policy);
      if (Either.isRight(decided)) taken.add(decided.right.row);
    }
    expect(TRANSITIONS.map(({ row }) => row).filter((row) => !taken.has(row))).toEqual([]);
  });
});

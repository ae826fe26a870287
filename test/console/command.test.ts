/** A command whose response is lost, until its outcome is known. */
import { ConflictError, UnavailableError } from "quittance/client";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Commands } from "../../adapters/console/api/Client.ts";
import { type Progress, sendUntilKnown } from "../../adapters/console/api/Command.ts";

const COMMANDS = {} as Commands;
const LOST = new UnavailableError("the server cannot be reached", { status: 0 });
const REFUSED = new ConflictError("settlement_not_draft", "settlement_not_draft: it is paid");

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Sends a command that is answered in turn, the last answer ever after; returns what was shown. */
const shownOf = async (
  answers: ReadonlyArray<Error | object>,
  signal = new AbortController().signal,
): Promise<ReadonlyArray<Progress<object>>> => {
  const shown: Array<Progress<object>> = [];
  let sent = 0;
  const send = async (commands: Commands): Promise<object> => {
    expect(commands).toBe(COMMANDS);
    const answer = answers[Math.min(sent++, answers.length - 1)] ?? LOST;
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const ended = sendUntilKnown(send, COMMANDS, { show: (progress) => shown.push(progress), signal });
  await vi.runAllTimersAsync();
  await ended;
  return shown;
};

describe("a command", () => {
  it("that is answered is done, or refused", async () => {
    expect(await shownOf([{ replayed: false }])).toEqual([
      { type: "sending" },
      { type: "done", result: { replayed: false }, wasUnknown: false, wasStored: null },
    ]);
    expect((await shownOf([REFUSED])).at(-1)).toEqual({
      type: "refused",
      failure: REFUSED,
      wasUnknown: false,
    });
  });

  it.each([
    ["stored", { replayed: true }, true],
    ["not stored", { replayed: false }, false],
    ["of a response that does not tell", {}, null],
  ])("whose response is lost is unknown, then found: %s", async (_, result, wasStored) => {
    expect(await shownOf([LOST, LOST, result])).toEqual([
      { type: "sending" },
      { type: "unknown", isAsking: true },
      { type: "unknown", isAsking: true },
      { type: "done", result, wasUnknown: true, wasStored },
    ]);
  });

  it("whose response is lost may turn out to be refused", async () => {
    expect((await shownOf([LOST, REFUSED])).at(-1)).toEqual({
      type: "refused",
      failure: REFUSED,
      wasUnknown: true,
    });
  });

  it("stays unknown when no answer comes, and is asked for again only on request", async () => {
    const shown = await shownOf([LOST]);
    expect(shown.at(-1)).toEqual({ type: "unknown", isAsking: false });
    expect(shown.slice(1, -1)).toEqual(
      Array.from({ length: 4 }, () => ({ type: "unknown", isAsking: true })),
    );
  });

  it("is not asked for after its dialog was closed", async () => {
    const control = new AbortController();
    const ended = shownOf([LOST, { replayed: true }], control.signal);
    control.abort();
    expect(await ended).toEqual([{ type: "sending" }]);
  });
});

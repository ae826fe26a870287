/** What an import sends: batches, which are divided where the server takes fewer rows at once. */
import { Effect, Either, Stream } from "effect";
import { describe, expect, it } from "vitest";
import { run } from "../../../adapters/server/importing/Importing.ts";
import type { Row } from "../../../adapters/server/importing/Rows.ts";
import type { Reply, Target } from "../../../adapters/server/Target.ts";

/** A server that takes so many rows at once, and the batches that it has stored. */
const serverTaking = (most: number, refused: Reply) => {
  const stored: Array<ReadonlyArray<number>> = [];
  const target: Target = {
    request: (_method, _path, body) => {
      const { attributions } = body as { readonly attributions: ReadonlyArray<{ readonly row: number }> };
      if (attributions.length > most) return Effect.succeed(refused);
      stored.push(attributions.map(({ row }) => row));
      return Effect.succeed({ status: 201, body: { results: attributions.map(() => ({ id: "id" })) } });
    },
  };
  return { stored, target };
};

/** Imports rows; returns what was stored, and why the import failed. */
const imported = async (count: number, most: number, refused: Reply) => {
  const { stored, target } = serverTaking(most, refused);
  const rows = Stream.range(1, count).pipe(Stream.map((number) => ({ number, line: number }) as Row));
  const progress = { lastRow: 0, stored: 0, unchanged: 0, refused: 0 };
  const outcome = await Effect.runPromise(
    Effect.either(
      run(target, rows, ({ number }) => Either.right({ row: number }), {
        progress,
        report: () => Effect.die("no row is refused"),
        show: () => {},
      }),
    ),
  );
  return { stored, progress, problem: Either.isLeft(outcome) ? outcome.left.message : null };
};

const TOO_MANY_CREDITS: Reply = {
  status: 400,
  body: {
    message: "attributions: must have at most 10000 credits with those of uplines; they have 12000",
    field: "attributions",
  },
};

describe("a batch of an import", () => {
  it.each([
    ["too large for a request", { status: 413, body: { message: "too large" } }],
    ["of too many credits", TOO_MANY_CREDITS],
  ])("is divided where it is %s", async (_, refused) => {
    const { stored, progress, problem } = await imported(1_500, 300, refused);
    expect(problem).toBe(null);
    expect(stored.flat()).toEqual(Array.from({ length: 1_500 }, (_unused, index) => index + 1));
    expect(stored.every(({ length }) => length <= 300)).toBe(true);
    expect(progress).toEqual({ lastRow: 1_500, stored: 1_500, unchanged: 0, refused: 0 });
  });

  it("of one row is refused, and so is one with another mistake", async () => {
    expect((await imported(2, 0, TOO_MANY_CREDITS)).problem).toMatch(
      /^the batch from row 1 was refused: .*10000/,
    );
    const mistake = { status: 400, body: { message: "mode: is unknown", field: "mode" } };
    const { stored, problem } = await imported(2, 1, mistake);
    expect([stored, problem]).toEqual([[], "the batch from row 1 was refused: mode: is unknown (400)"]);
  });
});

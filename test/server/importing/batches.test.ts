/** How an import divides batches that a server refuses as a whole. */
import { Effect, Either, Stream } from "effect";
import { expect, it } from "vitest";
import * as Importing from "../../../adapters/server/importing/Importing.ts";
import type { Row } from "../../../adapters/server/importing/Rows.ts";

const rows = [1, 2, 3, 4].map(
  (number): Row => ({ number, line: number, problem: null, cell: () => undefined }),
);

/** Imports four rows on a server that takes at most so many at once; returns the sizes of the batches it was sent, and the progress. */
const imported = async (status: number, most: number) => {
  const sizes: Array<number> = [];
  const progress: Importing.Progress = { lastRow: 0, stored: 0, refused: 0 };
  const target = {
    request: (_method: string, _path: string, body?: object) => {
      const { attributions = [] } = body as { readonly attributions?: ReadonlyArray<unknown> };
      sizes.push(attributions.length);
      return Effect.succeed(
        attributions.length > most
          ? { status, body: { field: "attributions", message: "too many" } }
          : { status: 201, body: { results: attributions.map(() => ({ id: "a" })) } },
      );
    },
  };
  const prepare = () => Either.right({});
  const work = Importing.run(target as never, Stream.fromIterable(rows), prepare, {
    ...{ progress, report: () => Effect.void, show: () => {} },
  });
  const outcome = await Effect.runPromise(Effect.either(work));
  return { sizes, progress, failed: Either.isLeft(outcome) };
};

it.each([[413], [400]])("divides a batch that is answered with %d", async (status) => {
  expect(await imported(status, 2)).toEqual({
    ...{ sizes: [4, 2, 2], failed: false },
    progress: { lastRow: 4, stored: 4, refused: 0 },
  });
});

it("ends where one row alone is refused so, and divides nothing for another answer", async () => {
  expect(await imported(400, 0)).toMatchObject({ sizes: [4, 2, 1], failed: true });
  expect(await imported(403, 0)).toMatchObject({ sizes: [4], failed: true });
});

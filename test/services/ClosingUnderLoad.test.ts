/** The books of a month are closed while others sell, cancel and settle: in memory. */
import { it } from "@effect/vitest";
import { Effect, Layer, Ref } from "effect";
import { expect } from "vitest";
import { closeUnderLoad, counting } from "../support/closingUnderLoad.ts";
import * as Given from "./Given.ts";

it.live(
  "a month that is closed under load keeps its journal",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const conflicts = yield* Ref.make(0);
        const server = yield* Layer.build(Given.engine(counting(conflicts)));
        const { entries, storedLater, refused } = yield* closeUnderLoad([server], conflicts, 137);
        expect(entries).toBeGreaterThan(0);
        expect(storedLater).toBeGreaterThan(0);
        expect(refused).toBeGreaterThan(0);
      }),
    ),
  60_000,
);

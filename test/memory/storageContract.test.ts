/** The storage contract on the store in memory: each law on a store of its own. */
import { describe, it } from "@effect/vitest";
import { Effect } from "effect";
import { layer } from "quittance/memory";
import { storageContract } from "quittance/testing";

describe("the store in memory satisfies the storage contract", () => {
  for (const law of storageContract) {
    it.live(law.name, () => Effect.provide(law.check, layer));
  }
});

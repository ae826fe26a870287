import { Effect } from "effect";
import { Storage } from "quittance";
import { layer } from "quittance/postgres";
import { checkInvariants } from "quittance/testing";
import { expect, it } from "vitest";
import { connected, database } from "../../support/postgres.ts";
import { lockedLines } from "./lockedLines.ts";
import { mutualReliance } from "./mutualReliance.ts";

it.each(["settle", "release", "reopen"] as const)(
  "%s waits for a revision of its commissions, and counts the revised amounts",
  (type) =>
    Effect.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          const url = yield* database();
          const clients = [yield* connected(url), yield* connected(url), yield* connected(url)];
          const connect = async () => {
            const client = clients.pop();
            if (client === undefined) throw new Error("three connections are enough");
            return client;
          };
          const story = Effect.gen(function* () {
            expect(yield* lockedLines(type, connect)).toEqual([]);
            const storage = yield* Storage.Storage;
            const page = { where: {}, page: 1, perPage: 1, order: "asc" } as const;
            const { items } = yield* storage.list(Storage.AllCustomers, "settlement", page);
            for (const { customerId } of items) yield* checkInvariants(customerId);
          });
          yield* Effect.provide(story, layer({ url }));
        }),
      ),
    ),
);

it("two commits that each rely on what the other changes wait for each other in one order", () =>
  Effect.runPromise(
    Effect.scoped(
      Effect.gen(function* () {
        const url = yield* database();
        const [holder, observer] = [yield* connected(url), yield* connected(url)];
        const outcomes = yield* Effect.provide(mutualReliance(holder, observer), layer({ url }));
        expect(outcomes).toEqual(["stored", "partner"]);
      }),
    ),
  ));

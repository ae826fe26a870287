import { Effect } from "effect";
import { Storage } from "quittance";
import { layer } from "quittance/postgres";
import { checkInvariants } from "quittance/testing";
import { expect, it } from "vitest";
import { connected, database } from "../../support/postgres.ts";
import { lockedLines } from "./lockedLines.ts";

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

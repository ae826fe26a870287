/** Servers killed under load over a Citus cluster; `npm run citus` runs this with the cluster that `TEST_CITUS_URLS` names. */
import { Effect, Exit, Scope } from "effect";
import { afterAll, beforeAll, describe, it } from "vitest";
import { database } from "../support/postgres.ts";
import { citus, type Database } from "./Database.ts";
import { expectNoProblems, LIMIT_MILLISECONDS, tenths } from "./Proof.ts";

describe("on Citus", () => {
  const scope = Effect.runSync(Scope.make());
  let cluster: Database;
  beforeAll(async () => {
    cluster = citus(await Effect.runPromise(Scope.extend(database(), scope)));
  });
  afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)));

  it(
    "no acknowledged command is lost when a server is killed",
    () => expectNoProblems({ name: "one server", database: cluster }, tenths(3)),
    LIMIT_MILLISECONDS,
  );

  it(
    "none is lost when one of two servers and a worker is killed, then the others",
    () => expectNoProblems({ name: "two servers and a worker", database: cluster }, tenths(2)),
    LIMIT_MILLISECONDS,
  );
});

/** A server on the embedded store, killed under load and started again on its folder. */
import { it } from "vitest";
import { pglite } from "./Database.ts";
import { expectNoProblems, LIMIT_MILLISECONDS, tenths } from "./Proof.ts";

it(
  "no acknowledged command is lost when a server on the embedded store is killed",
  async () => {
    const database = pglite();
    try {
      await expectNoProblems({ name: "one server", database }, tenths(1));
    } finally {
      await database.remove();
    }
  },
  LIMIT_MILLISECONDS,
);

/** Which settings of a cluster are reported, and that a single server has none of them. */
import { Effect } from "effect";
import { waitGaps } from "quittance/postgres";
import { expect, inject, it } from "vitest";
import { gapsOf } from "../../../adapters/sql/distribution/Waits.ts";
import { database } from "../../support/postgres.ts";

const CONNECT = "set citus.node_connection_timeout";
const SILENCE = "add tcp_user_timeout";

it.each([
  [30_000, "sslmode=require", [CONNECT, SILENCE]],
  [3_000, "sslmode=require", [SILENCE]],
  [30_000, "sslmode=require tcp_user_timeout=3000", [CONNECT]],
  [3_000, "tcp_user_timeout=0", [SILENCE]],
  [3_000, "tcp_user_timeout=60000", [SILENCE]],
  [10_000, "tcp_user_timeout=10000 sslmode=require", []],
  [30_000, null, [CONNECT]],
  [null, null, []],
] as const)(
  "of %s ms to connect and the parameters %j",
  (connectMilliseconds, connectionParameters, expected) => {
    const gaps = gapsOf({ connectMilliseconds, connectionParameters });
    expect(gaps).toEqual(expected.map((part) => expect.stringContaining(part)));
  },
);

it("are read from a cluster, and from no single server", () =>
  Effect.runPromise(
    Effect.scoped(
      Effect.gen(function* () {
        const gaps = yield* waitGaps({ url: yield* database() });
        if (inject("postgres").nodes === null) expect(gaps).toEqual([]);
        else for (const gap of gaps) expect(gap).toMatch(new RegExp(`${CONNECT}|${SILENCE}`));
      }),
    ),
  ));

/** The work of `quittance verify`: prints what is wrong in a store, and a summary. */
import { Effect, Schema } from "effect";
import { Ids } from "quittance";
import { FAILURE, usageError } from "../CommandFailed.ts";
import { counted, exitWith, print, progress } from "../Output.ts";
import type { Task } from "../Shell.ts";
import { requireExisting } from "../Store.ts";
import type { Database } from "../Value.ts";
import { verify } from "./Verification.ts";

const isCustomerId = Schema.is(Ids.CustomerId);

/** Verifies a store and prints what is wrong; `customer` is the id of the only customer to look at, if there is one. */
export const verifyStore = (database: Database, customer: string | undefined, json: boolean): Task =>
  Effect.gen(function* () {
    const only = customer?.toLowerCase() ?? null;
    if (only !== null && !isCustomerId(only))
      return yield* usageError(`--customer must be a UUID, not "${customer}"`);
    const counts = new Map<string, number>();
    const bar = progress((count, seconds) => `${counted(count, "record")} verified, ${seconds.toFixed(0)} s`);
    let findings = 0;
    const customers = yield* verify(
      yield* requireExisting(database),
      only,
      (finding) => {
        findings += 1;
        const { check, customerId, problem } = finding;
        return print(
          json
            ? JSON.stringify({ check, customer_id: customerId, problem })
            : `${check}  ${problem}  (customer ${customerId})`,
        );
      },
      (kind, count) => {
        counts.set(kind, (counts.get(kind) ?? 0) + count);
        bar.show([...counts.values()].reduce((sum, each) => sum + each, 0));
      },
    );
    bar.end();
    if (findings > 0) yield* exitWith(FAILURE);
    const records = Object.fromEntries(counts);
    if (json) return yield* print(JSON.stringify({ customers, records, problems: findings }));
    const looked = [...counts].map(([kind, count]) => counted(count, kind)).join(", ") || "no records";
    const found = findings === 0 ? "no problem" : counted(findings, "problem");
    yield* print(
      `${found} found in ${counted(customers, "customer")}: ${looked} (${bar.seconds().toFixed(1)} s)`,
    );
  });

/** `quittance verify`: checks a live store and names what is wrong. */
import { Effect, Schema } from "effect";
import { Ids } from "quittance";
import { FAILURE, usage } from "../CommandFailed.ts";
import { exitWith, print, progress } from "../Output.ts";
import { type Declare, databaseOf, type Task, withDatabase, withJson } from "../Shell.ts";
import type { Database } from "../Value.ts";

interface Options {
  readonly json?: true;
  readonly customer?: string;
}

const isCustomerId = Schema.is(Ids.CustomerId);

const verify = (database: Database, only: Ids.CustomerId | null, json: boolean): Task =>
  Effect.gen(function* () {
    const { existing } = yield* Effect.promise(() => import("../Store.ts"));
    const Verification = yield* Effect.promise(() => import("../verification/Verification.ts"));
    const counts = new Map<string, number>();
    const bar = progress((count, seconds) => `${count} records verified, ${seconds.toFixed(0)} s`);
    let findings = 0;
    const customers = yield* Verification.verify(
      yield* existing(database),
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
    const looked = [...counts].map(([kind, count]) => `${count} ${kind}s`).join(", ") || "no records";
    yield* print(
      `${findings === 0 ? "no problem found" : `${findings} problems found`} in ${customers} customers: ${looked} (${bar.seconds().toFixed(1)} s)`,
    );
  });

export const declare: Declare = (program, shell) => {
  const command = withJson(withDatabase(program.command("verify")))
    .summary("check a live store, and name what is wrong")
    .description(
      "Checks on one snapshot that every record is the fold of its log, that books, settlement lines, amounts, running totals, statistics, tax, documents and the hashes of the event feed agree, and names what does not. Servers may go on working. Memory stays constant. Exit code 1: something is wrong.",
    )
    .option("--customer <id>", "only this customer");
  command.action(({ json, customer }: Options) =>
    shell.run(
      Effect.gen(function* () {
        const only = customer?.toLowerCase() ?? null;
        if (only !== null && !isCustomerId(only))
          return yield* usage(`--customer must be a UUID, not "${customer}"`);
        yield* verify(yield* databaseOf(command, shell), only, json === true);
      }),
    ),
  );
};

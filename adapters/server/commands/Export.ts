/** `quittance export`: writes attributions, commissions, settlements, settlement lines or partners as CSV or NDJSON. */
import type { Command } from "commander";
import { Effect } from "effect";
import { type CommandFailed, usageError } from "../CommandFailed.ts";
import { counted, note, progress } from "../Output.ts";
import { type Declare, databaseOf, type Shell, type Task, withTarget } from "../Shell.ts";

interface Options {
  readonly format: string;
  readonly out?: string;
  readonly force?: true;
  readonly workspace?: string;
  readonly partner?: string;
  readonly from?: string;
  readonly to?: string;
  readonly url?: string;
  readonly customer?: string;
}

const KINDS = ["attributions", "commissions", "settlements", "lines", "partners"];

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

const idOf = (option: string, text: string | undefined): Effect.Effect<string | null, CommandFailed> =>
  text === undefined
    ? Effect.succeed(null)
    : UUID.test(text)
      ? Effect.succeed(text.toLowerCase())
      : usageError(`--${option} must be a UUID, not "${text}"`);

const MOMENT = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2}))?$/;

const momentOf = (option: string, text: string | undefined): Effect.Effect<number | null, CommandFailed> => {
  if (text === undefined) return Effect.succeed(null);
  const moment = MOMENT.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(moment)
    ? usageError(`--${option} must be a date like 2026-01-31 or 2026-01-31T12:00:00Z, not "${text}"`)
    : Effect.succeed(moment);
};

const filtersOf = ({ workspace, partner, from, to }: Options) =>
  Effect.all({
    workspace: idOf("workspace", workspace),
    partner: idOf("partner", partner),
    from: momentOf("from", from),
    to: momentOf("to", to),
  });

const work = (command: Command, shell: Shell, kind: string, options: Options): Task =>
  Effect.gen(function* () {
    const { format, out } = options;
    if (!KINDS.includes(kind))
      return yield* usageError(`export takes one of ${KINDS.join(", ")}, not "${kind}"`);
    if (format !== "csv" && format !== "spreadsheet" && format !== "ndjson")
      return yield* usageError(`--format must be csv, spreadsheet or ndjson, not "${format}"`);
    const filters = yield* filtersOf(options);
    const Exporting = yield* Effect.promise(() => import("../exporting/Exporting.ts"));
    const { TABLES } = yield* Effect.promise(() => import("../exporting/Table.ts"));
    const table = TABLES[kind];
    if (table === undefined)
      return yield* usageError(`export takes one of ${KINDS.join(", ")}, not "${kind}"`);
    if (table.moment === null && (filters.from ?? filters.to) !== null)
      return yield* usageError(`--from and --to do not select ${kind}`);
    const Target = yield* Effect.promise(() => import("../Target.ts"));
    const bar = progress((count, seconds) => `${counted(count, "row")}, ${seconds.toFixed(0)} s`);
    const request = { table, filters, format } as const;
    const hasServer = options.url !== undefined || (shell.environment.QUITTANCE_URL ?? "") !== "";
    const count = yield* Effect.scoped(
      Effect.gen(function* () {
        if (hasServer) {
          const target = yield* Target.targetOf(command, shell);
          const { sink, finish } = yield* Exporting.openSink(out ?? null, options.force === true);
          return yield* Effect.zipLeft(
            Exporting.exportFromServer(target, request, { sink, reportCount: bar.show }),
            finish,
          );
        }
        const { requireExisting, sqlClient } = yield* Effect.promise(() => import("../Store.ts"));
        const database = yield* requireExisting(yield* databaseOf(command, shell));
        const customerId = yield* Target.customerOf(sqlClient(database), options.customer);
        const { sink, finish } = yield* Exporting.openSink(out ?? null, options.force === true);
        return yield* Effect.zipLeft(
          Exporting.exportFromStore(database, customerId, request, { sink, reportCount: bar.show }),
          finish,
        );
      }),
    );
    bar.end();
    if (out !== undefined) yield* note(`${counted(count, "row")} in ${out} (${bar.seconds().toFixed(1)} s)`);
  });

export const declare: Declare = (program, shell) => {
  const command = program
    .command("export")
    .summary("write records as CSV or NDJSON")
    .description(
      "Writes records as CSV or NDJSON. Amounts of CSV have the decimals of their currency, and are beside it in the smallest unit (total, total_minor); NDJSON has the smallest unit alone. From a store all records are from one snapshot, and servers may keep running; from a server they are read page by page. Bank accounts of partners are masked.",
    )
    .argument("<kind>", KINDS.join(", "))
    .option(
      "--format <format>",
      "csv, spreadsheet (CSV that begins with a byte order mark, for Excel) or ndjson",
      "csv",
    )
    .option("--out <file>", "a file, which appears when it is complete; standard output by default")
    .option("--force", "replace the file")
    .option("--workspace <id>", "only this workspace")
    .option("--partner <id>", "only this partner")
    .option("--from <date>", "from this date on: of the event, or of the settlement's creation")
    .option("--to <date>", "before this date");
  withTarget(command).action((kind: string, options: Options) =>
    shell.run(work(command, shell, kind, options)),
  );
};

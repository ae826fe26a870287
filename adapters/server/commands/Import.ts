/** `quittance import`: creates the attributions of a CSV or NDJSON file. */
import { Effect } from "effect";
import { PARTNER_COLUMNS } from "../../importing/PartnerRow.ts";
import { type Declare, orUsage, type Task, withJson, withTarget } from "../Shell.ts";
import { wholeNumber } from "../Value.ts";
import { formatOf } from "./Simulate.ts";

interface Options {
  readonly mapping?: string;
  readonly format?: string;
  readonly dryRun?: true;
  readonly skipBadRows?: true;
  readonly withoutReferences?: true;
  readonly fromRow: string;
  readonly json?: true;
}

/** The number of a row. */
export const ROW = wholeNumber(1, 1_000_000_000_000);

const HELP = `
A mapping assigns columns to fields:

  {
    "workspace_id": "6f1c2d4e-0000-4000-8000-000000000002",
    "schema_id": "01890a5d-ac96-774b-bcce-b302099a8057",
    "partner_id": { "column": "agent", "by": "name" },
    "external_reference": { "column": "line_id", "prefix": "order-" },
    "occurred_at": { "column": "invoice_date" },
    "properties": { "genre": { "column": "genre" }, "unit_price": { "column": "unit_price", "default": 0 } }
  }

"credits": { "column": "team", "by": "name" } reads who else earns from a sale, as in Anna:0.6|Ben:0.4|Eva::engineer.
"date": { "form": "day_first", "time_zone": "Europe/Berlin" } beside the column of a date states how it is written: iso (the default),
day_first, month_first, epoch_seconds or epoch_milliseconds. "number": { "decimal": ",", "currency": "€", "factor": "0.01" } does so
for a property. "only": { "status": ["paid"], "agent": "not_empty" } leaves out and counts all other rows.
A field is a value for every row, or a column; "values" translates the column's values. Without a mapping the columns
have the names of the fields, and properties are properties.<name>.`;

const PARTNERS_HELP = `
Columns: ${PARTNER_COLUMNS.join(", ")}.
name and external_reference are needed. A row with a legal_name is billed by this service. tax_rate is in percent; tags have | between them.`;

interface PartnerOptions {
  readonly workspace?: string;
  readonly dryRun?: true;
  readonly skipBadRows?: true;
  readonly json?: true;
}

const declarePartners: Declare = (program, shell) => {
  const command = withJson(program.command("partners"))
    .summary("create partners from a CSV file")
    .description(
      "Creates the partners of a file, on a store directly or on a server. First every row is checked; if one is invalid, nothing is stored. A row whose external reference is stored already is not stored again, so an interrupted import can be run again.",
    )
    .argument("<file>", "a .csv file with a line of column names")
    .option("--workspace <id>", "the workspace of rows that name none")
    .option("--dry-run", "check every row and store nothing")
    .option("--skip-bad-rows", "store the valid rows even if others are invalid")
    .addHelpText("after", PARTNERS_HELP);
  const work = (file: string, options: PartnerOptions): Task =>
    Effect.gen(function* () {
      const { importPartners } = yield* Effect.promise(() => import("../importing/ImportPartners.ts"));
      const { targetOf } = yield* Effect.promise(() => import("../Target.ts"));
      const request = {
        ...{ file, workspaceId: options.workspace ?? "" },
        dryRun: options.dryRun === true,
        skipBadRows: options.skipBadRows === true,
        json: options.json === true,
      };
      yield* Effect.scoped(importPartners(request, targetOf(command, shell)));
    });
  withTarget(command).action((file: string, options: PartnerOptions) => shell.run(work(file, options)));
};

export const declare: Declare = (program, shell) => {
  const command = withJson(program.command("import"))
    .summary("create attributions from a CSV or NDJSON file")
    .description(
      "Creates the attributions of a file, on a store directly or on a server. First every row is checked; if one is invalid, nothing is stored. A row whose external reference is stored already is not stored again, so an interrupted import can be run again.",
    )
    .argument("<file>", "a .csv file with a line of column names, or .ndjson with one object a line")
    .option("--mapping <file>", "JSON file that assigns columns to fields")
    .option("--format <format>", "csv or ndjson, if the name of the file does not show it")
    .option("--dry-run", "check every row and store nothing")
    .option("--skip-bad-rows", "store the valid rows even if others are invalid")
    .option("--from-row <number>", "start at this row", "1")
    .option(
      "--without-references",
      "accept rows without external_reference; a repeated import stores them again",
    )
    .addHelpText("after", HELP);
  const work = (file: string, options: Options): Task =>
    Effect.gen(function* () {
      const format = yield* formatOf(file, options.format);
      const fromRow = yield* orUsage(ROW.parse("--from-row", options.fromRow));
      const { importFile } = yield* Effect.promise(() => import("../importing/ImportFile.ts"));
      const { targetOf } = yield* Effect.promise(() => import("../Target.ts"));
      const request = {
        file,
        format,
        mapping: options.mapping ?? null,
        fromRow,
        dryRun: options.dryRun === true,
        skipBadRows: options.skipBadRows === true,
        withoutReferences: options.withoutReferences === true,
        json: options.json === true,
      };
      yield* Effect.scoped(importFile(request, targetOf(command, shell)));
    });
  // Options after "partners" are of that command.
  declarePartners(command.enablePositionalOptions(), shell);
  withTarget(command).action((file: string, options: Options) => shell.run(work(file, options)));
};

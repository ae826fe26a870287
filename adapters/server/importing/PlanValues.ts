/** The work of `quittance values`: checks a whole file, then states the values of its rows. */
import { Effect, Either, Schema, type Scope, Stream } from "effect";
import { CalendarDate } from "quittance";
import { type CommandFailed, FAILURE, usageError } from "../CommandFailed.ts";
import { counted, exitWith, note, print } from "../Output.ts";
import { type Reply, refusal, type Target } from "../Target.ts";
import { asDateTime } from "./Dates.ts";
import { reporter } from "./ImportFile.ts";
import type { Problem } from "./Importing.ts";
import { type KnownPartners, loadPartners, partnerNamed, partnerWithId } from "./KnownPartners.ts";
import { asType } from "./Mapping.ts";
import { type Format, fieldsOf, headerOf, type Row, rowsOf } from "./Rows.ts";

/** Which file states values of which plan, and how. */
export interface Request {
  readonly file: string;
  readonly format: Format;
  readonly plan: string;
  readonly dryRun: boolean;
  readonly json: boolean;
}

/** A plan as the interface shows it, as far as its values depend on it. */
interface Plan {
  readonly id: string;
  readonly workspace_id: string;
  readonly view: {
    readonly parameters?: ReadonlyArray<{
      readonly name: string;
      readonly type: "number" | "string" | "boolean" | "date";
    }>;
  };
}

type Parameters = NonNullable<Plan["view"]["parameters"]>;

const PARTNER_ID = "partner_id";
const PARTNER = "partner";
const DATE = "effective_datetime";
const DAY = "effective_on";

/** Statements that the interface takes at once. */
const BATCH_ROWS = 1_000;

const readPlan = (target: Target, id: string): Effect.Effect<Plan, CommandFailed> =>
  Effect.gen(function* () {
    const reply = yield* target.request("GET", `commission-plans?ids=${encodeURIComponent(id)}`);
    if (reply.status !== 200) return yield* refusal(reply, "the plan cannot be read");
    const [plan] = (reply.body as { readonly commission_plans: ReadonlyArray<Plan> }).commission_plans;
    return plan ?? (yield* usageError(`there is no commission plan ${id}`));
  });

/** Accepts the columns of a file: one of the partner, perhaps one of the date, and names of parameters. */
const checkColumns = (
  file: string,
  columns: ReadonlyArray<string>,
  parameters: Parameters,
): Effect.Effect<void, CommandFailed> => {
  const names = parameters.map(({ name }) => name);
  if (columns.filter((column) => column === PARTNER_ID || column === PARTNER).length !== 1)
    return usageError(`${file} needs one column "${PARTNER_ID}", or "${PARTNER}" with the partners' names`);
  const other = columns.find((column) => ![PARTNER_ID, PARTNER, DATE, DAY, ...names].includes(column));
  if (other !== undefined)
    return usageError(
      `${file} has a column "${other}", which is no parameter of the plan; it has ${names.join(", ") || "none"}`,
    );
  return columns.some((column) => names.includes(column))
    ? Effect.void
    : usageError(`${file} has no column of a parameter; the plan has ${names.join(", ") || "none"}`);
};

type Statement = Readonly<Record<string, unknown>>;

/** The text of a cell; empty where there is none. */
const textOf = (row: Row, column: string): string => String(row.cell(column) ?? "").trim();

/** The partner of a row. */
const partnerOf = (
  { workspace_id }: Plan,
  partners: KnownPartners,
  column: typeof PARTNER | typeof PARTNER_ID,
  row: Row,
): Either.Either<string, string> => {
  const text = textOf(row, column);
  if (text === "") return Either.left(`${column} is empty`);
  return column === PARTNER ? partnerNamed(partners, workspace_id, text) : partnerWithId(partners, text);
};

/** The values of a row; those whose cells are empty are left out. */
const valuesOf = (parameters: Parameters, row: Row): Either.Either<Statement, string> =>
  Either.gen(function* () {
    const values: Record<string, unknown> = {};
    for (const { name, type } of parameters) {
      const text = textOf(row, name);
      if (text === "") continue;
      const value = asType(text, type === "date" ? "string" : type);
      values[name] = yield* Either.mapLeft(value, (problem) => `${name} ${problem}`);
    }
    return Object.keys(values).length === 0 ? yield* Either.left("it has no value") : values;
  });

/** The date of a row: a moment, or a day in the time zone of the workspace; none where the cells are empty. */
const dateOf = (row: Row): Either.Either<Statement, string> => {
  const [text, day] = [textOf(row, DATE), textOf(row, DAY)];
  if (text !== "" && day !== "") return Either.left(`only one of ${DATE} and ${DAY} can be stated`);
  if (day !== "")
    return Schema.is(CalendarDate.CalendarDate)(day)
      ? Either.right({ [DAY]: day })
      : Either.left(`${DAY} must be a date as YYYY-MM-DD, not "${day}"`);
  return text === ""
    ? Either.right({})
    : Either.mapBoth(asDateTime(text), {
        onLeft: (problem) => `${DATE} ${problem}`,
        onRight: (effective) => ({ [DATE]: effective }),
      });
};

/** The statement of a row, or what is wrong with the row. Empty cells state nothing. */
const statementOf = (plan: Plan, partners: KnownPartners, columns: ReadonlyArray<string>) => {
  const column = columns.includes(PARTNER) ? PARTNER : PARTNER_ID;
  return (row: Row): Either.Either<Statement, string> =>
    Either.gen(function* () {
      if (row.problem !== null) return yield* Either.left(row.problem);
      const partner_id = yield* partnerOf(plan, partners, column, row);
      const values = yield* valuesOf(plan.view.parameters ?? [], row);
      return { partner_id, values, ...(yield* dateOf(row)) };
    });
};

interface Item {
  readonly row: Row;
  readonly statement: Statement;
}

/** The problem of a refused request with the row that it is about; null where it is about none. */
const problemOf = (items: ReadonlyArray<Item>, { body }: Reply): Problem | null => {
  const { message = "" } = body as { readonly message?: string };
  const [, index, problem = ""] = /^partners\.([0-9]+)\.(.*)$/s.exec(message) ?? [];
  const row = index === undefined ? undefined : items[Number(index)]?.row;
  return row === undefined ? null : { row: row.number, line: row.line, problem };
};

/** States the values of the file. The target is opened once the file has proved to be readable. */
export const stateValues = (
  { file, format, plan: planId, dryRun, json }: Request,
  openTarget: Effect.Effect<Target, CommandFailed, Scope.Scope>,
): Effect.Effect<void, CommandFailed, Scope.Scope> =>
  Effect.gen(function* () {
    const columns = yield* format === "csv" ? headerOf(file) : fieldsOf(file);
    const target = yield* openTarget;
    const plan = yield* readPlan(target, planId);
    yield* checkColumns(file, columns, plan.view.parameters ?? []);
    const prepare = statementOf(plan, yield* loadPartners(target), columns);
    const report = reporter(json);
    const items: Array<Item> = [];
    let bad = 0;
    yield* Stream.runForEach(rowsOf(file, format), (row) =>
      Either.match(prepare(row), {
        onLeft: (problem) => {
          bad += 1;
          return report({ row: row.number, line: row.line, problem });
        },
        onRight: (statement) => Effect.sync(() => items.push({ row, statement })),
      }),
    );
    const show = (stated: number, words: string) =>
      print(json ? JSON.stringify({ rows: items.length + bad, bad, stated }) : words);
    if (bad > 0) {
      yield* exitWith(FAILURE);
      if (json) return yield* show(0, "");
      return yield* note(
        `quittance: nothing was stated: ${bad} of ${counted(items.length + bad, "row")} cannot be read; correct them`,
      );
    }
    if (dryRun)
      return yield* show(
        0,
        `the values of ${counted(items.length, "row")} can be stated; nothing was stored`,
      );
    for (let from = 0; from < items.length; from += BATCH_ROWS) {
      const batch = items.slice(from, from + BATCH_ROWS);
      const reply = yield* target.request("POST", `commission-plans/${plan.id}/parameters`, {
        partners: batch.map(({ statement }) => statement),
      });
      if (reply.status === 200) continue;
      const problem = problemOf(batch, reply);
      if (problem !== null) yield* report(problem);
      return yield* refusal(
        reply,
        from === 0 ? "nothing was stated" : `the rows up to ${from} are stated, the others are not`,
      );
    }
    yield* show(items.length, `the values of ${counted(items.length, "row")} are stated`);
  });

/** The work of `quittance plans`. */
import type { Command } from "commander";
import { Effect } from "effect";
import { Currency } from "quittance";
import { type CommandFailed, usageError } from "../CommandFailed.ts";
import { print, printTable, printText, progress } from "../Output.ts";
import { type Shell, splitList, type Task } from "../Shell.ts";
import { expectStatus, onTarget, type Target } from "../Target.ts";
import { readFormula } from "./FormulaFile.ts";

interface Sums {
  readonly sales_count: number;
  readonly not_computable_count: number;
  readonly amount_now: number;
  readonly amount_then: number;
  readonly difference: number;
  readonly waiting_now: number;
  readonly waiting_then: number;
}

interface Trial extends Sums {
  readonly id: string;
  readonly state: "running" | "done";
  readonly currency: Currency.Currency;
  readonly partner_count: number;
  readonly partners_done: number;
}

interface Result extends Sums {
  readonly partner_id: string;
  readonly months: ReadonlyArray<Sums & { readonly month: string }>;
}

/** How a trial is printed: as a table, as JSON, or as CSV. */
interface Form {
  readonly json?: true;
  readonly csv?: true;
}

/** The options of `quittance plans try`. */
export interface TryOptions extends Form {
  readonly plan?: string;
  readonly formula?: string;
  readonly from: string;
  readonly to: string;
  readonly partners?: string;
  readonly parameters?: string;
  readonly workspace?: string;
  readonly schema?: string;
  readonly currency?: string;
  readonly roles?: string;
  readonly wait: boolean;
}

const PAGE = 100;
const PAUSE_MILLISECONDS = 300;

/** A day is its first instant in UTC. */
const momentOf = (text: string): string => (/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text);

const parametersOf = (text: string | undefined): Effect.Effect<object, CommandFailed> => {
  if (text === undefined) return Effect.succeed({});
  try {
    return Effect.succeed({ parameters: JSON.parse(text) });
  } catch {
    return usageError(`--parameters must be JSON such as {"rate": 9}`);
  }
};

/** The draft of a file as a request states it. */
const statedIn = (file: string | undefined): Effect.Effect<object, CommandFailed> =>
  file === undefined
    ? Effect.succeed({})
    : Effect.map(readFormula(file), ({ stated }) =>
        typeof stated === "string" ? { expression_text: stated } : { expression: stated.nodes },
      );

const bodyOf = (options: TryOptions): Effect.Effect<object, CommandFailed> =>
  Effect.gen(function* () {
    const { plan, workspace, schema, currency, partners, roles } = options;
    const named = { plan_id: plan, workspace_id: workspace, schema_id: schema, currency };
    return {
      ...Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined)),
      ...(yield* statedIn(options.formula)),
      ...(yield* parametersOf(options.parameters)),
      ...(partners === undefined ? {} : { partner_ids: splitList(partners) }),
      ...(roles === undefined ? {} : { roles: splitList(roles) }),
      ...{ from: momentOf(options.from), to: momentOf(options.to) },
    };
  });

const read = (target: Target, id: string, page: number, perPage: number) =>
  Effect.flatMap(
    target.request("GET", `plan-trials/${encodeURIComponent(id)}?page=${page}&per_page=${perPage}`),
    (reply) =>
      expectStatus<{ readonly trial: Trial; readonly results: ReadonlyArray<Result> }>(
        reply,
        200,
        "the trial cannot be shown",
      ),
  );

/** Waits until a trial is done, and shows how far it is. */
const waitFor = (target: Target, id: string): Effect.Effect<void, CommandFailed> =>
  Effect.gen(function* () {
    let partnerCount = 0;
    const shown = progress((count) => `${count} of ${partnerCount} partners`);
    for (;;) {
      const { trial } = yield* read(target, id, 1, 1);
      partnerCount = trial.partner_count;
      if (trial.state === "done") return shown.end();
      shown.show(trial.partners_done);
      yield* Effect.sleep(PAUSE_MILLISECONDS);
    }
  });

/** A trial, and the results of all its partners so far. */
const readAll = (target: Target, id: string) =>
  Effect.gen(function* () {
    const results: Array<Result> = [];
    for (let page = 1; ; page++) {
      const body = yield* read(target, id, page, PAGE);
      results.push(...body.results);
      if (body.results.length < PAGE) return { trial: body.trial, results };
    }
  });

const HEADER =
  "partner_id,month,currency,sales_count,not_computable_count,amount_now,amount_then,difference,waiting_now,waiting_then";

const sumsOf = (sums: Sums): ReadonlyArray<number> => [
  sums.sales_count,
  sums.not_computable_count,
  sums.amount_now,
  sums.amount_then,
  sums.difference,
  sums.waiting_now,
  sums.waiting_then,
];

/** One row for each partner and month, as the export of the interface has them. */
const printCsv = ({ currency }: Trial, results: ReadonlyArray<Result>) =>
  Effect.forEach(
    [
      HEADER,
      ...results.flatMap(({ partner_id, months }) =>
        months.map((month) => [partner_id, month.month, currency, ...sumsOf(month)].join(",")),
      ),
    ],
    print,
    { discard: true },
  );

const printResult = (target: Target, id: string, { json, csv }: Form): Effect.Effect<void, CommandFailed> =>
  Effect.gen(function* () {
    const { trial, results } = yield* readAll(target, id);
    if (json === true)
      return yield* Effect.forEach([trial, ...results], (item) => print(JSON.stringify(item)), {
        discard: true,
      });
    if (csv === true) return yield* printCsv(trial, results);
    const { currency } = trial;
    const amount = (value: number): string => Currency.formatAmount(value, currency);
    yield* printTable(
      ["partner", "sales", "now", "then", "difference"],
      results.map(({ partner_id, sales_count, amount_now, amount_then, difference }) => [
        ...[partner_id, sales_count, amount(amount_now), amount(amount_then), amount(difference)],
      ]),
    );
    const left = trial.not_computable_count === 0 ? "" : `, ${trial.not_computable_count} sales in no sum`;
    const waits =
      trial.waiting_now === 0 && trial.waiting_then === 0
        ? ""
        : `, of which ${amount(trial.waiting_now)} ${currency} now and ${amount(trial.waiting_then)} ${currency} then wait for the buyers`;
    yield* printText(
      `\n${trial.state}: ${trial.partners_done} of ${trial.partner_count} partners, ${trial.sales_count} sales: ${amount(trial.amount_now)} ${currency} now, ${amount(trial.amount_then)} ${currency} then, difference ${amount(trial.difference)} ${currency}${waits}${left}`,
    );
  });

/** `quittance plans try`. */
export const tryPlan = (command: Command, shell: Shell, options: TryOptions): Task =>
  onTarget(command, shell, (target) =>
    Effect.gen(function* () {
      const reply = yield* target.request("POST", "plan-trials", yield* bodyOf(options));
      const { id } = yield* expectStatus<{ readonly id: string }>(reply, 201, "no trial was started");
      if (!options.wait)
        return yield* print(options.json === true ? JSON.stringify({ id }) : `started ${id}`);
      yield* waitFor(target, id);
      yield* printResult(target, id, options);
    }),
  );

/** `quittance plans trial`. */
export const show = (command: Command, shell: Shell, id: string, form: Form): Task =>
  onTarget(command, shell, (target) => printResult(target, id, form));

/** The work of `quittance runs`. */
import type { Command } from "commander";
import { Effect } from "effect";
import { Currency } from "quittance";
import { print, printTable, printText } from "../Output.ts";
import { type Shell, splitList, type Task } from "../Shell.ts";
import { expectStatus, onTarget, type Target } from "../Target.ts";

interface Total {
  readonly currency: Currency.Currency;
  readonly amount: number;
}

interface Run {
  readonly id: string;
  readonly workspace_id: string;
  readonly state: string;
  readonly period: string | null;
  readonly until: string;
  readonly partner_count: number;
  readonly partners_done: number;
  readonly draft_count: number;
  readonly line_count: number;
  readonly approved_count: number;
  readonly totals: ReadonlyArray<Total>;
  readonly created_at: string;
}

interface Result {
  readonly partner_id: string;
  readonly currency: Currency.Currency | null;
  readonly reason: string | null;
  readonly total: number | null;
  readonly line_count: number;
  readonly on_hold_count: number;
  readonly drafts?: ReadonlyArray<{ readonly settlement_id: string; readonly approval: string }>;
  readonly auto_approve?: boolean;
}

/** The options of `quittance runs start`. */
export interface StartOptions {
  readonly workspace: string;
  readonly partners?: string;
  readonly currencies?: string;
  readonly until?: string;
  readonly dryRun?: true;
  readonly json?: true;
}

const PAGE = 100;

const formatAmount = (value: number | null, currency: Currency.Currency | null): string =>
  value === null || currency === null ? "" : `${Currency.formatAmount(value, currency)} ${currency}`;

const formatSums = (totals: ReadonlyArray<Total>): string =>
  totals.map((total) => formatAmount(total.amount, total.currency)).join(", ");

const printResults = (results: ReadonlyArray<Result>): Effect.Effect<void> =>
  printTable(
    ["partner", "total", "lines", "on hold", "draft, or reason for none"],
    results.map(
      ({ partner_id, currency, reason, total, line_count, on_hold_count, drafts, auto_approve }) => [
        partner_id,
        formatAmount(total, currency),
        line_count,
        on_hold_count,
        reason ??
          drafts?.map(({ settlement_id, approval }) => `${settlement_id} ${approval}`).join(", ") ??
          (auto_approve === true ? "draft, approved by the policy" : "draft"),
      ],
    ),
  );

/** `quittance runs start`. */
export const start = (command: Command, shell: Shell, options: StartOptions): Task =>
  onTarget(command, shell, (target) =>
    Effect.gen(function* () {
      const { workspace, partners, currencies, until, dryRun, json } = options;
      const reply = yield* target.request("POST", "settlement-runs", {
        workspace_id: workspace,
        ...(partners === undefined ? {} : { partner_ids: splitList(partners) }),
        ...(currencies === undefined ? {} : { currencies: splitList(currencies) }),
        ...(until === undefined ? {} : { until }),
        ...(dryRun === true ? { dry_run: true } : {}),
      });
      if (dryRun !== true) {
        const { id } = yield* expectStatus<{ readonly id: string }>(reply, 201, "no run was started");
        return yield* print(json === true ? JSON.stringify({ id }) : `started ${id}`);
      }
      const run = yield* expectStatus<
        Pick<Run, "draft_count" | "line_count" | "totals"> & { readonly results: ReadonlyArray<Result> }
      >(reply, 200, "the dry run failed");
      if (json === true) return yield* Effect.forEach(run.results, (result) => print(JSON.stringify(result)));
      yield* printResults(run.results);
      yield* printText(
        `\n${run.draft_count} drafts of ${run.line_count} commissions: ${formatSums(run.totals) || "nothing"}`,
      );
    }),
  );

/** `quittance runs list`. */
export const list = (
  command: Command,
  shell: Shell,
  { workspace, json }: { readonly workspace?: string; readonly json?: true },
): Task =>
  onTarget(command, shell, (target) =>
    Effect.gen(function* () {
      const filter = workspace === undefined ? "" : `&workspace_ids=${encodeURIComponent(workspace)}`;
      const path = `settlement-runs?order=desc&per_page=${PAGE}${filter}`;
      const body = yield* expectStatus<{ readonly settlement_runs: ReadonlyArray<Run> }>(
        yield* target.request("GET", path),
        200,
        "runs cannot be listed",
      );
      const runs = body.settlement_runs;
      if (json === true) return yield* Effect.forEach(runs, (run) => print(JSON.stringify(run)));
      yield* printTable(
        ["id", "state", "started", "period", "partners", "drafts", "total"],
        runs.map((run) => [
          run.id,
          run.state,
          run.created_at,
          run.period ?? "",
          `${run.partners_done} of ${run.partner_count}`,
          run.draft_count,
          formatSums(run.totals),
        ]),
      );
    }),
  );

/** Every result of a run, page by page, and the run as the last page shows it. */
const readRun = (target: Target, id: string) =>
  Effect.gen(function* () {
    const results: Array<Result> = [];
    for (let page = 1; ; page++) {
      const path = `settlement-runs/${encodeURIComponent(id)}?page=${page}&per_page=${PAGE}`;
      const body = yield* expectStatus<{ readonly run: Run; readonly results: ReadonlyArray<Result> }>(
        yield* target.request("GET", path),
        200,
        "the run cannot be shown",
      );
      results.push(...body.results);
      if (body.results.length < PAGE) return { run: body.run, results };
    }
  });

/** `quittance runs show`. */
export const show = (command: Command, shell: Shell, id: string, json: boolean): Task =>
  onTarget(command, shell, (target) =>
    Effect.gen(function* () {
      const { run, results } = yield* readRun(target, id);
      if (json) return yield* Effect.forEach([run, ...results], (item) => print(JSON.stringify(item)));
      yield* printResults(results);
      yield* printText(
        `\n${run.state}: ${run.partners_done} of ${run.partner_count} partners, ${run.draft_count} drafts of ${run.line_count} commissions, ${run.approved_count} approved: ${formatSums(run.totals) || "nothing"}`,
      );
    }),
  );

/** Settlement runs: one draft for each partner and currency of everything due, or the reason why there is none. */
import { Effect } from "effect";
import { type CustomerId, type PartnerId, SettlementRunId } from "../domain/Ids.ts";
import { DRY_RUN_PARTNERS_MAX, OCCURRED_AHEAD_MAX, PER_PAGE_MAX } from "../domain/Limits.ts";
import type { CurrencySum } from "../domain/Money.ts";
import type { Principal } from "../domain/Principal.ts";
import { invalid, missing } from "../domain/Refusal.ts";
import { approvesItself } from "../domain/SettlementPolicy.ts";
import * as SettlementRun from "../domain/SettlementRun.ts";
import { IdSource } from "../ports/IdSource.ts";
import { type Listed, type Records, type Settling, Storage, type Versioned } from "../ports/Storage.ts";
import { authorizeRequest, type Failure, findVisible, validate } from "./commands/Access.ts";
import { countPartners, readPartners, requirePartners } from "./commands/ChosenPartners.ts";
import { type ListInput, type Listing, listOf } from "./commands/Listing.ts";
import { type CommandOptions, Pipeline, type Replayed } from "./commands/Pipeline.ts";
import { Policies } from "./commands/Policies.ts";
import { readDue, type Scope } from "./runs/Findings.ts";
import { startRun } from "./runs/RunStart.ts";

/** What a run would find for one partner and currency. */
export interface DryRunResult extends SettlementRun.Finding {
  /** Drafts that it would create. */
  readonly draftCount: number;
  /** True if the policy covers them; a run leaves those to a person that its starter may not approve alone. */
  readonly autoApprove: boolean;
}

/** What a run would do now. */
export interface DryRun extends SettlementRun.Criteria {
  readonly partnerCount: number;
  readonly draftCount: number;
  readonly lineCount: number;
  /** The sums of the drafts by currency, net of tax. */
  readonly totals: ReadonlyArray<CurrencySum>;
  readonly results: ReadonlyArray<DryRunResult>;
}

/** A run and its progress. */
export interface Run extends Omit<Versioned<SettlementRun.SettlementRun>, "totals"> {
  /** The sums of the drafts by currency, net of tax. */
  readonly totals: ReadonlyArray<CurrencySum>;
}

/** A run, and one page of its results. */
export interface RunWithResults extends Omit<Listing<unknown>, "items"> {
  readonly run: Run;
  readonly results: ReadonlyArray<Listed["settlementRunResult"]>;
}

const runOf = (row: Versioned<SettlementRun.SettlementRun>): Run => ({
  ...row,
  totals: SettlementRun.sumsOf(row),
});

const make = Effect.gen(function* () {
  const storage: Records & Settling = yield* Storage;
  const ids = yield* IdSource;
  const pipeline = yield* Pipeline;
  const policy = yield* Policies;

  const authorizeStart = (principal: Principal, input: SettlementRun.Start) =>
    authorizeRequest(
      principal,
      "start settlement run",
      validate(SettlementRun.Start)(input),
      ({ workspaceId }) => ({ workspaceIds: [workspaceId] }),
    );

  /** The criteria of a request, at a moment. Refuses partners that the workspace does not have. */
  const scopeOf = (
    customerId: CustomerId,
    { workspaceId, partnerIds = null, currencies = null, until = null }: SettlementRun.Start,
    now: number,
  ): Effect.Effect<Scope, Failure> =>
    Effect.gen(function* () {
      if (until !== null && until > now + OCCURRED_AHEAD_MAX)
        return yield* invalid("until", "must not be more than 5 minutes in the future");
      if (partnerIds !== null) yield* requirePartners(storage, { customerId, workspaceId }, partnerIds);
      // What occurred at this very moment is due as well.
      return { customerId, workspaceId, partnerIds, currencies, until: until ?? now + 1 };
    });

  const start = (
    principal: Principal,
    input: SettlementRun.Start,
    options: CommandOptions = {},
  ): Effect.Effect<{ readonly id: SettlementRunId } & Replayed, Failure> =>
    Effect.gen(function* () {
      const { customerId, request } = yield* authorizeStart(principal, input);
      if (request.dryRun === true)
        return yield* invalid("dry_run", "a dry run has no id; ask for its result");
      return yield* pipeline.run(customerId, principal, options, (execution) =>
        Effect.gen(function* () {
          const scope = yield* scopeOf(customerId, request, execution.at);
          const id = yield* ids.next(SettlementRunId);
          const partnerCount = yield* countPartners(storage, scope);
          const beginning = { id, ...scope, partnerCount, period: null, policyId: null };
          return { result: { id }, requires: [], ...startRun(execution, beginning) };
        }),
      );
    });

  /** What a run would find for partners. */
  const findings = (scope: Scope, partnerIds: ReadonlyArray<PartnerId>) =>
    Effect.map(readDue(storage, scope, partnerIds), (found) =>
      found.flatMap((due): ReadonlyArray<DryRunResult> => {
        const { partnerId, dueTotals, terms } = due;
        const entries = dueTotals.entries();
        if (entries.length === 0)
          return [{ ...SettlementRun.nothingDue(partnerId), draftCount: 0, autoApprove: false }];
        return entries.map(([currency, dueTotal]) => {
          const finding = SettlementRun.finding(due, currency, dueTotal);
          const draftCount = SettlementRun.draftsOf(finding);
          const autoApprove =
            draftCount > 0 && !policy.fourEyes && approvesItself(terms, currency, dueTotal.total);
          return { ...finding, draftCount, autoApprove };
        });
      }),
    );

  const dryRun = (principal: Principal, input: SettlementRun.Start): Effect.Effect<DryRun, Failure> =>
    Effect.gen(function* () {
      const { customerId, request } = yield* authorizeStart(principal, input);
      const now = yield* Effect.clockWith((clock) => clock.currentTimeMillis);
      const scope = yield* scopeOf(customerId, request, now);
      const partnerCount = yield* countPartners(storage, scope);
      if (partnerCount > DRY_RUN_PARTNERS_MAX)
        return yield* invalid(
          "dry_run",
          `covers at most ${DRY_RUN_PARTNERS_MAX} partners; name some of them in partner_ids`,
        );
      const results: Array<DryRunResult> = [];
      for (let step = 0; ; step++) {
        const { ids: partnerIds, isLast } = yield* readPartners(storage, scope, step, PER_PAGE_MAX);
        if (partnerIds.length > 0) results.push(...(yield* findings(scope, partnerIds)));
        if (isLast) break;
      }
      const settled = results.filter(({ draftCount }) => draftCount > 0);
      const counts = SettlementRun.countResults(
        SettlementRun.NO_COUNTS,
        settled.map(({ currency, total, lineCount }) => ({
          currency,
          drafts: [{ total: total ?? 0, lineCount, approval: "manual" }],
        })),
      );
      const { workspaceId, partnerIds, currencies, until } = scope;
      return {
        ...{ workspaceId, partnerIds, currencies, until, partnerCount },
        draftCount: settled.reduce((sum, dryRunResult) => sum + dryRunResult.draftCount, 0),
        lineCount: counts.lineCount,
        totals: SettlementRun.sumsOf(counts),
        results,
      };
    });

  const list = (
    principal: Principal,
    input: ListInput<"settlementRun"> = {},
  ): Effect.Effect<Listing<Run>, Failure> =>
    Effect.map(listOf(storage, principal, "settlementRun", input), (page) => ({
      ...page,
      items: page.items.map(runOf),
    }));

  const read = (
    principal: Principal,
    id: SettlementRunId,
    input: ListInput<"settlementRunResult"> = {},
  ): Effect.Effect<RunWithResults, Failure> =>
    Effect.gen(function* () {
      const { items, ...page } = yield* listOf(storage, principal, "settlementRunResult", {
        ...input,
        runIds: [id],
      });
      const run = yield* findVisible(storage, principal, "settlementRun", id);
      return run === null ? yield* missing("settlement run") : { run: runOf(run), results: items, ...page };
    });

  return {
    /** Starts a run of everything due in a workspace; workers perform it in the background. */
    start,
    /**
     * What a run would find now, of at most 5,000 partners; nothing is stored. Amounts are those that lists show: a run brings its
     * commissions up to date first.
     */
    dryRun,
    /** One page of the runs that the principal sees. */
    list,
    /** A run with its progress, and one page of its results. */
    read,
  };
});

/** The service of settlement runs. */
export class SettlementRuns extends Effect.Service<SettlementRuns>()("quittance/services/SettlementRuns", {
  effect: make,
}) {}

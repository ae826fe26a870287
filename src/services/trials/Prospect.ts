/** What new formulas change before they are stored: commissions for past sales, and sales that pay under two formulas. */
import { Effect } from "effect";
import { covers, type Formula } from "../../domain/Formula.ts";
import type { FormulaId, PartnerId, PlanId } from "../../domain/Ids.ts";
import { DRY_RUN_SALES_MAX, OCCURRED_AHEAD_MAX, PROSPECT_OVERLAPS_MAX } from "../../domain/Limits.ts";
import { invalid } from "../../domain/Refusal.ts";
import type { Timestamp } from "../../domain/Timestamp.ts";
import type { Failure } from "../commands/Access.ts";
import { countOf } from "../commands/Listing.ts";
import type { MissingValues } from "../formulas/Assignments.ts";
import { earnedBy } from "./Replay.ts";
import type { Tools } from "./TriedSellers.ts";

/** A formula of the same partner and schema, under which later sales would pay as well. */
export interface Overlap {
  readonly partnerId: PartnerId;
  readonly formulaId: FormulaId;
  /** Null for a formula that no plan assigned. */
  readonly planId: PlanId | null;
  readonly name: string;
  readonly currency: string;
  /** From when on sales would pay under both. */
  readonly startDatetime: Timestamp;
  /** Exclusive; null is no end. */
  readonly endDatetime: Timestamp | null;
}

/** What a command would change. */
export interface Prospect {
  /** Formulas that it would create; a partner that is assigned with the same bounds already gets none. */
  readonly formulaCount: number;
  /** The commissions of past sales, by currency. */
  readonly commissions: ReadonlyArray<{
    readonly currency: string;
    readonly count: number;
    readonly amount: bigint;
    /** The part of the amount that waits for the buyers. */
    readonly waiting: bigint;
  }>;
  /** Past sales whose amount could not be computed. */
  readonly notComputableCount: number;
  readonly overlapCount: number;
  /** The first 100. */
  readonly overlaps: ReadonlyArray<Overlap>;
  /** Partners that the command would be refused for, because they have no value for a parameter without a default. */
  readonly missingValues: ReadonlyArray<MissingValues>;
}

/** The span from now on in which sales pay under both formulas; null when there is none. */
const overlapOf = (a: Formula, b: Formula, now: Timestamp): Overlap | null => {
  if (b.status !== "active" || b.workspaceId !== a.workspaceId || b.id === a.id) return null;
  const startDatetime = Math.max(now, a.startDatetime, b.startDatetime);
  if (!covers(a, startDatetime) || !covers(b, startDatetime)) return null;
  const ends = [a.endDatetime, b.endDatetime].filter((end) => end !== null);
  return {
    partnerId: b.partnerId,
    formulaId: b.id,
    planId: b.assignment?.planId ?? null,
    name: b.name,
    currency: b.currency,
    startDatetime,
    endDatetime: ends.length === 0 ? null : Math.min(...ends),
  };
};

/** Refuses to compute more past sales than the limit. */
const checkSales = (
  { storage }: Tools,
  first: Formula,
  formulas: ReadonlyArray<Formula>,
  partnerIds: ReadonlyArray<PartnerId>,
): Effect.Effect<void, Failure> =>
  Effect.gen(function* () {
    const total = yield* countOf(storage, first.customerId, "attribution", {
      partnerIds,
      schemaIds: [first.schemaId],
      statuses: ["confirmed"],
      occurredFrom: Math.min(...formulas.map(({ startDatetime }) => startDatetime)),
    });
    if (total > DRY_RUN_SALES_MAX)
      return yield* invalid(
        "dry_run",
        `covers at most ${DRY_RUN_SALES_MAX} past sales, and there are ${total}; name fewer partners, or start a trial`,
      );
  });

/** What formulas would change, all new and of one schema. */
export const prospectOf = (
  tools: Tools,
  formulas: ReadonlyArray<Formula>,
  now: Timestamp,
): Effect.Effect<Prospect, Failure> =>
  Effect.gen(function* () {
    const [first] = formulas;
    if (first === undefined)
      return {
        ...{ formulaCount: 0, commissions: [], notComputableCount: 0 },
        ...{ overlapCount: 0, overlaps: [], missingValues: [] },
      };
    const partnerIds = [...new Set(formulas.map(({ partnerId }) => partnerId))];
    yield* checkSales(tools, first, formulas, partnerIds);
    const { customerId, schemaId } = first;
    const [schema] = yield* tools.storage.find(customerId, "schema", [schemaId]);
    if (schema === undefined) return yield* Effect.dieMessage("a formula's schema is missing");
    const sets = yield* tools.storage.formulaSets(customerId, schemaId, partnerIds);
    const byPartner = new Map(sets.map((set) => [set.partnerId, set.formulas]));
    const sums = new Map<string, { count: number; amount: bigint; waiting: bigint }>();
    const overlaps: Array<Overlap> = [];
    let notComputableCount = 0;
    const until = now + OCCURRED_AHEAD_MAX + 1;
    for (const formula of formulas) {
      const earned = yield* earnedBy(tools, schema, formula, until);
      const sum = sums.get(formula.currency) ?? { count: 0, amount: 0n, waiting: 0n };
      sums.set(formula.currency, {
        count: sum.count + earned.count,
        amount: sum.amount + earned.amount,
        waiting: sum.waiting + earned.waiting,
      });
      notComputableCount += earned.notComputableCount;
      for (const other of byPartner.get(formula.partnerId) ?? []) {
        const overlap = overlapOf(formula, other, now);
        if (overlap !== null) overlaps.push(overlap);
      }
    }
    return {
      formulaCount: formulas.length,
      commissions: [...sums].map(([currency, sum]) => ({ currency, ...sum })),
      notComputableCount,
      overlapCount: overlaps.length,
      overlaps: overlaps.slice(0, PROSPECT_OVERLAPS_MAX),
      missingValues: [],
    };
  });

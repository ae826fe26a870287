/** What a new settlement holds: its commissions brought up to date, and a line each of what is due. */
import { Effect, Either } from "effect";
import type * as Commission from "../../domain/Commission.ts";
import type { Currency } from "../../domain/Currency.ts";
import type { CommissionId, CustomerId } from "../../domain/Ids.ts";
import { due } from "../../domain/Ledger.ts";
import { fromBigInt, sum } from "../../domain/Money.ts";
import { canSee, type Principal } from "../../domain/Principal.ts";
import { type Conflict, conflict, type Invalid, invalid } from "../../domain/Refusal.ts";
import type { Create, Line } from "../../domain/Settlement.ts";
import type { CommissionWithAttribution, Requirement, Revision, Versioned } from "../../ports/Storage.ts";
import type { Failure } from "../commands/Access.ts";
import { findVisible } from "../commands/Access.ts";
import type { Execution } from "../commands/Pipeline.ts";
import * as TimeSlice from "../process/TimeSlice.ts";
import { type Beforehand, staleSellersOf } from "./Beforehand.ts";
import { prepareComputation, type Tools, type UpdatedCommission } from "./Computation.ts";

/** A settlement about to be: nothing of it is stored yet. */
export interface Draft extends Beforehand {
  readonly currency: Currency;
  readonly total: number;
  readonly lines: ReadonlyArray<Line & { readonly expected: number }>;
  /** Amounts that were not up to date; stored together with the settlement. */
  readonly revisions: ReadonlyArray<Revision>;
  /** What the amounts rest on. */
  readonly requires: ReadonlyArray<Requirement>;
}

const invalidCommissionIds = (): Invalid =>
  invalid("commission_ids", "must name commissions of the partner and workspace, all of one currency");

/** The commissions in the order of the request; absent, foreign and misplaced ones are refused with the same message. */
const resolve = (
  principal: Principal,
  request: Create,
  found: ReadonlyArray<CommissionWithAttribution>,
): Effect.Effect<ReadonlyArray<CommissionWithAttribution>, Invalid> => {
  const byId = new Map<string, CommissionWithAttribution>(found.map((item) => [item.commission.id, item]));
  const currency = byId.get(request.commissionIds[0] ?? "")?.commission.currency;
  return TimeSlice.mapEither(request.commissionIds, (id) => {
    const one = byId.get(id);
    const fits =
      one !== undefined &&
      canSee(principal, one.commission) &&
      one.commission.customerId === request.customerId &&
      one.commission.workspaceId === request.workspaceId &&
      one.commission.partnerId === request.partnerId &&
      one.commission.currency === currency;
    return fits ? Either.right(one) : Either.left(invalidCommissionIds());
  });
};

/** One commission's line, or the conflict that keeps it out of a settlement. */
const lineOf = (
  commission: Versioned<Commission.Commission>,
  revision: Revision | undefined,
): Either.Either<Line & { readonly expected: number }, Conflict> => {
  const revised: Commission.View = { ...commission, ...revision };
  const { computedAmount, computationError: error } = revised;
  if (computedAmount === null || error !== null) {
    return Either.left(
      conflict(
        "commission_not_computable",
        `commission ${commission.id}: ${error?.message ?? "not computed yet"}`,
      ),
    );
  }
  if (commission.openSettlementId !== null) {
    return Either.left(
      conflict("commission_in_open_settlement", `commission ${commission.id} is in one already`),
    );
  }
  return Either.right({
    commissionId: commission.id,
    amount: due(revised),
    expected: commission.version + (revision === undefined ? 0 : 1),
  });
};

const lineOfUpdated = ({ commission, revisions }: UpdatedCommission) =>
  lineOf(commission, revisions[revisions.length - 1]);

/** Sums lines, and states what the draft relies on: what its own commissions are computed from. */
const draftOf = (
  updated: ReadonlyArray<UpdatedCommission>,
  lines: Draft["lines"],
  { requires, outdated, staleSellers }: Pick<Draft, "requires" | keyof Beforehand>,
): Either.Either<Draft, Invalid> => {
  const total = fromBigInt(sum(lines.map(({ amount }) => amount)));
  const currency = updated[0]?.commission.currency;
  if (total === null || currency === undefined)
    return Either.left(invalid("commission_ids", "add up to more than the largest amount"));
  const revised = updated.filter(({ revisions }) => revisions.length > 0);
  const unchanged = revised.map(
    ({ attribution: { id, version } }): Requirement => ({ type: "record", kind: "attribution", id, version }),
  );
  const revisions = revised.flatMap((updatedCommission) => updatedCommission.revisions);
  return Either.right({
    currency,
    total,
    lines,
    outdated,
    staleSellers,
    revisions,
    requires: [...requires, ...unchanged],
  });
};

/** Brings commissions up to date, and finds what has to be stored before a draft of them. */
const update = (
  tools: Tools,
  execution: Execution,
  customerId: CustomerId,
  commissions: ReadonlyArray<CommissionWithAttribution>,
) =>
  Effect.gen(function* () {
    const computation = yield* prepareComputation(tools, customerId, commissions);
    const { bringUpToDate, requires, outdated } = computation;
    const updated = yield* TimeSlice.map(commissions, (commission) => bringUpToDate(execution, commission));
    return {
      ...{ updated, requires, outdated },
      staleSellers: staleSellersOf(computation.staleSellers, updated),
    };
  });

/**
 * The draft that creating a settlement would store, checked in the order of the interface: references, then
 * computability and openness, then the total's size. Lines may be zero or negative.
 */
export const draft = (
  tools: Tools,
  principal: Principal,
  execution: Execution,
  request: Create,
): Effect.Effect<Draft, Failure> =>
  Effect.gen(function* () {
    const { storage } = tools;
    const [partner, found] = yield* Effect.all(
      [
        findVisible(storage, principal, "partner", request.partnerId),
        storage.commissionsWithAttributions(request.customerId, request.commissionIds),
      ],
      { concurrency: "unbounded" },
    );
    const placed =
      partner !== null &&
      partner.customerId === request.customerId &&
      partner.workspaceId === request.workspaceId;
    if (!placed) return yield* invalid("partner_id", "must be the id of a partner of the workspace");
    const commissions = yield* resolve(principal, request, found);
    const { updated, ...basis } = yield* update(tools, execution, request.customerId, commissions);
    const lines = yield* TimeSlice.mapEither(updated, lineOfUpdated);
    return yield* draftOf(updated, lines, basis);
  });

/** What is due among commissions once they are up to date. */
export interface DueDraft extends Beforehand {
  readonly lineCount: number;
  readonly total: bigint;
  /** Commissions that were left out because they cannot be computed. */
  readonly notComputableCount: number;
  /** Null when nothing is due, or when it adds up to more than the largest amount. */
  readonly draft: Draft | null;
}

/**
 * The same of what is due among the commissions: those that turn out to have nothing due, to be in an open settlement or not to
 * be computable are left out.
 */
export const draftOfDue = (
  tools: Tools,
  execution: Execution,
  customerId: CustomerId,
  commissionIds: ReadonlyArray<CommissionId>,
): Effect.Effect<DueDraft, Failure> =>
  Effect.gen(function* () {
    const found = yield* tools.storage.commissionsWithAttributions(customerId, commissionIds);
    const byId = new Map(found.map((item) => [item.commission.id, item]));
    const commissions = commissionIds.flatMap((id) => byId.get(id) ?? []);
    const { updated, ...basis } = yield* update(tools, execution, customerId, commissions);
    const included: Array<UpdatedCommission> = [];
    const lines: Array<Draft["lines"][number]> = [];
    let notComputableCount = 0;
    for (const one of updated) {
      const line = lineOfUpdated(one);
      if (Either.isLeft(line)) notComputableCount += line.left.token === "commission_not_computable" ? 1 : 0;
      else if (line.right.amount !== 0) {
        included.push(one);
        lines.push(line.right);
      }
    }
    const { outdated, staleSellers } = basis;
    return {
      outdated,
      staleSellers,
      lineCount: lines.length,
      total: sum(lines.map(({ amount }) => amount)),
      notComputableCount,
      draft: Either.getOrNull(draftOf(included, lines, basis)),
    };
  });

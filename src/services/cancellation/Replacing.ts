/** What replacing an attribution leads to: its cancellation and the creation of the new one, as one decision. */
import { Effect, Either } from "effect";
import type * as Attribution from "../../domain/Attribution.ts";
import type * as Commission from "../../domain/Commission.ts";
import type { AttributionId, CustomerId, FormulaId, PartnerId } from "../../domain/Ids.ts";
import * as Ledger from "../../domain/Ledger.ts";
import type { Principal } from "../../domain/Principal.ts";
import type { Refusal } from "../../domain/Refusal.ts";
import * as Replacement from "../../domain/Replacement.ts";
import type { StorageError, Versioned } from "../../ports/Storage.ts";
import { type OrderKey, readState } from "../accumulation/ArrivalState.ts";
import { decideRound, orderOf } from "../accumulation/OrderedCreation.ts";
import { decide } from "../attributions/AttributionCreation.ts";
import {
  type AttributionCreation,
  foundFor,
  readContexts,
  startCreation,
  type Tools,
} from "../attributions/CreationReads.ts";
import { authorizeRequest, type Failure, requireVisible, validate } from "../commands/Access.ts";
import type { Decision, Execution } from "../commands/Pipeline.ts";
import * as Save from "../commands/Save.ts";
import type { Started } from "../formulas/FormulaChange.ts";
import { cancelEarnings } from "./Cancellation.ts";

/** One command that replaces an attribution. */
export interface Replacing {
  /** Its state, whose contexts are read, and whose `replaced` is the attribution. */
  readonly creation: AttributionCreation;
  readonly replaced: Versioned<Attribution.Attribution>;
  /** What records the attribution anew. */
  readonly request: Attribution.Create;
  readonly reason: string;
}

/** Who replaces which attribution, and what changes. */
interface Command {
  readonly principal: Principal;
  readonly customerId: CustomerId;
  readonly id: AttributionId;
  readonly change: Replacement.Replace;
}

const validateReplace = validate(Replacement.Replace);

/** The command of a principal that may replace attributions, with a valid request. */
export const authorizeReplacing = (
  principal: Principal,
  id: AttributionId,
  input: Replacement.Replace,
): Either.Either<Command, Refusal> =>
  Either.map(
    authorizeRequest(principal, "replace attribution", validateReplace(input), ({ partnerId }) =>
      partnerId === undefined ? {} : { partnerIds: [partnerId] },
    ),
    ({ customerId, request }) => ({ principal, customerId, id, change: request }),
  );

/** Reads what a replacement rests on; null where nothing changes. */
export const startReplacing = (
  tools: Tools,
  { principal, customerId, id, change }: Command,
  execution: Execution,
): Effect.Effect<Replacing | null, Failure> =>
  Effect.gen(function* () {
    const replaced = yield* requireVisible(tools.storage, principal, "attribution", id);
    yield* Replacement.checkReplaceable(replaced);
    const request = Replacement.replacement(replaced, change);
    if (request === null) return null;
    // Where the clock was set back, both happen when the old one changed last: it is recorded no later than the new one.
    const at = Math.max(execution.at, replaced.lastAt);
    const creation = startCreation(principal, customerId, { ...execution, at }, replaced);
    yield* readContexts(tools, creation, [replaced]);
    yield* readContexts(tools, creation, [request]);
    return { creation, replaced, request, reason: change.reason };
  });

/** The whole effect, and the recomputations of what was earned after the replaced attribution. */
export interface Replaced {
  readonly decision: Decision<{ readonly id: AttributionId }>;
  readonly started: ReadonlyArray<Started>;
}

/** The orders of arrival that the two attributions are in; none where no formula accumulates. */
export const ordersOf = ({ creation, replaced, request }: Replacing): ReadonlyArray<OrderKey> => {
  const joined = orderOf(creation, request);
  const left = (foundFor(creation, replaced).accumulating?.length ?? 0) === 0 ? [] : [replaced];
  return joined === null ? left : [...left, joined];
};

/**
 * Decides a replacement: what the one earned is taken back, and the other is created on totals
 * without it. To be decided while no other command of the orders runs in this process.
 */
export const decideReplacing = (
  tools: Tools,
  { creation, replaced, request, reason }: Replacing,
): Effect.Effect<Replaced, Refusal | StorageError> =>
  Effect.gen(function* () {
    const { execution } = creation;
    const order = orderOf(creation, request);
    const state = order === null ? null : yield* readState(tools.storage, order);
    const isSameOrder = request.partnerId === replaced.partnerId;
    const { started, ...cancelled } = yield* cancelEarnings(
      tools,
      execution,
      [replaced],
      foundFor(creation, replaced),
      isSameOrder ? (state?.totals ?? null) : null,
    );
    const outcome =
      state === null
        ? decide(tools, creation, request)
        : (yield* decideRound(tools, state, [{ creation, request }])).outcomes[0];
    if (outcome === undefined) return yield* Effect.dieMessage("a creation is not decided");
    const created = yield* outcome;
    // The external reference moves to the new one.
    const saved = Save.appendEvents("attribution", execution, { ...replaced, externalReference: null }, [
      Replacement.replacedBy(created.result.id, reason),
    ]);
    return {
      started,
      decision: {
        ...created,
        at: created.at ?? execution.at,
        requires: [...cancelled.requires, ...created.requires],
        changes: [...cancelled.changes, saved, ...created.changes],
        outbox: cancelled.outbox,
      },
    };
  });

/** What a partner earns from a sale under a formula, before and after the sale is replaced. */
export interface EarningChange {
  readonly partnerId: PartnerId;
  readonly formulaId: FormulaId;
  readonly currency: string;
  /** Null where the partner earns nothing under the formula, or where the amount cannot be computed. */
  readonly amountBefore: number | null;
  readonly amountAfter: number | null;
  /** What is due of it before, and what is due after it: of the replaced sale and of the new one together. */
  readonly dueBefore: number;
  readonly dueAfter: number;
  /** Why the amount cannot be computed; null where it can. */
  readonly computationError: Commission.ComputationError | null;
}

/** What replacing a sale would change. */
export interface ReplacementProspect {
  /** By partner and formula: first those under which the sale earns now. */
  readonly commissions: ReadonlyArray<EarningChange>;
  /** True if formulas that accumulate compute later sales anew as well; their changes are not in `commissions`. */
  readonly changesLaterSales: boolean;
}

type Earned = Versioned<Commission.Commission>;

/** The commissions under one formula: at least one of the two. */
const changeOf = (
  one: Commission.Commission,
  before: Earned | undefined,
  after: Commission.Commission | undefined,
): EarningChange => {
  const { partnerId, formulaId, currency } = one;
  const left = before === undefined || before === after ? 0 : Ledger.due({ ...before, computedAmount: 0 });
  return {
    ...{ partnerId, formulaId, currency },
    amountBefore: before?.computedAmount ?? null,
    amountAfter: after?.computedAmount ?? null,
    dueBefore: before === undefined ? 0 : Ledger.due(before),
    dueAfter: left + (after === undefined ? 0 : Ledger.due(after)),
    computationError: after?.computationError ?? null,
  };
};

/** What a decision changes of the commissions of a sale; without a decision nothing. */
export const prospectOf = (before: ReadonlyArray<Earned>, replaced: Replaced | null): ReplacementProspect => {
  const after =
    replaced === null
      ? before
      : replaced.decision.changes.flatMap((change) =>
          change.type === "save" && change.kind === "commission" ? [change.row] : [],
        );
  const isSame = (one: Commission.Commission) => (other: Commission.Commission) =>
    one.formulaId === other.formulaId;
  return {
    commissions: [
      ...before.map((one) => changeOf(one, one, after.find(isSame(one)))),
      ...after.filter((one) => !before.some(isSame(one))).map((one) => changeOf(one, undefined, one)),
    ],
    changesLaterSales: (replaced?.started.length ?? 0) > 0,
  };
};

/** What replacing an attribution leads to: its cancellation and the creation of the new one, as one decision. */
import { Effect, Either } from "effect";
import * as Attribution from "../../domain/Attribution.ts";
import type { EarningChange } from "../../domain/EarningChange.ts";
import type { AttributionId, CustomerId } from "../../domain/Ids.ts";
import type { Principal } from "../../domain/Principal.ts";
import * as Receipt from "../../domain/Receipt.ts";
import type { Refusal } from "../../domain/Refusal.ts";
import * as Replacement from "../../domain/Replacement.ts";
import type { Change, StorageError, Versioned } from "../../ports/Storage.ts";
import type { OrderKey } from "../accumulation/ArrivalState.ts";
import {
  decideOrdered,
  ordersOf as joinedOrders,
  orderText,
  readStates,
} from "../accumulation/OrderedCreation.ts";
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
import { cancelEarnings, type OfOneSale } from "./Cancellation.ts";
import { earningChanges } from "./Prospects.ts";
import { readCredited } from "./SaleCancellation.ts";
import type { Decided } from "./SaleChange.ts";

/** A sale that is replaced, as it was read. */
interface Sale extends Replacement.Sale {
  readonly origin: Versioned<Attribution.Attribution>;
  readonly credited: ReadonlyArray<Versioned<Attribution.Attribution>>;
}

/** One command that replaces a sale. */
export interface Replacing {
  /** Its state, whose contexts are read, and whose `replaced` is the sale. */
  readonly creation: AttributionCreation;
  readonly sale: Sale;
  /** What records the sale anew. */
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
    authorizeRequest(principal, "replace attribution", validateReplace(input), ({ partnerId, credits }) => ({
      partnerIds: [
        ...(partnerId === undefined ? [] : [partnerId]),
        ...(credits ?? []).map((credit) => credit.partnerId),
      ],
    })),
    ({ customerId, request }) => ({ principal, customerId, id, change: request }),
  );

const attributionsOf = ({ origin, credited }: Sale): OfOneSale => [origin, ...credited];

/** The sale that a command replaces. */
const readSale = (tools: Tools, { principal, id }: Command): Effect.Effect<Sale, Failure> =>
  Effect.gen(function* () {
    const origin = yield* requireVisible(tools.storage, principal, "attribution", id);
    yield* Replacement.checkReplaceable(origin);
    return { origin, credited: yield* readCredited(tools, origin) };
  });

/** Reads what a replacement rests on; null where nothing changes. */
export const startReplacing = (
  tools: Tools,
  command: Command,
  execution: Execution,
): Effect.Effect<Replacing | null, Failure> =>
  Effect.gen(function* () {
    const { principal, customerId, change } = command;
    const sale = yield* readSale(tools, command);
    const request = yield* Replacement.replacement(sale, change);
    if (request === null) return null;
    // Where the clock was set back, both happen when the old one changed last: it is recorded no later than the new one.
    const at = Math.max(execution.at, ...attributionsOf(sale).map(({ lastAt }) => lastAt));
    const stated = Replacement.receiptOf(sale, change);
    if (stated !== null) yield* Receipt.checkDate(stated, execution.at);
    const creation = startCreation(principal, customerId, { ...execution, at }, { replaced: sale, stated });
    yield* readContexts(tools, creation, [request], attributionsOf(sale));
    return { creation, sale, request, reason: change.reason };
  });

/** The orders of arrival that the two sales are in; none where no formula accumulates. */
export const ordersOf = ({ creation, sale, request }: Replacing): ReadonlyArray<OrderKey> => [
  ...attributionsOf(sale).filter((one) => (foundFor(creation, one).accumulating ?? []).length > 0),
  ...joinedOrders(creation, [request]),
];

/** The saves of the attributions of the old sale, each of which names the one of the new sale that replaces it. */
const cancelAttributions = (
  { creation: { execution }, sale, reason }: Replacing,
  { changes }: Decision<object>,
): ReadonlyArray<Change> => {
  const replacedBy = new Map(
    changes.flatMap((change) =>
      change.type === "save" && change.kind === "attribution" && change.row.replaces !== null
        ? [[change.row.replaces, change.row.id] as const]
        : [],
    ),
  );
  return attributionsOf(sale).map((attribution) => {
    const newId = replacedBy.get(attribution.id);
    // The external reference moves to the new one.
    return newId === undefined
      ? Save.appendEvents("attribution", execution, attribution, Attribution.cancel(attribution, reason))
      : Save.appendEvents("attribution", execution, { ...attribution, externalReference: null }, [
          Replacement.replacedBy(newId, reason),
        ]);
  });
};

/**
 * Decides a replacement: what the one earned is taken back, and the other is created on totals
 * without it. To be decided while no other command of the orders runs in this process.
 */
export const decideReplacing = (
  tools: Tools,
  replacing: Replacing,
): Effect.Effect<Decided<{ readonly id: AttributionId }>, Refusal | StorageError> =>
  Effect.gen(function* () {
    const { creation, sale, request } = replacing;
    const { execution } = creation;
    const { schemaId } = sale.origin;
    const states = yield* readStates(tools.storage, joinedOrders(creation, [request]));
    const { started, ...cancelled } = yield* cancelEarnings(tools, execution, attributionsOf(sale), {
      found: (partnerId) => foundFor(creation, { partnerId, schemaId }),
      shared: (partnerId) => states.get(orderText({ partnerId, schemaId }))?.totals ?? null,
    });
    const created =
      states.size === 0
        ? yield* decide(tools, creation, request)
        : yield* decideOrdered(tools, creation, request, states);
    // Of uplines whose orders were taken and who have no credit of the new sale, the totals are without the old one alone.
    const left = [...states.values()].flatMap(({ totals }) => totals.flush(execution));
    return {
      started,
      decision: {
        ...created,
        at: created.at ?? execution.at,
        requires: [...cancelled.requires, ...created.requires],
        changes: [
          ...cancelled.changes,
          ...cancelAttributions(replacing, created),
          ...created.changes,
          ...left,
        ],
        outbox: cancelled.outbox,
      },
    };
  });

/** What replacing a sale would change. */
export interface ReplacementProspect {
  /** By credit and formula: first those under which the sale earns now. */
  readonly commissions: ReadonlyArray<EarningChange>;
  /** True if formulas that accumulate compute later sales anew as well; their changes are not in `commissions`. */
  readonly changesLaterSales: boolean;
}

/** What a replacement changes of the commissions of a sale that the principal sees; nothing where it is null. */
export const prospectOf = (
  tools: Tools,
  command: Command,
  replacing: Replacing | null,
): Effect.Effect<ReplacementProspect, Failure> =>
  Effect.gen(function* () {
    const { principal, customerId } = command;
    const sale = attributionsOf(replacing?.sale ?? (yield* readSale(tools, command)));
    const before = yield* tools.storage.commissionsOf(
      customerId,
      sale.map(({ id }) => id),
    );
    const replaced = replacing === null ? null : yield* decideReplacing(tools, replacing);
    return {
      commissions: earningChanges(principal, sale, before, replaced?.decision.changes ?? null),
      changesLaterSales: (replaced?.started.length ?? 0) > 0,
    };
  });

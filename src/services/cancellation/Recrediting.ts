/** What recrediting a sale leads to: credits of uplines that are taken, and others that arrive now, as one decision. */
import { Effect } from "effect";
import type * as Attribution from "../../domain/Attribution.ts";
import { compareArrival, type Given, type SaleCredits } from "../../domain/Credit.ts";
import type { EarningChange } from "../../domain/EarningChange.ts";
import type { AttributionId, CustomerId, PartnerId } from "../../domain/Ids.ts";
import { isBelowOthers } from "../../domain/Override.ts";
import { canSee, type Principal } from "../../domain/Principal.ts";
import * as Recredit from "../../domain/Recredit.ts";
import type { Refusal } from "../../domain/Refusal.ts";
import { format } from "../../domain/Timestamp.ts";
import { UTC } from "../../domain/TimeZone.ts";
import { checkCount, creditsAbove } from "../../domain/Upline.ts";
import type { Change, Requirement, StorageError, Versioned } from "../../ports/Storage.ts";
import type { OrderKey } from "../accumulation/ArrivalState.ts";
import { decideLater, orderText, readStates } from "../accumulation/OrderedCreation.ts";
import { type CheckedNew, saleOf } from "../attributions/AttributionCreation.ts";
import {
  type AttributionCreation,
  foundFor,
  readContexts,
  startCreation,
  type Tools,
} from "../attributions/CreationReads.ts";
import { contextOfCredit, type PartnerCredit } from "../attributions/SaleCredits.ts";
import { zoneOf } from "../attributions/WorkspaceCache.ts";
import { type Failure, requireVisible } from "../commands/Access.ts";
import type { Execution } from "../commands/Pipeline.ts";
import * as Save from "../commands/Save.ts";
import { readStored } from "../overrides/SellersAmounts.ts";
import { cancelEarnings, NOTHING_CANCELLED } from "./Cancellation.ts";
import { earningChanges } from "./Prospects.ts";
import { readCredited } from "./SaleCancellation.ts";
import type { Decided } from "./SaleChange.ts";

type Stored = Versioned<Attribution.Attribution>;

/** How many credits of uplines a sale has got and lost. */
export interface Recredited {
  readonly added: number;
  readonly cancelled: number;
}

/** Who recredits which sale. */
export interface Command {
  readonly principal: Principal;
  readonly customerId: CustomerId;
  readonly id: AttributionId;
  readonly reason: string;
}

/** One command that recredits a sale, with something to change. */
export interface Recrediting {
  /** Its state, whose contexts are read. */
  readonly creation: AttributionCreation;
  readonly origin: Stored;
  /** The confirmed attributions of the sale, its origin first. */
  readonly sale: ReadonlyArray<Stored>;
  readonly change: Recredit.Change<Stored>;
  readonly reason: string;
}

const givenOf = ({ partnerId, credit }: Stored): Given =>
  credit === null ? { partnerId } : { partnerId, role: credit.role, share: credit.share };

/** The version of the links of a workspace in the store, whatever this process remembers. */
const readLinksVersion = (
  { workspaces }: Tools,
  { customerId, workspaceId }: Stored,
): Effect.Effect<number, StorageError> =>
  Effect.map(
    workspaces.find(customerId, [workspaceId], true),
    (zones) => zoneOf(zones, workspaceId).sameLinks.version,
  );

/** Reads what recrediting a sale rests on; null where its uplines are those that it has. */
export const startRecrediting = (
  tools: Tools,
  command: Command,
  execution: Execution,
): Effect.Effect<Recrediting | null, Failure> =>
  Effect.gen(function* () {
    const { principal, customerId, id, reason } = command;
    const origin = yield* requireVisible(tools.storage, principal, "attribution", id);
    yield* Recredit.checkRecreditable(origin);
    const version = yield* readLinksVersion(tools, origin);
    const sale = [origin, ...(yield* readCredited(tools, origin))];
    // Where the clock was set back, everything happens when the sale changed last.
    const at = Math.max(execution.at, ...sale.map(({ lastAt }) => lastAt));
    const creation = startCreation(principal, customerId, { ...execution, at });
    const { partnerId, schemaId, workspaceId, occurredAt } = origin;
    const reading = { partnerId, schemaId, workspaceId, occurredAt, credits: sale.map(givenOf) };
    yield* readContexts(tools, creation, [reading]);
    const given = Recredit.givenCredits(sale);
    const above = creditsAbove(creation.uplines, given, occurredAt);
    yield* checkCount(given.length + above.length);
    const change = Recredit.changeOf(sale, above);
    if (change !== null) return { creation, origin, sale, change, reason };
    // Without a commit, nothing else finds out that the levels of the chains were read at different moments.
    if ((yield* readLinksVersion(tools, origin)) === version) return null;
    return yield* startRecrediting(tools, command, execution);
  });

/** The orders of arrival of these partners' attributions of the sale; none where no formula accumulates. */
const ordersAmong = (
  { creation, origin: { customerId, schemaId } }: Recrediting,
  partners: ReadonlyArray<{ readonly partnerId: PartnerId }>,
): ReadonlyArray<OrderKey> =>
  partners.flatMap(({ partnerId }) =>
    (foundFor(creation, { partnerId, schemaId }).accumulating ?? []).length > 0
      ? [{ customerId, partnerId, schemaId }]
      : [],
  );

/** The orders of arrival that change. */
export const ordersOf = (recrediting: Recrediting): ReadonlyArray<OrderKey> =>
  ordersAmong(recrediting, [...recrediting.change.taken, ...recrediting.change.added]);

/** The facts of a recorded sale, from which its further credits are created: they count for its date and its day. */
const factsOf = ({ creation, origin, sale }: Recrediting): CheckedNew => {
  const { customerId, workspaceId, partnerId, schemaId, agentId, properties } = origin;
  const date = format(origin.occurredAt);
  const [own, ...others] = Recredit.givenCredits(sale);
  if (own === undefined) throw new Error("a sale without the credit of its origin");
  const given: SaleCredits = [own, ...others];
  return {
    existing: null,
    origin,
    context: contextOfCredit(creation, { partnerId, schemaId }),
    identity: { customerId, workspaceId, partnerId, schemaId, agentId, externalReference: null },
    event: {
      type: "create_attribution",
      properties,
      ...(origin.occurredAtGiven === null ? { recorded_at: date } : { occurred_at: date }),
      ...(origin.occurredOn === null ? {} : { occurred_on: origin.occurredOn }),
    },
    // The day of the sale does not move with the time zone of its workspace.
    zone: { ...zoneOf(creation.zones, workspaceId), timeZone: UTC },
    given,
  };
};

/** The credits that are new, in the order in which they arrive. */
const addedCredits = ({ creation, origin, change }: Recrediting): ReadonlyArray<PartnerCredit> =>
  change.added
    .map((credit) => ({
      credit,
      context: contextOfCredit(creation, { partnerId: credit.partnerId, schemaId: origin.schemaId }),
      isOrigin: false,
    }))
    .sort((a, b) => compareArrival(a.credit, b.credit));

/** The saves of the attributions that the sale has already. */
const saveStored = ({
  creation: { execution },
  origin,
  change,
  reason,
}: Recrediting): ReadonlyArray<Change> => [
  ...change.taken.map((one) =>
    Save.appendEvents("attribution", execution, one, [{ type: "cancel_attribution", reason }]),
  ),
  ...change.promoted.map(({ attribution, credit }) =>
    Save.appendEvents("attribution", execution, attribution, [Recredit.recredited(reason, credit)]),
  ),
  // Whatever changes the sale meanwhile writes its origin too, or requires it unchanged.
  Save.appendEvents("attribution", execution, origin, [Recredit.ofOrigin(origin, reason)]),
];

/** Decides a recrediting. To be decided while no other command of the orders runs in this process. */
export const decideRecrediting = (
  tools: Tools,
  recrediting: Recrediting,
): Effect.Effect<Decided<Recredited>, Refusal | StorageError> =>
  Effect.gen(function* () {
    const { creation, origin, sale, change } = recrediting;
    const { execution } = creation;
    const { customerId, schemaId, workspaceId } = origin;
    const { storage } = tools;
    const { taken, added } = change;
    const states = yield* readStates(storage, ordersAmong(recrediting, added));
    const [first, ...others] = taken;
    const cancelled =
      first === undefined
        ? NOTHING_CANCELLED
        : yield* cancelEarnings(tools, execution, [first, ...others], {
            found: (partnerId) => foundFor(creation, { partnerId, schemaId }),
            shared: (partnerId) => states.get(orderText({ partnerId, schemaId }))?.totals ?? null,
          });
    const created = yield* decideLater(
      tools,
      creation,
      { checked: factsOf(recrediting), credits: addedCredits(recrediting) },
      states,
    );
    // The origin is a seller below others from now on, also where its credit is stored only now.
    const sellers = [origin, ...sale.filter((one) => one !== origin && isBelowOthers(one))].map(
      ({ id }) => id,
    );
    const { stored, requires: sameAmounts } = created.decisions.some(({ overrides }) => overrides.length > 0)
      ? yield* readStored(storage, customerId, sellers)
      : { stored: [], requires: [] };
    const earned =
      added.length === 0 ? { requires: [], changes: [] } : saleOf(created.placed, created.decisions, stored);
    const sameLinks: Requirement = zoneOf(creation.zones, workspaceId).sameLinks;
    return {
      started: cancelled.started,
      decision: {
        result: { added: added.length, cancelled: taken.length },
        at: created.at,
        requires: [
          ...cancelled.requires,
          ...earned.requires,
          ...created.requires,
          ...sameAmounts,
          ...(added.length === 0 ? [sameLinks] : []),
        ],
        changes: [...cancelled.changes, ...saveStored(recrediting), ...earned.changes, ...created.changes],
        outbox: cancelled.outbox,
      },
    };
  });

/** What recrediting a sale would change. */
export interface RecreditProspect {
  /** The credits of the partners that the principal sees: first those that are lost. */
  readonly credits: ReadonlyArray<Recredit.CreditChange>;
  /** By credit and formula: what the credits that are lost earn, and what the new ones would. */
  readonly commissions: ReadonlyArray<EarningChange>;
  /** True if formulas that accumulate compute later sales anew as well; their changes are not in `commissions`. */
  readonly changesLaterSales: boolean;
}

/** What changes of the credits that the principal sees. */
const creditChanges = (
  principal: Principal,
  { origin: { customerId, workspaceId }, change: { taken, added } }: Recrediting,
): ReadonlyArray<Recredit.CreditChange> => {
  const changes = new Map<string, Recredit.CreditChange>();
  const state = (
    { partnerId, role, depth }: Pick<Recredit.CreditChange, "partnerId" | "role" | "depth">,
    shares: Partial<Pick<Recredit.CreditChange, "shareBefore" | "shareAfter">>,
  ): void => {
    if (!canSee(principal, { customerId, workspaceId, partnerId })) return;
    const key = JSON.stringify([partnerId, role, depth]);
    const known = changes.get(key) ?? { partnerId, role, depth, shareBefore: null, shareAfter: null };
    changes.set(key, { ...known, ...shares });
  };
  for (const { partnerId, credit } of taken)
    if (credit !== null) state({ ...credit, partnerId }, { shareBefore: credit.share });
  for (const credit of added) state(credit, { shareAfter: credit.share });
  return [...changes.values()];
};

/** What a decided recrediting changes of what the principal sees. */
export const prospectOf = (
  tools: Tools,
  { principal, customerId }: Pick<Command, "principal" | "customerId">,
  recrediting: Recrediting,
  { decision, started }: Decided<Recredited>,
): Effect.Effect<RecreditProspect, StorageError> =>
  Effect.map(
    tools.storage.commissionsOf(
      customerId,
      recrediting.change.taken.map(({ id }) => id),
    ),
    (before) => ({
      credits: creditChanges(principal, recrediting),
      commissions: earningChanges(principal, recrediting.sale, before, decision.changes),
      changesLaterSales: started.length > 0,
    }),
  );

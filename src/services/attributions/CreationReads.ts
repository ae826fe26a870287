/** What commands that create attributions read: workspaces, uplines, schemas, formulas, and what has their references. */
import { Effect } from "effect";
import type * as Attribution from "../../domain/Attribution.ts";
import { saleIdOf } from "../../domain/Attribution.ts";
import * as Credit from "../../domain/Credit.ts";
import type { AttributionId, CustomerId, PartnerId, WorkspaceId } from "../../domain/Ids.ts";
import { holdsWithin } from "../../domain/PartnerLink.ts";
import type { Principal } from "../../domain/Principal.ts";
import type * as Receipt from "../../domain/Receipt.ts";
import type * as Replacement from "../../domain/Replacement.ts";
import * as Upline from "../../domain/Upline.ts";
import type { IdSourceService } from "../../ports/IdSource.ts";
import type { Earnings, Records, StorageError } from "../../ports/Storage.ts";
import type { Failure } from "../commands/Access.ts";
import type { Execution } from "../commands/Pipeline.ts";
import { readChains } from "../links/Chains.ts";
import type { EvaluatorService } from "./Evaluator.ts";
import { type FormulaSetCacheService, type FormulaSetKey, type Found, NOTHING } from "./FormulaSetCache.ts";
import { type WorkspaceCacheService, type Zone, zoneOf } from "./WorkspaceCache.ts";

/** What deciding on attributions uses. */
export interface DecisionTools {
  readonly ids: IdSourceService;
  readonly evaluator: EvaluatorService;
}

/** The ports and services that creating attributions uses. */
export interface Tools extends DecisionTools {
  readonly storage: Records & Earnings;
  readonly formulaSets: FormulaSetCacheService;
  readonly workspaces: WorkspaceCacheService;
}

/** One command that creates attributions: whose it is, and what it has read for them. */
export interface AttributionCreation {
  readonly principal: Principal;
  readonly customerId: CustomerId;
  readonly execution: Execution;
  /** By partner and schema: one version of the formulas for all attributions of the command. */
  readonly contexts: Map<string, Found>;
  /** By workspace: one time zone for all attributions of the command. */
  readonly zones: Map<WorkspaceId, Zone>;
  /** The links that may decide who stands above the sellers. */
  uplines: Upline.Uplines;
  /** By schema and external reference: attributions that are stored, and those that this command creates. */
  readonly references: Map<string, Attribution.Attribution>;
  /** By origin: the credits that a caller gave, as text, of those attributions that have several. */
  readonly givenCredits: Map<AttributionId, string>;
  /** By id, of those that have replaced others: what they replaced, the last one first. */
  readonly chains: Map<AttributionId, ReadonlyArray<Attribution.Attribution>>;
  /** The sale that the new one replaces; null where it replaces none. */
  readonly replaced: Replacement.Sale | null;
  /** What is stated of the new sale's buyer; null where nothing is, as of every sale that replaces none. */
  readonly stated: Receipt.State | null;
}

const NOT_REPLACING = { replaced: null, stated: null };

/** Returns the state of a command that has read nothing yet. */
export const startCreation = (
  principal: Principal,
  customerId: CustomerId,
  execution: Execution,
  { replaced, stated }: Pick<AttributionCreation, "replaced" | "stated"> = NOT_REPLACING,
): AttributionCreation => ({
  principal,
  customerId,
  execution,
  contexts: new Map(),
  zones: new Map(),
  uplines: new Map(),
  references: new Map(),
  givenCredits: new Map(),
  chains: new Map(),
  replaced,
  stated,
});

/** What moves with the order of arrival alone: a conflict with one of these does not concern the formulas. */
const RECORDS_OF_ARRIVAL: ReadonlySet<string | null> = new Set([
  "arrivalOrder",
  "attributionHistory",
  "runningTotal",
]);

/** What moves with a workspace. */
const RECORDS_OF_WORKSPACE: ReadonlySet<string | null> = new Set(["workspace", "linkSet"]);

/** True if the formulas that the process remembers may be why the attempt before conflicted. */
const mustReadFormulas = ({ attempt, conflict }: Execution): boolean =>
  attempt > 1 && !RECORDS_OF_WORKSPACE.has(conflict) && !RECORDS_OF_ARRIVAL.has(conflict);

/** True if what the process remembers of workspaces may be. */
const mustReadZones = ({ attempt, conflict }: Execution): boolean =>
  attempt > 1 && (conflict === null || RECORDS_OF_WORKSPACE.has(conflict));

/** The text of a partner and a schema. */
export const contextKey = ({ partnerId, schemaId }: FormulaSetKey): string => `${partnerId}/${schemaId}`;
/** The text of a schema and an external reference. */
export const referenceKey = (schemaId: string, externalReference: string): string =>
  `${schemaId}/${externalReference}`;

/** The part of an attribution that decides what is read for it. */
type Reading = FormulaSetKey &
  Pick<Attribution.Create, "workspaceId" | "credits" | "occurredAt" | "settledElsewhere">;

/** The partners that sell, as a request names them. */
const sellersOf = ({ partnerId, credits }: Reading): ReadonlyArray<PartnerId> =>
  credits === undefined
    ? [partnerId]
    : credits.flatMap((credit) => ((credit.role ?? Credit.SELLER) === Credit.SELLER ? credit.partnerId : []));

/**
 * The partners that may get credits of uplines. A sale without a date, or of a date ahead, counts for the moment of its
 * creation, which its place in the orders of arrival decides: so their uplines are not yet certain.
 */
export const uplinesAbove = ({ uplines }: AttributionCreation, request: Reading): ReadonlyArray<PartnerId> =>
  uplines.size === 0 ? [] : [...Upline.partnersAbove(uplines, sellersOf(request))];

/** Reads the links above sellers of workspaces in which partners were ever linked. */
const readUplines = (
  storage: Earnings,
  creation: AttributionCreation,
  linked: ReadonlyArray<Reading>,
): Effect.Effect<void, StorageError> => {
  const { customerId, execution, replaced } = creation;
  const dates = linked.map(
    ({ occurredAt = replaced?.origin.occurredAt ?? Number.POSITIVE_INFINITY }) => occurredAt,
  );
  const from = dates.reduce((first, date) => Math.min(first, date), execution.at);
  const to = dates.reduce((last, date) => Math.max(last, date), from);
  const walk = {
    ...({ direction: "up", role: null, from: linked.flatMap(sellersOf) } as const),
    follows: holdsWithin(from, to),
  };
  return Effect.map(readChains(storage, customerId, walk), (links) => {
    creation.uplines = Upline.uplinesOf(links);
  });
};

/** Reads the partners, schemas and formulas of the credits, those of uplines included, and of recorded attributions. */
const readFormulas = (
  formulaSets: FormulaSetCacheService,
  creation: AttributionCreation,
  request: ReadonlyArray<Reading>,
  recorded: ReadonlyArray<FormulaSetKey>,
): Effect.Effect<void, StorageError> => {
  const { customerId, execution, contexts } = creation;
  const keys = new Map(recorded.map((key) => [contextKey(key), key]));
  for (const item of request) {
    const { schemaId, credits = [] } = item;
    keys.set(contextKey(item), item);
    if (item.credits === undefined && creation.uplines.size === 0) continue;
    for (const partnerId of [...credits.map((credit) => credit.partnerId), ...uplinesAbove(creation, item)]) {
      const key = { partnerId, schemaId };
      keys.set(contextKey(key), key);
    }
  }
  // What was settled elsewhere may be refused because of a formula, and no commit would show that the formula has changed since.
  const mayBeRefused = request.some(({ settledElsewhere }) => settledElsewhere !== undefined);
  return Effect.map(
    formulaSets.find(customerId, [...keys.values()], mayBeRefused || mustReadFormulas(execution)),
    (found) => {
      for (const [index, key] of [...keys.keys()].entries()) contexts.set(key, found[index] ?? NOTHING);
    },
  );
};

/** Reads the workspaces, uplines, partners, schemas and formulas that creations rest on, and the formulas of what they replace. */
export const readContexts = (
  { storage, formulaSets, workspaces }: Tools,
  creation: AttributionCreation,
  request: ReadonlyArray<Reading>,
  replaced: ReadonlyArray<FormulaSetKey> = [],
): Effect.Effect<void, StorageError> => {
  const { customerId, execution, zones } = creation;
  const workspaceIds = request.map(({ workspaceId }) => workspaceId);
  return Effect.flatMap(workspaces.find(customerId, workspaceIds, mustReadZones(execution)), (found) => {
    for (const [id, zone] of found) zones.set(id, zone);
    const linked = request.filter(({ workspaceId }) => zoneOf(zones, workspaceId).sameLinks.version > 0);
    const formulas = () => readFormulas(formulaSets, creation, request, replaced);
    // What is read for the uplines is known once their links are.
    return linked.length === 0
      ? formulas()
      : Effect.flatMap(readUplines(storage, creation, linked), formulas);
  });
};

/** Reads what attributions replaced, as far back as their chains reach; nothing where they replaced none. */
const readReplaced = (
  storage: Records,
  { customerId, chains }: AttributionCreation,
  newest: ReadonlyArray<Attribution.Attribution>,
): Effect.Effect<void, StorageError> =>
  Effect.gen(function* () {
    const replaced = new Map(newest.map((attribution) => [attribution.id, [attribution]]));
    for (;;) {
      const open = [...replaced.values()].filter((chain) => chain.at(-1)?.replaces != null);
      if (open.length === 0) break;
      const ids = open.flatMap((chain) => chain.at(-1)?.replaces ?? []);
      const found = yield* storage.find(customerId, "attribution", ids);
      const byReplacement = new Map(found.map((attribution) => [attribution.replacedBy, attribution]));
      for (const chain of open) {
        const earlier = byReplacement.get(chain.at(-1)?.id ?? null);
        if (earlier === undefined) return yield* Effect.dieMessage("a replaced attribution is missing");
        chain.push(earlier);
      }
    }
    for (const [id, [, ...earlier]] of replaced) if (earlier.length > 0) chains.set(id, earlier);
  });

/** Reads the credits that callers gave of attributions that have several, as text. */
const readGivenCredits = (
  storage: Earnings,
  { customerId, givenCredits }: AttributionCreation,
  found: ReadonlyArray<Attribution.Attribution>,
): Effect.Effect<void, StorageError> => {
  const origins = found.filter(({ credit }) => credit !== null);
  if (origins.length === 0) return Effect.void;
  const originIds = origins.map(({ id }) => id);
  return Effect.map(storage.creditedAttributions(customerId, originIds), (credited) => {
    for (const { id } of origins) {
      const given = [...origins, ...credited].flatMap((one) =>
        saleIdOf(one) === id && one.credit !== null ? [{ ...one.credit, partnerId: one.partnerId }] : [],
      );
      givenCredits.set(id, Credit.textOf(given));
    }
  });
};

/** Reads what creations rest on, and the attributions that have their references. */
export const prepare = (
  tools: Tools,
  creation: AttributionCreation,
  request: ReadonlyArray<Attribution.Create>,
): Effect.Effect<void, Failure> => {
  const { customerId, references } = creation;
  const { storage } = tools;
  const known = readContexts(tools, creation, request);
  const referenced = request.flatMap(({ schemaId, externalReference }) =>
    externalReference === undefined ? [] : [{ schemaId, externalReference }],
  );
  if (referenced.length === 0) return known;
  const existing = Effect.gen(function* () {
    const found = yield* storage.findByExternalReferences(customerId, referenced);
    for (const one of found)
      if (one.externalReference !== null)
        references.set(referenceKey(one.schemaId, one.externalReference), one);
    if (found.some(({ replaces }) => replaces !== null)) yield* readReplaced(storage, creation, found);
    yield* readGivenCredits(storage, creation, [...found, ...[...creation.chains.values()].flat()]);
  });
  return Effect.zipRight(known, existing);
};

/** What the command has read for a partner and a schema. */
export const foundFor = ({ contexts }: AttributionCreation, key: FormulaSetKey): Found =>
  contexts.get(contextKey(key)) ?? NOTHING;

/** What creating one attribution leads to: the attribution, and a commission under every formula that covers it. */
import { Effect, Either } from "effect";
import type { Arrival } from "../../domain/Accumulation.ts";
import * as Attribution from "../../domain/Attribution.ts";
import * as Commission from "../../domain/Commission.ts";
import { AttributionId, CommissionId, type CustomerId, type WorkspaceId } from "../../domain/Ids.ts";
import { canSee, type Principal } from "../../domain/Principal.ts";
import { missing, type Refusal } from "../../domain/Refusal.ts";
import * as Replacement from "../../domain/Replacement.ts";
import type { IdSourceService } from "../../ports/IdSource.ts";
import type { Change, Earnings, Records, SaveLogged, StorageError } from "../../ports/Storage.ts";
import type { Failure } from "../commands/Access.ts";
import { type Decision, type Execution, noEffect } from "../commands/Pipeline.ts";
import * as Save from "../commands/Save.ts";
import type { EvaluatorService, TotalsBefore } from "./Evaluator.ts";
import {
  type FormulaContext,
  type FormulaSetCacheService,
  type FormulaSetKey,
  type Found,
  NOTHING,
} from "./FormulaSetCache.ts";
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
  /** By schema and external reference: attributions that are stored, and those that this command creates. */
  readonly references: Map<string, Attribution.Attribution>;
  /** By id, of those that have replaced others: what they replaced, the last one first. */
  readonly chains: Map<AttributionId, ReadonlyArray<Attribution.Attribution>>;
  /** The attribution that the new one replaces; null where it replaces none. */
  readonly replaced: Attribution.Attribution | null;
}

/** Returns the state of a command that has read nothing yet. */
export const startCreation = (
  principal: Principal,
  customerId: CustomerId,
  execution: Execution,
  replaced: Attribution.Attribution | null = null,
): AttributionCreation => ({
  principal,
  customerId,
  execution,
  contexts: new Map(),
  zones: new Map(),
  references: new Map(),
  chains: new Map(),
  replaced,
});

/** What moves with the order of arrival alone: a conflict with one of these does not concern the formulas. */
const RECORDS_OF_ARRIVAL: ReadonlySet<string | null> = new Set([
  "arrivalOrder",
  "attributionHistory",
  "runningTotal",
]);

/** True if the formulas that the process remembers may be why the attempt before conflicted. */
const mustReadFormulas = ({ attempt, conflict }: Execution): boolean =>
  attempt > 1 && conflict !== "workspace" && !RECORDS_OF_ARRIVAL.has(conflict);

/** True if the time zones that the process remembers may be. */
const mustReadZones = ({ attempt, conflict }: Execution): boolean =>
  attempt > 1 && (conflict === null || conflict === "workspace");

const contextKey = ({ partnerId, schemaId }: FormulaSetKey): string => `${partnerId}/${schemaId}`;
const referenceKey = (schemaId: string, externalReference: string): string =>
  `${schemaId}/${externalReference}`;

/** Reads the workspaces, partners, schemas and formulas that creations and cancellations rest on. */
export const readContexts = (
  { formulaSets, workspaces }: Pick<Tools, "formulaSets" | "workspaces">,
  { customerId, execution, contexts, zones }: AttributionCreation,
  request: ReadonlyArray<FormulaSetKey & Pick<Attribution.Create, "workspaceId">>,
): Effect.Effect<void, StorageError> => {
  const keys = new Map(request.map((item) => [contextKey(item), item]));
  const workspaceIds = request.map(({ workspaceId }) => workspaceId);
  return Effect.flatMap(
    formulaSets.find(customerId, [...keys.values()], mustReadFormulas(execution)),
    (contextsFound) => {
      for (const [index, key] of [...keys.keys()].entries())
        contexts.set(key, contextsFound[index] ?? NOTHING);
      return Effect.map(workspaces.find(customerId, workspaceIds, mustReadZones(execution)), (zonesFound) => {
        for (const [id, zone] of zonesFound) zones.set(id, zone);
      });
    },
  );
};

/** Reads what attributions replaced, as far back as their chains reach; nothing where they replaced none. */
const readChains = (
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
  const existing = Effect.flatMap(storage.findByExternalReferences(customerId, referenced), (found) => {
    for (const one of found)
      if (one.externalReference !== null)
        references.set(referenceKey(one.schemaId, one.externalReference), one);
    return found.some(({ replaces }) => replaces !== null)
      ? readChains(storage, creation, found)
      : Effect.void;
  });
  return Effect.zipRight(known, existing);
};

/** A new attribution, with the formulas under which it earns, and the time zone that its calendar day may be by. */
export interface NewAttribution {
  readonly context: FormulaContext;
  readonly zone: Zone;
  readonly saved: SaveLogged<"attribution">;
}

const commissionsOf = (
  { ids, evaluator }: DecisionTools,
  execution: Save.Stamp,
  { context: { schema, formulaSet }, saved: { row: attribution } }: NewAttribution,
  before?: TotalsBefore,
): ReadonlyArray<Change> => {
  const evaluate = evaluator.forSchema(schema, before);
  return formulaSet.formulas
    .filter((formula) => Commission.isEarned(attribution, formula))
    .map((formula) =>
      Save.appendEvents(
        "commission",
        execution,
        Commission.identity(ids.nextAt(CommissionId, execution.at), attribution, formula),
        Commission.revise(null, Commission.compute(attribution, formula, evaluate), "formula_updated"),
      ),
    );
};

/** The context, or the refusal where the principal does not see partner or schema, or one is of another workspace. */
const requireVisibleContext = (
  principal: Principal,
  { partner, schema, formulaSet, accumulating }: Found,
  workspaceId: WorkspaceId,
): Either.Either<FormulaContext, Refusal> => {
  if (partner === null || !canSee(principal, partner) || partner.workspaceId !== workspaceId) {
    return Either.left(missing("partner_id"));
  }
  return schema === null ||
    formulaSet === null ||
    accumulating === null ||
    !canSee(principal, { customerId: schema.customerId, workspaceId: schema.workspaceId, partnerId: null }) ||
    schema.workspaceId !== workspaceId
    ? Either.left(missing("schema_id"))
    : Either.right({ partner, schema, formulaSet, accumulating });
};

/** What the command has read for a partner and a schema. */
export const foundFor = ({ contexts }: AttributionCreation, key: FormulaSetKey): Found =>
  contexts.get(contextKey(key)) ?? NOTHING;

/** The context of a creation, or its refusal. */
const contextFor = (
  creation: AttributionCreation,
  request: Attribution.Create,
): Either.Either<FormulaContext, Refusal> =>
  requireVisibleContext(creation.principal, foundFor(creation, request), request.workspaceId);

/** A creation that is not refused: an attribution that is new, or the one that its external reference names. */
export type Checked =
  | { readonly existing: AttributionId }
  | {
      readonly existing: null;
      readonly context: FormulaContext;
      readonly identity: Omit<Save.Identity<"attribution">, "id">;
      readonly event: Attribution.CreateEvent;
      readonly zone: Zone;
    };

const NONE: ReadonlyArray<Attribution.Attribution> = [];

/** Checks one creation that is {@link prepare}d. */
export const check = (
  creation: AttributionCreation,
  request: Attribution.Create,
): Either.Either<Checked, Refusal> => {
  const { principal, customerId, execution, references, replaced } = creation;
  const { partnerId, schemaId, workspaceId } = request;
  const dated = Attribution.checkDates(
    replaced === null ? request : Replacement.dates(request, replaced),
    execution.at,
  );
  if (Either.isLeft(dated)) return Either.left(dated.left);
  const found = contextFor(creation, request);
  if (Either.isLeft(found)) return Either.left(found.left);
  const created = Attribution.create(request, found.right.schema.properties);
  if (Either.isLeft(created)) return Either.left(created.left);
  const event = replaced === null ? created.right : Replacement.replacing(created.right, replaced);
  const externalReference = request.externalReference ?? null;
  const existing =
    externalReference === null ? null : (references.get(referenceKey(schemaId, externalReference)) ?? null);
  if (existing !== null) {
    const earlier = creation.chains.get(existing.id) ?? NONE;
    return Either.map(Attribution.checkRepetition([existing, ...earlier], request, event.properties), () => ({
      existing: existing.id,
    }));
  }
  // The agent of a sale is a fact of it, whoever corrects the sale.
  const { agentId } = replaced ?? principal;
  const identity = { customerId, workspaceId, partnerId, schemaId, agentId, externalReference };
  return Either.right({
    existing: null,
    context: found.right,
    identity,
    event,
    zone: zoneOf(creation.zones, workspaceId),
  });
};

/** The context of a creation, where the principal sees it. */
export const contextOf = (
  creation: AttributionCreation,
  request: Attribution.Create,
): FormulaContext | null => Either.getOrNull(contextFor(creation, request));

/** The save of a new attribution that arrives at a place; a later one of the command finds it by its reference. */
export const save = (
  { execution, references }: AttributionCreation,
  { identity, event, zone }: Extract<Checked, { readonly existing: null }>,
  { createdAt, id }: Arrival,
): SaveLogged<"attribution"> => {
  const saved = Save.appendEvents("attribution", Save.stampAt(execution, createdAt), { ...identity, id }, [
    Attribution.withDayIn(event, zone.timeZone, createdAt),
  ]);
  const { schemaId, externalReference } = identity;
  if (externalReference !== null) references.set(referenceKey(schemaId, externalReference), saved.row);
  return saved;
};

/** The effect of a new attribution: itself, and what it earns; `before` is needed where a formula accumulates. */
export const effectOf = (
  tools: DecisionTools,
  execution: Save.Stamp,
  attribution: NewAttribution,
  before?: TotalsBefore,
): Decision<{ readonly id: AttributionId }> => {
  const { context, zone, saved } = attribution;
  const { id, partnerId, schemaId } = saved.row;
  return {
    result: { id },
    requires: [
      { type: "formula_set", partnerId, schemaId, version: context.formulaSet.version },
      zone.unchanged,
    ],
    changes: [saved, ...commissionsOf(tools, execution, attribution, before)],
  };
};

/** The effect of one creation that is {@link prepare}d, or why it is refused. */
export const decide = (
  tools: Tools,
  creation: AttributionCreation,
  request: Attribution.Create,
): Either.Either<Decision<{ readonly id: AttributionId }>, Refusal> =>
  Either.map(check(creation, request), (checked) => {
    if (checked.existing !== null) return noEffect({ id: checked.existing });
    const { execution } = creation;
    const arrival = { createdAt: execution.at, id: tools.ids.nextAt(AttributionId, execution.at) };
    const saved = save(creation, checked, arrival);
    return effectOf(tools, execution, { context: checked.context, zone: checked.zone, saved });
  });

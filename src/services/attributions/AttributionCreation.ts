/** What creating one attribution leads to: the attribution, and a commission under every formula that covers it. */
import { Effect, Either } from "effect";
import type { Arrival } from "../../domain/Accumulation.ts";
import * as Attribution from "../../domain/Attribution.ts";
import * as Commission from "../../domain/Commission.ts";
import { AttributionId, CommissionId, type CustomerId, type WorkspaceId } from "../../domain/Ids.ts";
import { canSee, type Principal } from "../../domain/Principal.ts";
import { missing, type Refusal } from "../../domain/Refusal.ts";
import type { IdSourceService } from "../../ports/IdSource.ts";
import type { Change, Earnings, Records, SaveLogged } from "../../ports/Storage.ts";
import type { Failure } from "../commands/Access.ts";
import { type Decision, type Execution, noEffect } from "../commands/Pipeline.ts";
import * as Save from "../commands/Save.ts";
import type { EvaluatorService, TotalsBefore } from "./Evaluator.ts";
import { type FormulaContext, type FormulaSetCacheService, type Found, NOTHING } from "./FormulaSetCache.ts";
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
}

/** Returns the state of a command that has read nothing yet. */
export const startCreation = (
  principal: Principal,
  customerId: CustomerId,
  execution: Execution,
): AttributionCreation => ({
  principal,
  customerId,
  execution,
  contexts: new Map(),
  zones: new Map(),
  references: new Map(),
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

const contextKey = ({ partnerId, schemaId }: Attribution.Create): string => `${partnerId}/${schemaId}`;
const referenceKey = (schemaId: string, externalReference: string): string =>
  `${schemaId}/${externalReference}`;

/** Reads what creations rest on: their workspaces, partners, schemas and formulas, and the attributions that have their references. */
export const prepare = (
  { formulaSets, workspaces, storage }: Tools,
  { customerId, execution, contexts, zones, references }: AttributionCreation,
  request: ReadonlyArray<Attribution.Create>,
): Effect.Effect<void, Failure> => {
  const keys = new Map(request.map((item) => [contextKey(item), item]));
  const workspaceIds = request.map(({ workspaceId }) => workspaceId);
  const known = Effect.flatMap(
    formulaSets.find(customerId, [...keys.values()], mustReadFormulas(execution)),
    (contextsFound) => {
      for (const [index, key] of [...keys.keys()].entries())
        contexts.set(key, contextsFound[index] ?? NOTHING);
      return Effect.map(workspaces.find(customerId, workspaceIds, mustReadZones(execution)), (zonesFound) => {
        for (const [id, zone] of zonesFound) zones.set(id, zone);
      });
    },
  );
  const referenced = request.flatMap(({ schemaId, externalReference }) =>
    externalReference === undefined ? [] : [{ schemaId, externalReference }],
  );
  if (referenced.length === 0) return known;
  const existing = Effect.map(storage.findByExternalReferences(customerId, referenced), (found) => {
    for (const one of found)
      if (one.externalReference !== null)
        references.set(referenceKey(one.schemaId, one.externalReference), one);
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

/** The context of a creation, or its refusal. */
const contextFor = (
  { principal, contexts }: AttributionCreation,
  request: Attribution.Create,
): Either.Either<FormulaContext, Refusal> =>
  requireVisibleContext(principal, contexts.get(contextKey(request)) ?? NOTHING, request.workspaceId);

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

/** Checks one creation that is {@link prepare}d. */
export const check = (
  creation: AttributionCreation,
  request: Attribution.Create,
): Either.Either<Checked, Refusal> => {
  const { principal, customerId, execution, references } = creation;
  const { partnerId, schemaId, workspaceId } = request;
  const dated = Attribution.checkDates(request, execution.at);
  if (Either.isLeft(dated)) return Either.left(dated.left);
  const found = contextFor(creation, request);
  if (Either.isLeft(found)) return Either.left(found.left);
  const created = Attribution.create(request, found.right.schema.properties);
  if (Either.isLeft(created)) return Either.left(created.left);
  const event = created.right;
  const externalReference = request.externalReference ?? null;
  const existing =
    externalReference === null ? null : (references.get(referenceKey(schemaId, externalReference)) ?? null);
  if (existing !== null) {
    return Either.map(Attribution.checkRepetition(existing, request, event.properties), () => ({
      existing: existing.id,
    }));
  }
  const { agentId } = principal;
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

/** What creating one attribution leads to: the attribution, and a commission under every formula that covers it. */
import { Either } from "effect";
import type { Arrival } from "../../domain/Accumulation.ts";
import * as Attribution from "../../domain/Attribution.ts";
import * as Commission from "../../domain/Commission.ts";
import * as Credit from "../../domain/Credit.ts";
import { type Formula, versionAt } from "../../domain/Formula.ts";
import { AttributionId, CommissionId, type PartnerId, type WorkspaceId } from "../../domain/Ids.ts";
import { isBelowOthers, sellersCommission } from "../../domain/Override.ts";
import { canSee } from "../../domain/Principal.ts";
import * as Receipt from "../../domain/Receipt.ts";
import { missing, type Refusal } from "../../domain/Refusal.ts";
import * as Replacement from "../../domain/Replacement.ts";
import type { Change, SaveLogged } from "../../ports/Storage.ts";
import { type Decision, noEffect } from "../commands/Pipeline.ts";
import * as Save from "../commands/Save.ts";
import { type AttributionCreation, type DecisionTools, foundFor, referenceKey } from "./CreationReads.ts";
import type { TotalsBefore } from "./Evaluator.ts";
import type { FormulaContext, Found } from "./FormulaSetCache.ts";
import { creditsAt, type PartnerCredit } from "./SaleCredits.ts";
import { type Zone, zoneOf } from "./WorkspaceCache.ts";

/** A new attribution, with the formulas under which it earns, and the time zone that its calendar day may be by. */
export interface NewAttribution {
  readonly context: FormulaContext;
  readonly zone: Zone;
  /** What is stated of the sale's buyer; null where nothing is. */
  readonly receipt: Receipt.Receipt | null;
  readonly saved: SaveLogged<"attribution">;
}

/** A commission that rests on what the sellers of the sale earn, which is known when all of their attributions are decided. */
type Override = (sellers: ReadonlyArray<Commission.Commission>) => SaveLogged<"commission">;

/** The decision on one attribution of a sale, without the overrides that it leads to. */
export interface AttributionDecision extends Decision<{ readonly id: AttributionId }> {
  readonly overrides: ReadonlyArray<Override>;
}

const commissionsOf = (
  { ids, evaluator }: DecisionTools,
  execution: Save.Stamp,
  { context: { schema, formulaSet }, receipt, saved: { row: attribution } }: NewAttribution,
  before?: TotalsBefore,
): { readonly commissions: ReadonlyArray<Change>; readonly overrides: ReadonlyArray<Override> } => {
  const earn = (formula: Formula, evaluate: Commission.Evaluate): SaveLogged<"commission"> =>
    Save.appendEvents(
      "commission",
      execution,
      Commission.identity(ids.nextAt(CommissionId, execution.at), attribution, formula),
      Commission.begin(Commission.compute(attribution, formula, evaluate), formula, {
        receipt,
        settledElsewhere: attribution.settledElsewhere,
      }),
    );
  const evaluate = evaluator.forSchema(schema, before);
  const commissions: Array<Change> = [];
  const overrides: Array<Override> = [];
  for (const formula of formulaSet.formulas) {
    if (!Commission.isEarned(attribution, formula)) continue;
    if (evaluator.readsSellers(formula, attribution, schema)) {
      // Attributions that arrive later change the totals before an override is computed.
      const totals = before?.(formula, versionAt(formula, attribution.occurredAt), attribution) ?? [];
      overrides.push((sellers) => {
        const sum = sellersCommission(attribution, formula.currency, sellers);
        return earn(
          formula,
          evaluator.forSchema(
            schema,
            () => totals,
            () => sum,
          ),
        );
      });
    } else commissions.push(earn(formula, evaluate));
  }
  return { commissions, overrides };
};

/** True if a partner has a given credit of the sale that is replaced, which needs no grant where it is kept. */
const isKept = ({ replaced }: AttributionCreation, partnerId: PartnerId | null): boolean =>
  replaced?.credited.some((one) => one.partnerId === partnerId && one.credit?.depth === 0) === true;

/** The context, or the refusal where the principal does not see partner or schema, or one is of another workspace. */
const requireVisibleContext = (
  creation: AttributionCreation,
  { partner, schema, formulaSet, accumulating }: Found,
  workspaceId: WorkspaceId,
): Either.Either<FormulaContext, Refusal> => {
  const { principal } = creation;
  if (
    partner === null ||
    !(canSee(principal, partner) || isKept(creation, partner.partnerId)) ||
    partner.workspaceId !== workspaceId
  ) {
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
  creation: AttributionCreation,
  request: Attribution.Create,
): Either.Either<FormulaContext, Refusal> =>
  requireVisibleContext(creation, foundFor(creation, request), request.workspaceId);

/** The credits that a creation gives, or its refusal where the principal does not see one of the partners. */
const givenCredits = (
  creation: AttributionCreation,
  { partnerId, schemaId, workspaceId, credits = [] }: Attribution.Create,
): Either.Either<Credit.SaleCredits, Refusal> => {
  for (const [index, credit] of credits.entries()) {
    const found = foundFor(creation, { partnerId: credit.partnerId, schemaId });
    if (Either.isLeft(requireVisibleContext(creation, found, workspaceId)))
      return Either.left(missing(`credits.${index}.partner_id`));
  }
  return Either.right(Credit.givenTo(partnerId, credits));
};

/** A creation that is not refused: an attribution that is new, or the one that its external reference names. */
export type Checked =
  | { readonly existing: AttributionId }
  | {
      readonly existing: null;
      readonly context: FormulaContext;
      readonly identity: Omit<Save.Identity<"attribution">, "id">;
      readonly event: Attribution.CreateEvent;
      readonly zone: Zone;
      readonly given: Credit.SaleCredits;
      /** The origin of the recorded sale whose further credits these are; absent for a new sale. */
      readonly origin?: Pick<Attribution.Attribution, "id" | "receipt">;
    };

const NONE: ReadonlyArray<Attribution.Attribution> = [];

/** Checks one creation that is prepared. */
export const check = (
  creation: AttributionCreation,
  request: Attribution.Create,
): Either.Either<Checked, Refusal> => {
  const { principal, customerId, execution, references, replaced } = creation;
  const { partnerId, schemaId, workspaceId } = request;
  const dated = Attribution.checkDates(
    replaced === null ? request : Replacement.dates(request, replaced.origin),
    execution.at,
  );
  if (Either.isLeft(dated)) return Either.left(dated.left);
  const found = contextFor(creation, request);
  if (Either.isLeft(found)) return Either.left(found.left);
  const credits = givenCredits(creation, request);
  if (Either.isLeft(credits)) return Either.left(credits.left);
  const given = credits.right;
  const created = Attribution.create(request, found.right.schema.properties);
  if (Either.isLeft(created)) return Either.left(created.left);
  const event = created.right;
  const externalReference = request.externalReference ?? null;
  const existing =
    externalReference === null ? null : (references.get(referenceKey(schemaId, externalReference)) ?? null);
  if (existing !== null) {
    const givenText = Credit.textOf(given);
    const chain = [existing, ...(creation.chains.get(existing.id) ?? NONE)];
    return Either.map(
      Attribution.checkRepetition(
        chain,
        request,
        event.properties,
        ({ id }) => (creation.givenCredits.get(id) ?? "") === givenText,
      ),
      () => ({ existing: existing.id }),
    );
  }
  // The agent of a sale is a fact of it, whoever corrects the sale.
  const { agentId } = replaced?.origin ?? principal;
  const identity = { customerId, workspaceId, partnerId, schemaId, agentId, externalReference };
  return Either.right({
    existing: null,
    context: found.right,
    identity,
    event,
    zone: zoneOf(creation.zones, workspaceId),
    given,
  });
};

/** The context of a creation, where the principal sees it. */
export const contextOf = (
  creation: AttributionCreation,
  request: Attribution.Create,
): FormulaContext | null => Either.getOrNull(contextFor(creation, request));

/** A creation of something new. */
export type CheckedNew = Extract<Checked, { readonly existing: null }>;

/** The save of an attribution that arrives at a place; of an origin with what is stated of its buyer. */
const save = (
  { execution, stated }: AttributionCreation,
  identity: CheckedNew["identity"],
  event: Attribution.CreateEvent,
  { createdAt, id }: Arrival,
): SaveLogged<"attribution"> =>
  Save.appendEvents("attribution", Save.stampAt(execution, createdAt), { ...identity, id }, [
    event,
    ...(stated === null || event.origin_id !== undefined ? [] : [Receipt.eventOf(stated)]),
  ]);

/** What is stated of the buyer of a sale: of one that is recorded already, or with one that arrives. */
const receiptAt = (
  { stated }: AttributionCreation,
  { origin }: CheckedNew,
  { createdAt }: Arrival,
): Receipt.Receipt | null =>
  origin?.receipt ?? (stated === null ? null : Receipt.receiptOf(Receipt.eventOf(stated), createdAt));

/** The first event of an attribution of the sale, which may replace another sale; `credit` is null for its origin. */
const eventOf = (
  { replaced }: AttributionCreation,
  { event }: CheckedNew,
  credit: Credit.OfPartner | null,
): Attribution.CreateEvent => (replaced === null ? event : Replacement.replacing(event, replaced, credit));

/** The save of a sale that nobody else earns from. */
const saveAlone = (creation: AttributionCreation, checked: CheckedNew, arrival: Arrival): NewAttribution => {
  const { identity, context, zone } = checked;
  const event = eventOf(creation, checked, null);
  const dated = Attribution.withDayIn(event, zone.timeZone, arrival.createdAt);
  const receipt = receiptAt(creation, checked, arrival);
  return { context, zone, receipt, saved: save(creation, identity, dated, arrival) };
};

/** The saves of a sale with several credits, in the order in which they arrive. */
const saveCredits = (
  creation: AttributionCreation,
  checked: CheckedNew,
  credits: ReadonlyArray<PartnerCredit>,
  arrive: (partnerId: PartnerId) => Arrival,
): ReadonlyArray<NewAttribution> => {
  const { identity, zone } = checked;
  const placed = credits.map((part) => ({ ...part, arrival: arrive(part.credit.partnerId) }));
  const origin_id = checked.origin?.id ?? placed.find(({ isOrigin }) => isOrigin)?.arrival.id;
  return placed.map(({ credit: one, context, isOrigin, arrival }) => {
    const { partnerId, ...credit } = one;
    const event = eventOf(creation, checked, isOrigin ? null : one);
    const own = isOrigin || origin_id === undefined ? { ...event, credit } : { ...event, credit, origin_id };
    const externalReference = isOrigin ? identity.externalReference : null;
    const dated = Attribution.withDayIn(own, zone.timeZone, arrival.createdAt);
    return {
      context,
      zone,
      receipt: receiptAt(creation, checked, arrival),
      saved: save(creation, { ...identity, partnerId, externalReference }, dated, arrival),
    };
  });
};

/** A creation that is not refused, with its credits in the order in which they arrive; null where the partner alone earns. */
export interface Credited {
  readonly checked: CheckedNew;
  readonly credits: ReadonlyArray<PartnerCredit> | null;
}

/**
 * The saves of a creation, in the order in which they arrive; `arrive` gives the next attribution of a partner its place. A later
 * creation of the command finds the sale by its reference.
 */
export const saveNew = (
  creation: AttributionCreation,
  { checked, credits }: Credited,
  arrive: (partnerId: PartnerId) => Arrival,
): ReadonlyArray<NewAttribution> => {
  const { identity, given } = checked;
  const { schemaId, externalReference } = identity;
  const created =
    credits === null
      ? [saveAlone(creation, checked, arrive(identity.partnerId))]
      : saveCredits(creation, checked, credits, arrive);
  const origin = created.find(({ saved }) => saved.row.originId === null)?.saved.row;
  if (externalReference !== null && origin !== undefined) {
    creation.references.set(referenceKey(schemaId, externalReference), origin);
    if (credits !== null) creation.givenCredits.set(origin.id, Credit.textOf(given));
  }
  return created;
};

/** The effect of a new attribution: itself, and what it earns; `before` is needed where a formula accumulates. */
export const effectOf = (
  tools: DecisionTools,
  execution: Save.Stamp,
  attribution: NewAttribution,
  before?: TotalsBefore,
): AttributionDecision => {
  const { context, zone, saved } = attribution;
  const { id, partnerId, schemaId } = saved.row;
  const { commissions, overrides } = commissionsOf(tools, execution, attribution, before);
  return {
    overrides,
    result: { id },
    requires: [
      { type: "formula_set", partnerId, schemaId, version: context.formulaSet.version },
      zone.unchanged,
      zone.sameLinks,
    ],
    changes: [saved, ...commissions],
  };
};

/** The commissions of the sellers of a sale, in the decisions on its attributions. */
const ofSellers = (
  created: ReadonlyArray<NewAttribution>,
  decisions: ReadonlyArray<AttributionDecision>,
): ReadonlyArray<Commission.Commission> =>
  decisions
    .filter((_, index) => created[index] !== undefined && isBelowOthers(created[index].saved.row))
    .flatMap(({ changes }) => changes)
    .flatMap((change) => (change.type === "save" && change.kind === "commission" ? [change.row] : []));

/**
 * The effect of a sale from that of its attributions, with the overrides on what the sellers earn: those that it has already, and
 * those that are created. Its id is that of the origin.
 */
export const saleOf = (
  created: ReadonlyArray<NewAttribution>,
  decisions: ReadonlyArray<AttributionDecision>,
  stored: ReadonlyArray<Commission.Commission> = [],
): Decision<{ readonly id: AttributionId }> => {
  const [only] = decisions;
  if (only !== undefined && decisions.length === 1 && only.overrides.length === 0) return only;
  const overrides = decisions.flatMap((decision) => decision.overrides);
  const [first] = created;
  if (first === undefined) throw new Error("a sale without an attribution");
  const sellers = overrides.length === 0 ? [] : [...stored, ...ofSellers(created, decisions)];
  return {
    result: { id: Attribution.saleIdOf(first.saved.row) },
    requires: decisions.flatMap(({ requires }) => requires),
    changes: [
      ...decisions.flatMap(({ changes }) => changes),
      ...overrides.map((override) => override(sellers)),
    ],
  };
};

/** The effect of one creation that is prepared, or why it is refused. */
export const decide = (
  tools: DecisionTools,
  creation: AttributionCreation,
  request: Attribution.Create,
): Either.Either<Decision<{ readonly id: AttributionId }>, Refusal> =>
  Either.flatMap(check(creation, request), (checked) => {
    if (checked.existing !== null) return Either.right(noEffect({ id: checked.existing }));
    const { execution } = creation;
    return Either.map(creditsAt(creation, checked, execution.at), (credits) => {
      const created = saveNew(creation, { checked, credits }, () => ({
        createdAt: execution.at,
        id: tools.ids.nextAt(AttributionId, execution.at),
      }));
      return saleOf(
        created,
        created.map((attribution) => effectOf(tools, execution, attribution)),
      );
    });
  });

/** What the model says of commands on partners, schemas, attributions and formulas. */
import { AttributionId, FormulaId, PartnerId, SchemaId } from "../../domain/Ids.ts";
import type { Properties } from "../../domain/Properties.ts";
import type { PropertyDefinition } from "../../formula/index.ts";
import {
  arePropertyValues,
  isBilling,
  isFormulaChange,
  isName,
  isReason,
  isText,
  isWindow,
} from "./Bounds.ts";
import type { Command } from "./Command.ts";
import { completed, refreshed } from "./Earnings.ts";
import { isSound } from "./Plan.ts";
import { accepted, conflicting, judge, type Prediction, refused, type Verdict } from "./Prediction.ts";
import { deedOf, sees } from "./Rights.ts";
import { type Formula, mapped, momentAfter, noted, type Version, type World } from "./World.ts";

type Of<Type extends Command["type"]> = Extract<Command, { readonly type: Type }>;
type Given = "principal" | "deed" | "idempotency";

/** What every rule begins with. */
const base = (command: Parameters<typeof deedOf>[0]): Pick<Parameters<typeof judge>[1], Given> => ({
  principal: command.principal,
  deed: deedOf(command),
  idempotency: command.idempotency,
});

/** Create partner. */
export const createPartner = (world: World, command: Of<"create_partner">): Prediction => {
  const { name, workspaceId, billingMode = "partner_billing", selfBillingData } = command.input;
  const { customerId } = command.principal;
  return judge(world, {
    ...base(command),
    sound:
      isName(name) &&
      isBilling({ billingMode, ...(selfBillingData === undefined ? {} : { selfBillingData }) }),
    workspaceIds: [workspaceId],
    verdict: () =>
      customerId === null
        ? refused("Forbidden")
        : accepted((id) => ({
            ...world,
            partners: [
              ...world.partners,
              {
                id: PartnerId.make(id),
                customerId,
                workspaceId,
                name,
                billingMode,
                selfBillingData: selfBillingData ?? null,
                createdAt: world.now,
              },
            ],
          })),
  });
};

/** Update partner. */
export const updatePartner = (world: World, command: Of<"update_partner">): Prediction => {
  const { name, billingMode, selfBillingData } = command.input;
  const verdict = (): Verdict => {
    const partner = world.partners.find(
      (one) => one.id === command.id && sees(command.principal, { ...one, partnerId: one.id }),
    );
    if (partner === undefined) return refused("Missing");
    const mode = billingMode ?? partner.billingMode;
    if (mode === "partner_billing" && selfBillingData !== undefined) return refused("Invalid");
    const updated = {
      ...partner,
      name: name ?? partner.name,
      billingMode: mode,
      selfBillingData: mode === "self_billing" ? (selfBillingData ?? partner.selfBillingData) : null,
    };
    const unchanged = JSON.stringify(updated) === JSON.stringify(partner);
    const after = {
      ...world,
      partners: mapped(
        world.partners,
        (one) => one === partner,
        () => updated,
      ),
    };
    return accepted(unchanged ? null : () => after);
  };
  return judge(world, {
    ...base(command),
    sound: (name === undefined || isName(name)) && isBilling(command.input),
    verdict,
  });
};

/** Create schema. */
export const createSchema = (world: World, command: Of<"create_schema">): Prediction => {
  const { name, workspaceId, properties } = command.input;
  const { customerId } = command.principal;
  const names = properties.map((property) => property.name);
  return judge(world, {
    ...base(command),
    sound: isName(name) && names.every((one, index) => names.indexOf(one) === index),
    workspaceIds: [workspaceId],
    verdict: () =>
      customerId === null
        ? refused("Forbidden")
        : accepted((id) => ({
            ...world,
            schemas: [
              ...world.schemas,
              { id: SchemaId.make(id), customerId, workspaceId, name, properties, createdAt: world.now },
            ],
          })),
  });
};

const conforms = (properties: Properties, definitions: ReadonlyArray<PropertyDefinition>): boolean =>
  Object.entries(properties).every(([name, value]) =>
    definitions.some((definition) => definition.name === name && definition.type === typeof value),
  ) && definitions.every(({ name, required }) => !required || Object.hasOwn(properties, name));

const sameProperties = (one: Properties, other: Properties): boolean => {
  const sorted = (properties: Properties) =>
    JSON.stringify(Object.entries(properties).sort(([a], [b]) => (a < b ? -1 : 1)));
  return sorted(one) === sorted(other);
};

/** Properties as they are kept: given, but for a zero that has lost its sign. */
const unsigned = (given: Properties): Properties =>
  Object.fromEntries(Object.entries(given).map(([name, value]) => [name, value === 0 ? 0 : value]));

/** Create attribution. */
export const createAttribution = (world: World, command: Of<"create_attribution">): Prediction => {
  const { principal, input } = command;
  const { partnerId, schemaId, workspaceId, externalReference } = input;
  const properties = unsigned(input.properties);
  const { customerId } = principal;
  const verdict = (): Verdict => {
    const partner = world.partners.find(({ id }) => id === partnerId);
    const schema = world.schemas.find(({ id }) => id === schemaId);
    if (
      customerId === null ||
      partner === undefined ||
      schema === undefined ||
      !sees(principal, { ...partner, partnerId }) ||
      !sees(principal, { ...schema, partnerId: null }) ||
      partner.workspaceId !== workspaceId ||
      schema.workspaceId !== workspaceId
    ) {
      return refused("Missing");
    }
    if (!conforms(properties, schema.properties)) return refused("Invalid");
    const known = world.attributions.find(
      (one) =>
        externalReference !== undefined &&
        one.externalReference === externalReference &&
        one.customerId === customerId &&
        one.schemaId === schemaId,
    );
    if (known !== undefined) {
      return known.partnerId === partnerId &&
        known.workspaceId === workspaceId &&
        sameProperties(known.properties, properties)
        ? accepted(null, known.id)
        : conflicting("external_reference_reuse");
    }
    return accepted((made) => {
      const id = AttributionId.make(made);
      const attribution = {
        id,
        customerId,
        workspaceId,
        partnerId,
        schemaId,
        agentId: principal.agentId,
        externalReference: externalReference ?? null,
        properties,
        cancelReason: null,
        createdAt: world.now,
        log: noted([], world.now, "create_attribution", { properties }),
      };
      const after = { ...world, attributions: [...world.attributions, attribution] };
      return completed(after, (one) => one.id === id);
    });
  };
  return judge(world, {
    ...base(command),
    sound:
      arePropertyValues(properties) && (externalReference === undefined || isText(externalReference, 255)),
    workspaceIds: [workspaceId],
    partnerIds: [partnerId],
    verdict,
  });
};

/** Cancel attribution. */
export const cancelAttribution = (world: World, command: Of<"cancel_attribution">): Prediction => {
  const { principal, reason } = command;
  const verdict = (): Verdict => {
    const attribution = world.attributions.find((one) => one.id === command.id && sees(principal, one));
    if (attribution === undefined) return refused("Missing");
    if (attribution.cancelReason !== null) return accepted(null);
    const log = noted(attribution.log, world.now, "cancel_attribution", { reason });
    const cancelled = { ...attribution, cancelReason: reason, log };
    const attributions = mapped(
      world.attributions,
      (one) => one === attribution,
      () => cancelled,
    );
    return accepted(() =>
      refreshed({ ...world, attributions }, ({ attributionId }) => attributionId === attribution.id),
    );
  };
  return judge(world, { ...base(command), sound: isReason(reason), verdict });
};

/** Create formula; what it earns for attributions that are there already is a recomputation. */
export const createFormula = (world: World, command: Of<"create_formula">): Prediction => {
  const { principal, input } = command;
  const { partnerId, schemaId, workspaceId, name, currency, startDatetime, endDatetime, plan } = input;
  const { customerId } = principal;
  const verdict = (): Verdict => {
    const partner = world.partners.find(({ id }) => id === partnerId);
    const schema = world.schemas.find(({ id }) => id === schemaId);
    const resolves =
      customerId !== null &&
      partner !== undefined &&
      schema !== undefined &&
      sees(principal, { ...partner, partnerId }) &&
      sees(principal, { ...schema, partnerId: null }) &&
      partner.workspaceId === workspaceId &&
      schema.workspaceId === workspaceId;
    if (!resolves || !isSound(plan)) return refused("Invalid");
    return accepted((id) => ({
      ...world,
      formulas: [
        ...world.formulas,
        {
          id: FormulaId.make(id),
          customerId,
          workspaceId,
          partnerId,
          schemaId,
          currency,
          name,
          description: null,
          start: startDatetime,
          end: endDatetime,
          versions: [{ plan, effective: null }],
          cancelReason: null,
          createdAt: world.now,
          log: noted([], world.now, "create_commission_formula", { name }),
        },
      ],
    }));
  };
  return judge(world, {
    ...base(command),
    sound: isName(name) && isWindow(startDatetime, endDatetime) && plan.type !== "malformed",
    workspaceIds: [workspaceId],
    partnerIds: [partnerId],
    verdict,
  });
};

const replaced = (world: World, formula: Formula, by: Formula): World => ({
  ...world,
  formulas: mapped(
    world.formulas,
    (one) => one === formula,
    () => by,
  ),
});

/** The versions after an expression has been stated; the same array when it states nothing new. */
const stated = (versions: ReadonlyArray<Version>, plan: Version["plan"], effective: number) => {
  const last = versions[versions.length - 1];
  const repeats =
    last !== undefined &&
    JSON.stringify(last.plan) === JSON.stringify(plan) &&
    (last.effective === null || effective >= last.effective);
  return repeats ? versions : [...versions, { plan, effective }];
};

/** Update formula. */
export const updateFormula = (world: World, command: Of<"update_formula">): Prediction => {
  const { principal, input } = command;
  const verdict = (): Verdict => {
    const formula = world.formulas.find((one) => one.id === command.id && sees(principal, one));
    if (formula === undefined) return refused("Missing");
    const moment = momentAfter(formula.log, world.now);
    const { plan, effectiveDatetime = moment } = input;
    const start = input.startDatetime ?? formula.start;
    const end = input.endDatetime === undefined ? formula.end : input.endDatetime;
    if (plan !== undefined && !isSound(plan)) return refused("Invalid");
    if (effectiveDatetime > moment || !isWindow(start, end)) return refused("Invalid");
    if (formula.cancelReason !== null) return conflicting("formula_cancelled");
    const next = {
      ...formula,
      name: input.name ?? formula.name,
      description: input.description === undefined ? formula.description : input.description,
      start,
      end,
      versions: plan === undefined ? formula.versions : stated(formula.versions, plan, effectiveDatetime),
    };
    const same =
      next.name === formula.name &&
      next.description === formula.description &&
      next.start === formula.start &&
      next.end === formula.end &&
      next.versions === formula.versions;
    const log = noted(formula.log, world.now, "update_commission_formula");
    return accepted(same ? null : () => replaced(world, formula, { ...next, log }));
  };
  return judge(world, { ...base(command), sound: isFormulaChange(input), verdict });
};

/** Cancel formula. */
export const cancelFormula = (world: World, command: Of<"cancel_formula">): Prediction => {
  const { principal, reason } = command;
  const verdict = (): Verdict => {
    const formula = world.formulas.find((one) => one.id === command.id && sees(principal, one));
    if (formula === undefined) return refused("Missing");
    if (formula.cancelReason !== null) return accepted(null);
    const log = noted(formula.log, world.now, "cancel_commission_formula", { reason });
    return accepted(() => replaced(world, formula, { ...formula, cancelReason: reason, log }));
  };
  return judge(world, { ...base(command), sound: isReason(reason), verdict });
};

/** Recomputes one formula: commissions that are there are brought up to date, missing ones are made. */
export const recomputed = (world: World, id: string): World =>
  completed(
    refreshed(world, ({ formulaId }) => formulaId === id),
    (_, formula) => formula.id === id,
  );

/** The model of commands on partners, schemas, formulas and billing profiles. */
import { FormulaId, PartnerId, SchemaId } from "../../../domain/Ids.ts";
import { sameJson } from "../../../domain/Json.ts";
import type { Partner, Update as PartnerUpdate } from "../../../domain/Partner.ts";
import type { CommandOf } from "../Command.ts";
import { isBilling, isName, isNumberPrefix, isReason, isText } from "../prediction/Bounds.ts";
import {
  accept,
  applyRules,
  baseRules,
  conflict,
  type Decision,
  type Prediction,
  queryResult,
  refuse,
} from "../prediction/Prediction.ts";
import { canSee } from "../prediction/Rights.ts";
import { withFormulas } from "../world/Earnings.ts";
import { isSameFormulaSet } from "../world/Joins.ts";
import { appendEntry, nextMoment } from "../world/Log.ts";
import { isValidPlan } from "../world/Plan.ts";
import { areValuesOf, firstStatements, hasEveryValue, prune } from "../world/Values.ts";
import { type Formula, mapWhere, type World } from "../world/World.ts";
import { actorOf, changedFields, logControl } from "./ControlLogs.ts";
import { stateBankAccount, withHolder } from "./PayoutAccounts.ts";
import { updateAssigned, withdrawal } from "./Plans.ts";
import { areTerms, changeTerms, isChange, newTerms, statedBy } from "./Terms.ts";

export const createPartner = (world: World, command: CommandOf<"create_partner">): Prediction => {
  const { name, workspaceId, billingMode = "partner_billing", selfBillingData = null } = command.input;
  const { status, tags, externalReference = null, email = null, notes = null } = command.input;
  const { customerId } = command.principal;
  return applyRules(world, {
    ...baseRules(command),
    valid:
      isName(name) &&
      areFacts(command.input) &&
      isBilling({ billingMode, ...(selfBillingData === null ? {} : { selfBillingData }) }),
    workspaceIds: [workspaceId],
    decide: () => {
      if (customerId === null) return refuse("Forbidden");
      const stated = { name, billingMode, selfBillingData, externalReference, email, notes };
      const data = { ...stated, status: status ?? ("active" as const), tags: tags ?? [] };
      const owner = { customerId, workspaceId };
      const holder = holderOf(world, owner, externalReference);
      if (holder !== undefined)
        return canSee(command.principal, { ...holder, partnerId: holder.id }) &&
          changedFields(holder, { ...holder, ...data }).length === 0
          ? accept(null, holder.id)
          : conflict("external_reference_reuse");
      return accept((id) => {
        const partner = {
          ...owner,
          ...data,
          id: PartnerId.make(id),
          payoutAccounts: null,
          createdAt: world.now,
        };
        const after = withHolder({ ...world, partners: [...world.partners, partner] }, partner);
        return logControl(after, customerId, `partner ${id}`, "create_partner", {
          ...{ ...actorOf(command.principal), billing_mode: billingMode },
          ...(externalReference === null ? {} : { external_reference: externalReference }),
          ...(data.status === "active" ? {} : { status: data.status }),
          ...(data.tags.length === 0 ? {} : { tags: data.tags }),
        });
      });
    },
  });
};

/** The partner of a workspace that has a reference. */
const holderOf = (
  world: World,
  { customerId, workspaceId }: Pick<Partner, "customerId" | "workspaceId">,
  externalReference: string | null,
): Partner | undefined =>
  world.partners.find(
    (partner) =>
      externalReference !== null &&
      partner.externalReference === externalReference &&
      partner.customerId === customerId &&
      partner.workspaceId === workspaceId,
  );

/** True if what is stated of a partner in addition can be stored; of addresses the runs know one that is none. */
const areFacts = ({ tags, email, externalReference }: PartnerUpdate): boolean =>
  (tags == null || (tags.length <= 50 && tags.every((tag, index) => tags.indexOf(tag) === index))) &&
  (email == null || email !== "nobody") &&
  (externalReference == null || isText(externalReference, 255));

/** What an update leaves of what is stated in addition. */
const factsAfter = (partner: Partner, { status, tags, email, notes, externalReference }: PartnerUpdate) => ({
  status: status ?? partner.status,
  tags: tags ?? partner.tags,
  email: email === undefined ? partner.email : email,
  notes: notes === undefined ? partner.notes : notes,
  externalReference: externalReference === undefined ? partner.externalReference : externalReference,
});

export const updatePartner = (world: World, command: CommandOf<"update_partner">): Prediction => {
  const { name, billingMode, selfBillingData } = command.input;
  const decide = (): Decision => {
    const partner = world.partners.find(
      (candidate) =>
        candidate.id === command.id && canSee(command.principal, { ...candidate, partnerId: candidate.id }),
    );
    if (partner === undefined) return refuse("Missing");
    const mode = billingMode ?? partner.billingMode;
    if (mode !== "self_billing" && selfBillingData != null) return refuse("Invalid");
    const updated = {
      ...partner,
      name: name ?? partner.name,
      billingMode: mode,
      selfBillingData: mode === "self_billing" ? (selfBillingData ?? partner.selfBillingData) : null,
      ...factsAfter(partner, command.input),
    };
    const holder = holderOf(world, partner, updated.externalReference);
    if (holder !== undefined && holder !== partner) return conflict("external_reference_reuse");
    const fields = changedFields(partner, updated);
    const replaced = {
      ...world,
      partners: mapWhere(
        world.partners,
        (item) => item === partner,
        () => updated,
      ),
    };
    const after = withHolder(replaced, updated);
    const entry = {
      ...{ ...actorOf(command.principal), fields },
      ...(fields.includes("external_reference") ? { external_reference: updated.externalReference } : {}),
      ...(fields.includes("status") ? { status: updated.status } : {}),
      ...(fields.includes("tags") ? { tags: updated.tags } : {}),
    };
    return accept(
      fields.length === 0
        ? null
        : (_id, { bankAccounts }) => {
            const logged = logControl(
              after,
              partner.customerId,
              `partner ${partner.id}`,
              "update_partner",
              entry,
            );
            return stateBankAccount(
              world,
              logged,
              { before: partner, updated, bankAccounts },
              command.principal,
            );
          },
    );
  };
  return applyRules(world, {
    ...baseRules(command),
    valid: (name == null || isName(name)) && isBilling(command.input) && areFacts(command.input),
    decide,
  });
};

export const createSchema = (world: World, command: CommandOf<"create_schema">): Prediction => {
  const { name, workspaceId, properties, displayProperties = [] } = command.input;
  const { customerId } = command.principal;
  const names = properties.map((property) => property.name);
  const shown = new Set(displayProperties);
  return applyRules(world, {
    ...baseRules(command),
    valid:
      isName(name) &&
      names.every((candidate, index) => names.indexOf(candidate) === index) &&
      properties.every(({ type, format }) => format === undefined || type === "number") &&
      shown.size === displayProperties.length &&
      shown.size <= 4 &&
      [...shown].every((candidate) => names.includes(candidate)),
    workspaceIds: [workspaceId],
    decide: () =>
      customerId === null
        ? refuse("Forbidden")
        : accept((id) => ({
            ...world,
            schemas: [
              ...world.schemas,
              {
                ...{ id: SchemaId.make(id), customerId, workspaceId, name },
                ...{ properties, displayProperties, createdAt: world.now },
              },
            ],
          })),
  });
};

/** Create formula; commissions of existing attributions are a recomputation. */
export const createFormula = (world: World, command: CommandOf<"create_formula">): Prediction => {
  const { principal, input } = command;
  const { partnerId, schemaId, workspaceId, name, plan, parameters = [], values = {} } = input;
  const { customerId } = principal;
  const decide = (): Decision => {
    const partner = world.partners.find(({ id }) => id === partnerId);
    const schema = world.schemas.find(({ id }) => id === schemaId);
    const resolves =
      customerId !== null &&
      partner !== undefined &&
      schema !== undefined &&
      canSee(principal, { ...partner, partnerId }) &&
      canSee(principal, { ...schema, partnerId: null }) &&
      partner.workspaceId === workspaceId &&
      schema.workspaceId === workspaceId;
    if (!resolves || !isValidPlan(plan, parameters)) return refuse("Invalid");
    const createdFormula = (id: string): Formula => ({
      id: FormulaId.make(id),
      customerId,
      workspaceId,
      partnerId,
      schemaId,
      ...newTerms(input, world.now),
      assignment: null,
      parameterValues: firstStatements(values),
      log: appendEntry([], world.now, "create_commission_formula", { name }),
    });
    return accept((id) => withFormulas(world, [...world.formulas, createdFormula(id)]));
  };
  return applyRules(world, {
    ...baseRules(command),
    valid: areTerms(input) && areValuesOf(parameters, values) && hasEveryValue(parameters, values),
    workspaceIds: [workspaceId],
    partnerIds: [partnerId],
    decide,
  });
};

export const replaceFormula = (world: World, formula: Formula, by: Formula): World =>
  withFormulas(
    world,
    mapWhere(
      world.formulas,
      (item) => item === formula,
      () => by,
    ),
  );

export const updateFormula = (world: World, command: CommandOf<"update_formula">): Prediction => {
  const { principal, input } = command;
  const decide = (): Decision => {
    const formula = world.formulas.find(
      (candidate) => candidate.id === command.id && canSee(principal, candidate),
    );
    if (formula === undefined) return refuse("Missing");
    if (formula.assignment !== null) return updateAssigned(world, formula, formula.assignment, input);
    const moment = nextMoment(formula.log, world.now);
    const newest = world.attributions
      .filter((attribution) => isSameFormulaSet(attribution, formula))
      .reduce((latest, { occurredAt }) => Math.max(latest, occurredAt), Number.NEGATIVE_INFINITY);
    const holdsFrom = Math.max(moment, newest + 1);
    const changed = changeTerms(formula, input, { moment, holdsFrom, isUsed: true });
    if (changed === null) return refuse("Invalid");
    if (formula.cancelReason !== null) return conflict("formula_cancelled");
    if (typeof changed === "string") return conflict(changed);
    if (changed === formula) return accept(null);
    const declared = statedBy(formula, changed);
    const log = appendEntry(formula.log, world.now, "update_commission_formula", declared);
    const parameterValues =
      declared.parameters === undefined
        ? formula.parameterValues
        : prune(formula.parameterValues, declared.parameters);
    return accept(() => replaceFormula(world, formula, { ...changed, parameterValues, log }));
  };
  return applyRules(world, { ...baseRules(command), valid: isChange(input), decide });
};

export const withdrawFormulaVersion = (
  world: World,
  command: CommandOf<"withdraw_formula_version">,
): Prediction => {
  const decide = (): Decision => {
    const formula = world.formulas.find(
      (candidate) => candidate.id === command.id && canSee(command.principal, candidate),
    );
    if (formula === undefined) return refuse("Missing");
    if (formula.assignment !== null) return conflict("formula_of_plan");
    const decided = withdrawal(formula, command.number, world);
    if (!("after" in decided)) return decided;
    const { after } = decided;
    const log = appendEntry(formula.log, world.now, "update_commission_formula", statedBy(formula, after));
    return accept(() => replaceFormula(world, formula, { ...after, log }));
  };
  return applyRules(world, { ...baseRules(command), valid: true, decide });
};

export const cancelFormula = (world: World, command: CommandOf<"cancel_formula">): Prediction => {
  const { principal, reason } = command;
  const decide = (): Decision => {
    const formula = world.formulas.find(
      (candidate) => candidate.id === command.id && canSee(principal, candidate),
    );
    if (formula === undefined) return refuse("Missing");
    if (formula.assignment !== null) return conflict("formula_of_plan");
    if (formula.cancelReason !== null) return accept(null);
    const log = appendEntry(formula.log, world.now, "cancel_commission_formula", { reason });
    return accept(() => replaceFormula(world, formula, { ...formula, cancelReason: reason, log }));
  };
  return applyRules(world, { ...baseRules(command), valid: isReason(reason), decide });
};

export const readProfile = (world: World, command: CommandOf<"read_profile">): Prediction =>
  applyRules(world, {
    ...baseRules(command),
    valid: true,
    decide: () => {
      const profile = world.profiles.find(({ customerId }) => customerId === command.principal.customerId);
      return profile === undefined ? refuse("Missing") : queryResult(profile);
    },
  });

/** True if the national currency has at most two decimals, and a table of rates has one for each currency and date. */
const areRates = ({
  taxCurrency,
  exchangeRates = [],
}: Pick<World["profiles"][number], "taxCurrency" | "exchangeRates">) =>
  taxCurrency !== "KWD" &&
  (taxCurrency !== undefined || exchangeRates.length === 0) &&
  exchangeRates.every(({ currency, rate }) => currency !== taxCurrency && /[1-9]/.test(rate)) &&
  new Set(exchangeRates.map(({ currency, date }) => `${currency} ${date}`)).size === exchangeRates.length;

/** Write billing profile: replaces the whole profile. */
export const writeProfile = (world: World, command: CommandOf<"write_profile">): Prediction => {
  const { principal, input } = command;
  const { customerId } = principal;
  const { legalName, vatNumber, electronicAddress = "any", invoicePrefix = "any", documentNumbers } = input;
  const { legalNote = "any", vatNumberType = "vat" } = input;
  const isNumbered =
    vatNumberType === "tax" ? input.electronicAddress !== undefined : /^[A-Z]{2}/.test(vatNumber);
  const isIssuable = isNumbered && /^([0-9]{4}:.*|any)$/.test(electronicAddress);
  return applyRules(world, {
    ...baseRules(command),
    valid:
      isText(legalName, 255) &&
      isText(vatNumber, 64) &&
      isText(electronicAddress, 255) &&
      isText(invoicePrefix, 32) &&
      isText(legalNote, 1_000) &&
      isText(input.buyerReference ?? "any", 255) &&
      !legalNote.includes("\t") &&
      (input.eInvoice !== "required" || isIssuable) &&
      areRates(input) &&
      (documentNumbers === undefined ||
        (input.invoicePrefix === undefined &&
          documentNumbers.correctionPrefix !== documentNumbers.prefix &&
          isNumberPrefix(documentNumbers.correctionPrefix ?? "any") &&
          isNumberPrefix(documentNumbers.prefix))),
    decide: () => {
      if (customerId === null) return refuse("Forbidden");
      const profile = { ...input, customerId };
      const others = world.profiles.filter((candidate) => candidate.customerId !== customerId);
      const unchanged = world.profiles.some((candidate) => sameJson(candidate, profile));
      const after = { ...world, profiles: [...others, profile] };
      const entry = actorOf(principal);
      return accept(
        unchanged
          ? null
          : () => logControl(after, customerId, `profile ${customerId}`, "write_billing_profile", entry),
      );
    },
  });
};

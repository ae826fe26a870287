/** The values of one attribution that a formula reads. */
import type * as Constant from "./Constant.ts";
import { creditOf, numberOf } from "./Credit.ts";
import * as Decimal from "./Decimal.ts";
import type { Attribute } from "./Expression.ts";
import { constantOf, type ParameterDefinition, parameterProblem } from "./Parameter.ts";
import {
  type Facts,
  FactsMismatch,
  type ParameterInForce,
  type PropertyDefinition,
  type PropertyValue,
} from "./Property.ts";
import * as Rational from "./Rational.ts";
import { calendarDay } from "./Window.ts";

/** What a node evaluates to; `undefined` when its value is absent. */
export type Value = Constant.Constant | undefined;

/** Fails because the facts do not fit the schema that the formula was checked against. */
export const outOfType = (expected: string): never => {
  throw new FactsMismatch(`the formula was not checked against these facts: expected ${expected}`);
};

/** The value of an attribute. */
export const attributeValue = (name: Attribute, facts: Facts): Value => {
  switch (name) {
    case "id":
      return facts.id;
    case "partner_id":
      return facts.partnerId;
    case "customer_id":
      return facts.customerId;
    case "workspace_id":
      return facts.workspaceId;
    case "schema_id":
      return facts.schemaId;
    case "agent_id":
      return facts.agentId ?? undefined;
    case "created_at":
      return { epochMilliseconds: facts.createdAt };
    case "occurred_at":
      return { epochMilliseconds: facts.occurredAt };
    case "occurred_on":
      return { epochMilliseconds: calendarDay(facts) };
    case "credit_role":
      return creditOf(facts).role;
    case "credit_share":
      return numberOf(creditOf(facts).share);
    case "credit_depth":
      return Rational.make(BigInt(creditOf(facts).depth));
    case "sellers_commission":
      return Rational.make(facts.sellersCommission ?? outOfType("what the sellers earn"));
  }
};

/** The value in force of a parameter, which every attribution has. */
export const parameterInForce = (name: string, facts: Facts): ParameterInForce =>
  facts.parameters?.get(name) ?? outOfType(`a value of the parameter ${name}`);

/** The value of a parameter for a formula. */
export const parameterValue = (
  { value }: ParameterInForce,
  definition: ParameterDefinition | undefined,
): Value =>
  definition === undefined || parameterProblem(definition.type, value) !== null
    ? outOfType(`a value of the parameter ${definition?.name ?? ""} of its type`)
    : constantOf(definition.type, value);

/** The value that the attribution has for a property, without its default. */
export const givenProperty = (name: string, facts: Facts): PropertyValue | undefined =>
  Object.hasOwn(facts.properties, name) ? facts.properties[name] : undefined;

/** The value of a property for a formula; `value` is what the attribution has, or else the default. */
export const propertyValue = (
  name: string,
  value: PropertyValue | undefined,
  definition: PropertyDefinition | undefined,
): Value => {
  if (value === undefined) return definition?.required ? outOfType(`the property ${name}`) : undefined;
  if (typeof value !== definition?.type) return outOfType(`${name} to be a ${definition?.type}`);
  if (typeof value !== "number") return value;
  if (!Decimal.isPropertyNumber(value)) return outOfType(`${name} to be a property number`);
  return Decimal.toRational(Decimal.fromNumber(value));
};

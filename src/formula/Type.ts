import * as Bound from "./Bound.ts";
import * as Constant from "./Constant.ts";
import { type Attribute, DATE_ATTRIBUTES, type Value } from "./Expression.ts";
import type { ParameterType } from "./Parameter.ts";
import type { PropertyDefinition } from "./Property.ts";

/** What a node computes. A number carries the bound of its size. */
export type Type =
  | { readonly type: "number"; readonly bound: Bound.Bound }
  | { readonly type: "string" }
  | { readonly type: "boolean" }
  | { readonly type: "date" };

/** The type of a node, and whether there may be no value. */
export type Typed = { readonly type: Type; readonly mayBeAbsent: boolean };

/** The type of a node that always has a value. */
export const neverAbsent = (type: Type): Typed => ({ type, mayBeAbsent: false });

/** The type of a node that may have no value if the condition holds. */
export const absentIf = (mayBeAbsent: boolean, type: Type): Typed => ({ type, mayBeAbsent });

/** A number within a bound. */
export const number = (bound: Bound.Bound): Type => ({ type: "number", bound });

/** A text. */
const STRING: Type = { type: "string" };

/** True or false. */
export const BOOLEAN: Type = { type: "boolean" };

/** A moment. */
export const DATE: Type = { type: "date" };

/** The type of a value node. */
export const fromValue = (value: Value): Type => {
  switch (value.type) {
    case "number":
    case "percent":
    case "basis_points":
      return number(Bound.fromRational(Constant.toRational(value)));
    case "string":
      return STRING;
    case "boolean":
      return BOOLEAN;
    case "date":
      return DATE;
  }
};

/** The type of a property, by its definition. */
export const fromProperty = (type: PropertyDefinition["type"]): Type => {
  switch (type) {
    case "number":
      return number(Bound.PROPERTY);
    case "string":
      return STRING;
    case "boolean":
      return BOOLEAN;
  }
};

/** The type of a parameter. */
export const fromParameter = (type: ParameterType): Type => {
  switch (type) {
    case "number":
      return number(Bound.PARAMETER);
    case "string":
      return STRING;
    case "boolean":
      return BOOLEAN;
    case "date":
      return DATE;
  }
};

/** The type of an attribute. */
export const fromAttribute = (name: Attribute): Typed => {
  switch (name) {
    case "credit_share":
      return neverAbsent(number(Bound.SHARE));
    case "credit_depth":
      return neverAbsent(number(Bound.DEPTH));
    case "sellers_commission":
      return neverAbsent(number(Bound.SELLERS_COMMISSION));
    default:
      return absentIf(name === "agent_id", DATE_ATTRIBUTES.has(name) ? DATE : STRING);
  }
};

/** The name of a type in messages. */
export const NAMES: { readonly [T in Type["type"]]: string } = {
  number: "a number",
  string: "a text",
  boolean: "a true/false value",
  date: "a date",
};

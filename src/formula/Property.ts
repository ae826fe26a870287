import type { Credit } from "./Credit.ts";

/** The value of a property of an attribution. */
export type PropertyValue = string | number | boolean;

/** What a number means, as its schema declares it; it decides how the number is printed, and changes no amount. */
export const FORMATS = ["money_minor", "money_major", "count", "percent", "plain"] as const;

/**
 * An amount in the smallest unit of the currency or in whole units, a number of things, a percentage (7.5 is 7.5 %), or a number
 * that is printed as it is given.
 */
export type Format = (typeof FORMATS)[number];

/** How an attribution schema defines one property. */
export type PropertyDefinition = {
  readonly name: string;
  readonly type: "string" | "number" | "boolean";
  /** True if every attribution has the property; a default does not excuse a required one. */
  readonly required: boolean;
  /** What a formula reads when the attribution does not carry the property; of the property's type. */
  readonly default?: PropertyValue;
  /** Of numbers only; `plain` when absent. */
  readonly format?: Format;
};

/** The value of a parameter; a date is text, `2026-01-31` or RFC 3339 with `Z` or an offset. */
export type ParameterValue = string | number | boolean;

/** The value of a parameter for one attribution. */
export type ParameterInForce = {
  readonly value: ParameterValue;
  /** The date from which it holds, in milliseconds since 1970; null for a value that holds from the beginning. */
  readonly since: number | null;
};

/** The values of all parameters of a formula for one attribution, by name. */
export type ParametersInForce = ReadonlyMap<string, ParameterInForce>;

/**
 * What a formula can see of one attribution. The properties fit the definitions that the formula was checked
 * against: a required one is there, each has its type, and every number passes `isPropertyNumber`.
 */
export type Facts = {
  readonly id: string;
  readonly partnerId: string;
  readonly customerId: string;
  readonly workspaceId: string;
  readonly schemaId: string;
  readonly agentId: string | null;
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  readonly createdAt: number;
  /** The date the event counts for, in the same unit. */
  readonly occurredAt: number;
  /** The calendar day that it counts for, as `2026-01-31`; null or absent where it is the UTC day of `occurredAt`. */
  readonly occurredOn?: string | null;
  /** The partner's part of the sale; null or absent where the sale has no other credits. */
  readonly credit?: Credit | null;
  /** What the sellers below the credit earn, in the smallest unit of the formula's currency; only a formula that reads it needs it. */
  readonly sellersCommission?: bigint;
  readonly properties: Readonly<Record<string, PropertyValue>>;
  /** The values of the parameters that the formula declares; absent where it declares none. */
  readonly parameters?: ParametersInForce;
};

/** Facts that contradict the schema a formula was checked against: a defect of the caller, not of the formula. */
export class FactsMismatch extends Error {
  override readonly name = "FactsMismatch";
}

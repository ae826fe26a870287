import * as Calendar from "../Calendar.ts";
import * as Constant from "../Constant.ts";
import { creditOf, numberOf } from "../Credit.ts";
import * as Decimal from "../Decimal.ts";
import type { Attribute, Value } from "../Expression.ts";
import type { ParameterDefinition } from "../Parameter.ts";
import type { PropertyDefinition } from "../Property.ts";
import type { RunningTotal } from "../RunningTotal.ts";
import { calendarDay } from "../Window.ts";
import * as Code from "./Code.ts";
import type { Frame } from "./Frame.ts";

/** The most decimals of a property that the fast path reads. */
export const SCALE_MAX = 9;

/** The decimals that a property is first compiled for: those of an amount in a currency with cents. */
export const INITIAL_SCALE = 2;

/** A decimal of up to 15 digits is the shortest that reads back as its double, so a reading is proved right below this. */
const PROVEN_DIGITS = 1e15;

/** A constant. */
export const literal = (value: Value): Code.Code => {
  const constant = Constant.fromValue(value);
  if (typeof constant === "string") return { type: "string", run: () => constant };
  if (typeof constant === "boolean") return { type: "boolean", run: () => constant };
  if (Constant.isRational(constant)) return Code.constant(constant);
  const { epochMilliseconds } = constant;
  return { type: "date", run: () => epochMilliseconds, constant: epochMilliseconds };
};

const text = (run: (frame: Frame) => string | undefined): Code.TextCode => ({ type: "string", run });

/** The share of the credit. Most sales of a formula in a row have one of few shares, so that the last one is kept. */
const share = (): Code.RatioCode => {
  let [last, numerator, denominator] = ["1", 1, 1];
  return {
    type: "ratio",
    run: (frame) => {
      const { share: present } = creditOf(frame.facts);
      if (present !== last) {
        const exact = numberOf(present);
        [last, numerator, denominator] = [present, Number(exact.numerator), Number(exact.denominator)];
      }
      frame.divisor = denominator;
      return numerator;
    },
  };
};

/** A fact that every attribution has. */
export const attribute = (name: Attribute): Code.Code => {
  switch (name) {
    case "id":
      return text((frame) => frame.facts.id);
    case "partner_id":
      return text((frame) => frame.facts.partnerId);
    case "customer_id":
      return text((frame) => frame.facts.customerId);
    case "workspace_id":
      return text((frame) => frame.facts.workspaceId);
    case "schema_id":
      return text((frame) => frame.facts.schemaId);
    case "agent_id":
      return text((frame) => frame.facts.agentId ?? undefined);
    case "created_at":
      return { type: "date", run: (frame) => frame.facts.createdAt };
    case "occurred_at":
      return { type: "date", run: (frame) => frame.facts.occurredAt };
    case "occurred_on":
      return { type: "date", run: (frame) => calendarDay(frame.facts) };
    case "credit_role":
      return text((frame) => creditOf(frame.facts).role);
    case "credit_share":
      return share();
    case "credit_depth":
      return Code.number(1, (frame) => creditOf(frame.facts).depth);
    case "sellers_commission":
      return Code.number(1, (frame) => {
        const earned = frame.facts.sellersCommission;
        return earned !== undefined && Code.fits(earned) ? Number(earned) : Code.leave(frame);
      });
  }
};

/**
 * The numerator n = round(value * scale) is right when n / scale gives the value back and n has at most 15 digits: no
 * other decimal that short reads as the value, so n / scale is the one that ECMAScript prints for it. The reference
 * interpreter evaluates everything else.
 */
const numeratorOf = (frame: Frame, name: string, value: number, scale: number): number => {
  const numerator = Math.round(value * scale);
  if (numerator / scale !== value) {
    frame.unread = name;
    frame.unreadValue = value;
    frame.exact = false;
  }
  if (numerator >= PROVEN_DIGITS || numerator <= -PROVEN_DIGITS) frame.exact = false;
  return numerator;
};

/** The numerator used for a number property that is missing; NaN if it has no default. */
const fallbackOf = (definition: PropertyDefinition, scale: number): ((frame: Frame) => number) => {
  if (definition.default === undefined && !definition.required) return () => Number.NaN;
  if (typeof definition.default !== "number") return Code.leave;
  const standard = Decimal.toRational(Decimal.fromNumber(definition.default));
  const fallback = Code.numeratorOver(standard, scale);
  return fallback === undefined ? Code.leave : () => fallback;
};

/** A number property over 10^decimals, with a way to read it into the frame once for several uses. */
export const numberProperty = (
  definition: PropertyDefinition,
  decimals: number,
): Code.NumberCode & { readonly store: (index: number) => (frame: Frame) => void } => {
  const { name } = definition;
  const scale = 10 ** decimals;
  const fallback = fallbackOf(definition, scale);
  const fallBackOrLeave = (frame: Frame, value: unknown): number =>
    value === undefined ? fallback(frame) : Code.leave(frame);
  return {
    type: "number",
    denominator: scale,
    times: (factor) => (frame) => {
      const value = frame.properties[name];
      const numerator =
        typeof value === "number" ? numeratorOf(frame, name, value, scale) : fallBackOrLeave(frame, value);
      const result = numerator * factor;
      if (!Code.isExact(result)) frame.exact = false;
      return result;
    },
    store: (index) => (frame) => {
      const value = frame.properties[name];
      frame.numbers[index] =
        typeof value === "number" ? numeratorOf(frame, name, value, scale) : fallBackOrLeave(frame, value);
    },
  };
};

/** A property, read for so many decimals if it is a number. */
export const property = (definition: PropertyDefinition, decimals: number): Code.Code => {
  const { name, required } = definition;
  const mayBeMissing = !required || definition.default !== undefined;
  switch (definition.type) {
    case "number":
      return numberProperty(definition, decimals);
    case "string": {
      const fallback = typeof definition.default === "string" ? definition.default : undefined;
      return text((frame) => {
        const value = frame.properties[name];
        if (typeof value === "string") return value;
        if (value !== undefined || !mayBeMissing) frame.exact = false;
        return fallback;
      });
    }
    case "boolean": {
      const fallback = typeof definition.default === "boolean" ? definition.default : undefined;
      const run = (frame: Frame): boolean | undefined => {
        const value = frame.properties[name];
        if (typeof value === "boolean") return value;
        if (value !== undefined || !mayBeMissing) frame.exact = false;
        return fallback;
      };
      return { type: "boolean", run };
    }
  }
};

/** What the decimals of a parameter are noted by; a property of that name would share them, which changes no result. */
export const parameterKey = (name: string): string => `parameter ${name}`;

/** A number parameter over 10^decimals. */
const numberParameter = (name: string, decimals: number): Code.NumberCode => {
  const key = parameterKey(name);
  const scale = 10 ** decimals;
  return Code.number(scale, (frame) => {
    const value = frame.facts.parameters?.get(name)?.value;
    return typeof value === "number" ? numeratorOf(frame, key, value, scale) : Code.leave(frame);
  });
};

/** A parameter, read for so many decimals if it is a number. The reference interpreter throws for a value of another type. */
export const parameter = ({ name, type }: ParameterDefinition, decimals: number): Code.Code => {
  const read = (frame: Frame) => frame.facts.parameters?.get(name)?.value;
  switch (type) {
    case "number":
      return numberParameter(name, decimals);
    case "string":
      return text((frame) => {
        const value = read(frame);
        if (typeof value === "string") return value;
        frame.exact = false;
        return undefined;
      });
    case "boolean":
      return {
        type: "boolean",
        run: (frame) => {
          const value = read(frame);
          if (typeof value === "boolean") return value;
          frame.exact = false;
          return undefined;
        },
      };
    case "date":
      return {
        type: "date",
        run: (frame) => {
          const value = read(frame);
          const moment = typeof value === "string" ? Calendar.parse(value) : undefined;
          return moment ?? Code.leave(frame);
        },
      };
  }
};

/**
 * The total of the aggregate at an index, in parts of `scale`, which divides the denominator that its numerator has. The
 * reference interpreter evaluates a total that is no whole number of such parts.
 */
export const total = (index: number, denominator: bigint, scale: bigint): Code.NumberCode => {
  const unit = denominator / scale;
  return Code.number(Number(scale), (frame) => {
    const { numerator } = frame.before[index] as RunningTotal;
    if (numerator === null) return Number.NaN;
    const parts = numerator / unit;
    if (parts * unit !== numerator || !Code.fits(parts)) frame.exact = false;
    return Number(parts);
  });
};

/** The credit of an attribution as formulas see it: the partner's role in the sale, and the part of the sale that is the partner's. */
import type { Aggregate, Expression } from "./Expression.ts";
import * as Rational from "./Rational.ts";

/** The role of a partner that makes the sale. */
export const SELLER = "seller";

/** One partner's part in a sale. */
export interface Credit {
  readonly role: string;
  /** In (0, 1]: a decimal, or a fraction in lowest terms. */
  readonly share: string;
  /** 0, or how far above a seller an upline stands. */
  readonly depth: number;
}

/** The credit of a sale that has no others: all of it, as a seller. */
export const WHOLE: Credit = { role: SELLER, share: "1", depth: 0 };

/** What states the credit of an attribution; null or absent where the sale has no others. */
export interface Credited {
  readonly credit?: Credit | null;
}

/** The credit of an attribution. */
export const creditOf = ({ credit }: Credited): Credit => credit ?? WHOLE;

/** The role of the rows that an aggregate sees for an attribution: its own, or that of the attribution. */
export const rowRole = ({ role }: { readonly role?: string }, attribution: Credited): string =>
  role ?? creditOf(attribution).role;

/** What chooses the rows of an aggregate: its role, and its condition. */
export const rowCondition = ({ role, where }: Aggregate): Expression | undefined => {
  if (role === undefined) return where;
  const hasRole: Expression = {
    type: "compare",
    operator: "equal",
    left: { type: "attribute", name: "credit_role" },
    right: { type: "literal", value: { type: "string", value: role } },
  };
  return where === undefined ? hasRole : { type: "and", operands: [hasRole, where] };
};

/** A decimal with at most six decimals, or a fraction of at most 20 parts. */
const SHARE_TEXT = /^(?:0?\.\d{1,6}|[01](?:\.\d{1,6})?|(?:[1-9]|1\d|20)\/(?:[1-9]|1\d|20))$/;

/** The exact number of a share that a request states, or null for text that is none. */
export const parseShare = (text: string): Rational.Rational | null => {
  const share = SHARE_TEXT.test(text) ? Rational.parse(text.replace(/^\./, "0.")) : null;
  return share === null || Rational.sign(share) <= 0 || Rational.compare(share, Rational.ONE) > 0
    ? null
    : share;
};

/** The exact number of a share. */
export const numberOf = (share: string): Rational.Rational => {
  const number = Rational.parse(share);
  if (number === null) throw new Error(`${share} is not a share`);
  return number;
};

/** A common denominator of all shares: six decimals, and fractions of at most 20 parts. */
export const DENOMINATOR = 1_000_000n * 2_909_907n;

/** The greatest depth of a credit. */
export const DEPTH_MAX = 16;

const SHARE: Expression = { type: "attribute", name: "credit_share" };

/**
 * The expression times the share of the credit, before the rounding that it ends with: the operand of a `round` at the end is
 * multiplied, and then rounded as it says. Operands keep their paths where the expression ends with a product.
 */
export const timesShare = (expression: Expression): Expression => {
  switch (expression.type) {
    case "let":
      return { ...expression, body: timesShare(expression.body) };
    case "round":
      return { ...expression, operand: timesShareOnce(expression.operand) };
    default:
      return timesShareOnce(expression);
  }
};

const timesShareOnce = (expression: Expression): Expression =>
  expression.type === "multiply"
    ? { ...expression, operands: [...expression.operands, SHARE] }
    : { type: "multiply", operands: [expression, SHARE] };

/** True if an expression reads one of the attributes for the sale itself; the rows of an aggregate are other sales. */
const readsAttribute = (part: unknown, names: ReadonlyArray<unknown>): boolean => {
  if (typeof part !== "object" || part === null) return false;
  const { type, name } = part as { readonly type?: unknown; readonly name?: unknown };
  if (type === "aggregate") return false;
  return (
    (type === "attribute" && names.includes(name)) ||
    Object.values(part).some((inner) => readsAttribute(inner, names))
  );
};

/** True if an expression reads the share of the sale, or what the sellers earn, of which it is no part. */
export const readsShare = (expression: Expression): boolean =>
  readsAttribute(expression, ["credit_share", "sellers_commission"]);

/** True if an expression reads what the sellers earn. */
export const readsSellers = (expression: Expression): boolean =>
  readsAttribute(expression, ["sellers_commission"]);

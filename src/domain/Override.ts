/** Overrides: what a partner earns from the commissions of the sellers below, and not from the sale itself. */
import { Either } from "effect";
import { creditOf, type EvaluationError, type Expression, readsSellers, SELLER } from "../formula/index.ts";
import type { Attribution } from "./Attribution.ts";
import { isAbove } from "./Credit.ts";
import type { Currency } from "./Currency.ts";
import type { FormulaId, PartnerId } from "./Ids.ts";
import type { Amount } from "./Money.ts";
import { type Invalid, invalid } from "./Refusal.ts";

/**
 * Accepts an expression for the roles that a formula or plan pays: one that pays sellers cannot rest on what sellers earn. The
 * refusal names the field in which the request states the expression.
 */
export const checkRoles = (
  roles: ReadonlyArray<string> | null | undefined,
  expression: Expression,
  { expressionText }: { readonly expressionText?: string } = {},
): Either.Either<void, Invalid> =>
  readsSellers(expression) && (roles ?? [SELLER]).includes(SELLER)
    ? Either.left(
        invalid(
          expressionText === undefined ? "expression" : "expression_text",
          "must not read sellers_commission where the roles include seller: state roles without it, such as manager",
        ),
      )
    : Either.void;

/** The refusal of a sale to try that does not state what its sellers earn. */
export const sellersMissing = (path: string): Invalid =>
  invalid(`${path}.sellers_commission`, "is missing; the expression reads what the sellers earn");

/** True if an attribution credits a seller of a sale that others earn from as well: overrides may rest on what it earns. */
export const isBelowOthers = (attribution: Pick<Attribution, "credit">): boolean =>
  attribution.credit?.role === SELLER;

/** True if an attribution credits a partner for another part than selling. */
export const isOverlay = (attribution: Pick<Attribution, "credit">): boolean =>
  creditOf(attribution).role !== SELLER;

/** What the computation of an override reads of a commission of a seller. */
export interface OfSeller {
  readonly partnerId: PartnerId;
  readonly currency: Currency;
  /** The last amount that was computed; null before any was. */
  readonly computedAmount: Amount | null;
  /** Null where the last computation succeeded. */
  readonly computationError: object | null;
}

/** A commission of a seller as a commit leaves it, with its attribution. */
export interface SellerChange {
  readonly attribution: Attribution;
  readonly commission: OfSeller & { readonly formulaId: FormulaId };
}

/** Why an override has no amount: the code and the message are the same for every seller. */
export const SELLER_NOT_COMPUTED: EvaluationError = {
  code: "SELLER_NOT_COMPUTED",
  message: "the commission of a seller below is not computed",
};

/** The exact sum of the amounts, in one currency, of the sellers below a credit; amounts that are settled count like others. */
export const sellersCommission = (
  attribution: Pick<Attribution, "credit">,
  currency: Currency,
  commissions: ReadonlyArray<OfSeller>,
): Either.Either<bigint, EvaluationError> => {
  let sum = 0n;
  for (const commission of commissions) {
    if (commission.currency !== currency || !isAbove(creditOf(attribution), commission.partnerId)) continue;
    if (commission.computedAmount === null || commission.computationError !== null)
      return Either.left(SELLER_NOT_COMPUTED);
    sum += BigInt(commission.computedAmount);
  }
  return Either.right(sum);
};

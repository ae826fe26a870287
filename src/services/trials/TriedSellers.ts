/** What the sellers below sales earn, for overrides that are tried: as it is stored, or as it is stated of a sale that did not happen. */
import { Effect, Either } from "effect";
import type { Attribution } from "../../domain/Attribution.ts";
import type { AttributionSchema } from "../../domain/AttributionSchema.ts";
import { isEarned } from "../../domain/Commission.ts";
import type { Formula } from "../../domain/Formula.ts";
import { SELLER_NOT_COMPUTED } from "../../domain/Override.ts";
import type { AttributionForFormula, Earnings, Records, StorageError } from "../../ports/Storage.ts";
import type { EvaluatorService, SellersCommission } from "../attributions/Evaluator.ts";
import { readSellers } from "../overrides/SellersAmounts.ts";

/** What trials read and compute with. */
export interface Tools {
  readonly storage: Records & Earnings;
  readonly evaluator: EvaluatorService;
}

/**
 * What sellers earn, read page by page. No formula pays sellers and reads what they earn, so a trial never changes the amounts
 * that its overrides rest on.
 */
export class TriedSellers {
  readonly #tools: Tools;
  readonly #schema: AttributionSchema;
  readonly #stated = new Map<Attribution, bigint | null>();
  #stored: SellersCommission | null = null;

  constructor(tools: Tools, schema: AttributionSchema) {
    this.#tools = tools;
    this.#schema = schema;
  }

  /** Takes what is stated of a sale that did not happen; null where nothing is. */
  state(attribution: Attribution, sellersCommission: number | null): void {
    this.#stated.set(attribution, sellersCommission === null ? null : BigInt(sellersCommission));
  }

  /** Reads what the sellers of a page of sales earn, as far as one of the formulas pays by it. */
  read(
    formulas: ReadonlyArray<Formula>,
    page: ReadonlyArray<AttributionForFormula>,
  ): Effect.Effect<void, StorageError> {
    const { storage, evaluator } = this.#tools;
    const { customerId } = this.#schema;
    const overrides = page.flatMap(({ attribution }) =>
      formulas.some(
        (formula) =>
          isEarned(attribution, formula) && evaluator.readsSellers(formula, attribution, this.#schema),
      )
        ? [attribution]
        : [],
    );
    return Effect.map(readSellers(storage, customerId, overrides), ({ sellersAfter }) => {
      this.#stored = sellersAfter([]);
    });
  }

  /** What the sellers below a sale earn; a sale without a statement, and one with an amount that is not computed, have none. */
  readonly of: SellersCommission = (formula, attribution) => {
    const stated = this.#stated.get(attribution);
    if (stated !== undefined) return Either.fromNullable(stated, () => SELLER_NOT_COMPUTED);
    if (this.#stored === null) throw new Error("what sellers earn is not read");
    return this.#stored(formula, attribution);
  };
}

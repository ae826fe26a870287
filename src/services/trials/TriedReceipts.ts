/** What buyers have paid of sales, for formulas that are tried and release amounts as far as that. */
import { Effect } from "effect";
import type { Attribution } from "../../domain/Attribution.ts";
import type { Formula } from "../../domain/Formula.ts";
import type { CustomerId } from "../../domain/Ids.ts";
import type { Amount } from "../../domain/Money.ts";
import { paidOf, waitingOf } from "../../domain/Receipt.ts";
import type { AttributionForFormula, Records, StorageError } from "../../ports/Storage.ts";
import type { StatedReceipts } from "../commands/RevisionCollector.ts";
import { readReceipts } from "../receipts/StatedReceipts.ts";

/** What is stated of the sales of a page, read page by page. A sale that did not happen has no statement. */
export class TriedReceipts {
  readonly #release: Formula["release"];
  #stated: StatedReceipts | null = null;

  constructor(formulas: ReadonlyArray<Formula>) {
    this.#release = formulas.some(({ release }) => release !== null) ? "on_receipt" : null;
  }

  /** Reads what is stated of a page of sales, as far as one of the formulas waits for it. */
  read(
    storage: Records,
    customerId: CustomerId,
    page: ReadonlyArray<AttributionForFormula>,
  ): Effect.Effect<void, StorageError> {
    const found = page.map(({ attribution }) => ({ attribution, commission: null }));
    return Effect.map(readReceipts(storage, customerId, this.#release, found), (stated) => {
      this.#stated = stated;
    });
  }

  /** How much of the amount of a sale waits for its buyer under a formula. */
  waitingOf({ release }: Formula, attribution: Attribution, amount: Amount): Amount {
    if (release === null) return 0;
    return waitingOf(amount, paidOf(this.#stated?.of(attribution) ?? attribution.receipt));
  }
}

/** Explains the largest changes of a trial on both sides, from the totals that their amounts were computed with. */
import { Effect } from "effect";
import { type Attribution, dayOf } from "../../domain/Attribution.ts";
import type { Formula } from "../../domain/Formula.ts";
import { decodeTotals, type Earned, type PlanTrial, type SaleChange } from "../../domain/PlanTrial.ts";
import type { Principal } from "../../domain/Principal.ts";
import { sentences } from "../../domain/sentences/Explanation.ts";
import type { Language as SentenceLanguage } from "../../explanation/index.ts";
import * as Language from "../../formula/index.ts";
import { type Earnings, type Records, Storage, type StorageError } from "../../ports/Storage.ts";
import { Evaluator, factsUnder } from "../attributions/Evaluator.ts";
import { partOf } from "../attributions/SaleParts.ts";
import { RollOuts } from "../formulas/RollOuts.ts";
import * as TimeSlice from "../process/TimeSlice.ts";
import { attributionOf, draftOf } from "./Replay.ts";

/** A sale that earns another amount under the draft, explained. */
export interface ExplainedChange extends Omit<SaleChange, "now" | "then"> {
  readonly amountNow: bigint;
  readonly amountThen: bigint;
  readonly difference: bigint;
  /** For the partner to read: for each formula the amount, its calculation and the reasons, one sentence a line; may be empty. */
  readonly explanationNow: string;
  readonly explanationThen: string;
}

const make = Effect.gen(function* () {
  const storage: Records & Earnings = yield* Storage;
  const evaluator = yield* Evaluator;
  const rollOuts = yield* RollOuts;

  /** The sales of the changes, those that were added included. */
  const attributionsOf = (
    trial: PlanTrial,
  ): Effect.Effect<(change: SaleChange) => Attribution, StorageError> =>
    Effect.gen(function* () {
      const ids = trial.changes.flatMap(({ attributionId }) => attributionId ?? []);
      const found = ids.length === 0 ? [] : yield* storage.find(trial.customerId, "attribution", ids);
      return ({ attributionId, added }) => {
        const sale = trial.add[added ?? -1];
        const attribution =
          sale === undefined ? found.find(({ id }) => id === attributionId) : attributionOf(trial, sale);
        if (attribution === undefined) throw new Error("a sale of a trial is missing");
        return attribution;
      };
    });

  /** The formulas that the changes name: those in force, and the draft in the place of every other one. */
  const formulasOf = (
    trial: PlanTrial,
  ): Effect.Effect<(change: SaleChange, id: Formula["id"]) => Formula, StorageError> =>
    Effect.gen(function* () {
      const parts = trial.changes.flatMap(({ now, then }) => [...now.parts, ...then.parts]);
      const ids = new Set(parts.map(({ formulaId }) => formulaId).filter((id) => id !== String(trial.id)));
      const stored = yield* storage.find(trial.customerId, "formula", [...ids]);
      const { formulas } = yield* rollOuts.withAppliedPlans(trial.customerId, stored);
      return ({ partnerId }, id) => {
        const known = formulas.find((formula) => formula.id === id);
        if (known !== undefined) return known;
        // The draft of a plan is computed with the partner's values; those of all its assignments are equal.
        const own =
          trial.planId === null ? undefined : formulas.find((formula) => formula.partnerId === partnerId);
        return draftOf(trial, partnerId, own ?? null);
      };
    });

  const explain = (
    principal: Principal,
    trial: PlanTrial,
    language: SentenceLanguage,
  ): Effect.Effect<ReadonlyArray<ExplainedChange>, StorageError> =>
    Effect.gen(function* () {
      if (trial.changes.length === 0) return [];
      const [schema] = yield* storage.find(trial.customerId, "schema", [trial.schemaId]);
      if (schema === undefined) return yield* Effect.dieMessage("the schema of a trial is missing");
      const attributionOfChange = yield* attributionsOf(trial);
      const formulaOf = yield* formulasOf(trial);
      const changes = yield* Effect.forEach(trial.changes, (change) => {
        const attribution = attributionOfChange(change);
        return Effect.map(partOf(storage, principal, attribution), (ofSale) => ({
          change,
          sale: { attribution, ...(ofSale === null ? {} : { part: ofSale }) },
        }));
      });
      const explainPart = (
        change: SaleChange,
        { attribution, ...ofSale }: (typeof changes)[number]["sale"],
        part: Earned["parts"][number],
      ): string => {
        const formula = formulaOf(change, part.formulaId);
        const compiled = evaluator.compile(formula, part.formulaVersion, schema);
        const { sellersCommission: earned } = part;
        const facts = {
          ...factsUnder(formula, attribution),
          ...(earned === undefined ? {} : { sellersCommission: BigInt(earned) }),
        };
        const explanation = Language.explain(compiled, facts, decodeTotals(part));
        const occurredOn = dayOf(attribution);
        const { currency } = trial;
        const { formulaVersion } = part;
        const basis = "evaluated" as const;
        const evaluated = { currency, occurredOn, formula, basis, formulaVersion, explanation };
        return sentences({ ...evaluated, ...ofSale }, language);
      };
      return yield* TimeSlice.map(changes, ({ change, sale: ofSale }) => {
        const explanationOf = ({ parts }: Earned): string =>
          parts.map((part) => explainPart(change, ofSale, part)).join("\n");
        const { now, then, ...sale } = change;
        const amountNow = BigInt(now.amount);
        const amountThen = BigInt(then.amount);
        return {
          ...sale,
          ...{ amountNow, amountThen, difference: amountThen - amountNow },
          explanationNow: explanationOf(now),
          explanationThen: explanationOf(then),
        };
      });
    });

  return {
    /** The changes that a trial shows, with the explanations of both sides in a language. */
    explain,
  };
});

/** The explanations of trials. */
export class ChangedSales extends Effect.Service<ChangedSales>()("quittance/services/ChangedSales", {
  effect: make,
}) {}

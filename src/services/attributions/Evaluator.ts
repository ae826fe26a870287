/** Evaluates formula versions on attributions, compiling each version once. */
import { Context, Effect, Either, Layer } from "effect";
import type { Attribution } from "../../domain/Attribution.ts";
import type { AttributionSchema } from "../../domain/AttributionSchema.ts";
import type { Evaluate } from "../../domain/Commission.ts";
import { appliesShare, type Formula, versionAt } from "../../domain/Formula.ts";
import { isOverlay } from "../../domain/Override.ts";
import { withValues } from "../../domain/Parameter.ts";
import { Invalid } from "../../domain/Refusal.ts";
import * as Language from "../../formula/index.ts";
import * as BoundedCache from "../process/BoundedCache.ts";
import * as EngineMetrics from "../process/EngineMetrics.ts";

/** The facts of an attribution that aggregates read. */
export const factsOf = (attribution: Attribution): Language.Facts => attribution;

/** The facts of an attribution that a formula reads: its own, and the values of the partner's parameters. */
export const factsUnder: (formula: Formula, attribution: Attribution) => Language.Facts = withValues;

/** The refusal of an expression, whose field is the node that is wrong. */
const refusal = (problem: Language.Problem): Invalid =>
  new Invalid({
    field: problem.path.replace("$", "expression"),
    message: `expression: ${Language.formatProblem(problem)}`,
  });

/** Decodes an expression and checks it against a schema and declarations; the message of a refusal names the path. */
export const checkExpression = (
  expression: unknown,
  schema: AttributionSchema,
  parameters: ReadonlyArray<Language.ParameterDefinition>,
): Either.Either<Language.Checked, Invalid> =>
  Language.decode(expression).pipe(
    Either.flatMap((decoded) => Language.check(decoded, schema.properties, parameters)),
    Either.mapLeft(refusal),
  );

/** Decodes the expression of a request; the message of a refusal names the path. */
export const decodeExpression = (expression: unknown): Either.Either<Language.Expression, Invalid> =>
  Either.mapLeft(Language.decode(expression), refusal);

/** The totals that an attribution builds on under a version of a formula, one for each aggregate. */
export type TotalsBefore = (
  formula: Formula,
  version: number,
  attribution: Attribution,
) => ReadonlyArray<Language.RunningTotal>;

const noTotals: TotalsBefore = () => [];

/** What the sellers below an attribution earn, for a formula that reads it. */
export type SellersCommission = (
  formula: Formula,
  attribution: Attribution,
) => Either.Either<bigint, Language.EvaluationError>;

const noSellers: SellersCommission = () => {
  throw new Error("an override is computed without what the sellers earn");
};

/** What compiles and evaluates. */
export interface EvaluatorService {
  /**
   * Evaluates versions of formulas written for the schema; `before` is needed for versions with aggregates, and `sellers` for
   * those that read what the sellers earn.
   */
  readonly forSchema: (
    schema: AttributionSchema,
    before?: TotalsBefore,
    sellers?: SellersCommission,
  ) => Evaluate;
  /** True if the version of a formula that holds for an attribution reads what the sellers earn. */
  readonly readsSellers: (formula: Formula, attribution: Attribution, schema: AttributionSchema) => boolean;
  /** A version of a formula, compiled once for as long as it is cached. */
  readonly compile: (formula: Formula, version: number, schema: AttributionSchema) => Language.Compiled;
}

/** The evaluator in force. */
export class Evaluator extends Context.Tag("quittance/services/Evaluator")<Evaluator, EvaluatorService>() {}

/** Compiled versions in the cache. */
const ENTRIES_MAX = 10_000;

/** The bytes that they may take up together. */
const BYTES_MAX = 64 * 1024 * 1024;

/** The bytes that a compiled version takes up for each byte of its expression as JSON; measured on one of 1,000 nodes. */
const BYTES_PER_BYTE = 9;

const make = (): EvaluatorService => {
  const cache = BoundedCache.make<Language.Compiled>(ENTRIES_MAX, {
    bytesMax: BYTES_MAX,
    bytesOf: ({ checked: { expression } }) => BYTES_PER_BYTE * JSON.stringify(expression).length,
  });
  const compile: EvaluatorService["compile"] = (formula, version, schema) => {
    // The formulas of a plan have the same versions.
    const key = `${formula.assignment?.planId ?? formula.id}/${version}`;
    const known = cache.get(key);
    if (known !== undefined) return known;
    const stated = formula.versions[version - 1];
    if (stated === undefined) throw new Error(`formula ${formula.id} has no version ${version}`);
    const fresh = Language.compile(
      Either.getOrThrowWith(
        checkExpression(stated.expression, schema, formula.parameters),
        ({ message }) => new Error(message),
      ),
      appliesShare(stated),
    );
    cache.set(key, fresh);
    return fresh;
  };
  return {
    compile,
    readsSellers: (formula, attribution, schema) =>
      isOverlay(attribution) &&
      compile(formula, versionAt(formula, attribution.occurredAt), schema).readsSellers,
    forSchema:
      (schema, before = noTotals, sellers = noSellers) =>
      (formula, version, attribution) => {
        const compiled = compile(formula, version, schema);
        const facts = factsUnder(formula, attribution);
        const totals = before(formula, version, attribution);
        const outcome = compiled.readsSellers
          ? Either.flatMap(sellers(formula, attribution), (sellersCommission) =>
              Language.evaluate(compiled, { ...facts, sellersCommission }, totals),
            )
          : Language.evaluate(compiled, facts, totals);
        if (Either.isLeft(outcome)) EngineMetrics.countEvaluationError(outcome.left.code);
        return outcome;
      },
  };
};

/** An evaluator with an empty cache. */
export const layer: Layer.Layer<Evaluator> = Layer.effect(Evaluator, Effect.sync(make));

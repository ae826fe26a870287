import { Either } from "effect";
import * as Aggregate from "./Aggregate.ts";
import * as Before from "./Before.ts";
import type { Checked } from "./Check.ts";
import { readsSellers, readsShare, timesShare, WHOLE } from "./Credit.ts";
import * as Decimal from "./Decimal.ts";
import { halfUp } from "./fast/Arithmetic.ts";
import { program } from "./fast/Build.ts";
import * as Code from "./fast/Code.ts";
import * as Frame from "./fast/Frame.ts";
import * as Leaf from "./fast/Leaf.ts";
import { type Facts, FactsMismatch } from "./Property.ts";
import * as Rational from "./Rational.ts";
import * as Reference from "./Reference.ts";
import type { RunningTotal } from "./RunningTotal.ts";

/** The closures of a formula for given decimals of its number properties. */
type Program = {
  readonly frame: Frame.Frame;
  readonly prepare: ReadonlyArray<(frame: Frame.Frame) => void>;
  /** Computes the numerator of the amount before it is rounded. */
  readonly run: Code.Run;
  /** Its denominator; undefined if `run` writes the denominator into the frame. */
  readonly denominator: number | undefined;
  /** True if the formula has aggregates. */
  readonly hasTotals: boolean;
};

/** The numbers seen so far, which programs are compiled for. */
type Seen = {
  /** The most decimals of each number property and parameter. */
  readonly decimals: ReadonlyMap<string, number>;
  /** A common denominator of the totals of each aggregate. */
  readonly scales: ReadonlyArray<bigint>;
};

/**
 * A formula ready to be evaluated many times. It holds working memory and what it has seen of its numbers so far; neither
 * changes the result of an evaluation.
 */
export type Compiled = {
  readonly checked: Checked;
  /** Its aggregates; `evaluate` takes one total of earlier attributions for each, in this order. */
  readonly aggregates: ReadonlyArray<Aggregate.RunningAggregate>;
  /** True if the share of a credit multiplies what the formula pays. */
  readonly appliesShare: boolean;
  /** True if it reads what the sellers earn, which its facts then have. */
  readonly readsSellers: boolean;
  /** @internal The formula times the share, once a credit has a part of a sale. */
  readonly shared: { formula: Compiled | undefined };
  /** @internal */
  readonly fast: { program: Program; decimals: Seen["decimals"]; scales: Seen["scales"] };
};

/** Why a formula has no amount for an attribution: it is too large, or what sellers earn is not known. */
export type EvaluationError = {
  readonly code: "OVERFLOW" | "SELLER_NOT_COMPUTED";
  readonly message: string;
};

const programFor = (checked: Checked, { decimals, scales }: Seen): Program => {
  const totals = new Map(
    checked.aggregates.map(({ node, denominator }, index) => [
      node,
      Leaf.total(index, denominator, scales[index] ?? 1n),
    ]),
  );
  const { code, prepare } = program(checked, decimals, totals);
  const frame = Frame.make();
  const hasTotals = totals.size > 0;
  if (code.type === "ratio") return { frame, prepare, run: code.run, denominator: undefined, hasTotals };
  // The checker has proved that the root is a number.
  const { denominator, times } = code as Code.NumberCode;
  return { frame, prepare, run: times(1), denominator, hasTotals };
};

/** The parts of 1 that totals are read in at first, and at most: those of an amount with cents, and nine decimals. */
const [INITIAL_SCALE, SCALE_MAX] = [100n, 1_000_000_000n];

/**
 * Prepares a checked formula for evaluation. The share of a credit multiplies what it pays, before the rounding, unless it reads
 * the share itself.
 */
export const compile = (checked: Checked, appliesShare = !readsShare(checked.expression)): Compiled => {
  const aggregates = Aggregate.fromChecked(checked);
  const scales = aggregates.map(({ denominator }) =>
    Rational.greatestCommonDivisor(denominator, INITIAL_SCALE),
  );
  const seen: Seen = { decimals: new Map(), scales };
  const fast = { program: programFor(checked, seen), ...seen };
  const ofSellers = readsSellers(checked.expression);
  return { checked, aggregates, appliesShare, readsSellers: ofSellers, shared: { formula: undefined }, fast };
};

/** The formula whose value is what an attribution with these facts earns: times its share where the credit has a part. */
export const formulaFor = (compiled: Compiled, { credit }: Facts): Compiled => {
  if (credit == null || credit.share === WHOLE.share || !compiled.appliesShare) return compiled;
  const { checked, shared } = compiled;
  shared.formula ??= compile({ ...checked, expression: timesShare(checked.expression) }, false);
  return shared.formula;
};

const OVERFLOW: EvaluationError = {
  code: "OVERFLOW",
  message: `the amount lies beyond ±${Number.MAX_SAFE_INTEGER}`,
};

/** An exact integer as an amount, or the overflow when it is no safe integer. */
export const toAmount = (exact: bigint): Either.Either<number, EvaluationError> =>
  Code.fits(exact) ? Either.right(Number(exact)) : Either.left(OVERFLOW);

/** The decimals seen, with those of a property or parameter that could not be read if the fast path supports that many. */
const seeNumber = (decimals: Seen["decimals"], name: string, value: number): Seen["decimals"] => {
  if (!Decimal.isPropertyNumber(value)) return decimals;
  const found = Decimal.fromNumber(value).decimals;
  const known = decimals.get(name) ?? Leaf.INITIAL_SCALE;
  return found <= known || found > Leaf.SCALE_MAX ? decimals : new Map(decimals).set(name, found);
};

/** The scale of an aggregate, made finer for a total that it cannot express if the fast path supports one so fine. */
const seeTotal = (
  scale: bigint,
  { denominator }: Aggregate.RunningAggregate,
  total: RunningTotal,
): bigint => {
  const finer = Rational.leastCommonMultiple(
    scale,
    Rational.reduce(Rational.make(total.numerator ?? 0n, denominator)).denominator,
  );
  return finer > SCALE_MAX ? scale : finer;
};

/** Compiles again if the numbers of an evaluation that left the fast path are finer than those seen before. */
const recompile = (compiled: Compiled, before: ReadonlyArray<RunningTotal>): void => {
  const { fast, checked, aggregates } = compiled;
  const { unread, unreadValue } = fast.program.frame;
  fast.program.frame.unread = undefined;
  const decimals = unread === undefined ? fast.decimals : seeNumber(fast.decimals, unread, unreadValue);
  const scales = aggregates.map((aggregate, index) =>
    seeTotal(fast.scales[index] as bigint, aggregate, before[index] as RunningTotal),
  );
  if (decimals === fast.decimals && scales.every((scale, index) => scale === fast.scales[index])) return;
  fast.decimals = decimals;
  fast.scales = scales;
  fast.program = programFor(checked, { decimals, scales });
};

const evaluateExactly = (
  compiled: Compiled,
  facts: Facts,
  before: ReadonlyArray<RunningTotal>,
): Either.Either<number, EvaluationError> => {
  recompile(compiled, before);
  const find = Before.find(compiled.checked, facts, before);
  return toAmount(Reference.evaluate(compiled.checked, facts, find));
};

const NO_TOTALS: ReadonlyArray<RunningTotal> = [];

const takeTotals = ({ aggregates, fast }: Compiled, before: ReadonlyArray<RunningTotal>): void => {
  if (before.length !== aggregates.length)
    throw new FactsMismatch(`expected ${aggregates.length} totals, found ${before.length}`);
  fast.program.frame.before = before;
};

/**
 * The amount of a formula for an attribution, an integer of the smallest unit of the formula's currency, rounded
 * half away from zero unless the formula rounds itself. Never -0. A formula with aggregates also takes their totals of
 * the attributions that arrived before, in the order of `aggregates`.
 *
 * Fails with `OVERFLOW` when the amount is no safe integer. Throws `FactsMismatch`, a defect, when the facts do not
 * fit the schema that the formula was checked against, or the totals not its aggregates.
 */
export const evaluate = (
  compiled: Compiled,
  facts: Facts,
  before: ReadonlyArray<RunningTotal> = NO_TOTALS,
): Either.Either<number, EvaluationError> => {
  const formula = formulaFor(compiled, facts);
  if (formula !== compiled) return evaluate(formula, facts, before);
  const { frame, prepare, run, denominator, hasTotals } = compiled.fast.program;
  // Most formulas have no aggregates. For them even writing the totals into the frame would take measurable time.
  if (before !== NO_TOTALS || hasTotals) takeTotals(compiled, before);
  frame.facts = facts;
  frame.properties = facts.properties;
  frame.exact = true;
  for (let index = 0; index < prepare.length; index++)
    (prepare[index] as (frame: Frame.Frame) => void)(frame);
  const numerator = run(frame);
  if (!frame.exact) return evaluateExactly(compiled, facts, before);
  return Either.right(halfUp(numerator, denominator ?? frame.divisor) + 0);
};

import * as Code from "./Code.ts";
import type { Frame } from "./Frame.ts";
import type { Pick } from "./Pick.ts";
import * as Ratio from "./Ratio.ts";

/** The code of a value that is no number. */
type Other = Exclude<Code.Code, Code.Numeric>;

const areNumeric = (codes: ReadonlyArray<Code.Code>): codes is ReadonlyArray<Code.Numeric> =>
  codes.every(Code.isNumeric);

/** The integers that constant arms stand for over a denominator times a factor, if all of them are constant. */
const tableOf = (
  arms: ReadonlyArray<Code.NumberCode>,
  denominator: number,
  factor: number,
): ReadonlyArray<number> | undefined => {
  const table: Array<number> = [];
  for (const { constant } of arms) {
    const numerator = constant && Code.numeratorOver(constant, denominator);
    if (numerator === undefined || !Number.isSafeInteger(numerator * factor)) return undefined;
    table.push(numerator * factor);
  }
  return table;
};

const chooseNumber = (pick: Pick, arms: ReadonlyArray<Code.NumberCode>): Code.NumberCode => {
  const denominator = Code.commonDenominator(arms);
  if (denominator === undefined) return Code.BEYOND;
  return {
    type: "number",
    denominator,
    times: (factor) => {
      const table = tableOf(arms, denominator, factor);
      if (table !== undefined) return pick.amongNumbers(table);
      return pick.among(Code.over(denominator, arms, factor));
    },
  };
};

/** The arm that is picked; the arms, at least one, are of one type. */
export const choose = (pick: Pick, arms: ReadonlyArray<Code.Code>): Code.Code => {
  if (areNumeric(arms))
    return Code.areFixed(arms)
      ? chooseNumber(pick, arms)
      : { type: "ratio", run: pick.among(arms.map(Ratio.lift)) };
  const others = arms as ReadonlyArray<Other>;
  const run = pick.among<unknown>(others.map((arm) => arm.run));
  return { type: others[0]?.type, run } as Other;
};

const firstPresent =
  <A>(runs: ReadonlyArray<(frame: Frame) => A | undefined>): ((frame: Frame) => A | undefined) =>
  (frame) => {
    for (const run of runs) {
      const value = run(frame);
      if (value !== undefined) return value;
    }
    return undefined;
  };

/** {@link firstPresent} for numbers and dates, whose absence is NaN. */
const firstNumber = (runs: ReadonlyArray<Code.Run>): Code.Run =>
  runs.reduce((first, second) => (frame) => {
    const value = first(frame);
    return Number.isNaN(value) ? second(frame) : value;
  });

const coalesceNumbers = (operands: ReadonlyArray<Code.NumberCode>): Code.NumberCode => {
  const denominator = Code.commonDenominator(operands);
  if (denominator === undefined) return Code.BEYOND;
  return {
    type: "number",
    denominator,
    times: (factor) => firstNumber(Code.over(denominator, operands, factor)),
  };
};

/** The first operand that is present; the operands, at least one, are of one type. */
export const coalesce = (operands: ReadonlyArray<Code.Code>): Code.Code => {
  if (areNumeric(operands))
    return Code.areFixed(operands)
      ? coalesceNumbers(operands)
      : { type: "ratio", run: firstNumber(operands.map(Ratio.lift)) };
  const others = operands as ReadonlyArray<Other>;
  const type = others[0]?.type;
  const run =
    type === "date"
      ? firstNumber((others as ReadonlyArray<Code.DateCode>).map((operand) => operand.run))
      : firstPresent<unknown>(others.map((operand) => operand.run));
  return { type, run } as Other;
};

/** True if a node has a value. */
export const isPresent = (operand: Code.Code): Code.TruthCode => {
  if (operand.type === "string" || operand.type === "boolean") {
    const { run } = operand;
    return { type: "boolean", run: (frame) => run(frame) !== undefined };
  }
  const run = operand.type === "number" ? operand.times(1) : operand.run;
  return { type: "boolean", run: (frame) => !Number.isNaN(run(frame)) };
};

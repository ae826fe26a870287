import * as Code from "./Code.ts";
import type { Frame } from "./Frame.ts";
import type { Arms, Pick } from "./Pick.ts";
import * as Ratio from "./Ratio.ts";

const kindOf = <T extends Code.Code["type"]>(
  type: T,
  codes: ReadonlyArray<Code.Code>,
): ReadonlyArray<Extract<Code.Code, { readonly type: T }>> =>
  codes.filter((code): code is Extract<Code.Code, { readonly type: T }> => code.type === type);

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

const armsOf = <A>(runs: ReadonlyArray<(frame: Frame) => A>, first: (frame: Frame) => A): Arms<A> => [
  runs[0] ?? first,
  ...runs.slice(1),
];

const chooseNumber = (pick: Pick, arms: ReadonlyArray<Code.NumberCode>): Code.NumberCode => {
  const denominator = Code.commonDenominator(arms);
  if (denominator === undefined) return Code.beyond;
  return {
    type: "number",
    denominator,
    times: (factor) => {
      const table = tableOf(arms, denominator, factor);
      if (table !== undefined) return pick.amongNumbers(table);
      return pick.among(armsOf(Code.over(denominator, arms, factor), Code.leave));
    },
  };
};

/** The arm that is picked; the arms, at least one, are of one type. */
export const choose = (pick: Pick, arms: ReadonlyArray<Code.Code>): Code.Code => {
  const [first] = arms;
  if (first === undefined) return Code.beyond;
  switch (first.type) {
    case "number":
    case "ratio": {
      const numbers = arms.filter(Code.isNumeric);
      if (Code.areFixed(numbers)) return chooseNumber(pick, numbers);
      return { type: "ratio", run: pick.among(armsOf(numbers.map(Ratio.lift), Code.leave)) };
    }
    case "date": {
      const runs = kindOf("date", arms).map(({ run }) => run);
      return { type: "date", run: pick.among(armsOf(runs, first.run)) };
    }
    case "string": {
      const runs = kindOf("string", arms).map(({ run }) => run);
      return { type: "string", run: pick.among(armsOf(runs, first.run)) };
    }
    case "boolean": {
      const runs = kindOf("boolean", arms).map(({ run }) => run);
      return { type: "boolean", run: pick.among(armsOf(runs, first.run)) };
    }
  }
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
const firstNumber = (runs: ReadonlyArray<Code.Run>): Code.Run => {
  const [first = Code.leave, second, ...others] = runs;
  if (second === undefined) return first;
  const two: Code.Run = (frame) => {
    const value = first(frame);
    return Number.isNaN(value) ? second(frame) : value;
  };
  return firstNumber([two, ...others]);
};

const coalesceNumbers = (operands: ReadonlyArray<Code.NumberCode>): Code.NumberCode => {
  const denominator = Code.commonDenominator(operands);
  if (denominator === undefined) return Code.beyond;
  return {
    type: "number",
    denominator,
    times: (factor) => firstNumber(Code.over(denominator, operands, factor)),
  };
};

/** The first operand that is present; the operands, at least one, are of one type. */
export const coalesce = (operands: ReadonlyArray<Code.Code>): Code.Code => {
  switch (operands[0]?.type) {
    case undefined:
      return Code.beyond;
    case "number":
    case "ratio": {
      const numbers = operands.filter(Code.isNumeric);
      if (Code.areFixed(numbers)) return coalesceNumbers(numbers);
      return { type: "ratio", run: firstNumber(numbers.map(Ratio.lift)) };
    }
    case "date":
      return { type: "date", run: firstNumber(kindOf("date", operands).map(({ run }) => run)) };
    case "string":
      return { type: "string", run: firstPresent(kindOf("string", operands).map(({ run }) => run)) };
    case "boolean":
      return { type: "boolean", run: firstPresent(kindOf("boolean", operands).map(({ run }) => run)) };
  }
};

/** Whether a node has a value. */
export const isPresent = (operand: Code.Code): Code.TruthCode => {
  if (operand.type === "string" || operand.type === "boolean") {
    const { run } = operand;
    return { type: "boolean", run: (frame) => run(frame) !== undefined };
  }
  const run = operand.type === "number" ? operand.times(1) : operand.run;
  return { type: "boolean", run: (frame) => !Number.isNaN(run(frame)) };
};

import * as Rational from "../Rational.ts";
import type { Mode } from "../Rounding.ts";
import * as Arithmetic from "./Arithmetic.ts";
import * as Code from "./Code.ts";
import type { Frame } from "./Frame.ts";

/** The exact product of two integers, or a withdrawal from the fast path. */
const product = (frame: Frame, left: number, right: number): number => {
  const result = left * right;
  if (!Code.isExact(result)) frame.exact = false;
  return result;
};

/** A number as a ratio. */
export const lift = (code: Code.Numeric): Code.Run => {
  if (code.type === "ratio") return code.run;
  const { denominator } = code;
  const run = code.times(1);
  return (frame) => {
    const numerator = run(frame);
    frame.divisor = denominator;
    return numerator;
  };
};

/** The quotient of two numbers or ratios, absent when the right one is 0. */
export const divide = (left: Code.Numeric, right: Code.Numeric): Code.RatioCode => {
  if (left.type === "number" && right.type === "number") return divideNumbers(left, right);
  const dividend = lift(left);
  const divisor = lift(right);
  return {
    type: "ratio",
    run: (frame) => {
      const numerator = dividend(frame);
      const denominator = frame.divisor;
      const by = divisor(frame);
      if (by === 0) return Number.NaN;
      const result = product(frame, numerator, frame.divisor);
      const under = product(frame, denominator, by);
      frame.divisor = under < 0 ? -under : under;
      return under < 0 ? -result : result;
    },
  };
};

const divideNumbers = (left: Code.NumberCode, right: Code.NumberCode): Code.RatioCode => {
  const common = Code.commonDenominator([left, right]);
  if (common === undefined) return { type: "ratio", run: Code.leave };
  const [dividend, divisor] = [
    Code.timesExactly(left, common / left.denominator),
    Code.timesExactly(right, common / right.denominator),
  ];
  return {
    type: "ratio",
    run: (frame) => {
      const numerator = dividend(frame);
      const denominator = divisor(frame);
      if (denominator === 0) return Number.NaN;
      frame.divisor = denominator < 0 ? -denominator : denominator;
      return denominator < 0 ? -numerator : numerator;
    },
  };
};

/** The product of numbers and ratios. */
export const multiply = (operands: ReadonlyArray<Code.Numeric>): Code.RatioCode => {
  const runs = operands.map(lift);
  return {
    type: "ratio",
    run: (frame) => {
      let numerator = 1;
      let divisor = 1;
      for (const run of runs) {
        numerator = product(frame, numerator, run(frame));
        divisor = product(frame, divisor, frame.divisor);
      }
      frame.divisor = divisor;
      return numerator;
    },
  };
};

/** The sign of `left - right`, as a number. */
export const order = (left: Code.Numeric, right: Code.Numeric): Code.NumberCode => {
  const [first, second] = [lift(left), lift(right)];
  return Code.number(1, (frame) => {
    const a = first(frame);
    const b = frame.divisor;
    const c = second(frame);
    return Math.sign(product(frame, a, frame.divisor) - product(frame, c, b));
  });
};

/** The least or the greatest operand. */
export const extreme = (type: "min" | "max", operands: ReadonlyArray<Code.Numeric>): Code.RatioCode => {
  const wanted = type === "min" ? 1 : -1;
  const run = operands.map(lift).reduce((left, right) => (frame) => {
    const a = left(frame);
    const b = frame.divisor;
    const c = right(frame);
    const excess = product(frame, a, frame.divisor) - product(frame, c, b);
    if (excess * wanted > 0) return c;
    frame.divisor = b;
    return a;
  });
  return { type: "ratio", run };
};

/** The ratio rounded to a multiple of an increment. */
export const round = (operand: Code.RatioCode, mode: Mode, increment: Rational.Rational): Code.NumberCode => {
  const inverse = Rational.make(increment.denominator, increment.numerator);
  const units = multiply([operand, Code.constant(inverse)]);
  const nearest = Arithmetic.rounder(mode);
  const whole = Code.number(1, (frame) => nearest(units.run(frame), frame.divisor));
  return Arithmetic.scale(whole, increment);
};

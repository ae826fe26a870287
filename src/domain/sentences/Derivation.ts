/**
 * How an amount was computed, as a calculation that a person can follow, and the reasons for what it contains. A formula has no
 * units, so they are inferred: the result is money; a percentage is a rate; what a rate applies to is money again; and a
 * factor of 100 (for a currency with two decimals) turns whole units into the smallest. Where nothing shows that a number is
 * money, it is written as it is. What adds nothing is left out: a term of 0, a limit that is not reached, a rounding without effect.
 */
import type { Expression } from "../../formula/index.ts";
import { at, is, placeIn, resultOf, type Step, type StepOf } from "../../formula/Step.ts";
import * as Conditions from "./Conditions.ts";
import type { Unit } from "./Figures.ts";
import * as Figures from "./Figures.ts";
import * as Units from "./Units.ts";

/** A calculation in words; `binds` is the precedence: 0 a single value, 1 a product, 2 a sum, 3 a clause. */
interface Phrase {
  readonly text: string;
  readonly binds: 0 | 1 | 2 | 3;
}

/** A calculation, the reasons for what it contains, and the named values that it uses. */
export interface Sentences {
  readonly calculation: string;
  readonly reasons: ReadonlyArray<string>;
}

const atom = (text: string): Phrase => ({ text, binds: 0 });

const inside = ({ text, binds }: Phrase, most: number): string => (binds > most ? `(${text})` : text);

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The most conditions that a sentence lists when none of them is true. */
const FACTS_MAX = 2;

const MODES = {
  half_up: "",
  half_down: ", halves down,",
  half_even: ", halves to even,",
  up: " up",
  down: " down",
  ceiling: " up",
  floor: " down",
} as const;

const listed = (names: ReadonlyArray<string>): string => names.map(Figures.words).join(", ");

/** What an aggregate adds up or compares. */
const aggregated = (value: Expression | null): string => {
  if (value === null) return "";
  if (value.type === "property") return Figures.words(value.name);
  const names = listed(Units.namesIn(value));
  return names === "" ? "value" : `value by ${names}`;
};

/** Which attributions an aggregate has found, without their number. */
const foundBy = ({ entry: { detail } }: StepOf<"aggregate">): string => {
  const { first_day, last_day, group, where } = detail;
  const days = first_day === null || last_day === null ? "" : ` ${Figures.days(first_day, last_day)}`;
  const groups = group.map((one) => `, ${Figures.words(one.name)} “${one.value}”`).join("");
  const only = where === null ? "" : `, chosen by ${listed(Units.namesIn(where)) || "the date"}`;
  return `${days}${groups}${only}`;
};

/** Writes the derivation of one amount. */
export const derivation = (root: Step, decimals: number): Sentences => {
  const write = Figures.writer(decimals);
  const units = Units.make();
  const { isRate, learn, unitOf } = units;
  const used = new Set<string>();
  const reasons: Array<() => string> = [];

  const value = (step: Step, unit: Unit): string => {
    const shown = step.entry.value;
    const isText = is(step, "property")
      ? typeof step.entry.detail.raw === "string"
      : is(step, "literal") && step.entry.detail.unit === "string";
    if (!isText && Figures.isNumber(shown)) return write(shown, unit);
    if (typeof shown === "string" && !isText && /^\d{4}-\d{2}-\d{2}/.test(shown)) return Figures.date(shown);
    return Figures.plain(shown);
  };

  /** A sum without the terms that are 0. */
  const sum = (steps: ReadonlyArray<Step>, unit: Unit): Phrase => {
    const terms = steps.filter(({ entry }) => entry.value !== "0");
    if (terms.length === 0) return atom(write("0", unit));
    const [first, ...others] = terms.map((step) => phrase(step, unit));
    if (first === undefined || others.length === 0) return first ?? atom("0");
    const text = others.reduce(
      (left, right) => {
        const term = inside(right, 1);
        return term.startsWith("−") ? `${left} − ${term.slice(1)}` : `${left} + ${term}`;
      },
      inside(first, 2),
    );
    return { text, binds: 2 };
  };

  const difference = (left: Step, right: Step, unit: Unit): Phrase => {
    if (right.entry.value === "0") return phrase(left, unit);
    return { text: `${inside(phrase(left, unit), 2)} − ${inside(phrase(right, unit), 1)}`, binds: 2 };
  };

  /** Whether a literal turns whole units into the smallest. */
  const isFactor = (step: Step, unit: Unit): boolean =>
    unit === "smallest" &&
    decimals > 0 &&
    is(step, "literal") &&
    step.entry.detail.unit === "number" &&
    step.entry.value === `1${"0".repeat(decimals)}`;

  /** Whether a literal is the price of each of a number of things, and not a factor. */
  const isPrice = (step: Step, others: ReadonlyArray<Step>): boolean =>
    is(step, "literal") &&
    step.entry.detail.unit === "number" &&
    others.every(
      (other) => other === step || Units.isCount(other) || /^-?\d{2}/.test(String(step.entry.value)),
    );

  const times = (steps: ReadonlyArray<Step>, unit: (step: Step) => Unit): string =>
    steps.map((step) => inside(phrase(step, unit(step)), 1)).join(" × ");

  /** The operand of a product that is money, if it can be determined: the price of things, or all that is no literal or number of things. */
  const moneyOf = (operands: ReadonlyArray<Step>, hasRates: boolean): Step | undefined => {
    if (operands.length === 1) return operands[0];
    const price = hasRates ? undefined : operands.find((step) => isPrice(step, operands));
    if (price !== undefined) return price;
    const candidates = operands.filter((step) => !is(step, "literal") && !Units.isCount(step));
    return candidates.length === 1 ? candidates[0] : undefined;
  };

  const product = (steps: ReadonlyArray<Step>, expected: Unit): Phrase => {
    const factor = steps.length > 1 ? steps.find((step) => isFactor(step, expected)) : undefined;
    const unit = factor === undefined ? expected : "whole";
    const operands = steps.filter((step) => step !== factor && step.entry.value !== "1");
    if (operands.length === 0) return atom(write("1", unit));
    if (unit === "rate")
      return { text: times(operands, (step) => (isRate(step) ? "rate" : "number")), binds: 1 };
    const rates = operands.filter(isRate);
    const others = operands.filter((step) => !rates.includes(step));
    if (others.length === 0) return { text: times(rates, () => "rate"), binds: 1 };
    const [only] = others;
    if (rates.length === 0 && others.length === 1 && only !== undefined) return phrase(only, unit);
    const money = moneyOf(others, rates.length > 0);
    const of = times(others, (step) => (step === money ? unit : "number"));
    const shares = rates.map((step) => `${inside(phrase(step, "rate"), 1)} of `);
    return { text: `${shares.join("")}${of}`, binds: 1 };
  };

  /** The operand that a limit leaves, and what the limit changed. */
  const limit = (step: StepOf<"min"> | StepOf<"max">, unit: Unit): Phrase => {
    const reached = resultOf(step);
    if (reached === undefined) return atom(value(step, unit));
    // A limit that is reached exactly changes nothing.
    const taken = is(reached, "literal")
      ? (step.inner.find((one) => one !== reached && one.entry.value === reached.entry.value) ?? reached)
      : reached;
    const others = step.inner.filter((one) => one !== taken && (taken === reached || one !== reached));
    if (!is(taken, "literal")) {
      const rivals = others.filter((one) => !is(one, "literal"));
      const texts = rivals.map((one) => explained(phrase(one, unit), value(one, unit)));
      const which = is(step, "min") ? "lower" : "higher";
      if (texts.length > 0)
        reasons.push(
          () => `${value(taken, unit)} is the ${which} value; the other is ${texts.join(" and ")}.`,
        );
      return phrase(taken, unit);
    }
    const bound = value(taken, unit);
    const texts = others.map((one) => explained(phrase(one, unit), value(one, unit)));
    reasons.push(
      () =>
        `The ${is(step, "min") ? "most" : "least"} is ${bound}; without this limit it would be ${texts.join(" and ")}.`,
    );
    return atom(bound);
  };

  /** A calculation with its result, where the calculation is more than the result. */
  const explained = (own: Phrase, result: string): string =>
    own.text === result || own.text.startsWith(`${result} (`) ? own.text : `${own.text} = ${result}`;

  const rounded = (step: StepOf<"round">, unit: Unit): Phrase => {
    const { before, after, mode } = step.entry.detail;
    const [operand] = step.inner;
    if (operand === undefined) return atom(value(step, unit));
    const own = phrase(operand, unit);
    return before === after
      ? own
      : { text: `${own.text}, rounded${MODES[mode]} to ${write(after, unit)}`, binds: 3 };
  };

  const banded = (step: StepOf<"band">, unit: Unit): Phrase => {
    const input = at(step, "input");
    const taken = resultOf(step);
    if (input === undefined || taken === undefined) return atom(value(step, unit));
    const { from, up_to, upper_bound } = step.entry.detail;
    reasons.push(() => {
      const known = unitOf(input) ?? "number";
      const [above, until] =
        upper_bound === "inclusive" ? ["more than", "at most"] : ["at least", "less than"];
      const lower = from === null ? [] : [`${above} ${write(from, known)}`];
      const upper = up_to === null ? [] : [`${until} ${write(up_to, known)}`];
      return applies(taken, unit, `${subject(input, known)} is ${[...lower, ...upper].join(" and ")}`);
    });
    return phrase(taken, unit);
  };

  const tiers = (step: StepOf<"graduated">, expected: Unit): Phrase => {
    const amount = at(step, "amount");
    const offset = at(step, "offset");
    const { tiers: parts } = step.entry.detail;
    // A rate above 1 that is written as a number is a price for each unit.
    const rate = step.inner.find((one) => placeIn(step, one).endsWith(".rate"));
    const isPriced =
      (amount !== undefined && (is(amount, "property") || is(amount, "variable")) && Units.isCount(amount)) ||
      (rate !== undefined &&
        is(rate, "literal") &&
        rate.entry.detail.unit === "number" &&
        !String(rate.entry.value).startsWith("0"));
    const [unit, rateUnit]: readonly [Unit, Unit] = isPriced ? ["number", expected] : [expected, "rate"];
    const base = amount === undefined ? null : phrase(amount, unit);
    const counted = offset === undefined || offset.entry.value === "0" ? null : phrase(offset, unit);
    if (base !== null) {
      reasons.push(() => {
        const bounds = parts.map(({ from, to }) =>
          to === null ? `above ${write(from, unit)}` : `up to ${write(to, unit)}`,
        );
        const start = counted === null ? "" : `, after ${counted.text},`;
        const [last, ...others] = [...bounds].reverse();
        const named = others.length === 0 ? ` ${last}` : `s ${others.reverse().join(", ")} and ${last}`;
        return `${base.text}${start} falls into the tier${named}.`;
      });
    }
    const terms = parts.map(({ part, rate: own, flat }) => {
      const entry = flat === "0" ? "" : ` + ${write(flat, expected)}`;
      return part === "0" ? entry.slice(3) : `${write(part, unit)} at ${write(own, rateUnit)}${entry}`;
    });
    if (terms.length === 0) return atom(write("0", expected));
    return { text: terms.join(" + "), binds: terms.length > 1 || (terms[0] ?? "").includes(" + ") ? 2 : 1 };
  };

  /** That a value applies, or a calculation, and why. */
  const applies = (taken: Step, unit: Unit, why: string): string =>
    is(taken, "literal")
      ? `${value(taken, unit)} applies because ${why}.`
      : `This calculation applies because ${why}.`;

  const daysBetween = ({ entry, inner: [first, second] }: StepOf<"date_difference">): string =>
    first === undefined || second === undefined
      ? entry.detail.unit
      : `complete ${entry.detail.unit} from ${phrase(first, "number").text} to ${phrase(second, "number").text}`;

  const { fact, subject, nameOf } = Conditions.make({
    value,
    unitOf,
    operand: (step, unit) => inside(phrase(step, unit), 2),
    counted: (step) => {
      if (is(step, "date_difference")) return daysBetween(step);
      return is(step, "aggregate") && step.entry.detail.function === "count"
        ? `earlier sales${foundBy(step)}`
        : undefined;
    },
  });

  const total = (step: StepOf<"aggregate">, expected: Unit): Phrase => {
    const { function: kind, rows, value: of } = step.entry.detail;
    const sales = `${rows} earlier sale${rows === 1 ? "" : "s"}`;
    const found = foundBy(step);
    if (kind === "count") return atom(`${value(step, "number")} (${sales}${found})`);
    const [name, ...others] = Units.namesIn(of);
    if (name !== undefined && others.length === 0) learn("property", name, expected);
    const which = { sum: "", min: "least ", max: "greatest " }[kind];
    return atom(`${value(step, expected)} (the ${which}${aggregated(of)} of ${sales}${found})`);
  };

  const phrase = (step: Step, unit: Unit): Phrase => {
    const { entry, inner } = step;
    const [first, second] = inner;
    switch (entry.type) {
      case "literal":
        return atom(Units.isRateLiteral(step) ? write(String(entry.value), "rate") : value(step, unit));
      case "property":
        learn("property", entry.detail.name, unit);
        return atom(
          entry.value === null
            ? `no ${Figures.words(entry.detail.name)}`
            : `${value(step, unit)} (${Figures.words(entry.detail.name)}${entry.detail.default_used ? ", by default" : ""})`,
        );
      case "attribute":
        return atom(`${value(step, unit)} (${nameOf(step)})`);
      case "variable": {
        const rate = isRate(step) ? "rate" : unit;
        learn("variable", entry.detail.name, rate);
        used.add(entry.detail.name);
        return atom(`${value(step, rate)} (${Figures.words(entry.detail.name)})`);
      }
      case "final":
        return first === undefined ? atom(value(step, unit)) : phrase(first, unit);
      case "add":
        return sum(inner, unit);
      case "subtract":
        return first === undefined || second === undefined
          ? atom(value(step, unit))
          : difference(first, second, unit);
      case "multiply":
        return product(inner, unit);
      case "divide":
        if (first === undefined || second === undefined) return atom(value(step, unit));
        if (second.entry.value === "1") return phrase(first, unit);
        return {
          text: `${inside(phrase(first, unit), 1)} ÷ ${inside(phrase(second, "number"), 0)}`,
          binds: 1,
        };
      case "min":
      case "max":
        return limit(step as StepOf<"min"> | StepOf<"max">, unit);
      case "round":
        return rounded(step as StepOf<"round">, unit);
      case "band":
        return banded(step as StepOf<"band">, unit);
      case "graduated":
        return tiers(step as StepOf<"graduated">, unit);
      case "case": {
        const taken = resultOf(step);
        if (taken === undefined) return atom(value(step, unit));
        const conditions = inner.filter((one) => one !== taken);
        const { index } = entry.detail;
        const condition = index === null ? undefined : at(step, `branches.${index}.when`);
        if (condition !== undefined) reasons.push(() => applies(taken, unit, fact(condition)));
        else if (conditions.length <= FACTS_MAX)
          reasons.push(() => applies(taken, unit, conditions.map(fact).join(" and ")));
        return phrase(taken, unit);
      }
      case "lookup": {
        const taken = resultOf(step);
        const key = at(step, "key");
        if (taken === undefined || key === undefined) return atom(value(step, unit));
        reasons.push(() => {
          const of = subject(key, unitOf(key) ?? "number");
          if (entry.detail.index === null) return applies(taken, unit, `${of} has no entry of its own`);
          return is(taken, "literal")
            ? `${value(taken, unit)} is the entry for ${of}.`
            : `This is the calculation for ${of}.`;
        });
        return phrase(taken, unit);
      }
      case "coalesce": {
        const taken = resultOf(step);
        return taken === undefined ? atom(value(step, unit)) : phrase(taken, unit);
      }
      case "let": {
        const bindings = entry.detail.bindings.flatMap(({ name }, index) => {
          const bound = at(step, `bindings.${index}.value`);
          return bound === undefined ? [] : [{ name, bound }];
        });
        for (const { name, bound } of bindings) units.bind(name, bound);
        const body = resultOf(step);
        const result = body === undefined ? atom(value(step, unit)) : phrase(body, unit);
        // From the last to the first: each may use those before it.
        for (const { name, bound } of bindings.toReversed()) {
          if (!used.has(name)) continue;
          const its = units.unitOfVariable(name) ?? (isRate(bound) ? "rate" : "number");
          const text = phrase(bound, its);
          const shown = value(bound, its);
          if (text.text === shown) continue;
          reasons.push(() => `${capitalised(Figures.words(name))}: ${explained(text, shown)}.`);
        }
        return result;
      }
      case "parse_date":
        return first === undefined
          ? atom(value(step, unit))
          : atom(`${value(step, unit)} (${nameOf(first)})`);
      case "date_part":
        return first === undefined
          ? atom(value(step, unit))
          : atom(
              `${value(step, "number")} (${entry.detail.part.replaceAll("_", " ")} of ${phrase(first, "number").text})`,
            );
      case "date_difference":
        return atom(`${value(step, "number")} (${daysBetween(step as StepOf<"date_difference">)})`);
      case "aggregate":
        return total(step as StepOf<"aggregate">, unit);
      default:
        return atom(fact(step));
    }
  };

  const [whole] = root.inner;
  const own = whole === undefined ? atom(value(root, "smallest")) : phrase(whole, "smallest");
  const calculation = finished(root, own, (text) => write(text, "smallest"));
  return { calculation, reasons: [...new Set(reasons.map((reason) => reason()))] };
};

/** The calculation with its result, and with the rounding to the smallest unit where it changed anything. */
const finished = ({ entry }: Step, { text }: Phrase, write: (text: string) => string): string => {
  if (entry.type !== "final") return text;
  const { before, after } = entry.detail;
  const result = write(after);
  if (before !== after) return `${text} = ${write(before)}, rounded to ${result}`;
  return text === result || text.startsWith(`${result} (`) || text.endsWith(` to ${result}`)
    ? text
    : `${text} = ${result}`;
};

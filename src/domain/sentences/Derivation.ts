/**
 * How an amount came about, as a calculation that a person can follow, and the reasons for what it contains. A formula has no
 * units, so they are inferred: the result is money; a percentage is a rate; what a rate applies to is money again; and a
 * factor of 100 (for a currency with two decimals) turns whole units into the smallest. Where nothing says that a number is
 * money, it is written as it is. What adds nothing is left out: a term of 0, a limit that is not reached, a rounding without effect.
 */
import type { Expression } from "../../formula/index.ts";
import type { Step } from "../../formula/Step.ts";
import type { Unit } from "./Figures.ts";
import * as Figures from "./Figures.ts";

/** A calculation in words; `binds` says how tightly: 0 a single value, 1 a product, 2 a sum, 3 a clause. */
interface Phrase {
  readonly text: string;
  readonly binds: 0 | 1 | 2 | 3;
}

/** A calculation, the reasons for what it contains, and the named values that it uses. */
export interface Sentences {
  readonly calculation: string;
  readonly reasons: ReadonlyArray<string>;
}

type StepOf<Type extends Step["entry"]["type"]> = Step & {
  readonly entry: Extract<Step["entry"], { readonly type: Type }>;
};

const is = <Type extends Step["entry"]["type"]>(step: Step, type: Type): step is StepOf<Type> =>
  step.entry.type === type;

const atom = (text: string): Phrase => ({ text, binds: 0 });

const inside = ({ text, binds }: Phrase, most: number): string => (binds > most ? `(${text})` : text);

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Conditions that are named where none of them is met. */
const FACTS_MAX = 2;

const COMPARISONS = {
  equal: "is",
  not_equal: "is not",
  less_than: "is less than",
  less_than_or_equal: "is at most",
  greater_than: "is more than",
  greater_than_or_equal: "is at least",
} as const;

const OPPOSITES = {
  equal: "not_equal",
  not_equal: "equal",
  less_than: "greater_than_or_equal",
  less_than_or_equal: "greater_than",
  greater_than: "less_than_or_equal",
  greater_than_or_equal: "less_than",
} as const;

const MODES = {
  half_up: "",
  half_down: ", halves down,",
  half_even: ", halves to even,",
  up: " up",
  down: " down",
  ceiling: " up",
  floor: " down",
} as const;

const ATTRIBUTES: Readonly<Record<string, string>> = {
  occurred_at: "date",
  created_at: "date of recording",
  agent_id: "agent",
};

/** The names of the properties that an expression reads. */
const namesIn = (part: unknown): ReadonlyArray<string> => {
  if (typeof part !== "object" || part === null) return [];
  if ("type" in part && part.type === "property" && "name" in part) return [String(part.name)];
  return [...new Set(Object.values(part).flatMap(namesIn))];
};

const listed = (names: ReadonlyArray<string>): string => names.map(Figures.words).join(", ");

/** What an aggregate adds up or compares. */
const aggregated = (value: Expression | null): string =>
  value === null
    ? ""
    : value.type === "property"
      ? Figures.words(value.name)
      : `a value of ${listed(namesIn(value))}`;

/** Names of properties that hold a number of things and not money. */
const COUNTS =
  /(^|[ _-])(calls|clicks|copies|count|days|hours|items|kilometres|km|kwh|leads|months|nights|number|packages|pieces|points|qty|quantity|rank|seats|seconds|transactions|units|users|views|watts|weeks|years)([ _-]|$)/i;

/** Numbers that a factor between whole and smallest units is written as. */
const factorOf = (decimals: number): string => `1${"0".repeat(decimals)}`;

const isRateLiteral = (step: Step): boolean =>
  is(step, "literal") && (step.entry.detail.unit === "percent" || step.entry.detail.unit === "basis_points");

/** The place of a step in the one around it, such as `operands.0`. */
const placeIn = (around: Step, { entry }: Step): string => entry.path.slice(around.entry.path.length + 1);

const at = (step: Step, place: string): Step | undefined =>
  step.inner.find((one) => placeIn(step, one) === place);

/** The step whose value a choosing step has. */
const resultOf = (step: Step): Step | undefined => {
  const { entry } = step;
  switch (entry.type) {
    case "band":
      return at(step, `bands.${entry.detail.index}.value`);
    case "lookup":
      return at(step, entry.detail.index === null ? "default" : `entries.${entry.detail.index}.value`);
    case "case":
      return at(step, entry.detail.index === null ? "else" : `branches.${entry.detail.index}.then`);
    case "let":
      return at(step, "body");
    case "min":
    case "max":
      return at(step, `operands.${entry.detail.index}`);
    case "coalesce":
      return entry.detail.index === null ? undefined : at(step, `operands.${entry.detail.index}`);
    default:
      return undefined;
  }
};

/** Whether a step is a share: a percentage, or a choice that ends in one. */
const isRate = (step: Step, named: ReadonlyMap<string, Step>): boolean => {
  if (isRateLiteral(step)) return true;
  if (is(step, "variable")) {
    const bound = named.get(step.entry.detail.name);
    return bound !== undefined && isRate(bound, named);
  }
  if (is(step, "add") || is(step, "subtract")) return step.inner.every((one) => isRate(one, named));
  const inner = resultOf(step);
  return inner !== undefined && isRate(inner, named);
};

/** Writes the derivation of one amount. */
export const derivation = (root: Step, decimals: number): Sentences => {
  const write = Figures.writer(decimals);
  /** Units of properties and variables, learnt from the calculation before the reasons are written. */
  const units = new Map<string, Unit>();
  const named = new Map<string, Step>();
  const used = new Set<string>();
  const reasons: Array<() => string> = [];

  const unitOf = (step: Step): Unit | undefined => {
    const { entry } = step;
    if (isRate(step, named)) return "rate";
    switch (entry.type) {
      case "property":
        return units.get(`property ${entry.detail.name}`);
      case "variable":
        return units.get(`variable ${entry.detail.name}`);
      case "aggregate": {
        if (entry.detail.function === "count") return "number";
        const [name, ...others] = namesIn(entry.detail.value);
        return name === undefined || others.length > 0 ? undefined : units.get(`property ${name}`);
      }
      case "date_part":
      case "date_difference":
        return "number";
      case "literal":
      case "divide":
      case "multiply":
        return undefined;
      default:
        return step.inner.map(unitOf).find((unit) => unit !== undefined);
    }
  };

  const value = (step: Step, unit: Unit): string => {
    const shown = step.entry.value;
    const isText = is(step, "property")
      ? typeof step.entry.detail.raw === "string"
      : is(step, "literal") && step.entry.detail.unit === "string";
    if (!isText && Figures.isNumber(shown)) return write(shown, unit);
    if (typeof shown === "string" && !isText && /^\d{4}-\d{2}-\d{2}/.test(shown)) return Figures.date(shown);
    return Figures.plain(shown);
  };

  const learn = (kind: "property" | "variable", name: string, unit: Unit): void => {
    if (unit !== "number" && !units.has(`${kind} ${name}`)) units.set(`${kind} ${name}`, unit);
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
    step.entry.value === factorOf(decimals);

  const isCount = (step: Step): boolean =>
    is(step, "date_difference") ||
    is(step, "date_part") ||
    (is(step, "aggregate") && step.entry.detail.function === "count");

  const isCounted = (step: Step): boolean =>
    (is(step, "property") || is(step, "variable")) && COUNTS.test(step.entry.detail.name);

  /** Whether a literal is the price of each of a number of things, and not a factor. */
  const isPrice = (step: Step, others: ReadonlyArray<Step>): boolean =>
    is(step, "literal") &&
    step.entry.detail.unit === "number" &&
    others.every(
      (other) =>
        other === step || isCounted(other) || isCount(other) || /^-?\d{2}/.test(String(step.entry.value)),
    );

  const product = (steps: ReadonlyArray<Step>, asked: Unit): Phrase => {
    const factor = steps.length > 1 ? steps.find((step) => isFactor(step, asked)) : undefined;
    const unit = factor === undefined ? asked : "whole";
    const operands = steps.filter((step) => step !== factor && step.entry.value !== "1");
    if (operands.length === 0) return atom(write(factor === undefined ? "1" : "1", unit));
    const rates = operands.filter((step) => isRate(step, named));
    const others = operands.filter((step) => !rates.includes(step));
    if (unit === "rate") {
      return {
        text: operands
          .map((step) => inside(phrase(step, isRate(step, named) ? "rate" : "number"), 1))
          .join(" × "),
        binds: 1,
      };
    }
    const price =
      rates.length === 0 && others.length > 1 ? others.find((step) => isPrice(step, others)) : undefined;
    const [only] = others;
    const isMoney = (step: Step): boolean => !is(step, "literal") && !isCount(step) && !isCounted(step);
    const candidates = others.filter(isMoney);
    const money = price ?? (others.length === 1 ? only : candidates.length === 1 ? candidates[0] : undefined);
    const of = others.map((step) => inside(phrase(step, step === money ? unit : "number"), 1)).join(" × ");
    const shares = rates.map((step) => inside(phrase(step, "rate"), 1));
    if (others.length === 0) return { text: shares.join(" × "), binds: 1 };
    return shares.length === 0
      ? others.length === 1 && only !== undefined
        ? phrase(only, unit)
        : { text: of, binds: 1 }
      : { text: `${shares.join(" of ")} of ${of}`, binds: 1 };
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
      return applies(taken, unit, `${bare(input, known)} is ${[...lower, ...upper].join(" and ")}`);
    });
    return phrase(taken, unit);
  };

  const tiers = (step: StepOf<"graduated">, asked: Unit): Phrase => {
    const amount = at(step, "amount");
    const offset = at(step, "offset");
    const { tiers: parts } = step.entry.detail;
    // A rate above 1 that is written as a number is a price for each unit.
    const rate = step.inner.find((one) => placeIn(step, one).endsWith(".rate"));
    const isPriced =
      (amount !== undefined && isCounted(amount)) ||
      (rate !== undefined &&
        is(rate, "literal") &&
        rate.entry.detail.unit === "number" &&
        !String(rate.entry.value).startsWith("0"));
    const [unit, rateUnit]: readonly [Unit, Unit] = isPriced ? ["number", asked] : [asked, "rate"];
    const base = amount === undefined ? null : phrase(amount, unit);
    const counted = offset === undefined || offset.entry.value === "0" ? null : phrase(offset, unit);
    if (base !== null) {
      reasons.push(() => {
        const bounds = parts.map(({ from, to }) =>
          to === null ? `above ${write(from, unit)}` : `up to ${write(to, unit)}`,
        );
        const start = counted === null ? "" : `, which begins after ${counted.text}`;
        return `Tier${bounds.length === 1 ? "" : "s"} ${bounds.join(", ")}: for ${base.text}${start}.`;
      });
    }
    const terms = parts.map(({ part, rate: own, flat }) => {
      const entry = flat === "0" ? "" : ` + ${write(flat, asked)}`;
      return part === "0" ? entry.slice(3) : `${write(part, unit)} at ${write(own, rateUnit)}${entry}`;
    });
    if (terms.length === 0) return atom(write("0", asked));
    return { text: terms.join(" + "), binds: terms.length > 1 || (terms[0] ?? "").includes(" + ") ? 2 : 1 };
  };

  /** That a value applies, or a calculation, and why. */
  const applies = (taken: Step, unit: Unit, why: string): string =>
    is(taken, "literal")
      ? `${value(taken, unit)} applies because ${why}.`
      : `This calculation applies because ${why}.`;

  const all = (steps: ReadonlyArray<Step>, truth: boolean): string =>
    steps
      .filter(({ entry }) => entry.value === truth)
      .map(fact)
      .join(" and ");

  /** What is the case, so that a condition is met or not met. */
  const fact = (step: Step): string => {
    const { entry, inner } = step;
    const [first, second] = inner;
    const not = entry.value === true ? "" : " not";
    if (first === undefined) return `${name(step).replace(/^the /, "")} is ${value(step, "number")}`;
    switch (entry.type) {
      case "compare": {
        if (second === undefined) return "";
        const unit = unitOf(first) ?? unitOf(second) ?? "number";
        return `${bare(first, unit)} ${COMPARISONS[entry.value === true ? entry.detail.operator : OPPOSITES[entry.detail.operator]]} ${bare(second, unit)}`;
      }
      case "and":
        return all(inner, entry.value === true);
      case "or":
        return all(inner, entry.value === true);
      case "not":
        return fact(first);
      case "in":
        return `${bare(first, "number")} is${not} one of those listed`;
      case "text_match":
        return entry.value === true
          ? `${bare(first, "number")} ${entry.detail.operator.replace("_", " ")} “${entry.detail.text}”`
          : `${bare(first, "number")} does not ${entry.detail.operator.replace("s_", " ").replace("contains", "contain")} “${entry.detail.text}”`;
      case "is_present":
        return `${name(first)} is${not} given`;
      default: {
        if (is(step, "coalesce")) return `${name(first).replace(/^the /, "")} is ${value(step, "number")}`;
        const taken = resultOf(step);
        return taken === undefined ? phrase(step, "number").text : fact(taken);
      }
    }
  };

  const name = ({ entry }: Step): string => {
    switch (entry.type) {
      case "property":
      case "variable":
        return `the ${Figures.words(entry.detail.name)}`;
      case "attribute":
        return `the ${ATTRIBUTES[entry.detail.name] ?? Figures.words(entry.detail.name)}`;
      default:
        return "the value";
    }
  };

  /** An operand of a condition: `the country (“DE”)`. */
  const bare = (step: Step, unit: Unit): string => {
    const [first] = step.inner;
    if (is(step, "property") || is(step, "variable") || is(step, "attribute"))
      return `${name(step)} (${value(step, unit)})`;
    if (is(step, "date_part") && first !== undefined)
      return `the ${step.entry.detail.part.replaceAll("_", " ")} of ${value(first, unit)} (${value(step, "number")})`;
    if (is(step, "date_difference"))
      return `the number of ${phrase(step, "number").text.replace(/^\S+ \((.*)\)$/, "$1")} (${value(step, "number")})`;
    if (is(step, "aggregate") && step.entry.detail.function === "count")
      return `the number of ${phrase(step, "number").text.replace(/^.*?\(\d+ (.*)\)$/, "$1")} (${value(step, "number")})`;
    const taken = is(step, "coalesce") ? resultOf(step) : undefined;
    return taken === undefined ? inside(phrase(step, unit), 2) : bare(taken, unit);
  };

  const total = (step: StepOf<"aggregate">, unit: Unit): Phrase => {
    const { function: kind, rows, first_day, last_day, group, value: of, where } = step.entry.detail;
    const attributions = `${rows} earlier attribution${rows === 1 ? "" : "s"}`;
    const which = first_day === null || last_day === null ? "" : ` ${Figures.days(first_day, last_day)}`;
    const groups = group.map((one) => `, ${Figures.words(one.name)} “${one.value}”`).join("");
    const only = where === null ? "" : `, chosen by ${listed(namesIn(where)) || "the date"}`;
    const what = {
      count: `${attributions}`,
      sum: `the ${aggregated(of)} of ${attributions}`,
      min: `the least ${aggregated(of)} of ${attributions}`,
      max: `the greatest ${aggregated(of)} of ${attributions}`,
    }[kind];
    const own = kind === "count" ? "number" : unit;
    const [only_, ...more] = namesIn(of);
    if (kind !== "count" && only_ !== undefined && more.length === 0) learn("property", only_, own);
    return atom(`${value(step, own)} (${what}${which}${groups}${only})`);
  };

  const phrase = (step: Step, unit: Unit): Phrase => {
    const { entry, inner } = step;
    const [first, second] = inner;
    switch (entry.type) {
      case "literal":
        return atom(isRateLiteral(step) ? write(String(entry.value), "rate") : value(step, unit));
      case "property":
        learn("property", entry.detail.name, unit);
        return atom(
          entry.value === null
            ? `no ${Figures.words(entry.detail.name)}`
            : `${value(step, unit)} (${Figures.words(entry.detail.name)}${entry.detail.default_used ? ", by default" : ""})`,
        );
      case "attribute":
        return atom(
          `${value(step, unit)} (${ATTRIBUTES[entry.detail.name] ?? Figures.words(entry.detail.name)})`,
        );
      case "variable": {
        const rate = isRate(step, named) ? "rate" : unit;
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
        const met = index === null ? undefined : at(step, `branches.${index}.when`);
        if (met !== undefined) reasons.push(() => applies(taken, unit, fact(met)));
        else if (conditions.length <= FACTS_MAX)
          reasons.push(() => applies(taken, unit, conditions.map(fact).join(" and ")));
        return phrase(taken, unit);
      }
      case "lookup": {
        const taken = resultOf(step);
        const key = at(step, "key");
        if (taken === undefined || key === undefined) return atom(value(step, unit));
        reasons.push(() => {
          const of = bare(key, unitOf(key) ?? "number");
          if (entry.detail.index === null) return applies(taken, unit, `${of} is not in the table`);
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
        for (const binding of inner) {
          const bound = /^bindings\.(\d+)\.value$/.exec(placeIn(step, binding))?.[1];
          const own = bound === undefined ? undefined : entry.detail.bindings[Number(bound)];
          if (own !== undefined) named.set(own.name, binding);
        }
        const body = resultOf(step);
        const result = body === undefined ? atom(value(step, unit)) : phrase(body, unit);
        for (const { name: own } of [...entry.detail.bindings].reverse()) {
          const bound = named.get(own);
          if (bound === undefined || !used.has(own)) continue;
          const its = units.get(`variable ${own}`) ?? (isRate(bound, named) ? "rate" : "number");
          const text = phrase(bound, its);
          const shown = value(bound, its);
          if (text.text === shown) continue;
          reasons.push(() => `${capitalised(Figures.words(own))}: ${explained(text, shown)}.`);
        }
        return result;
      }
      case "parse_date":
        return first === undefined
          ? atom(value(step, unit))
          : atom(`${value(step, unit)} (${name(first).replace(/^the /, "")})`);
      case "date_part":
        return first === undefined
          ? atom(value(step, unit))
          : atom(
              `${value(step, "number")} (${entry.detail.part.replaceAll("_", " ")} of ${phrase(first, "number").text})`,
            );
      case "date_difference":
        return first === undefined || second === undefined
          ? atom(value(step, "number"))
          : atom(
              `${value(step, "number")} (complete ${entry.detail.unit} from ${phrase(first, "number").text} to ${phrase(second, "number").text})`,
            );
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

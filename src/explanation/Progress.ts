/** How far a partner has come in the tiers or bands of its plan, after a sale. */
import * as Rational from "../formula/Rational.ts";
import { rationalOf } from "./Context.ts";
import type { Explanation, Figure, Part, Subject, Tier } from "./Explanation.ts";

/** The position in tiers or bands, the limit of the one that was reached, and what is missing to the next; null in the last one. */
export interface Progress {
  readonly position: Figure;
  readonly limit: Figure | null;
  readonly missing: Figure | null;
  /** The rate of the one that was reached; null where a calculation applies. */
  readonly rate: Figure | null;
}

const progress = (
  position: Figure,
  more: Figure | null,
  limit: Figure | null,
  rate: Figure | null,
): Progress | null => {
  const start = rationalOf(position);
  const rest = more === null ? Rational.ZERO : rationalOf(more);
  if (start === null || rest === null) return null;
  const reached = Rational.add(start, rest);
  const end = limit === null ? null : rationalOf(limit);
  const missing = end === null ? null : Rational.subtract(end, reached);
  if (Rational.sign(reached) < 0 || (missing !== null && Rational.sign(missing) < 0)) return null;
  return {
    position: { ...position, value: Rational.format(reached) },
    limit,
    missing: missing === null || limit === null ? null : { ...limit, value: Rational.format(missing) },
    rate,
  };
};

/** The parts inside a part, as far as they are calculated. */
const innerOf = (part: Part): ReadonlyArray<Part> => {
  switch (part.type) {
    case "figure":
      return part.calculation === undefined ? [] : [part.calculation];
    case "sum":
      return part.terms;
    case "difference":
      return [part.from, part.less];
    case "quotient":
      return [part.of, part.by];
    case "product":
      return [...part.rates, ...part.factors];
    case "rounded":
      return [part.of];
    default:
      return [];
  }
};

/** The tiers of a calculation; the first ones where it has several. */
const tiersIn = (part: Part): ReadonlyArray<Tier> | null => {
  if (part.type === "tiers") return part.tiers;
  for (const inner of innerOf(part)) {
    const found = tiersIn(inner);
    if (found !== null) return found;
  }
  return null;
};

const figureOfSubject = (subject: Subject): Figure =>
  subject.type === "calculated" ? subject.part.figure : subject.figure;

/** How far a partner has come after the sale that was explained; null for a plan without tiers, and for a refund. */
export const progressOf = ({ calculation, reasons }: Explanation): Progress | null => {
  for (const reason of reasons) {
    if (reason.type === "tiers") {
      const last = reason.tiers.at(-1);
      if (last === undefined) continue;
      const rate = tiersIn(calculation)?.at(-1)?.rate ?? null;
      return progress(reason.base.figure, reason.after?.figure ?? null, last.to, rate);
    }
    if (reason.type !== "applies") continue;
    const within = reason.because.find((fact) => fact.type === "within");
    if (within?.type === "within")
      return progress(figureOfSubject(within.subject), null, within.to, reason.value);
  }
  return null;
};

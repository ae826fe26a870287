/** How far a partner has come in the tiers or bands of its plan, after a sale. */
import * as Rational from "../formula/Rational.ts";
import { rationalOf } from "./Context.ts";
import type { Explanation, Figure, Part, Selection, Subject, Tier } from "./Explanation.ts";

/** The position in tiers or bands, the limit of the one that was reached, and what is missing to the next; null in the last one. */
export interface Progress {
  readonly position: Figure;
  readonly limit: Figure | null;
  readonly missing: Figure | null;
  /** The rate of the one that was reached; null where a calculation applies. */
  readonly rate: Figure | null;
  /** The first and the last day whose sales are counted; null without a limit, or where the sale states what was counted before. */
  readonly days: Selection["days"];
}

const progress = (
  position: Figure,
  more: Figure | null,
  { limit, rate, days }: Pick<Progress, "limit" | "rate" | "days">,
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
    ...{ rate, days },
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

/** The earlier sales that a part counts; undefined for one that says something of a single sale. */
const selectionIn = (part: Part): Selection | undefined => {
  if (part.type === "total") return part.selection;
  for (const inner of innerOf(part)) {
    const found = selectionIn(inner);
    if (found !== undefined) return found;
  }
  return undefined;
};

const selectionOf = (subject: Subject): Selection | undefined => {
  switch (subject.type) {
    case "counted":
      return "rows" in subject.counted ? subject.counted : undefined;
    case "calculated":
      return selectionIn(subject.part);
    case "named":
      return subject.counts;
    case "date_part":
      return undefined;
  }
};

/**
 * How far a partner has come after the sale that was explained; null for a plan without tiers, for tiers and bands of a single sale,
 * which nobody can come further in, and for a refund.
 */
export const progressOf = ({ calculation, reasons }: Explanation): Progress | null => {
  for (const reason of reasons) {
    if (reason.type === "tiers") {
      const { base, after, tiers } = reason;
      const last = tiers.at(-1);
      const counted = selectionIn(base) ?? (after === null ? undefined : selectionIn(after));
      if (last === undefined || (counted === undefined && after === null)) continue;
      const rate = tiersIn(calculation)?.at(-1)?.rate ?? null;
      return progress(base.figure, after?.figure ?? null, {
        limit: last.to,
        rate,
        days: counted?.days ?? null,
      });
    }
    if (reason.type !== "applies") continue;
    const within = reason.because.find((fact) => fact.type === "within");
    if (within?.type !== "within") continue;
    const counted = selectionOf(within.subject);
    if (counted !== undefined)
      return progress(figureOfSubject(within.subject), null, {
        limit: within.to,
        rate: reason.value,
        days: counted.days,
      });
  }
  return null;
};

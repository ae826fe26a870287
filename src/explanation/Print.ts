/** Prints an explanation in a language. */
import type {
  Between,
  Calculated,
  Explanation,
  Fact,
  Figure,
  Name,
  Part,
  Reason,
  RulePart,
  Selection,
  Subject,
} from "./Explanation.ts";
import * as Figures from "./Figures.ts";
import { atom, inside, minus, type Phrase, plus, withResult } from "./Phrase.ts";
import { fill, type Words, wordsOf } from "./Words.ts";

type PartOf<Type extends Part["type"]> = Extract<Part, { readonly type: Type }>;
type ReasonOf<Type extends Reason["type"]> = Extract<Reason, { readonly type: Type }>;

/** An explanation in one language. */
export interface Sentences {
  readonly calculation: string;
  /** The amount as the calculation gives it. */
  readonly result: string;
  readonly reasons: ReadonlyArray<string>;
}

const capitalise = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** What the parts of one text share. */
export interface Printer {
  readonly words: Words;
  readonly write: (figure: Figure) => string;
  /** A part that only rules have. */
  readonly ruleText: (part: RulePart) => Phrase;
}

const all = ({ words }: Printer, texts: ReadonlyArray<string>): string =>
  texts.length === 0 ? "" : texts.reduce((first, second) => fill(words.and, { first, second }));

const quoted = ({ words }: Printer, text: string): string => fill(words.notation.quoted, { text });

export const nameText = ({ words }: Printer, { type, text }: Name): string => {
  if (type === "none") return words.unnamed;
  return (type === "attribute" ? words.attributes[text] : undefined) ?? wordsOf(text);
};

/** A parameter, as the partner whose value it has reads it. */
export const yourText = (printer: Printer, name: Name): string =>
  fill(printer.words.your, { name: printer.words.indefinite(nameText(printer, name)) });

/** The texts joined by commas, the last two by a word. */
export const listText = (pair: string, texts: ReadonlyArray<string>): string => {
  const last = texts.at(-1) ?? "";
  const others = texts.slice(0, -1).join(", ");
  return others === "" ? last : fill(pair, { first: others, second: last });
};

const namesText = (names: ReadonlyArray<string>): string => names.map(wordsOf).join(", ");

const selectionText = (printer: Printer, { days, groups, role, chosenBy }: Selection): string => {
  const { words } = printer;
  const [first = "", last = ""] = (days ?? []).map((day) => Figures.date(day, words.notation));
  const within = days === null ? "" : fill(words.days[first === last ? 0 : 1], { first, last });
  const grouped = groups.map(({ name, value }) =>
    fill(words.group, { name: wordsOf(name), value: quoted(printer, value) }),
  );
  const inRole =
    role === null
      ? ""
      : fill(words.group, { name: words.attributes.credit_role ?? "", value: quoted(printer, role) });
  const chosen =
    chosenBy === null ? "" : fill(words.chosenBy, { names: namesText(chosenBy) || words.theDate });
  return `${within}${inRole}${grouped.join("")}${chosen}`;
};

const totalText = (printer: Printer, part: PartOf<"total">): string => {
  const { words, write } = printer;
  const { selection, aggregated } = part;
  const names = namesText(aggregated.names);
  const computed = names === "" ? words.unnamed : fill(words.valueBy, { names });
  const sales = fill(words.earlierSales[selection.rows === 1 ? 0 : 1], { count: String(selection.rows) });
  return fill(words.total[part.function], {
    value: write(part.figure),
    sales: `${sales}${selectionText(printer, selection)}`,
    what: aggregated.isProperty ? names : computed,
  });
};

const datesOf = (printer: Printer, { from, to }: Between) => ({
  from: inside(phraseOf(printer, from), 2),
  to: inside(phraseOf(printer, to), 2),
});

const sum = (printer: Printer, terms: ReadonlyArray<Part>): Phrase => {
  const [first, ...others] = terms.map((term) => phraseOf(printer, term));
  const start = first === undefined ? "" : inside(first, 2);
  return { text: others.reduce((left, right) => plus(left, inside(right, 1)), start), binds: 2 };
};

const product = (printer: Printer, { rates, factors }: PartOf<"product">): Phrase => {
  const rateTexts = rates.map((rate) => inside(phraseOf(printer, rate), 0));
  const base = factors.map((factor) => inside(phraseOf(printer, factor), 1)).join(" × ");
  const text = rateTexts.reduceRight(
    (shared, rate) => fill(printer.words.share, { rate, base: shared }),
    base,
  );
  return { text, binds: 1 };
};

const tiers = ({ words, write }: Printer, { tiers: parts, figure }: PartOf<"tiers">): Phrase => {
  const [first, ...others] = parts.flatMap(({ part, rate, flat }) => [
    ...(part.value === "0" ? [] : [fill(words.tier, { part: write(part), rate: write(rate) })]),
    ...(flat.value === "0" ? [] : [write(flat)]),
  ]);
  return first === undefined
    ? atom(write(figure))
    : { text: others.reduce(plus, first), binds: others.length === 0 ? 1 : 2 };
};

const rounded = (printer: Printer, { of, mode, isNegative, figure }: PartOf<"rounded">): Phrase => {
  const { words, write } = printer;
  const modes = isNegative ? { ...words.rounded, ...words.roundedBelowZero } : words.rounded;
  const text = fill(modes[mode], { value: phraseOf(printer, of).text, result: write(figure) });
  return { text, binds: 3 };
};

const valueText = (printer: Printer, part: PartOf<"figure">): string => {
  const { words, write } = printer;
  const { figure, name, isDefault, since = null } = part;
  const value = write(figure);
  if (part.source === "parameter" && name !== null) {
    const your = yourText(printer, name);
    const dated = since === null ? your : fill(words.yourSince, { name: your, since: write(since) });
    return fill(words.named, { value, name: dated });
  }
  return name === null
    ? value
    : fill(isDefault ? words.byDefault : words.named, { value, name: nameText(printer, name) });
};

/** A part of a calculation in words. */
export const phraseOf = (printer: Printer, part: Part): Phrase => {
  const { words, write } = printer;
  const value = write(part.figure);
  switch (part.type) {
    case "figure":
      return atom(valueText(printer, part));
    case "absent":
      return atom(fill(words.absent, { name: nameText(printer, part.name) }));
    case "sum":
      return sum(printer, part.terms);
    case "difference": {
      const [from, less] = [part.from, part.less].map((item) => phraseOf(printer, item));
      return { text: minus(inside(from ?? atom(""), 2), inside(less ?? atom(""), 1)), binds: 2 };
    }
    case "quotient": {
      const [of, by] = [part.of, part.by].map((item) => phraseOf(printer, item));
      return { text: `${inside(of ?? atom(""), 1)} ÷ ${inside(by ?? atom(""), 0)}`, binds: 1 };
    }
    case "product":
      return product(printer, part);
    case "rounded":
      return rounded(printer, part);
    case "tiers":
      return tiers(printer, part);
    case "total":
      return atom(totalText(printer, part));
    case "date_part": {
      const date = phraseOf(printer, part.of).text;
      if (part.figure.value === null)
        return atom(fill(words.rule.datePart, { part: words.datePart[part.part], date }));
      return atom(fill(words.datePartOf, { value, part: words.datePart[part.part], date }));
    }
    case "between": {
      const between = fill(words.between[part.between.unit], datesOf(printer, part.between));
      return part.figure.value === null ? { text: between, binds: 2 } : atom(`${value} (${between})`);
    }
    case "fact":
      return atom(factText(printer, part.fact));
    default:
      return printer.ruleText(part);
  }
};

const subjectText = (printer: Printer, subject: Subject): string => {
  const { words, write } = printer;
  if (subject.type === "calculated") return inside(phraseOf(printer, subject.part), 2);
  const value = write(subject.figure);
  switch (subject.type) {
    case "named":
      return fill(words.subject, { name: words.definite(nameText(printer, subject.name)), value });
    case "date_part": {
      const date = write(subject.of);
      return fill(words.datePartSubject, { part: words.datePart[subject.part], date, value });
    }
    case "counted": {
      const { counted } = subject;
      return "unit" in counted
        ? fill(words.betweenCounted[counted.unit], { ...datesOf(printer, counted), value })
        : fill(words.salesCounted, { selection: selectionText(printer, counted), value });
    }
  }
};

const rangeText = (
  printer: Printer,
  { from, to, isUpperInclusive }: Extract<Fact, { readonly type: "within" }>,
): string => {
  const { words, write } = printer;
  const [above, below] = isUpperInclusive
    ? [words.above[1], words.below[0]]
    : [words.above[0], words.below[1]];
  return all(printer, [
    ...(from === null ? [] : [fill(above, { limit: write(from) })]),
    ...(to === null ? [] : [fill(below, { limit: write(to) })]),
  ]);
};

const comparison = ({ words }: Printer, fact: Extract<Fact, { readonly type: "compared" }>): string => {
  const { relation, areDates } = fact;
  return areDates && relation !== "equal" && relation !== "not_equal"
    ? words.dateRelations[relation]
    : words.relations[relation];
};

/** A fact in words. */
export const factText = (printer: Printer, fact: Fact): string => {
  const { words, write } = printer;
  const ofSubject = (template: string, subject: Subject, values: Readonly<Record<string, string>> = {}) =>
    fill(template, { ...values, subject: subjectText(printer, subject) });
  switch (fact.type) {
    case "compared": {
      const [left = "", right = ""] = [fact.left, fact.right].map((subject) => subjectText(printer, subject));
      return fill(comparison(printer, fact), { left, right });
    }
    case "within":
      return ofSubject(words.within, fact.subject, { range: rangeText(printer, fact) });
    case "all":
      return all(
        printer,
        fact.facts.map((item) =>
          item.type === "any" ? `(${factText(printer, item)})` : factText(printer, item),
        ),
      );
    case "any":
      return fact.facts
        .map((item) => factText(printer, item))
        .reduce((first, second) => fill(words.rule.or, { first, second }));
    case "one_of": {
      const values = listText(words.rule.or, fact.values.map(write));
      return ofSubject(words.rule.oneOfValues[fact.isTrue ? 0 : 1], fact.subject, { values });
    }
    case "listed":
      return ofSubject(words.listed[fact.isTrue ? 0 : 1], fact.subject);
    case "matches":
      return ofSubject(words.matches[fact.operator][fact.isTrue ? 0 : 1], fact.subject, {
        text: quoted(printer, fact.text),
      });
    case "given": {
      const name = words.definite(nameText(printer, fact.name));
      return fill(words.given[fact.isTrue ? 0 : 1], { name });
    }
    case "missing":
      return fill(words.missing, { name: nameText(printer, fact.name) });
    case "unlisted":
      return ofSubject(words.unlisted, fact.subject);
    case "is": {
      const { name, yours, figure } = fact;
      const value = write(figure);
      if (yours === undefined)
        return fill(words.is, { name: words.indefinite(nameText(printer, name)), value });
      const your = yourText(printer, name);
      const subject = yours === null ? your : fill(words.subject, { name: your, value: write(yours) });
      return fill(words.is, { name: subject, value });
    }
    case "calculated":
      return inside(phraseOf(printer, fact.part), 2);
  }
};

const calculatedText = (printer: Printer, { part, result }: Calculated): string =>
  withResult(phraseOf(printer, part), printer.write(result));

/** The sentence for a fixed value, or for a calculation. */
const ofValue = (
  { write }: Printer,
  [fixed, calculation]: readonly [string, string],
  value: Figure | null,
  values: Readonly<Record<string, string>>,
): string => (value === null ? fill(calculation, values) : fill(fixed, { ...values, value: write(value) }));

/** The tiers that an amount falls into: `the tiers up to 100 and above 100`. */
const tiersText = (printer: Printer, { base, after, tiers: reached }: ReasonOf<"tiers">): string => {
  const { words, write } = printer;
  const ranges = reached.map(({ from, to }) =>
    to === null ? fill(words.over, { limit: write(from) }) : fill(words.upTo, { limit: write(to) }),
  );
  const start = phraseOf(printer, base).text;
  return fill(words.tiers[ranges.length === 1 ? 0 : 1], {
    base: after === null ? start : fill(words.after, { base: start, after: phraseOf(printer, after).text }),
    tiers: listText(words.and, ranges),
  });
};

/** A reason as a sentence; null for an amount of 0 in no tier, and for a variable whose calculation is its value. */
const reasonText = (printer: Printer, reason: Reason): string | null => {
  const { words, write } = printer;
  const othersText = (others: ReadonlyArray<Calculated>): string =>
    all(
      printer,
      others.map((other) => calculatedText(printer, other)),
    );
  switch (reason.type) {
    case "applies": {
      const facts = all(
        printer,
        reason.because.map((fact) => factText(printer, fact)),
      );
      return ofValue(printer, words.applies, reason.value, { facts });
    }
    case "entry":
      return ofValue(printer, words.entry, reason.value, { subject: subjectText(printer, reason.of) });
    case "tiers":
      return reason.tiers.length === 0 ? null : tiersText(printer, reason);
    case "limit":
      return fill(words.limit[reason.limit], {
        bound: write(reason.bound),
        others: othersText(reason.others),
      });
    case "extreme":
      return fill(words.extreme[reason.extreme], {
        value: write(reason.value),
        others: othersText(reason.others),
      });
    case "variable": {
      const text = calculatedText(printer, reason.value);
      const name = capitalise(wordsOf(reason.name));
      return text === write(reason.value.result) ? null : fill(words.variable, { name, value: text });
    }
  }
};

/** The calculation with its result, and with the rounding to the smallest unit where it changed anything. */
const withRounding = (printer: Printer, { calculation, before, after }: Explanation): string => {
  const { words, write } = printer;
  const phrase = phraseOf(printer, calculation);
  const result = write(after);
  if (before.value !== after.value)
    return fill(words.roundedTo, { value: `${phrase.text} = ${write(before)}`, result });
  return calculation.type === "rounded" ? phrase.text : withResult(phrase, result);
};

/** Prints an explanation. Thousands are grouped, and days are of UTC. */
export const sentencesOf = (explanation: Explanation, words: Words, money: Figures.Money): Sentences => {
  const write = Figures.writer(words, money);
  const printer: Printer = { words, write, ruleText: ({ figure }) => atom(write(figure)) };
  const reasons = explanation.reasons
    .map((reason) => reasonText(printer, reason))
    .filter((text) => text !== null);
  return {
    calculation: withRounding(printer, explanation),
    result: printer.write(explanation.after),
    reasons: [...new Set(reasons)],
  };
};

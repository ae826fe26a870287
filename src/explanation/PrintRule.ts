/** Prints a rule in a language: a sentence for each sale, lists for what it chooses, and what its variables stand for. */
import type { Figure, Part, Rule, RulePart, RuleTier } from "./Explanation.ts";
import * as Figures from "./Figures.ts";
import { atom, inside, type Phrase } from "./Phrase.ts";
import { factText, listText, nameText, type Printer, phraseOf, yourText } from "./Print.ts";
import { fill, type Words, wordsOf } from "./Words.ts";

/** A sentence, and the items of the list that it begins. */
export interface Paragraph {
  readonly text: string;
  readonly items: ReadonlyArray<string>;
}

type PartOf<Type extends RulePart["type"]> = Extract<Part, { readonly type: Type }>;

/** The text of a list's head, and its items. */
interface Block {
  readonly head: string;
  readonly items: ReadonlyArray<string>;
}

const variableText = (words: Words, name: string): string =>
  fill(words.notation.quoted, { text: wordsOf(name) });

const windowText = (printer: Printer, { window, anniversary }: PartOf<"earlier">): string => {
  const { rule, notation } = printer.words;
  switch (window.type) {
    case "calendar": {
      const { unit, starts_in_month: month = 1 } = window;
      const beginning = month === 1 ? "" : fill(rule.beginning, { month: notation.months[month - 1] ?? "" });
      return `${rule.window[unit]}${beginning}`;
    }
    case "rolling":
      return fill(rule.window.rolling, { days: String(window.days) });
    case "lifetime":
      return rule.window.lifetime;
    case "anniversary":
      return fill(rule.window.anniversary, {
        date: anniversary === null ? "" : phraseOf(printer, anniversary).text,
      });
  }
};

const earlierText = (printer: Printer, part: PartOf<"earlier">): Phrase => {
  const { words, write } = printer;
  const { rule } = words;
  const span = windowText(printer, part);
  const names = part.groups.map((name) => words.indefinite(wordsOf(name)));
  const groups = names.length === 0 ? "" : fill(rule.groups, { names: listText(words.and, names) });
  const where = part.where === null ? "" : fill(rule.where, { facts: factText(printer, part.where) });
  const text = fill(rule.earlier[part.function], {
    window: `${span}${groups}${where}`,
    what: part.of === null ? write(part.figure) : inside(phraseOf(printer, part.of), 1),
  });
  return { text, binds: where === "" ? 0 : 3 };
};

/** A part of a rule within a sentence; lists are printed below it, under a number. */
const rulePhrase = (printer: Printer, part: RulePart, below: (part: RulePart) => string): Phrase => {
  const { words, write } = printer;
  const { rule } = words;
  const texts = (of: ReadonlyArray<Part>, most: Phrase["binds"]): ReadonlyArray<string> =>
    of.map((item) => inside(phraseOf(printer, item), most));
  switch (part.type) {
    case "named": {
      const { name, of } = part;
      if (of === "formula") return atom(variableText(words, name.text));
      return atom(of === "partner" ? yourText(printer, name) : words.definite(nameText(printer, name)));
    }
    case "limited": {
      const [value = "", bound = ""] = texts([part.of, part.bound], 2);
      return { text: fill(rule.limited[part.limit], { value, bound }), binds: 3 };
    }
    case "extreme": {
      const values = listText(words.and, texts(part.of, 2));
      return { text: fill(rule.extreme[part.extreme], { values }), binds: 3 };
    }
    case "multiple": {
      const [value = ""] = texts([part.of], 2);
      const result = fill(rule.multiple, { increment: write(part.increment) });
      return { text: fill(words.rounded[part.mode], { value, result }), binds: 3 };
    }
    case "first": {
      const text = texts(part.of, 2).reduceRight((second, first) => fill(rule.first, { first, second }));
      return { text, binds: part.of.length === 1 ? 0 : 3 };
    }
    case "earlier":
      return earlierText(printer, part);
    case "scale":
    case "cases":
      return atom(below(part));
  }
};

const tierText = (printer: Printer, { from, to, rate, flat }: RuleTier): string => {
  const { words, write } = printer;
  const { rule } = words;
  const limits = {
    from: from === null ? "" : write(from),
    to: to === null ? "" : write(to),
  };
  const which = to === null ? (from === null ? "all" : "above") : from === null ? "upTo" : "within";
  const part = fill(rule.tier[which], limits);
  const phrase = phraseOf(printer, rate);
  const isShare = rate.type === "figure" && rate.figure.unit === "share";
  const paid = isShare
    ? fill(words.share, { rate: phrase.text, base: part })
    : fill(rule.times, { rate: inside(phrase, 1), part });
  return flat === null ? paid : `${paid} + ${fill(rule.flat, { value: inside(phraseOf(printer, flat), 1) })}`;
};

const isZero = ({ value }: Figure): boolean => value === "0";

const blockOf = (printer: Printer, part: Part): Block | null => {
  const { rule } = printer.words;
  if (part.type === "cases")
    return {
      head: rule.oneOf,
      items: part.cases.map(({ when, value }) => {
        const text = inside(phraseOf(printer, value), 2);
        return when === null
          ? fill(rule.otherwise, { value: text })
          : fill(rule.when, { value: text, facts: factText(printer, when) });
      }),
    };
  if (part.type !== "scale") return null;
  const base = inside(phraseOf(printer, part.base), 1);
  const isAfter = part.after !== null && !(part.after.type === "figure" && isZero(part.after.figure));
  const after = part.after === null ? "" : phraseOf(printer, part.after).text;
  return {
    head: fill(rule.tiers[isAfter ? 1 : 0], { base, after }),
    items: part.tiers.map((tier) => tierText(printer, tier)),
  };
};

/** Prints a rule. Thousands are grouped, and days are of UTC. */
export const paragraphsOf = (rule: Rule, words: Words, money: Figures.Money): ReadonlyArray<Paragraph> => {
  const numbered: Array<{ readonly label: string; readonly part: RulePart }> = [];
  const below = (part: RulePart): string => {
    const label = `(${numbered.length + 1})`;
    numbered.push({ label, part });
    return label;
  };
  const printer: Printer = {
    words,
    write: Figures.writer(words, money),
    ruleText: (part) => rulePhrase(printer, part, below),
  };
  const paragraphs: Array<Paragraph> = [];
  /** A part in a sentence of its own, and then the lists that the sentence refers to. */
  const add = (template: string, name: string, part: Part): void => {
    const first = numbered.length;
    const block = blockOf(printer, part);
    const text = fill(template, { name, value: block?.head ?? phraseOf(printer, part).text });
    paragraphs.push(
      block === null
        ? { text: `${text}.`, items: [] }
        : { text: fill(words.rule.list, { text }), items: block.items },
    );
    for (const { label, part: listed } of numbered.slice(first)) add(words.rule.defined, label, listed);
  };
  add(words.rule.perSale, "", rule.calculation);
  for (const { name, value } of rule.definitions) add(words.rule.defined, variableText(words, name), value);
  const unit = Figures.amount("1", money, words.notation);
  const ends = [
    ...(rule.readsEarlierSales ? [words.rule.earlierSales] : []),
    ...(rule.isMoney ? [] : [words.rule.units]),
    ...(rule.isRounded ? [] : [words.rule.rounded]),
  ];
  return [...paragraphs, ...ends.map((text) => ({ text: fill(text, { unit }), items: [] }))];
};

/** Paragraphs as lines of a text. */
export const linesOf = (paragraphs: ReadonlyArray<Paragraph>): ReadonlyArray<string> =>
  paragraphs.flatMap(({ text, items }) => [text, ...items.map((item) => `  – ${item}`)]);

/**
 * The visual order of the characters of a line: the Unicode Bidirectional Algorithm (UAX #9). The only explicit
 * formatting it supports is first-strong isolates that are not nested.
 */
import { memoize } from "./Memoize.ts";

const ISOLATE = "\u2068";
const END = "\u2069";

/** Isolates a text, so that its direction does not depend on the text around it; remove the marks where text is not typeset. */
export const isolate = (text: string): string => `${ISOLATE}${text}${END}`;

/** The text without the marks of {@link isolate}. */
export const removeMarks = (text: string): string =>
  text.replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "");

/** The bidirectional classes that the rules distinguish; every rule ignores "BN". */
type Class = "L" | "R" | "AL" | "EN" | "AN" | "ES" | "ET" | "CS" | "NSM" | "BN" | "N";

type Direction = "L" | "R";

const EUROPEAN = /[\d²³¹⁰⁴-⁹₀-₉\u06f0-\u06f9０-９]/u;
const ARABIC_NUMBER = /[\u0600-\u0605\u0660-\u0669\u066b\u066c\u06dd\u08e2]/u;
const SIGN = /[+\-⁺⁻₊₋−\ufb29]/u;
const TERMINATOR = /[#%°±‰‱′″‴\u0609\u060a\u066a∓]|\p{Sc}/u;
const SEPARATOR = /[,./:\u00a0\u060c\u202f⁄，．／：]/u;
const OTHER_NEUTRAL = /[\u0606\u0607\u060e\u060f\u06de\u06e9\ufd3e-\ufd4f]/u;
const HEBREW = /[\u0590-\u05ff\u07c0-\u085f\ufb1d-\ufb4f\u{10800}-\u{10fff}\u{1e800}-\u{1edff}]/u;
const ARABIC = /[\u0600-\u07bf\u0860-\u08ff\ufb50-\ufdff\ufe70-\ufefe\u{1ee00}-\u{1eeff}]/u;
const LEFT = /[\p{L}\p{Mc}\p{N}\p{Co}\u0964\u0965\u0970\u0e4f\u0e5a\u0e5b]/u;

const classOf = memoize((character: string): Class => {
  if (/^[a-z]$/i.test(character)) return "L";
  if (character === ISOLATE || character === END) return "N";
  if (/\p{Default_Ignorable_Code_Point}/u.test(character)) {
    return /\p{M}/u.test(character) ? "NSM" : "BN";
  }
  if (/[\p{Mn}\p{Me}]/u.test(character)) return "NSM";
  if (EUROPEAN.test(character)) return "EN";
  if (ARABIC_NUMBER.test(character)) return "AN";
  if (SIGN.test(character)) return "ES";
  if (TERMINATOR.test(character)) return "ET";
  if (SEPARATOR.test(character)) return "CS";
  if (OTHER_NEUTRAL.test(character)) return "N";
  if (HEBREW.test(character)) return "R";
  if (ARABIC.test(character)) return "AL";
  return LEFT.test(character) ? "L" : "N";
});

const BRACKETS = "()[]{}⁅⁆⁽⁾₍₎〈〉❨❩❪❫❬❭❮❯❰❱❲❳❴❵⟦⟧⟨⟩⟪⟫「」『』【】〔〕〖〗〘〙〚〛（）［］｛｝";
const MIRRORED = new Map<string, string>();
for (const pairs of [BRACKETS, "<>«»‹›≤≥≪≫"]) {
  const characters = [...pairs];
  characters.forEach((character, index) => {
    MIRRORED.set(character, characters[index ^ 1] ?? character);
  });
}

/** The mirrored character for text from right to left: the other bracket of a pair, else the character itself. */
export const mirror = (character: string): string => MIRRORED.get(character) ?? character;

/** Whether a character is mirrored in text from right to left. */
export const isMirrored = (character: string): boolean => MIRRORED.has(character);

const strongDirection = (type: Class | undefined): Direction | null =>
  type === "L" ? "L" : type === "R" || type === "AL" || type === "EN" || type === "AN" ? "R" : null;

/** Applies rules W1 to W7, which resolve digits, signs and marks. Changes the classes in place. */
const resolveWeak = (types: Array<Class>, base: Direction): void => {
  let before: Class = base;
  types.forEach((type, index) => {
    if (type === "NSM") types[index] = before;
    before = types[index] ?? base;
  });
  let last: Class = base;
  types.forEach((type, index) => {
    if (type === "L" || type === "R" || type === "AL") last = type;
    if (type === "EN" && last === "AL") types[index] = "AN";
  });
  types.forEach((type, index) => {
    if (type === "AL") types[index] = "R";
  });
  types.forEach((type, index) => {
    const [left, right] = [types[index - 1], types[index + 1]];
    if (left !== right) return;
    if (left === "EN" && (type === "ES" || type === "CS")) types[index] = "EN";
    if (left === "AN" && type === "CS") types[index] = "AN";
  });
  for (let index = 0; index < types.length; index += 1) {
    if (types[index] !== "ET") continue;
    let end = index;
    while (types[end] === "ET") end += 1;
    const joins = types[index - 1] === "EN" || types[end] === "EN";
    types.fill(joins ? "EN" : "N", index, end);
  }
  last = base;
  types.forEach((type, index) => {
    if (type === "ES" || type === "CS") types[index] = "N";
    if (type === "L" || type === "R") last = type;
    if (type === "EN" && last === "L") types[index] = "L";
  });
};

/** The indices of pairs of brackets, ordered by the opening one (definition BD16). */
const bracketPairs = (
  characters: ReadonlyArray<string>,
  types: ReadonlyArray<Class>,
): ReadonlyArray<readonly [number, number]> => {
  const open: Array<{ readonly closing: string; readonly index: number }> = [];
  const pairs: Array<readonly [number, number]> = [];
  for (const [index, character] of characters.entries()) {
    const bracketIndex = BRACKETS.indexOf(character);
    if (bracketIndex < 0 || types[index] !== "N") continue;
    if (bracketIndex % 2 === 0) {
      if (open.length === 63) break;
      open.push({ closing: mirror(character), index });
      continue;
    }
    const openIndex = open.findLastIndex(({ closing }) => closing === character);
    const opening = open[openIndex];
    if (opening === undefined) continue;
    pairs.push([opening.index, index]);
    open.length = openIndex;
  }
  return pairs.sort(([a], [b]) => a - b);
};

/** Applies rule N0: a pair of brackets gets the direction of the text inside it or before it. */
const resolveBrackets = (
  characters: ReadonlyArray<string>,
  types: Array<Class>,
  original: ReadonlyArray<Class>,
  base: Direction,
): void => {
  for (const [opening, closing] of bracketPairs(characters, types)) {
    const inside = types.slice(opening + 1, closing).map(strongDirection);
    let direction: Direction | null = inside.includes(base) ? base : null;
    if (direction === null && inside.some((each) => each !== null)) {
      const before =
        types
          .slice(0, opening)
          .map(strongDirection)
          .findLast((each) => each !== null) ?? base;
      direction = before === base ? base : before;
    }
    if (direction === null) continue;
    for (const bracket of [opening, closing]) {
      types[bracket] = direction;
      for (let mark = bracket + 1; original[mark] === "NSM"; mark += 1) types[mark] = direction;
    }
  }
};

/** Applies rules N1 and N2: neutral characters get the direction of both sides if they agree, else of the text. */
const resolveNeutral = (types: Array<Class>, base: Direction): void => {
  for (let index = 0; index < types.length; index += 1) {
    if (strongDirection(types[index]) !== null) continue;
    let end = index;
    while (end < types.length && strongDirection(types[end]) === null) end += 1;
    const left = index === 0 ? base : strongDirection(types[index - 1]);
    const right = end === types.length ? base : strongDirection(types[end]);
    types.fill(left !== null && left === right ? left : base, index, end);
    index = end;
  }
};

/** The direction of a text: that of its first letter; without letters, from left to right. */
const baseOf = (characters: ReadonlyArray<string>): Direction => {
  for (const character of characters) {
    const type = classOf(character);
    if (type === "L") return "L";
    if (type === "R" || type === "AL") return "R";
  }
  return "L";
};

/** The levels of characters without isolates. */
const plainLevels = (characters: ReadonlyArray<string>, base: Direction): ReadonlyArray<number> => {
  const classes = characters.map(classOf);
  const indices = classes.flatMap((type, index) => (type === "BN" ? [] : [index]));
  const original = indices.map((index) => classes[index] ?? "N");
  const types = [...original];
  resolveWeak(types, base);
  resolveBrackets(
    indices.map((index) => characters[index] ?? ""),
    types,
    original,
    base,
  );
  resolveNeutral(types, base);
  const bottom = base === "L" ? 0 : 1;
  const levels = new Array<number>(characters.length).fill(-1);
  types.forEach((type, index) => {
    const isNumber = type === "EN" || type === "AN";
    const resolved = bottom === 0 ? (isNumber ? 2 : type === "R" ? 1 : 0) : type === "R" ? 1 : 2;
    levels[indices[index] ?? 0] = resolved;
  });
  let before = bottom;
  return levels.map((level) => {
    if (level >= 0) before = level;
    return before;
  });
};

/** An isolate has deeper levels than the text around it. */
const isolatedLevels = (characters: ReadonlyArray<string>, outerLevel: number): ReadonlyArray<number> => {
  const base = baseOf(characters);
  const deeper = base === "R" && outerLevel === 0 ? 0 : 2;
  return plainLevels(characters, base).map((level) => level + deeper);
};

/**
 * The embedding level of each character of a text whose base direction is from left to right: even levels run from left
 * to right, odd ones from right to left. An isolate has the direction of its first letter.
 */
export const levelsOf = (characters: ReadonlyArray<string>): ReadonlyArray<number> => {
  if (!characters.includes(ISOLATE)) return plainLevels(characters, "L");
  const isolates: Array<{ readonly start: number; readonly content: ReadonlyArray<string> }> = [];
  const outside: Array<{ readonly index: number; readonly character: string }> = [];
  for (let index = 0; index < characters.length; index += 1) {
    const character = characters[index] ?? "";
    outside.push({ index, character });
    if (character !== ISOLATE) continue;
    const end = characters.indexOf(END, index);
    const content = characters.slice(index + 1, end < 0 ? characters.length : end);
    isolates.push({ start: index + 1, content });
    index += content.length;
  }
  const levels = new Array<number>(characters.length).fill(0);
  plainLevels(
    outside.map(({ character }) => character),
    "L",
  ).forEach((level, index) => {
    levels[outside[index]?.index ?? 0] = level;
  });
  for (const { start, content } of isolates) {
    isolatedLevels(content, levels[start - 1] ?? 0).forEach((level, index) => {
      levels[start + index] = level;
    });
  }
  return levels;
};

/** The items in visual order, from left to right, given the level of each (rule L2). */
export const reorder = <A>(items: ReadonlyArray<A>, levelOf: (item: A) => number): ReadonlyArray<A> => {
  const ordered = [...items];
  const highest = Math.max(0, ...ordered.map(levelOf));
  for (let level = highest; level >= 1; level -= 1) {
    for (let start = 0; start < ordered.length; start += 1) {
      let end = start;
      while (end < ordered.length && levelOf(ordered[end] as A) >= level) end += 1;
      if (end > start) ordered.splice(start, end - start, ...ordered.slice(start, end).reverse());
      start = end;
    }
  }
  return ordered;
};

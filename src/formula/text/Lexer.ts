/** Splits a text into tokens, in one pass and in time that grows with its length alone. */
import * as Calendar from "../Calendar.ts";
import { CLOSING, escapeCharacter, findInvisible, NAME, type Quoted } from "./Quoting.ts";
import { CONTINUES, IS_CONTINUED, LOOK_ALIKES, RESERVED } from "./Words.ts";

/**
 * A piece of the text. `word` is a reserved word, `name` any other, which may be a word of the language in its place;
 * `break` ends a line that no other continues, and `wrong` is what no token can be, with the reason as its text.
 */
export type Token = {
  readonly kind: "number" | "date" | Quoted | "name" | "word" | "sign" | "break" | "end" | "wrong";
  /** Quoted texts without their signs and escapes, everything else as written. */
  readonly text: string;
  /** UTF-16 code units from the beginning of the text. */
  readonly start: number;
  readonly end: number;
  /** Of an opening parenthesis: whether a semicolon stands between it and the closing one, so that it opens a block. */
  isBlock?: true;
};

/** How deep brackets, and forms that hold themselves, may be nested. */
export const NESTING_MAX = 200;

const BLANK = /[\p{Zs}\t]/u;
const COMMENT = /#[^\r\n]*/y;
const DATE = /\d{4}-\d{2}-\d{2}(?:T[0-9:.]*(?:Z|[+-]\d{2}:\d{2})?)?/y;
const NUMBER = /\d+(?:\.\d+)?/y;
const SIGN = /<=|>=|<>|\?\?|[-+*/%=<>(){};:,.]/y;
const CHUNK = /[^"\]`\\\r\n]+/y;
const ESCAPE = /\\(?:([\\n"\]`])|u\{([0-9a-fA-F]{1,6})\})/y;
const NUMBER_TAIL = /[\p{L}\p{N}_.]+|-\d|,\d{3}(?!\d)/uy;

const OPENED: { readonly [opening: string]: Quoted } = { '"': "string", "[": "property", "`": "variable" };

const WHAT: { readonly [Q in Quoted]: string } = { string: "text", property: "name", variable: "name" };

const match = (pattern: RegExp, text: string, at: number): string | undefined => {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
};

const wrong = (start: number, end: number, text: string): Token => ({ kind: "wrong", text, start, end });

/** An invisible character at a place; undefined if none is there. */
const invisibleAt = (text: string, at: number): Token | undefined => {
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
  return findInvisible(character) === undefined
    ? undefined
    : wrong(
        at,
        at + character.length,
        `an invisible character is written ${escapeCharacter(character)}, and only within quotation marks`,
      );
};

/** What an escape stands for, and its length; undefined if there is no such escape. */
const escapeAt = (
  text: string,
  at: number,
  closing: string,
): { readonly content: string; readonly length: number } | undefined => {
  ESCAPE.lastIndex = at;
  const [found, character, digits] = ESCAPE.exec(text) ?? [];
  if (found === undefined) return undefined;
  const code = Number.parseInt(digits ?? "0", 16);
  if (digits !== undefined)
    return code > 0x10ffff ? undefined : { content: String.fromCodePoint(code), length: found.length };
  if (character === "n") return { content: "\n", length: 2 };
  return character === "\\" || character === closing ? { content: character, length: 2 } : undefined;
};

/** A text or a name between signs. */
const quoted = (text: string, start: number, kind: Quoted): Token => {
  const closing = CLOSING[kind];
  let content = "";
  let at = start + 1;
  for (;;) {
    const character = text[at];
    if (character === undefined || character === "\n" || character === "\r")
      return wrong(
        start,
        at,
        `the ${WHAT[kind]} that begins here has no end; expected ${closing} on the same line`,
      );
    if (character === closing) return { kind, text: content, start, end: at + 1 };
    if (character === "\\") {
      const read = escapeAt(text, at, closing);
      if (read === undefined)
        return wrong(
          at,
          Math.min(at + 2, text.length),
          `expected one of \\\\, \\${closing}, \\n and \\u{…} after the backslash`,
        );
      content += read.content;
      at += read.length;
      continue;
    }
    const chunk = match(CHUNK, text, at) ?? character;
    const index = findInvisible(chunk);
    if (index !== undefined) return invisibleAt(text, at + index) as Token;
    content += chunk;
    at += chunk.length;
  }
};

const DATES = "date; expected one such as 2026-01-31 or 2026-01-31T09:30:00Z";

/** Why digits and what stands behind them are no number. */
const numberProblem = (whole: string, tail: string): string => {
  if (tail.startsWith("-")) return "expected blanks around - for a subtraction, or a date such as 2026-01-31";
  return tail.startsWith(",")
    ? `${whole} has two meanings; expected a number without commas, or a blank after the comma of a list`
    : `${whole} is neither a number such as 12.5 nor a name`;
};

/** A number or a date. What would be read as a subtraction or a unit against its looks is wrong. */
const numberOrDate = (text: string, start: number): Token => {
  const date = match(DATE, text, start);
  const found = date ?? match(NUMBER, text, start) ?? "";
  const end = start + found.length;
  const tail = match(NUMBER_TAIL, text, end);
  if (tail !== undefined && !tail.startsWith("bp")) {
    const whole = text.slice(start, end + tail.length).slice(0, 40);
    return wrong(
      start,
      end + tail.length,
      date === undefined ? numberProblem(whole, tail) : `${whole} is no ${DATES}`,
    );
  }
  if (date === undefined) return { kind: "number", text: found, start, end };
  return Calendar.parse(date) === undefined
    ? wrong(start, end, `${date} is no ${DATES}`)
    : { kind: "date", text: date, start, end };
};

/** A sign that looks like one of ours; undefined if none is there. */
const lookAlikeAt = (text: string, start: number): Token | undefined => {
  for (const length of [2, 1]) {
    const alike = text.slice(start, start + length);
    const sign = LOOK_ALIKES.get(alike);
    if (sign !== undefined) return wrong(start, start + alike.length, `expected ${sign} instead of ${alike}`);
  }
  return undefined;
};

/** A token that no other rule reads. */
const unknown = (text: string, start: number): Token => {
  const character = String.fromCodePoint(text.codePointAt(start) ?? 0);
  return (
    invisibleAt(text, start) ??
    wrong(
      start,
      start + character.length,
      `"${character}" is no sign of the language; a name with it is written [in brackets]`,
    )
  );
};

const SIGNS: ReadonlySet<string> = new Set("-+*/%=<>(){};:,.?");

const tokenAt = (text: string, start: number): Token => {
  const first = text[start] ?? "";
  const kind = OPENED[first];
  if (kind !== undefined) return quoted(text, start, kind);
  if (first >= "0" && first <= "9") return numberOrDate(text, start);
  if (SIGNS.has(first)) {
    const alike = first === "=" ? lookAlikeAt(text, start) : undefined;
    const sign = match(SIGN, text, start);
    if (alike !== undefined) return alike;
    if (sign !== undefined) return { kind: "sign", text: sign, start, end: start + sign.length };
  }
  const name = match(NAME, text, start);
  return name === undefined
    ? (lookAlikeAt(text, start) ?? unknown(text, start))
    : { kind: RESERVED.has(name) ? "word" : "name", text: name, start, end: start + name.length };
};

const isOneOf = ({ kind, text }: Token, texts: ReadonlySet<string>): boolean =>
  (kind === "sign" || kind === "word") && texts.has(text);

/** Collects tokens: finds the ends of lines outside brackets, and the parentheses that are blocks. */
class Tokens {
  readonly list: Array<Token> = [];
  readonly #open: Array<Token> = [];
  #line = false;

  /** Notes a line break, which ends the line unless a bracket is open. */
  breakLine(): void {
    this.#line ||= this.#open.length === 0;
  }

  /** Takes the next token in. */
  add(read: Token): void {
    const last = this.list.at(-1);
    // After the dot of `sale.` or `plan.` every word is a name.
    const isNamed = read.kind === "word" && last?.kind === "sign" && last.text === ".";
    const token: Token = isNamed ? { ...read, kind: "name" } : read;
    // What is wrong is best reported where it stands, as part of the line before.
    const continues = token.kind === "wrong" || isOneOf(token, CONTINUES);
    if (this.#line && last !== undefined && !continues && !isOneOf(last, IS_CONTINUED))
      this.#separate(token.start);
    this.#line = false;
    if (token.kind !== "sign") this.list.push(token);
    else this.#addSign(token);
  }

  #separate(start: number): void {
    const last = this.list.at(-1);
    if (last !== undefined && last.kind !== "break")
      this.list.push({ kind: "break", text: "", start: last.end, end: start });
  }

  #addSign(token: Token): void {
    const { text, start, end } = token;
    const around = this.#open.at(-1);
    if (text === ";" && around === undefined) {
      this.#separate(start);
      return;
    }
    if (text === ";" && around?.text === "(") around.isBlock = true;
    if (text === "(" || text === "{") {
      if (this.#open.length === NESTING_MAX) {
        this.list.push(wrong(start, end, `brackets can be nested ${NESTING_MAX} deep at most`));
        return;
      }
      this.#open.push(token);
    }
    // One that closes another kind of bracket is a mistake, which the parser finds.
    if (text === ")" || text === "}") this.#open.pop();
    this.list.push(token);
  }
}

/** The tokens of a text, the last of which is its end. Every text has some. */
export const tokenize = (text: string): ReadonlyArray<Token> => {
  const tokens = new Tokens();
  let at = text.startsWith("\ufeff") ? 1 : 0;
  while (at < text.length) {
    const character = text[at] ?? "";
    if (character === "\n" || character === "\r") {
      tokens.breakLine();
      at += 1;
    } else if (BLANK.test(character)) at += 1;
    else if (character === "#") {
      const comment = match(COMMENT, text, at) ?? character;
      const index = findInvisible(comment.replaceAll("\t", " "));
      if (index !== undefined) tokens.add(invisibleAt(text, at + index) as Token);
      at += comment.length;
    } else {
      const token = tokenAt(text, at);
      tokens.add(token);
      at = token.end;
    }
  }
  const last = tokens.list.at(-1);
  if (last?.kind === "break") tokens.list.pop();
  return [...tokens.list, { kind: "end", text: "", start: text.length, end: text.length }];
};

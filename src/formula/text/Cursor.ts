/** A place among the tokens of a text, the names that are bound there, and the problems found so far. */
import { ATTRIBUTES, type Expression } from "../Expression.ts";
import { NESTING_MAX, type Token } from "./Lexer.ts";
import { excerpt, nearest, problemAt, type TextProblem } from "./TextProblem.ts";
import { RESERVED } from "./Words.ts";

/** What an expression can name: the properties of a schema, and the parameters of a formula or plan. */
export type Names = { readonly properties: Iterable<string>; readonly parameters?: Iterable<string> };

/** Problems that one text is refused with at most. */
const PROBLEMS_MAX = 10;

/** What stands for a part that could not be read. The text is refused, so that no caller sees it. */
export const UNREADABLE: Expression = { type: "literal", value: { type: "number", value: 0 } };

/** Where a node, a value or an item of a list begins and ends. */
export type Range = { readonly start: number; readonly end: number };

/**
 * Reads tokens one after another. A mistake is recorded once for a line: `fail` moves to the end of the line, where no rule
 * finds what it looks for, so that all of them return. Lines after it are read as if nothing had happened.
 */
export class Cursor {
  readonly problems: Array<TextProblem> = [];
  /** Where the parts of the expression stand in the text. */
  readonly ranges = new Map<object, Range>();
  /** Where the items of lists of names stand. */
  readonly itemRanges = new Map<object, Array<Range>>();
  /** True if what an aggregate adds up is being read, outside parentheses, where `count` before `earlier` is a name. */
  isRowValue = false;
  /** Where the last form that needs no parentheses began and ended, in tokens. */
  primary = { from: -1, to: -1 };
  readonly #text: string;
  readonly #tokens: ReadonlyArray<Token>;
  readonly #properties: ReadonlySet<string> | undefined;
  readonly #parameters: ReadonlySet<string> | undefined;
  readonly #bound = new Map<string, number>();
  #position = 0;
  #nesting = 0;
  #isLost = false;

  constructor(text: string, tokens: ReadonlyArray<Token>, names: Names | undefined) {
    this.#text = text;
    this.#tokens = tokens;
    this.#properties = names === undefined ? undefined : new Set(names.properties);
    this.#parameters = names === undefined ? undefined : new Set(names.parameters ?? []);
  }

  /** True if this line could not be read. */
  get isLost(): boolean {
    return this.#isLost;
  }

  get position(): number {
    return this.#position;
  }

  /** The token that is read next, or one of those after it. */
  peek(ahead = 0): Token {
    const position = Math.min(this.#position + ahead, this.#tokens.length - 1);
    return this.#tokens[Math.max(position, 0)] as Token;
  }

  /** True if a token is a sign or a word of the language. */
  is(text: string, ahead = 0): boolean {
    const token = this.peek(ahead);
    return token.text === text && (token.kind === "sign" || token.kind === "word" || token.kind === "name");
  }

  /** True if the line ends here. */
  isEnd(): boolean {
    const { kind } = this.peek();
    return kind === "break" || kind === "end";
  }

  /** Moves over the end of a line; false if this is the end of the text. */
  startLine(): boolean {
    this.#isLost = false;
    const { kind } = this.peek();
    if (kind === "break") this.#position += 1;
    return kind === "break";
  }

  /** Moves over the next token, which is not the end. */
  advance(): Token {
    const token = this.peek();
    if (this.#position < this.#tokens.length - 1) this.#position += 1;
    return token;
  }

  /** Moves over signs or words if they are next. */
  accept(...texts: ReadonlyArray<string>): boolean {
    if (!texts.every((text, index) => this.is(text, index))) return false;
    this.#position += texts.length;
    return true;
  }

  /** Moves over the phrase of words that is next, and returns its key; undefined if none is. One that is begun must go on. */
  acceptPhrase<Key extends string>(phrases: { readonly [K in Key]: string }): Key | undefined {
    let [begun, next]: [number, ReadonlyArray<string>] = [1, []];
    for (const key in phrases) {
      const words = phrases[key].split(" ");
      const differs = words.findIndex((word, index) => !this.is(word, index));
      if (differs < 0) {
        this.accept(...words);
        return key;
      }
      if (differs > begun) [begun, next] = [differs, []];
      if (differs === begun) next = [...next, `"${words[differs]}"`];
    }
    if (next.length > 0) {
      this.#position += begun;
      this.fail(next.join(" or "));
    }
    return undefined;
  }

  /** Moves over a sign or a word, which must be next. */
  expect(text: string, reason = ""): void {
    if (!this.accept(text)) this.fail(`"${text}"${reason}`);
  }

  /** Records that something else was expected here, and moves to the end of the line. */
  fail(expected: string): Expression {
    const token = this.peek();
    const found =
      token.kind === "end"
        ? "the end of the text"
        : token.kind === "break"
          ? "the end of the line"
          : `"${excerpt(this.#text.slice(token.start, token.end))}"`;
    return this.refuse(
      token.kind === "wrong" ? token.text : `expected ${expected}, found ${found}${this.#hint(token)}`,
    );
  }

  /** The text from a position up to the token that is read next, for a message. */
  textFrom(position: number): string {
    return excerpt(this.#text.slice(this.#tokens[position]?.start, this.peek(-1).end));
  }

  /** What was likely meant by a token that cannot stand here. */
  #hint(token: Token): string {
    const word = token.text.toLowerCase();
    if (token.kind === "name" && RESERVED.has(word)) return `; did you mean '${word}'?`;
    const [before, after] = [this.peek(-1), this.peek(1)];
    const isInNumber =
      token.text === "," &&
      before.kind === "number" &&
      before.end === token.start &&
      after.start === token.end;
    return isInNumber ? "; decimals stand after a point, and thousands have no sign: 1234.5" : "";
  }

  /** Records a mistake here, and moves to the end of the line. */
  refuse(message: string): Expression {
    if (!this.#isLost) this.report(this.peek(), message);
    this.#isLost = true;
    while (!this.isEnd()) this.#position += 1;
    return UNREADABLE;
  }

  /** Records a mistake without which the text could be read. Only the first of a place counts. */
  report({ start, end }: Range, message: string): void {
    const isKnown = this.problems.some((problem) => problem.start >= start && problem.start <= end);
    if (this.problems.length < PROBLEMS_MAX && !isKnown)
      this.problems.push(problemAt(this.#text, start, end, message));
  }

  /** Notes that a part of the expression begins with the token at a position and ends before the next. */
  mark<const Part extends object>(from: number, part: Part): Part {
    const start = (this.#tokens[from] as Token).start;
    const last = this.#tokens[Math.max(this.#position - 1, from)] as Token;
    this.ranges.set(part, { start, end: last.end });
    return part;
  }

  /** Notes that the next item of a list is the token before. */
  markItem(list: object): void {
    const ranges = this.itemRanges.get(list) ?? [];
    ranges.push(this.#tokens[this.#position - 1] as Token);
    this.itemRanges.set(list, ranges);
  }

  /** Reads a form that can hold itself. */
  nested(read: () => Expression): Expression {
    // The formula itself is in no bracket.
    if (this.#nesting > NESTING_MAX) return this.refuse(`forms can be nested ${NESTING_MAX} deep at most`);
    this.#nesting += 1;
    const expression = read();
    this.#nesting -= 1;
    return expression;
  }

  /** Binds a name from here on. */
  bind(name: string): void {
    this.#bound.set(name, (this.#bound.get(name) ?? 0) + 1);
  }

  /** Releases a binding of the name. */
  release(name: string): void {
    this.#bound.set(name, (this.#bound.get(name) ?? 1) - 1);
  }

  /** True if the name is bound here. */
  isBound(name: string): boolean {
    return (this.#bound.get(name) ?? 0) > 0;
  }

  /** Reports a name that the schema does not have. */
  checkProperty(token: Token): void {
    if (this.#properties === undefined || this.#properties.has(token.text)) return;
    if (this.problems.length === PROBLEMS_MAX) return;
    const bound = [...this.#bound.keys()].filter((name) => this.isBound(name));
    const word = token.text.toLowerCase();
    const names = [
      ...bound,
      ...this.#properties,
      ...(RESERVED.has(word) && token.kind === "name" ? [word] : []),
    ];
    const isAttribute = ATTRIBUTES.some((attribute) => attribute === token.text);
    this.reportUnknown(token, "name", names, isAttribute ? `sale.${token.text}` : undefined);
  }

  /** Reports a parameter that is not declared. */
  checkParameter(token: Token): void {
    if (this.#parameters !== undefined && !this.#parameters.has(token.text))
      this.reportUnknown(token, "parameter", this.#parameters);
  }

  /** Reports a word that is not one of the known ones, with the one that was likely meant. */
  reportUnknown(
    token: Token,
    what: string,
    known: Iterable<string>,
    meant = nearest(token.text, known),
  ): void {
    const hint = meant === undefined ? "" : `; did you mean '${meant}'?`;
    this.report(token, `unknown ${what} '${excerpt(token.text)}'${hint}`);
  }
}

/** True if a token can name something by itself. */
export const isName = ({ kind }: Token): boolean => kind === "name";

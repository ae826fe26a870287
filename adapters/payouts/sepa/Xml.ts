/**
 * Reads XML from untrusted senders: elements, attributes and text. It refuses document types, entities beyond the five of XML, deep
 * nesting and too many elements, so that no document costs more than its own length.
 */
import { Data, Effect, Either } from "effect";
import { Refusal, TimeSlice } from "quittance";

/** An element: its text, or its children by name without prefixes. Attributes begin with `@`, its own text is `#text`. */
export type Element = string | { readonly [name: string]: string | ReadonlyArray<Element> };

/** A document: the name of its root without prefix, the root, and its namespace. */
export interface Document {
  readonly name: string;
  readonly root: Element;
  readonly namespace: string | null;
}

const DEPTH_MAX = 40;
const ELEMENTS_MAX = 1_000_000;
/** The longest tag, and the longest text between two tags. */
const PIECE_MAX = 65_536;
const LONG_TAG = `is not well-formed XML, or has a tag longer than ${PIECE_MAX} characters`;
/** Pieces that are read between two checks of the clock. */
const PIECES_AT_ONCE = 20;

/** The document cannot be read; thrown inside this module only. */
class Unreadable extends Data.Error<{ readonly explanation: string }> {}

const fail = (explanation: string): never => {
  throw new Unreadable({ explanation });
};

const MALFORMED = "is not well-formed XML";

const DECLARED_ENCODING = /^<\?xml[^>]*?encoding\s*=\s*["']([A-Za-z0-9._-]+)["']/;
/** The encodings in which banks send. */
const ENCODINGS: ReadonlySet<string> = new Set([
  "utf-8",
  "iso-8859-1",
  "iso-8859-2",
  "windows-1250",
  "iso-8859-15",
  "windows-1252",
  "us-ascii",
]);

/** The text of the bytes in the encoding that the document declares; UTF-8 unless stated. */
const decode = (bytes: Uint8Array): string => {
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, 200)).replace(/^\u00ef\u00bb\u00bf/, "");
  const encoding = (DECLARED_ENCODING.exec(head)?.[1] ?? "utf-8").toLowerCase();
  if (!ENCODINGS.has(encoding)) return fail(`the encoding ${encoding} is not supported`);
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return fail(`is not text in ${encoding}`);
  }
};

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ["lt", "<"],
  ["gt", ">"],
  ["amp", "&"],
  ["quot", '"'],
  ["apos", "'"],
]);

const characterOf = (digits: string): string => {
  const code = digits.startsWith("x") ? Number.parseInt(digits.slice(1), 16) : Number(digits);
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : fail(MALFORMED);
};

const replaceEntities = (text: string): string =>
  text.includes("&")
    ? text.replace(/&(?:#(x[0-9a-fA-F]+|[0-9]+)|([a-z]+));|&/g, (_all, digits?: string, name?: string) =>
        digits !== undefined
          ? characterOf(digits)
          : (ENTITIES.get(name ?? "") ?? fail("must not use entities")),
      )
    : text;

const NAME = "[A-Za-z_:][\\w:.\\-\\u00b7-\\uffff]*";
const START = new RegExp(`<(${NAME})((?:\\s+${NAME}\\s*=\\s*(?:"[^"<]*"|'[^'<]*'))*)\\s*(/?)>`, "y");
const ATTRIBUTE = new RegExp(`(${NAME})\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, "g");

const localName = (name: string): string => name.slice(name.indexOf(":") + 1);

/** The parts of an element that are kept, while it is open; `parts` are its children and attributes. */
interface OpenElement {
  readonly name: string;
  readonly parts: Record<string, string | Array<Element>>;
  hasParts: boolean;
  text: string;
}

/** The values of attributes by their names; refuses one that occurs twice. */
const attributesOf = (text: string): ReadonlyMap<string, string> => {
  const attributes = new Map<string, string>();
  for (const [, name = "", double, single = ""] of text.matchAll(ATTRIBUTE)) {
    if (attributes.has(name)) fail(MALFORMED);
    attributes.set(name, replaceEntities(double ?? single));
  }
  return attributes;
};

/** Checks attributes of which none is kept. */
const checkAttributes = (text: string): void => {
  if (text.indexOf("=") !== text.lastIndexOf("=")) attributesOf(text);
  else replaceEntities(text);
};

const toElement = ({ parts, hasParts, text }: OpenElement): Element => {
  const ownText = text.trim();
  if (!hasParts) return ownText;
  if (ownText !== "") parts["#text"] = ownText;
  return parts;
};

const namespaceOf = (name: string, attributes: ReadonlyMap<string, string>): string | null => {
  const colon = name.indexOf(":");
  return attributes.get(colon < 0 ? "xmlns" : `xmlns:${name.slice(0, colon)}`) ?? null;
};

const indexAfter = (text: string, mark: string, from: number): number => {
  const found = text.indexOf(mark, from);
  return found < 0 ? fail(MALFORMED) : found + mark.length;
};

/** Reads a document in one pass, a piece at a time. */
class Reader {
  readonly #text: string;
  readonly #needed: ReadonlySet<string>;
  /** The names of all open elements, with their prefixes. */
  readonly #names: Array<string> = [];
  /** Those of the open elements that are kept; the others are inside the last of them. */
  readonly #kept: Array<OpenElement> = [];
  #position = 0;
  #document: { readonly name: string; readonly namespace: string | null } | null = null;
  #root: Element | null = null;
  #elements = 0;

  constructor(text: string, needed: ReadonlySet<string>) {
    this.#text = text;
    this.#needed = needed;
  }

  /** Reads the next pieces; returns the document after the last one, else null. */
  advance(): Document | null {
    for (let pieces = 0; pieces < PIECES_AT_ONCE; pieces++) {
      if (this.#position >= this.#text.length) return this.#end();
      this.#piece();
    }
    return null;
  }

  #end(): Document {
    if (this.#document === null || this.#root === null) return fail(MALFORMED);
    return { ...this.#document, root: this.#root };
  }

  /** Reads the text up to the next tag, and the tag. */
  #piece(): void {
    const text = this.#text;
    const tag = text.indexOf("<", this.#position);
    const end = tag < 0 ? text.length : tag;
    if (end - this.#position > PIECE_MAX) fail(`must have no text longer than ${PIECE_MAX} characters`);
    if (end > this.#position) this.#append(replaceEntities(text.slice(this.#position, end)));
    this.#position = tag < 0 ? text.length : this.#markup(tag);
  }

  /** Reads what begins with `<`; returns where it ends. */
  #markup(tag: number): number {
    const text = this.#text;
    const mark = text.charAt(tag + 1);
    if (mark === "/") return this.#endTag(tag);
    if (mark !== "!" && mark !== "?") return this.#startTag(tag);
    if (mark === "?") return indexAfter(text, "?>", tag);
    if (text.startsWith("<!--", tag)) return indexAfter(text, "-->", tag + 4);
    if (!text.startsWith("<![CDATA[", tag)) return fail("must have no document type (DTD)");
    const end = indexAfter(text, "]]>", tag);
    this.#append(text.slice(tag + 9, end - 3));
    return end;
  }

  #append(text: string): void {
    const depth = this.#names.length;
    const kept = this.#kept.at(-1);
    if (kept !== undefined && depth === this.#kept.length) kept.text += text;
    else if (depth === 0 && text.trim() !== "" && text !== "\ufeff") fail(MALFORMED);
  }

  #startTag(tag: number): number {
    START.lastIndex = 0;
    const piece = this.#text.slice(tag, tag + PIECE_MAX);
    const [all, name = "", attributes = "", empty] =
      START.exec(piece) ?? fail(piece.length < PIECE_MAX ? MALFORMED : LONG_TAG);
    const depth = this.#names.length;
    if (depth === 0 && this.#document !== null) fail(MALFORMED);
    if (depth >= DEPTH_MAX) fail(`must not nest elements deeper than ${DEPTH_MAX} levels`);
    if (++this.#elements > ELEMENTS_MAX) fail(`must have at most ${ELEMENTS_MAX} elements`);
    const own = localName(name);
    if (depth === 0) this.#document = { name: own, namespace: namespaceOf(name, attributesOf(attributes)) };
    if (depth === 0 || (depth === this.#kept.length && this.#needed.has(own))) this.#keep(own, attributes);
    else if (attributes !== "") checkAttributes(attributes);
    this.#names.push(name);
    if (empty === "/") this.#close();
    return tag + all.length;
  }

  #keep(name: string, attributes: string): void {
    const open: OpenElement = { name, parts: {}, hasParts: false, text: "" };
    this.#kept.push(open);
    if (attributes === "") return;
    for (const [key, value] of attributesOf(attributes)) {
      const part = `@${localName(key)}`;
      if (!this.#needed.has(part)) continue;
      open.parts[part] = value;
      open.hasParts = true;
    }
  }

  #endTag(tag: number): number {
    const end = indexAfter(this.#text, ">", tag);
    if (this.#text.slice(tag + 2, end - 1).trimEnd() !== this.#names.at(-1)) fail(MALFORMED);
    this.#close();
    return end;
  }

  #close(): void {
    const isKept = this.#names.length === this.#kept.length;
    this.#names.pop();
    if (!isKept) return;
    const open = this.#kept.pop() ?? fail(MALFORMED);
    const element = toElement(open);
    const parent = this.#kept.at(-1);
    if (parent === undefined) {
      this.#root = element;
      return;
    }
    const same = parent.parts[open.name];
    parent.hasParts = true;
    if (same === undefined || typeof same === "string") parent.parts[open.name] = [element];
    else same.push(element);
  }
}

const attempt = <A>(run: () => A): Either.Either<A, Refusal.Invalid> => {
  try {
    return Either.right(run());
  } catch (cause) {
    if (cause instanceof Unreadable) return Either.left(Refusal.invalid("file", cause.explanation));
    throw cause;
  }
};

const makeReader = (bytes: Uint8Array, needed: ReadonlySet<string>): Reader => {
  const text = decode(bytes);
  if (!/^\ufeff?\s*</.test(text)) fail("is not XML");
  return new Reader(text, needed);
};

/**
 * The needed elements of a document, read in slices of time: `needed` are the names of elements, and of attributes after a `@`.
 * Others are skipped with everything inside them, and cost no memory. Refuses what is not well formed, a document type, which is
 * where entities are declared, nesting beyond 40 levels, more than a million elements, and tags or texts beyond 65,536 characters.
 */
export const read = (
  bytes: Uint8Array,
  needed: ReadonlySet<string>,
): Effect.Effect<Document, Refusal.Invalid> =>
  Effect.flatMap(
    Effect.suspend(() => attempt(() => makeReader(bytes, needed))),
    (reader) =>
      TimeSlice.until(() => {
        const outcome = attempt(() => reader.advance());
        if (Either.isLeft(outcome)) return Either.left(outcome.left);
        return outcome.right === null ? null : Either.right(outcome.right);
      }),
  );

/** The children of a name, in the order of the document. */
export const childrenOf = (parent: Element | undefined, name: string): ReadonlyArray<Element> => {
  const found = parent === undefined || typeof parent === "string" ? undefined : parent[name];
  return found === undefined || typeof found === "string" ? [] : found;
};

/** The first element along a path. */
export const elementAt = (parent: Element | undefined, ...path: ReadonlyArray<string>): Element | undefined =>
  path.reduce<Element | undefined>((found, name) => childrenOf(found, name)[0], parent);

/** The text of the first element along a path, or of an attribute of it; null when it is absent or empty. */
export const textAt = (parent: Element | undefined, ...path: ReadonlyArray<string>): string | null => {
  const last = path.at(-1) ?? "";
  if (last.startsWith("@") || last === "#text") {
    const owner = elementAt(parent, ...path.slice(0, -1));
    const value = owner === undefined || typeof owner === "string" ? undefined : owner[last];
    return typeof value === "string" && value !== "" ? value : null;
  }
  const found = elementAt(parent, ...path);
  const text = typeof found === "string" ? found : found?.["#text"];
  return typeof text === "string" && text !== "" ? text : null;
};

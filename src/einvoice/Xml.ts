/** Writes XML: elements with attributes, text or other elements. Reads what it has written. */
import { utf8 } from "../domain/NamedId.ts";

/** Characters that XML 1.0 cannot hold, not even escaped. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const FORBIDDEN = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/u;

/** True if a text can be written. */
export const isWritable = (text: string): boolean => !FORBIDDEN.test(text);

/** The text without the characters that cannot be written. */
export const writable = (text: string): string => text.replace(new RegExp(FORBIDDEN, "gu"), "");

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\t": "&#9;",
  "\n": "&#10;",
  "\r": "&#13;",
};

const escapeText = (text: string): string => text.replace(/[&<>"\t\n\r]/g, (item) => ESCAPES[item] ?? item);

/** An element as lines of text. */
export type Element = ReadonlyArray<string>;

const tag = (name: string, attributes: Readonly<Record<string, string>>): string =>
  [name, ...Object.entries(attributes).map(([key, value]) => `${key}="${escapeText(value)}"`)].join(" ");

/** An element with text. */
export const text = (
  name: string,
  value: string,
  attributes: Readonly<Record<string, string>> = {},
): Element => [`<${tag(name, attributes)}>${escapeText(value)}</${name}>`];

/** An element with elements; nulls are left out. */
export const element = (
  name: string,
  children: ReadonlyArray<Element | null>,
  attributes: Readonly<Record<string, string>> = {},
): Element => [
  `<${tag(name, attributes)}>`,
  ...children.flatMap((child) => (child ?? []).map((line) => `  ${line}`)),
  `</${name}>`,
];

/** A document of one root element, in UTF-8. */
export const document = (root: Element): Uint8Array =>
  utf8.encode(['<?xml version="1.0" encoding="UTF-8"?>', ...root, ""].join("\n"));

/** An element that was read. */
export interface Node {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly text: string;
  readonly children: ReadonlyArray<Node>;
}

declare const TextDecoder: { new (): { decode(bytes: Uint8Array): string } };

const CHARACTERS = new Map(Object.entries(ESCAPES).map(([character, escaped]) => [escaped, character]));

const unescapeText = (text: string): string =>
  text.replace(/&[#\w]+;/g, (escaped) => CHARACTERS.get(escaped) ?? escaped);

/** An opening or a closing tag alone on its line, or an element with text. */
const LINE = /^ *<(\/?)([\w:]+)((?: [\w:]+="[^"]*")*)>(?:(.*)<\/[\w:]+>)?$/s;

/** The root of a document that {@link document} has made: it puts every tag on a line of its own. */
export const parse = (bytes: Uint8Array): Node => {
  const top: Node & { readonly children: Array<Node> } = { name: "", attributes: {}, text: "", children: [] };
  const open = [top];
  for (const written of new TextDecoder().decode(bytes).split("\n")) {
    const [, slash, name, listed = "", text] = LINE.exec(written) ?? [];
    if (name === undefined) continue;
    if (slash === "/") {
      open.pop();
      continue;
    }
    const attributes = Object.fromEntries(
      [...listed.matchAll(/([\w:]+)="([^"]*)"/g)].map(([, key = "", value = ""]) => [
        key,
        unescapeText(value),
      ]),
    );
    const node = { name, attributes, text: unescapeText(text ?? ""), children: [] };
    open.at(-1)?.children.push(node);
    if (text === undefined) open.push(node);
  }
  const [root = top] = top.children;
  return root;
};

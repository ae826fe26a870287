/** Writes XML: elements with attributes, text or other elements. */

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

/** A document of one root element. */
export const document = (root: Element): string =>
  ['<?xml version="1.0" encoding="UTF-8"?>', ...root, ""].join("\n");

/** Reads the objects of a PDF file as its cross-reference table lists them; it shares nothing with the writer. */
import { inflateSync } from "node:zlib";

/** A name; strings of PDF are strings of Latin-1. */
export interface Name {
  readonly name: string;
}
export interface Ref {
  readonly ref: number;
}
export interface Dictionary {
  readonly [key: string]: Value;
}
export type Value = number | boolean | null | string | Name | Ref | Dictionary | ReadonlyArray<Value>;

/** An object: its value, and the bytes of its stream as they are stored. */
export interface Stored {
  readonly value: Value;
  readonly raw: Buffer | null;
}

export interface File {
  readonly text: string;
  readonly trailer: Dictionary;
  readonly objects: ReadonlyMap<number, Stored>;
}

const TOKEN =
  /\s*(?:%[^\n]*\n\s*)*(<<|>>|\[|\]|\(|<[0-9A-Fa-f\s]*>|\/[^\s<>[\]()/%]*|(\d+) (\d+) R(?![\w])|[-+]?\d*\.?\d+|true|false|null)/y;

const ESCAPED: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" };

/** Reads values one after the other. */
const reader = (text: string, start: number) => {
  let at = start;
  const literal = (): string => {
    let [depth, read] = [1, ""];
    for (; depth > 0; at++) {
      const sign = text[at] ?? "";
      if (sign === "\\") {
        at++;
        const next = text[at] ?? "";
        read += ESCAPED[next] ?? next;
        continue;
      }
      depth += sign === "(" ? 1 : sign === ")" ? -1 : 0;
      if (depth > 0) read += sign;
    }
    return read;
  };
  const token = (): RegExpExecArray => {
    TOKEN.lastIndex = at;
    const found = TOKEN.exec(text);
    if (found === null) throw new Error(`no value at ${at}: ${text.slice(at, at + 40)}`);
    at = TOKEN.lastIndex;
    return found;
  };
  const value = (): Value => {
    const [, word = "", id] = token();
    if (id !== undefined) return { ref: Number(id) };
    if (word === "<<") return dictionary();
    if (word === "[") return array();
    if (word === "(") return literal();
    if (word.startsWith("/"))
      return {
        name: word.slice(1).replace(/#([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(parseInt(hex, 16))),
      };
    if (word.startsWith("<")) return Buffer.from(word.replace(/[<>\s]/g, ""), "hex").toString("latin1");
    if (word === "true" || word === "false") return word === "true";
    return word === "null" ? null : Number(word);
  };
  const ends = (sign: string): boolean => {
    TOKEN.lastIndex = at;
    const isEnd = TOKEN.exec(text)?.[1] === sign;
    if (isEnd) at = TOKEN.lastIndex;
    return isEnd;
  };
  const dictionary = (): Dictionary => {
    const entries: Record<string, Value> = {};
    while (!ends(">>")) {
      const key = value() as Name;
      entries[key.name] = value();
    }
    return entries;
  };
  const array = (): ReadonlyArray<Value> => {
    const values: Array<Value> = [];
    while (!ends("]")) values.push(value());
    return values;
  };
  return { value, at: () => at };
};

export const isDictionary = (value: Value | undefined): value is Dictionary =>
  typeof value === "object" &&
  value !== null &&
  !Array.isArray(value) &&
  !("name" in value) &&
  !("ref" in value);

const storedAt = (text: string, id: number, offset: number): Stored => {
  const head = `${id} 0 obj\n`;
  if (!text.startsWith(head, offset)) throw new Error(`object ${id} is not at ${offset}`);
  const read = reader(text, offset + head.length);
  const value = read.value();
  const rest = text.slice(read.at());
  const start = /^\s*stream\r?\n/.exec(rest);
  if (start === null || !isDictionary(value)) {
    if (!/^\s*endobj/.test(rest)) throw new Error(`object ${id} does not end`);
    return { value, raw: null };
  }
  const from = read.at() + start[0].length;
  const length = Number(value.Length);
  if (!/^\r?\nendstream\s*endobj/.test(text.slice(from + length, from + length + 30)))
    throw new Error(`the stream of object ${id} does not have its length`);
  return { value, raw: Buffer.from(text.slice(from, from + length), "latin1") };
};

/** The objects of a file; fails where the table, an object or a stream is not as the format demands. */
export const openFile = (bytes: Uint8Array): File => {
  const text = Buffer.from(bytes).toString("latin1");
  const [, place = ""] = /startxref\n(\d+)\n%%EOF\n?$/.exec(text) ?? [];
  const table = /^xref\n0 (\d+)\n0000000000 65535 f \n((?:\d{10} 00000 n \n)*)trailer\n/.exec(
    text.slice(Number(place)),
  );
  if (place === "" || table === null) throw new Error("no cross-reference table");
  const [whole, , listed = ""] = table;
  const offsets = listed.match(/\d{10}(?= 00000)/g) ?? [];
  const trailer = reader(text, Number(place) + whole.length).value();
  if (!isDictionary(trailer) || Number(trailer.Size) !== offsets.length + 1) throw new Error("no trailer");
  return {
    text,
    trailer,
    objects: new Map(offsets.map((offset, index) => [index + 1, storedAt(text, index + 1, Number(offset))])),
  };
};

/** What a value refers to, else the value itself. */
export const follow = ({ objects }: File, value: Value | undefined): Value => {
  if (typeof value !== "object" || value === null || !("ref" in value)) return value ?? null;
  const found = objects.get((value as Ref).ref);
  if (found === undefined) throw new Error("a reference to no object");
  return found.value;
};

/** The dictionary along keys from another one; empty where there is none. */
export const at = (file: File, from: Value | undefined, ...keys: ReadonlyArray<string>): Dictionary => {
  const value = follow(file, from);
  if (!isDictionary(value)) return {};
  const [key, ...rest] = keys;
  return key === undefined ? value : at(file, value[key], ...rest);
};

/** The decoded stream that a value refers to; null where it refers to none. */
export const streamOf = (file: File, value: Value | undefined): Buffer | null => {
  const stored =
    typeof value === "object" && value !== null && "ref" in value
      ? file.objects.get((value as Ref).ref)
      : undefined;
  if (stored?.raw == null) return null;
  const filter = at(file, stored.value).Filter;
  return filter === undefined ? stored.raw : inflateSync(stored.raw);
};

/** The name or the string that a value is. */
export const wordOf = (value: Value | undefined): string =>
  typeof value === "string"
    ? value
    : typeof value === "object" && value !== null && "name" in value
      ? (value as Name).name
      : "";

/** A text string: UTF-16 after a mark of its byte order, else Latin. */
export const textOf = (value: Value | undefined): string => {
  const raw = wordOf(value);
  return raw.startsWith("\xfe\xff") ? Buffer.from(raw.slice(2), "latin1").swap16().toString("utf16le") : raw;
};

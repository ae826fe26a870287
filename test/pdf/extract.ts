/** Reads the text back from a PDF file as a viewer does: page by page, through each font's own table of characters. */
import { inflateSync } from "node:zlib";

/** A run of text and where it begins, in points from the bottom left corner of the page. */
export interface Run {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  /** What the text around says that it is, in reading order; null where the letters themselves say it. */
  readonly actual: string | null;
  /** The glyphs that are drawn; 0 is the box that stands for a missing character. */
  readonly glyphs: ReadonlyArray<number>;
}

/** What stands on one page. */
export interface Page {
  readonly runs: ReadonlyArray<Run>;
  /** The text from top to bottom, runs of the same height joined from left to right; actual text in place of letters. */
  readonly lines: ReadonlyArray<string>;
}

const found = <A>(value: A | null | undefined, what: string): A => {
  if (value === null || value === undefined) throw new Error(`the file has no ${what}`);
  return value;
};

const reference = (body: string, key: string): number =>
  Number(found(new RegExp(`/${key} (\\d+) 0 R`).exec(body)?.[1], key));

const stream = (body: string): string => {
  const raw = found(/stream\n([\s\S]*)\nendstream/.exec(body)?.[1], "stream");
  return body.includes("/FlateDecode") ? inflateSync(Buffer.from(raw, "latin1")).toString("latin1") : raw;
};

const characters = (cmap: string): ReadonlyMap<number, string> => {
  const table = new Map<number, string>();
  for (const [, first = "", list = ""] of cmap.matchAll(/<([0-9a-f]+)> <[0-9a-f]+> \[([^\]]*)\]/g)) {
    [...list.matchAll(/<([0-9a-f ]*)>/g)].forEach(([, units = ""], index) => {
      // A part of a letter, such as its dots, stands for no character of its own.
      const codes = units.split(" ").flatMap((unit) => (unit === "" ? [] : Number.parseInt(unit, 16)));
      table.set(Number.parseInt(first, 16) + index, String.fromCharCode(...codes));
    });
  }
  return table;
};

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" };

/** A text string of PDF: UTF-16 after a mark of its byte order, else Latin. */
const textString = (escaped: string): string => {
  const raw = escaped.replace(/\\([\s\S])/g, (_, letter: string) => ESCAPES[letter] ?? letter);
  return raw.startsWith("\xfe\xff") ? Buffer.from(raw.slice(2), "latin1").swap16().toString("utf16le") : raw;
};

const PIECE =
  /\/ActualText \(((?:\\[\s\S]|[^\\)])*)\)|(EMC)|1 0 0 1 (\S+) (\S+) Tm\n\/(\w+) \S+ Tf\n([\s\S]*?)ET/g;

const runsOf = (
  content: string,
  fonts: ReadonlyMap<string, ReadonlyMap<number, string>>,
): ReadonlyArray<Run> => {
  let actual: string | null = null;
  return [...content.matchAll(PIECE)].flatMap(([, told, end, x, y, font = "", shown = ""]) => {
    if (told !== undefined) actual = textString(told);
    if (end !== undefined) actual = null;
    if (x === undefined) return [];
    const table = found(fonts.get(font), `font ${font}`);
    const codes = [...shown.matchAll(/<([0-9a-f]+)>/g)].flatMap(([, hex = ""]) => hex.match(/.{4}/g) ?? []);
    const glyphs = codes.map((code) => Number.parseInt(code, 16));
    const text = glyphs.map((glyph) => found(table.get(glyph), `character ${glyph}`)).join("");
    return [{ text, x: Number(x), y: Number(y), actual, glyphs }];
  });
};

const linesOf = (runs: ReadonlyArray<Run>): ReadonlyArray<string> => {
  const byHeight = new Map<number, ReadonlyArray<Run>>();
  for (const run of runs) {
    const height = Math.round(run.y);
    byHeight.set(height, [...(byHeight.get(height) ?? []), run]);
  }
  return [...byHeight]
    .sort(([a], [b]) => b - a)
    .map(([, line]) =>
      line
        .toSorted((a, b) => a.x - b.x)
        .map(({ text, actual }) => actual ?? text.trim())
        // All runs of a span have the text of the whole span.
        .filter((text, index, all) => index === 0 || text !== all[index - 1] || !line[index]?.actual)
        .join(" "),
    );
};

/** The pages of a file. */
export const pagesOf = (bytes: Uint8Array): ReadonlyArray<Page> => {
  const file = Buffer.from(bytes).toString("latin1");
  const objects = new Map(
    [...file.matchAll(/(?<=^|\n)(\d+) 0 obj\n([\s\S]*?)\nendobj/g)].map(([, id, body = ""]) => [
      Number(id),
      body,
    ]),
  );
  const object = (id: number): string => found(objects.get(id), `object ${id}`);
  const tables = new Map<number, ReadonlyMap<number, string>>();
  const tableOf = (id: number): ReadonlyMap<number, string> => {
    const table = tables.get(id) ?? characters(stream(object(reference(object(id), "ToUnicode"))));
    tables.set(id, table);
    return table;
  };
  const kids = found(/\/Kids \[([^\]]*)\]/.exec(file)?.[1], "list of pages");
  return [...kids.matchAll(/(\d+) 0 R/g)].map(([, id]) => {
    const page = object(Number(id));
    const resources = object(reference(page, "Resources"));
    const fonts = new Map(
      [...resources.matchAll(/\/(F\d+) (\d+) 0 R/g)].map(([, name = "", font]) => [
        name,
        tableOf(Number(font)),
      ]),
    );
    const runs = runsOf(stream(object(reference(page, "Contents"))), fonts);
    return { runs, lines: linesOf(runs) };
  });
};

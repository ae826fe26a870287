/** Reads the text back from a PDF file as a viewer does: page by page, through each font's own table of characters. */
import { inflateSync } from "node:zlib";

/** A run of text and where it begins, in points from the bottom left corner of the page. */
export interface Run {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  /** What the text around says that it is, in reading order; null where the letters themselves say it. */
  readonly actual: string | null;
  /** The number of the marked content of the structure that it is part of; null for artifacts. */
  readonly mcid: number | null;
  /** The glyphs that are drawn; 0 is the box that stands for a missing character. */
  readonly glyphs: ReadonlyArray<number>;
}

/** An element of the document's structure, with the text that it has itself and the elements inside it. */
export interface Element {
  readonly role: string;
  readonly text: string;
  readonly alt: string | null;
  readonly scope: string | null;
  readonly children: ReadonlyArray<Element>;
}

/** The content of one page. */
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

/** One or several objects, of which the key names the numbers. */
const references = (body: string, key: string): ReadonlyArray<number> => {
  const named = found(new RegExp(`/${key} (\\d+ 0 R|\\[[^\\]]*\\])`).exec(body)?.[1], key);
  return [...named.matchAll(/(\d+) 0 R/g)].map(([, number]) => Number(number));
};

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
  /\/(\w+) <<((?:\((?:\\[\s\S]|[^\\)])*\)|[^(])*?)>> BDC|(EMC)|1 0 0 -1 (\S+) (\S+) Tm\n\/(\w+) \S+ Tf\n([\s\S]*?)(?=1 0 0 -1|ET)/g;

/** The height of a page in points; the file counts down from the top. */
const HEIGHT = 841.89;

/** Marked content that is open: its number in the structure, and the text that it says it is. */
interface Marked {
  readonly mcid: number | null;
  readonly actual: string | null;
}

const markedBy = (properties: string, around: Marked): Marked => {
  const mcid = /\/MCID (\d+)/.exec(properties)?.[1];
  const actual = /\/ActualText \(((?:\\[\s\S]|[^\\)])*)\)/.exec(properties)?.[1];
  return {
    mcid: mcid === undefined ? around.mcid : Number(mcid),
    actual: actual === undefined ? around.actual : textString(actual),
  };
};

const UNMARKED: Marked = { mcid: null, actual: null };

const runsOf = (
  content: string,
  fonts: ReadonlyMap<string, ReadonlyMap<number, string>>,
): ReadonlyArray<Run> => {
  const open: Array<Marked> = [];
  return [...content.matchAll(PIECE)].flatMap(([, role, properties, end, x, y, font = "", shown = ""]) => {
    if (role !== undefined) open.push(markedBy(properties ?? "", open.at(-1) ?? UNMARKED));
    if (end !== undefined) open.pop();
    if (x === undefined) return [];
    const table = found(fonts.get(font), `font ${font}`);
    const codes = [...shown.matchAll(/<([0-9a-f]+)>/g)].flatMap(([, hex = ""]) => hex.match(/.{4}/g) ?? []);
    const glyphs = codes.map((code) => Number.parseInt(code, 16));
    const text = glyphs.map((glyph) => found(table.get(glyph), `character ${glyph}`)).join("");
    return [{ text, x: Number(x), y: HEIGHT - Number(y), ...(open.at(-1) ?? UNMARKED), glyphs }];
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

const objectsOf = (bytes: Uint8Array): ReadonlyMap<number, string> => {
  const file = Buffer.from(bytes).toString("latin1");
  return new Map(
    [...file.matchAll(/(?<=^|\n)(\d+) 0 obj\n([\s\S]*?)\nendobj/g)].map(([, id, body = ""]) => [
      Number(id),
      body,
    ]),
  );
};

interface IdentifiedPage extends Page {
  readonly id: number;
}

const readPages = (objects: ReadonlyMap<number, string>): ReadonlyArray<IdentifiedPage> => {
  const object = (id: number): string => found(objects.get(id), `object ${id}`);
  const tables = new Map<number, ReadonlyMap<number, string>>();
  const tableOf = (id: number): ReadonlyMap<number, string> => {
    const table = tables.get(id) ?? characters(stream(object(reference(object(id), "ToUnicode"))));
    tables.set(id, table);
    return table;
  };
  const list = found(
    [...objects.values()].find((body) => body.includes("/Type /Pages")),
    "list of pages",
  );
  const kids = found(/\/Kids \[([^\]]*)\]/.exec(list)?.[1], "list of pages");
  return [...kids.matchAll(/(\d+) 0 R/g)].map(([, id]) => {
    const page = object(Number(id));
    const resources = object(reference(page, "Resources"));
    const fonts = new Map(
      [...resources.matchAll(/\/(F\d+) (\d+) 0 R/g)].map(([, name = "", font]) => [
        name,
        tableOf(Number(font)),
      ]),
    );
    const content = references(page, "Contents").map((each) => stream(object(each)));
    const runs = runsOf(content.join("\n"), fonts);
    return { id: Number(id), runs, lines: linesOf(runs) };
  });
};

/** The pages of a file. */
export const pagesOf = (bytes: Uint8Array): ReadonlyArray<Page> => readPages(objectsOf(bytes));

const textOf = (runs: ReadonlyArray<Run>): string => {
  const told: Array<string> = [];
  let before: Run | undefined;
  for (const run of runs) {
    const text = run.actual ?? run.text;
    const isSame = run.actual !== null && before?.actual === run.actual && before.y === run.y;
    if (!isSame) told.push(before !== undefined && before.y !== run.y ? ` ${text}` : text);
    before = run;
  }
  return told.join("").trim();
};

/** The structure of a file, as readers that do not see it read it; throws when an element's text is missing. */
export const structureOf = (bytes: Uint8Array): Element => {
  const objects = objectsOf(bytes);
  const pages = new Map(readPages(objects).map((page) => [page.id, page]));
  const elementOf = (id: number): Element => {
    const body = found(objects.get(id), `element ${id}`);
    const own = body.match(/\/Pg (\d+) 0 R/)?.[1];
    const kids = found(/\/K \[([\s\S]*?)\]/.exec(body)?.[1], `children of ${id}`);
    const numbers = [...kids.replace(/\d+ 0 R/g, "").matchAll(/\d+/g)].map(([number]) => Number(number));
    const runs = own === undefined ? [] : (pages.get(Number(own))?.runs ?? []);
    return {
      role: found(/\/S \/(\w+)/.exec(body)?.[1], "role"),
      text: textOf(runs.filter(({ mcid }) => mcid !== null && numbers.includes(mcid))),
      alt: /\/Alt \(([^)]*)\)/.exec(body)?.[1] ?? null,
      scope: /\/Scope \/(\w+)/.exec(body)?.[1] ?? null,
      children: [...kids.matchAll(/(\d+) 0 R/g)].map(([, child]) => elementOf(Number(child))),
    };
  };
  const root = found(
    [...objects.values()].find((body) => body.includes("/Type /StructTreeRoot")),
    "structure",
  );
  return elementOf(Number(found(/\/K \[(\d+) 0 R\]/.exec(root)?.[1], "document element")));
};

/** The elements of a role, at any depth, in reading order. */
export const elementsOf = (element: Element, role: string): ReadonlyArray<Element> => [
  ...(element.role === role ? [element] : []),
  ...element.children.flatMap((child) => elementsOf(child, role)),
];

/** The fenced code of the pages that people read. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The folder of the project. */
export const root = new URL("../..", import.meta.url).pathname;

/** A file of the project as text. */
export const read = (file: string): string => readFileSync(join(root, file), "utf8");

const filesOf = (folder: string, ending: string): ReadonlyArray<string> =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(ending))
    .map((file) => join(folder, file));

/** The pages that people read; the templates of generated ones are none. */
export const pages: ReadonlyArray<string> = [
  "README.md",
  "CHANGELOG.md",
  "SECURITY.md",
  ...filesOf("docs", ".md").filter((file) => !file.startsWith("docs/generate/")),
];

/** A block of code, with the comment before it. */
export interface Fence {
  /** Page and line, as an editor opens it. */
  readonly place: string;
  readonly page: string;
  readonly language: string;
  readonly code: string;
  /** `run`, `not run: why`, `file: path`; empty when there is no comment directly before the fence. */
  readonly mark: string;
  /** True if there is only white space between this fence and the previous one. */
  readonly isAdjacent: boolean;
}

/** The fences of a page, in order. */
export const fencesOf = (page: string): ReadonlyArray<Fence> => {
  const text = read(page);
  return [...text.matchAll(/(?:<!-- (.+?) -->\n\n?)?^```(\w*)\n([\s\S]*?)^```$/gm)].map((match) => {
    const [whole, mark = "", language = "", code = ""] = match;
    const line = text.slice(0, match.index + whole.indexOf("```")).split("\n").length;
    const isAdjacent = text.slice(0, match.index).trimEnd().endsWith("\n```");
    return { place: `${page}:${line}`, page, language, code, mark, isAdjacent };
  });
};

/** Every fence of every page. */
export const fences: ReadonlyArray<Fence> = pages.flatMap(fencesOf);

const examples = new Set([...filesOf("examples", ".ts"), ...filesOf("examples", ".mjs")].map(read));

/** True if a fence shows a whole file, which other tests check and run. */
export const isFile = ({ code }: Fence): boolean => examples.has(code);

/** Prints the table of settings in docs/operating.md; the rest of the page stays as it is. */
import { readFileSync } from "node:fs";
import { SETTINGS, type Setting } from "quittance/server";
import { code, table } from "./Markdown.ts";

/** The path of the page. */
export const file = "docs/operating.md";

const row = ({ name, option, fallback, meaning, details, kind }: Setting<unknown>): ReadonlyArray<string> => [
  code(name),
  option === null ? "–" : code(`--${option}`),
  fallback === "" ? "none" : code(fallback),
  kind.values,
  details ?? meaning,
];

const settings = (): string =>
  table(["Variable", "Option", "Default", "Values", "Meaning"], Object.values(SETTINGS).map(row));

const [BEGIN, END] = ["<!-- settings -->", "<!-- end of settings -->"];

/** The whole page. */
export const print = (): string => {
  const page = readFileSync(new URL("../operating.md", import.meta.url), "utf8");
  const [before, rest = ""] = page.split(BEGIN);
  const [, after] = rest.split(END);
  if (after === undefined) throw new Error(`${file} lacks ${BEGIN} or ${END}`);
  return `${before}${BEGIN}\n${settings()}\n${END}${after}`;
};

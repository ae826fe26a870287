/** How a host uses the installed package, and what it must not read during the installation. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../docs/Fence.ts";
import type { Project } from "./Host.ts";

const WARNING = /\bwarn(ing)?\b|deprecated|peer dep|ignored build scripts|YN00(02|60|86)/i;

/** The package works the same in a project that is written as ES modules and in any other. */
const ABOUT_THE_HOST = /YN0092|Done with warnings/;

/** The lines of a package manager that warn. */
export const warningsOf = (printed: string): ReadonlyArray<string> =>
  printed.split("\n").filter((line) => WARNING.test(line) && !ABOUT_THE_HOST.test(line));

const expectText = (what: string, found: string, expected: RegExp | string): void => {
  const isMet = typeof expected === "string" ? found.trim() === expected : expected.test(found);
  if (!isMet) throw new Error(`${what} printed ${found}`);
};

/** Imports every entry, asks the command line for its version, and pays a settlement in the process and on a server. */
export const use = async (project: Project): Promise<void> => {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  expectText("the command line", await project.exec("quittance", "--version"), version);
  const imported = (await project.node("imports.mjs")).trim().split("\n");
  const missing = imported.filter((line) => !line.endsWith(" true"));
  if (missing.length > 0 || imported.length < 10) throw new Error(`imports: ${imported.join(", ")}`);
  const promised = await project.node("promise.mjs");
  expectText(
    "the engine in the process",
    promised,
    /^paid: 1235 cents, in 1 line\nreport-[\w-]+\.pdf: \d+ bytes$/m,
  );
  const paid = await project.node("serve.mjs", ...project.command, "quittance");
  expectText("the server", paid, /^paid 1235 %PDF$/m);
};

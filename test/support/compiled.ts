/** Programs of the tests as JavaScript: they start in half the computing that the loader of TypeScript takes for them. */
import { mkdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { buildSync } from "esbuild";

const ROOT = new URL("../..", import.meta.url).pathname;

/** Inside the project, so that the program finds the package by its own name; the next build removes what is left here. */
const FOLDER = join(ROOT, "dist/programs");

/** Compiles a program with the files that it imports; packages stay imports. Returns the path, which ends with this process. */
export const compiled = (entry: string): string => {
  mkdirSync(FOLDER, { recursive: true });
  const outfile = join(FOLDER, `${basename(entry, ".ts")}-${process.pid}.js`);
  buildSync({
    ...{ entryPoints: [entry], outfile, bundle: true, packages: "external" },
    ...{ format: "esm", platform: "node", target: "node20", logLevel: "warning" },
  });
  process.once("exit", () => rmSync(outfile, { force: true }));
  return outfile;
};

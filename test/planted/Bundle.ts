/** Bundles a harness from sources with a bug planted. */
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "esbuild";
import type { Bug } from "./Bug.ts";
import type { Patched } from "./rules.ts";

/** The folder of the project. */
export const ROOT = join(dirname(fileURLToPath(import.meta.url)), "../..");
/** Inside the project, so that the bundles find its packages; ignored by git with the rest of the folder. */
const FOLDER = join(ROOT, "node_modules/.planted");

const SOURCES = new Map([
  ["quittance", "src/index.ts"],
  ["quittance/formula", "src/formula/index.ts"],
  ["quittance/explanation", "src/explanation/index.ts"],
  ["quittance/testing", "src/testing/index.ts"],
  ["quittance/memory", "adapters/memory/index.ts"],
  ["quittance/payouts", "adapters/payouts/index.ts"],
  ["quittance/postgres", "adapters/postgres/index.ts"],
]);

/** The patched text of every file that a bug changes; fails when the text of an edit is not there exactly once. */
export const patched = ({ name, edits }: Bug): Patched => {
  const files = new Map<string, string>();
  for (const { file, find, replace } of edits) {
    const path = join(ROOT, file);
    const text = files.get(path) ?? readFileSync(path, "utf8");
    const times = text.split(find).length - 1;
    if (times !== 1) throw new Error(`${name}: ${JSON.stringify(find)} occurs ${times} times in ${file}`);
    files.set(
      path,
      text.replace(find, () => replace),
    );
  }
  return files;
};

const OPTIONS = {
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  logLevel: "silent",
} as const;

/** The file of each package that harnesses on the memory store import, by the name that they import it by. */
let packages: ReadonlyMap<string, string> = new Map();

/** Resolves our packages to their sources, and loads the patched text of files. */
const sources = (files: Patched, packages: ReadonlyMap<string, string>): Plugin => ({
  name: "planted",
  setup: ({ onLoad, onResolve }) => {
    onResolve({ filter: /^[^./]/ }, ({ path }) => {
      const source = SOURCES.get(path);
      if (source !== undefined) return { path: join(ROOT, source) };
      return { path: packages.get(path) ?? path, external: true };
    });
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const contents = files.get(path);
      return contents === undefined ? undefined : { contents, loader: "ts" };
    });
  },
});

const entryPoint = (by: Bug["by"]): string =>
  join(ROOT, "test/planted", by === "postgres" ? "postgresHarness.ts" : "harness.ts");

/** The packages that the harness of the memory store imports, by name. */
const importedPackages = async (): Promise<ReadonlyArray<string>> => {
  const { metafile } = await build({
    ...OPTIONS,
    entryPoints: [entryPoint("commands")],
    write: false,
    metafile: true,
    plugins: [sources(new Map(), new Map())],
  });
  const imports = Object.values(metafile.outputs).flatMap((output) => output.imports);
  return [...new Set(imports.map(({ path }) => path))].filter((path) => !isBuiltin(path));
};

/** What runs the bundles, in a worker. */
export const WORKER = join(FOLDER, "worker.mjs");

/** Creates the folder of the bundles, with what they share: packages, bundled once, are loaded once by each worker. */
export const openFolder = async (): Promise<void> => {
  removeFolder();
  mkdirSync(FOLDER, { recursive: true });
  await build({ ...OPTIONS, entryPoints: [join(ROOT, "test/planted/worker.ts")], outfile: WORKER });
  const names = [...(await importedPackages()).entries()];
  await build({
    ...OPTIONS,
    splitting: true,
    entryPoints: names.map(([number, name]) => ({ in: name, out: `package-${number}` })),
    outdir: FOLDER,
    outExtension: { ".js": ".mjs" },
    absWorkingDir: ROOT,
  });
  packages = new Map(names.map(([number, name]) => [name, join(FOLDER, `package-${number}.mjs`)]));
};

/** Removes the folder of the bundles. */
export const removeFolder = (): void => rmSync(FOLDER, { recursive: true, force: true });

/** Bundles the harness of a bug; returns the file, whose name has the number. */
export const bundle = async (bug: Bug, number: number): Promise<string> => {
  const outfile = join(FOLDER, `${number}.mjs`);
  await build({
    ...OPTIONS,
    entryPoints: [entryPoint(bug.by)],
    outfile,
    // The clients of the database need the packages as they are installed, and their effect with them.
    plugins: [sources(patched(bug), bug.by === "postgres" ? new Map() : packages)],
  });
  return outfile;
};

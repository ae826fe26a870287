/** Bundles a harness from sources with a bug planted. */
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type BuildOptions, build, type Plugin } from "esbuild";
import manifest from "../../package.json" with { type: "json" };
import type { Bug } from "./Bug.ts";

/** The patched text of each changed file, by its path. */
type Patched = ReadonlyMap<string, string>;

/** The folder of the project. */
export const ROOT = join(dirname(fileURLToPath(import.meta.url)), "../..");
/** Inside the project, so that the bundles find its packages; ignored by git with the rest of the folder. */
const FOLDER = join(ROOT, "node_modules/.planted");

/** The sources of what the package exports, by the name that importers use. */
const SOURCES: Record<string, string> = Object.fromEntries(
  Object.entries(manifest.exports).flatMap(([name, entry]) =>
    typeof entry === "string" ? [] : [[join("quittance", name), join(ROOT, entry["quittance-source"])]],
  ),
);

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
  absWorkingDir: ROOT,
} as const;

const escaped = (path: string): string => path.replaceAll(/[.\\/]/g, "\\$&");

/** Loads the patched text of files. */
const patches = (files: Patched): Plugin => ({
  name: "planted",
  setup: ({ onLoad }) => {
    // A filter of these files alone, because each call of a plugin takes longer than reading a file.
    if (files.size > 0)
      onLoad({ filter: new RegExp(`^(${[...files.keys()].map(escaped).join("|")})$`) }, ({ path }) => ({
        contents: files.get(path) ?? "",
        loader: "ts",
      }));
  },
});

/** The sources and packages that bundles import, by the name that they import them by. */
const aliases = (packages: ReadonlyMap<string, string>): Record<string, string> => ({
  ...SOURCES,
  ...Object.fromEntries(packages),
});

const FOLDER_OF_HARNESSES = join(ROOT, "test/planted");

/** The test file of a rule. */
const ruleFile = ({ caughtBy }: Bug): string =>
  join(ROOT, "test/services", `${caughtBy.slice(0, caughtBy.indexOf(": "))}.test.ts`);

/** What a bundle consists of: the harness of the bug, and for a rule its test file. */
const entry = (bug: Bug): BuildOptions => {
  if (bug.by !== "rules")
    return {
      entryPoints: [join(FOLDER_OF_HARNESSES, bug.by === "postgres" ? "postgresHarness.ts" : "harness.ts")],
    };
  const contents = `import { findingsOf } from "./ruleHarness.ts";
export const findings = findingsOf(() => import(${JSON.stringify(ruleFile(bug))}));`;
  return { stdin: { contents, resolveDir: FOLDER_OF_HARNESSES } };
};

/** The file of each package that bundles on the memory store import, by the name that they import it by. */
let packages: ReadonlyMap<string, string> = new Map();

/** The larger packages that the harnesses of bugs on the memory store import, by name. */
const importedPackages = async (bugs: ReadonlyArray<Bug>): Promise<ReadonlyArray<string>> => {
  const rules = bugs.filter(({ by }) => by === "rules").map(ruleFile);
  const { metafile } = await build({
    ...OPTIONS,
    entryPoints: [
      ...["harness.ts", "ruleHarness.ts"].map((file) => join(FOLDER_OF_HARNESSES, file)),
      ...new Set(rules),
    ],
    outdir: FOLDER,
    write: false,
    metafile: true,
    packages: "external",
    alias: aliases(new Map()),
  });
  const imports = Object.values(metafile.outputs).flatMap((output) => output.imports);
  // The others are small, and some are CommonJS, whose names a bundle does not export.
  return [...new Set(imports.map(({ path }) => path))].filter((path) => /^@?(effect|vitest)\b/.test(path));
};

/** What runs the bundles, in a worker. */
export const WORKER = join(FOLDER, "worker.mjs");

/**
 * Creates the folder of the bundles, with what those of the bugs share: packages, bundled once, are loaded once by each
 * worker.
 */
export const openFolder = async (bugs: ReadonlyArray<Bug>): Promise<void> => {
  removeFolder();
  mkdirSync(FOLDER, { recursive: true });
  await build({ ...OPTIONS, entryPoints: [join(FOLDER_OF_HARNESSES, "worker.ts")], outfile: WORKER });
  const names = [...(await importedPackages(bugs)).entries()];
  await build({
    ...OPTIONS,
    splitting: true,
    entryPoints: names.map(([number, name]) => ({ in: name, out: `package-${number}` })),
    outdir: FOLDER,
    outExtension: { ".js": ".mjs" },
    // For the parts of packages that are CommonJS.
    banner: {
      js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
    },
    alias: { vitest: join(FOLDER_OF_HARNESSES, "vitest.ts") },
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
    ...entry(bug),
    outfile,
    plugins: [patches(patched(bug))],
    packages: "external",
    external: [join(FOLDER, "*")],
    // The clients of the database need the packages as they are installed, and their effect with them.
    alias: aliases(bug.by === "postgres" ? new Map() : packages),
  });
  return outfile;
};

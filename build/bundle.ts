/**
 * Writes the JavaScript of the package to `dist`, one file for each entry of the manifest and chunks that they share. The
 * packages named `@effect/…` are inside, because their peer dependency on `effect` is not resolved as we need it by every
 * package manager when the host has another major version of `effect`.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { type BuildOptions, build, type Metafile, type Plugin } from "esbuild";
import { consoleBundle, writePages } from "./console.ts";
import { directImports } from "./directImports.ts";

const root = new URL("..", import.meta.url).pathname;

/** Entries that share `effect` with the host's program: it is an ordinary dependency of them. */
const SHARED = [
  "src/index.ts",
  "src/testing/index.ts",
  "adapters/memory/index.ts",
  "adapters/postgres/index.ts",
  "adapters/pglite/index.ts",
  "adapters/http/index.ts",
  "adapters/http/api/index.ts",
  "adapters/pdf/index.ts",
  "adapters/jwt/index.ts",
  "adapters/payouts/index.ts",
  "adapters/webhooks/index.ts",
  "adapters/server/index.ts",
];

/** Entries of a server: its process, and the threads that render documents. */
const SERVER = ["adapters/server/main.ts", "adapters/pdf/Thread.ts"];

/** Entries that expose nothing of `effect`, or run in a separate process or thread: they contain the parts of `effect` that they use. */
const SELF_CONTAINED = ["adapters/promise/index.ts", ...SERVER];

/** Dependencies of the package, found by the host's package manager. */
const DEPENDENCIES = [
  "@electric-sql/pglite",
  "@expo-google-fonts/*",
  "fflate",
  "jose",
  "multipasta",
  "pdfkit",
  "pg",
  "pg-connection-string",
  "pg-cursor",
];

/** The scripts and styles of the documentation page: two megabytes, which both bundles load from one file. */
const PAGE = "node_modules/@effect/platform/dist/esm/internal/httpApiSwagger.js";
const PAGE_CHUNK = "documentation-page";

/** Leaves the page's file out of a bundle. Only chunks import it, which are in the folder that it is written to. */
const page: Plugin = {
  name: "page",
  setup: ({ onResolve }) => {
    onResolve({ filter: /internal\/httpApiSwagger\.js$/ }, ({ kind }) =>
      kind === "entry-point" ? null : { path: `./${PAGE_CHUNK}.js`, external: true },
    );
  },
};

const COMMON: BuildOptions = {
  absWorkingDir: root,
  outdir: "dist",
  outbase: ".",
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "es2023",
  conditions: ["quittance-source"],
  sourcemap: "linked",
  sourcesContent: false,
  metafile: true,
  logLevel: "warning",
  plugins: [page],
};

/**
 * Without white space, but with names and in short lines: a stack names the functions, and what Node prints of an error that
 * nothing catches contains a line of the file that threw it.
 */
const SMALL: BuildOptions = { minifySyntax: true, minifyWhitespace: true, lineLimit: 160 };

const selfContained = (entryPoints: Array<string>): BuildOptions => ({
  ...COMMON,
  entryPoints,
  plugins: [page, directImports(root)],
  chunkNames: "chunks/self-contained-[hash]",
  external: DEPENDENCIES,
  alias: { "fast-check": "./build/withoutFastCheck.ts" },
  logOverride: { "import-is-undefined": "silent" },
  // A CommonJS package that is inside requires modules of Node.
  banner: {
    js: 'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);',
  },
  ...SMALL,
});

const PAGE_BUNDLE: BuildOptions = {
  ...COMMON,
  entryPoints: [{ in: PAGE, out: `chunks/${PAGE_CHUNK}` }],
  splitting: false,
  sourcemap: false,
  minifySyntax: true,
  minifyWhitespace: true,
};

/** The bundles of a server; that of the console is the last. */
const serverBundles = (entries: Array<string>): ReadonlyArray<BuildOptions> => [
  selfContained(entries),
  PAGE_BUNDLE,
  consoleBundle(COMMON),
];

/** An entry for browsers: one small file. */
const browser = (entryPoints: Array<string>, options: BuildOptions): BuildOptions => ({
  ...COMMON,
  ...options,
  entryPoints,
  platform: "neutral",
  splitting: false,
});

const ALL: ReadonlyArray<BuildOptions> = [
  {
    ...COMMON,
    entryPoints: SHARED,
    chunkNames: "chunks/shared-[hash]",
    external: ["effect", "effect/*", ...DEPENDENCIES],
  },
  browser(["adapters/client/index.ts"], SMALL),
  // A formula that a page checks is loaded by every visitor: here size counts more than names, and each line break is a byte.
  browser(["src/formula/index.ts"], {
    ...SMALL,
    minifyIdentifiers: true,
    lineLimit: 900,
    plugins: [directImports(root)],
  }),
  ...serverBundles(SELF_CONTAINED),
];

/** The folder of the npm package that a bundled file belongs to; null for a file of this project. */
const packageOf = (file: string): string | null =>
  /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? null;

const isLicence = (name: string): boolean => /^(licen[cs]e|copying)/i.test(name);

/** The notices that the licences of the bundled packages require in every copy. */
const notices = (metafiles: ReadonlyArray<Metafile>): string => {
  const folders = new Set(
    metafiles.flatMap(({ outputs }) =>
      Object.values(outputs).flatMap(({ inputs }) => Object.keys(inputs).map(packageOf)),
    ),
  );
  const texts = [...folders]
    .filter((folder) => folder !== null)
    .sort()
    .map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
      const file = readdirSync(join(root, folder)).find(isLicence);
      if (file === undefined) throw new Error(`${name} has no licence file, so that it cannot be bundled`);
      return `${name} ${version} (${license})\n\n${readFileSync(join(root, folder, file), "utf8").trim()}\n`;
    });
  const intro = `Parts of these packages are inside the JavaScript files of this package. Fonts are not: they are packages that it
depends on (@expo-google-fonts/…), each with its licences (MIT for the package, the SIL Open Font License 1.1 for the font).\n\n`;
  return intro + [...texts, BESIDE].join(`\n${"-".repeat(80)}\n\n`);
};

/** Notices that the licence files of the packages do not contain. */
const BESIDE = `Swagger UI (Apache-2.0)

The documentation page of the HTTP interface is Swagger UI, which is inside @effect/platform.
Copyright 2020-2021 SmartBear Software Inc. The text of its licence is in the file LICENSE.
`;

/** Removes what an earlier build left in the folder and this one did not write. */
const removeStale = (folder: string, written: ReadonlySet<string>): void => {
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    const file = join(folder, name);
    if (/\.js(\.map)?$/.test(name) && !written.has(relative(root, file))) rmSync(file);
  }
};

const isServerOnly = process.argv.includes("--server");
const results = await Promise.all(
  (isServerOnly ? serverBundles(SERVER) : ALL).map((options) => build(options)),
);
const metafiles = results.map(({ metafile }) => metafile).filter((metafile) => metafile !== undefined);
const pages = metafiles.at(-1);
if (pages !== undefined) writePages(pages);
if (!isServerOnly) {
  removeStale(join(root, "dist"), new Set(metafiles.flatMap(({ outputs }) => Object.keys(outputs))));
  writeFileSync(join(root, "dist/THIRD-PARTY-LICENCES.txt"), notices(metafiles));
}
if (process.argv.includes("--metafile")) {
  metafiles.forEach((metafile, index) => {
    writeFileSync(join(root, `dist/metafile-${index}.json`), JSON.stringify(metafile));
  });
}

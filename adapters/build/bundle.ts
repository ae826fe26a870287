/**
 * Writes the JavaScript of the package to `dist`, one file for each entry of the manifest and chunks that they share. The
 * packages named `@effect/…` are inside, because their peer dependency on `effect` is not resolved as we need it by every
 * package manager when the host has another major version of `effect`.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { type BuildOptions, build, type Metafile, type Plugin } from "esbuild";
import { archive } from "../pglite/EmptyDatabase.ts";
import { consoleBundle, writePages } from "./console.ts";
import { directImports } from "./directImports.ts";
import { copyFonts } from "./fonts.ts";

const root = new URL("../..", import.meta.url).pathname;

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

/** Entries of a server: its process, the threads that render documents, and that of the example company. */
const SERVER = ["adapters/server/main.ts", "adapters/pdf/Thread.ts", "adapters/server/example/Thread.ts"];

/** Entries that expose nothing of `effect`, or run in a separate process or thread: they contain the parts of `effect` that they use. */
const SELF_CONTAINED = ["adapters/promise/index.ts", ...SERVER];

/** Dependencies of the package, found by the host's package manager. */
const DEPENDENCIES = [
  "@electric-sql/pglite",
  "fflate",
  "fontkit",
  "jose",
  "multipasta",
  "pg",
  "pg-connection-string",
  "pg-cursor",
];

/** The scripts and styles of the documentation page: two megabytes, which both bundles load from one file. */
const PAGE = "node_modules/@effect/platform/dist/esm/internal/httpApiSwagger.js";
const PAGE_CHUNK = "documentation-page";

/**
 * The library of PDF files without what is only for browsers, a third of a megabyte instead of ten. `fontkit`, which it
 * uses, stays a dependency: of its packages, three have no text of their licence that we could pass on.
 */
const PDF = "pdfkit";
const PDF_CHUNK = "pdf-library";

/** The library that sends mail. */
const MAIL = "nodemailer";
const MAIL_CHUNK = "mail-library";

/** The library that speaks OpenID Connect. */
const SIGN_IN = "openid-client";
const SIGN_IN_CHUNK = "sign-in-library";

/** Leaves these files out of a bundle. Only chunks import them, which are in the folder that they are written to. */
const apart: Plugin = {
  name: "apart",
  setup: ({ onResolve }) => {
    for (const [filter, chunk] of [
      [/internal\/httpApiSwagger\.js$/, PAGE_CHUNK],
      [/^pdfkit$/, PDF_CHUNK],
      [/^nodemailer$/, MAIL_CHUNK],
      [/^openid-client$/, SIGN_IN_CHUNK],
    ] as const)
      onResolve({ filter }, ({ kind }) =>
        kind === "entry-point" ? null : { path: `./${chunk}.js`, external: true },
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
  plugins: [apart],
};

/**
 * Without white space, but with names and in short lines: a stack names the functions, and what Node prints of an error that
 * nothing catches contains a line of the file that threw it.
 */
const SMALL: BuildOptions = { minifySyntax: true, minifyWhitespace: true, lineLimit: 160 };

/** A CommonJS package that is inside requires modules of Node. */
const REQUIRE = {
  js: 'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);',
};

const selfContained = (entryPoints: Array<string>): BuildOptions => ({
  ...COMMON,
  entryPoints,
  plugins: [apart, directImports(root)],
  chunkNames: "chunks/self-contained-[hash]",
  external: DEPENDENCIES,
  alias: { "fast-check": "./adapters/build/withoutFastCheck.ts" },
  logOverride: { "import-is-undefined": "silent" },
  banner: REQUIRE,
  ...SMALL,
});

/** A file of other authors' code that both bundles load. */
const chunkOf = (entry: string, name: string): BuildOptions => ({
  ...COMMON,
  entryPoints: [{ in: entry, out: `chunks/${name}` }],
  splitting: false,
  sourcemap: false,
  external: DEPENDENCIES,
  banner: REQUIRE,
  minifySyntax: true,
  minifyWhitespace: true,
});

/** The bundles of a server; that of the console is the last. */
const serverBundles = (entries: Array<string>): ReadonlyArray<BuildOptions> => [
  selfContained(entries),
  chunkOf(PAGE, PAGE_CHUNK),
  chunkOf(PDF, PDF_CHUNK),
  chunkOf(MAIL, MAIL_CHUNK),
  chunkOf(SIGN_IN, SIGN_IN_CHUNK),
  consoleBundle({ ...COMMON, plugins: [directImports(root)] }),
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
  // Loaded by visitors of pages as well. Its lines are longer because a break inside a text compresses badly.
  browser(["adapters/client/index.ts"], { ...SMALL, lineLimit: 400 }),
  browser(["src/explanation/index.ts"], SMALL),
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
  const intro = `Parts of these packages are inside the JavaScript files of this package. The fonts in dist/fonts are files of their own, under
the SIL Open Font License 1.1 (dist/fonts/OFL.txt).

`;
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
copyFonts(root);
const metafiles = results.map(({ metafile }) => metafile).filter((metafile) => metafile !== undefined);
const pages = metafiles.at(-1);
if (pages !== undefined) writePages(pages);
if (!isServerOnly) {
  // Makes the file of the package where it is absent.
  await archive();
  removeStale(join(root, "dist"), new Set(metafiles.flatMap(({ outputs }) => Object.keys(outputs))));
  writeFileSync(join(root, "dist/THIRD-PARTY-LICENCES.txt"), notices(metafiles));
}
if (process.argv.includes("--metafile")) {
  metafiles.forEach((metafile, index) => {
    writeFileSync(join(root, `dist/metafile-${index}.json`), JSON.stringify(metafile));
  });
}

import { execFileSync, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = new URL("..", import.meta.url).pathname;
const { exports, files } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const SUBPATHS = Object.keys(exports).filter((path) => path !== "./package.json");

const host = mkdtempSync(join(tmpdir(), "quittance-package-"));
let contents: ReadonlyArray<string> = [];

/** Puts packages of this checkout where the host project would have installed them. */
const install = (...names: ReadonlyArray<string>): void => {
  for (const name of names) {
    const target = join(host, "node_modules", name);
    mkdirSync(dirname(target), { recursive: true });
    if (!existsSync(target)) symlinkSync(join(root, "node_modules", name), target);
  }
};

const inHost = (code: string): string =>
  execFileSync(process.execPath, ["--input-type=module", "--eval", code], { cwd: host, encoding: "utf8" });

/** Every optional peer, and the types of Node. */
const installPeers = (): void => {
  for (const name of readdirSync(join(root, "node_modules"))) {
    if (name.startsWith(".") || name === "effect" || name === "quittance") continue;
    install(name);
  }
};

/** What a host writes: everything imported, and a request body of the interface written by hand. */
const HOST_CODE = `${SUBPATHS.map(
  (subpath, index) => `export * as part${index} from "${subpath.replace(".", "quittance")}";`,
).join("\n")}
import type { Partner } from "quittance";
export const body: typeof Partner.Create.Encoded = { name: "Nordlys", workspace_id: "w" };
// @ts-expect-error: the wire calls it workspace_id
export const misspelt: typeof Partner.Create.Encoded = { name: "Nordlys", workspaceId: "w" };
`;

interface Compiled {
  readonly status: number | null;
  /** Errors in what this package ships or in the host's own file. */
  readonly ours: ReadonlyArray<string>;
  /** Errors in the declarations of other packages. */
  readonly foreign: ReadonlyArray<string>;
}

/** Compiles the host's file with every declaration it reaches checked. */
const compileHost = (compiler: string, options: object): Compiled => {
  const compilerOptions = {
    target: "es2022",
    lib: ["es2023"],
    types: ["node"],
    strict: true,
    skipLibCheck: false,
    noEmit: true,
    ...options,
  };
  writeFileSync(join(host, "package.json"), JSON.stringify({ name: "host", type: "module" }));
  writeFileSync(join(host, "host.ts"), HOST_CODE);
  writeFileSync(join(host, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["host.ts"] }));
  const { status, stdout } = spawnSync(join(root, "node_modules/.bin", compiler), ["-p", host], {
    cwd: host,
    encoding: "utf8",
  });
  const errors = stdout.split("\n").filter((line) => line.includes("error TS"));
  const isForeign = (line: string): boolean =>
    line.includes("node_modules/") && !line.includes("node_modules/quittance/");
  return { status, ours: errors.filter((line) => !isForeign(line)), foreign: errors.filter(isForeign) };
};

beforeAll(() => {
  const [packed] = JSON.parse(
    execFileSync("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", host], {
      cwd: root,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }),
  );
  contents = packed.files.map(({ path }: { path: string }) => path);
  const target = join(host, "node_modules/quittance");
  mkdirSync(target, { recursive: true });
  execFileSync("tar", ["-xzf", join(host, packed.filename), "-C", target, "--strip-components=1"]);
  install("effect");
}, 60_000);

afterAll(() => rmSync(host, { recursive: true, force: true }));

describe("the packed package", () => {
  it.each([".", "./formula"])("offers %s to a host that has effect alone", (subpath) => {
    const name = subpath.replace(".", "quittance");
    expect(Number(inHost(`console.log(Object.keys(await import("${name}")).length)`))).toBeGreaterThan(3);
  });

  it("offers every subpath to a host with the optional peers", () => {
    installPeers();
    const names = SUBPATHS.map((subpath) => subpath.replace(".", "quittance"));
    const code = `for (const name of ${JSON.stringify(names)}) console.log(name, Object.keys(await import(name)).length > 0)`;
    expect(inHost(code).trim().split("\n")).toEqual(names.map((name) => `${name} true`));
  });

  it("has types beside every module, and sources for the curious", () => {
    for (const subpath of SUBPATHS) {
      const { types, default: code, "quittance-source": source } = exports[subpath];
      for (const file of [types, code, source]) expect(contents).toContain(file.slice(2));
    }
  });

  it.each([
    ["tsc", { module: "nodenext", moduleResolution: "nodenext", exactOptionalPropertyTypes: true }],
    ["tsc6", { module: "esnext", moduleResolution: "bundler", lib: ["es2023", "dom", "dom.iterable"] }],
  ])("has declarations that compile with skipLibCheck off (%s, %o)", (compiler, options) => {
    installPeers();
    const { status, ours, foreign } = compileHost(compiler, options);
    if (foreign.length > 0) console.warn(`in other packages:\n${foreign.join("\n")}`);
    expect(ours).toEqual([]);
    expect(status === 0 || foreign.length > 0).toBe(true);
  });

  it("holds nothing but what it says", () => {
    const named = ["package.json", ...files];
    const covered = (path: string): boolean =>
      named.some((name) => path === name || path.startsWith(`${name}/`));
    expect(contents.filter((path) => !covered(path))).toEqual([]);
  });

  it.each([
    ["publint", ["--strict"]],
    ["attw", ["--pack", ".", "--profile", "esm-only"]],
  ])("passes %s", (command, args) => {
    execFileSync("npx", [command, ...args], { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
  });
});

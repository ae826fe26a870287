import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
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
    symlinkSync(join(root, "node_modules", name), target);
  }
};

const inHost = (code: string): string =>
  execFileSync(process.execPath, ["--input-type=module", "--eval", code], { cwd: host, encoding: "utf8" });

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
    for (const name of readdirSync(join(root, "node_modules"))) {
      if (name.startsWith(".") || name === "effect" || name === "quittance") continue;
      install(name);
    }
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

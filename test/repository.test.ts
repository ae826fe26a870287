import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";

const root = new URL("..", import.meta.url).pathname;
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const { name, version, scripts, files } = JSON.parse(read("package.json"));

interface Step {
  readonly uses?: string;
  readonly run?: string;
}

interface Job {
  readonly steps: ReadonlyArray<Step>;
  readonly permissions?: unknown;
  readonly strategy?: { readonly matrix: Readonly<Record<string, ReadonlyArray<unknown>>> };
}

interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

const workflow = (file: string): Workflow => parse(read(`.github/workflows/${file}`));

const commandsOf = ({ jobs }: Workflow): ReadonlyArray<string> =>
  Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ run }) => (run === undefined ? [] : [run])));

const SHARDS = [1, 2, 3].map((part) => `npm run tests -- --shard=${part}/3`);

describe("the workflows", () => {
  it("run the gate for every change, on each supported version of Node, with read-only rights", () => {
    const ci = workflow("ci.yml");
    expect(commandsOf(ci)).toEqual(["npm ci", `\${{ matrix.command }}`]);
    expect(ci.jobs.gate?.strategy?.matrix).toEqual({
      node: [20, 22, 24, 26],
      command: scripts.test
        .replaceAll("--silent ", "")
        .split(" && ")
        .flatMap((command: string) =>
          // Side by side there is time for every planted bug.
          command === "npm run tests" ? SHARDS : [command.replace(" -- --each-check", "")],
        ),
    });
    expect(Object.keys(ci.on)).toEqual(["push", "pull_request"]);
    expect(ci.permissions).toEqual({ contents: "read" });
    expect(JSON.parse(read("package.json")).engines.node).toBe(">=20.19");
  });

  it("name each action by its digest, which cannot be moved to other code", () => {
    const used = ["ci.yml", "publish.yml"].flatMap((file) =>
      read(`.github/workflows/${file}`)
        .split("\n")
        .filter((line) => line.includes("uses:")),
    );
    expect(used).toHaveLength(4);
    for (const line of used) expect(line).toMatch(/uses: [\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  it("publish what has passed the gate, with provenance and without a stored token", () => {
    const publish = workflow("publish.yml");
    const commands = commandsOf(publish);
    expect(commands.indexOf(".ci/run")).toBe(0);
    expect(commands.at(-1)).toMatch(/npm-cli\.js publish --provenance/);
    expect(publish.permissions).toEqual({ contents: "read", "id-token": "write" });
    expect(existsSync(join(root, "node_modules/npm11/bin/npm-cli.js"))).toBe(true);
    expect(read(".github/workflows/publish.yml")).not.toMatch(/secrets\.|_TOKEN/);
  });
});

describe("the changelog", () => {
  it("is kept by changesets, which insert after its first line", () => {
    const { baseBranch, access } = JSON.parse(read(".changeset/config.json"));
    expect([baseBranch, access]).toEqual(["main", "public"]);
    expect(scripts.change).toMatch(/^npx --yes @changesets\/cli@2\.\d+\.\d+$/);
    expect(scripts["release:version"]).toContain(`${scripts.change} version`);
    const [title, blank, newest] = read("CHANGELOG.md").split("\n");
    expect([title, blank, newest]).toEqual(["# Changelog", "", `## ${version}`]);
  });

  it("gets changesets of this package alone", () => {
    for (const file of readdirSync(join(root, ".changeset")).filter((candidate) =>
      /^(?!README).*\.md$/.test(candidate),
    )) {
      expect(read(`.changeset/${file}`), file).toMatch(
        new RegExp(`^---\n"${name}": (major|minor|patch)\n---\n\n\\S`),
      );
    }
  });
});

describe("the tests", () => {
  it("do not use it.layer, which replaces it.effect of all later tests in the same process", () => {
    const files = readdirSync(join(root, "test"), { recursive: true, encoding: "utf8" });
    const tests = files.filter((file) => file.endsWith(".test.ts"));
    expect(tests.length).toBeGreaterThan(100);
    expect(tests.filter((file) => /\bit\.layer\(/.test(read(join("test", file))))).toEqual([]);
  });
});

describe("the forms for issues", () => {
  const forms = readdirSync(join(root, ".github/ISSUE_TEMPLATE")).filter((file) => file !== "config.yml");

  it.each(forms)("%s can be filled in", (file) => {
    const form = parse(read(`.github/ISSUE_TEMPLATE/${file}`));
    expect([typeof form.name, typeof form.description]).toEqual(["string", "string"]);
    const ids = form.body.flatMap(({ id }: { readonly id?: string }) => (id === undefined ? [] : [id]));
    expect(new Set(ids).size).toBe(ids.length);
    for (const { type, attributes } of form.body) {
      expect(["markdown", "textarea", "input", "dropdown"]).toContain(type);
      expect(attributes.label ?? attributes.value).toEqual(expect.any(String));
    }
  });
});

describe("SECURITY.md", () => {
  it("is in the package, and states how to report and what is protected against whom", () => {
    expect(files).toContain("SECURITY.md");
    const headings = read("SECURITY.md").match(/^## .+$/gm);
    expect(headings).toEqual([
      "## Report a vulnerability",
      "## What is protected",
      "## Who attacks, and what stops them",
      "## What is not protected against",
      "## How the package is made",
    ]);
  });
});

import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { PAGES } from "../docs/generate.ts";

const root = new URL("..", import.meta.url).pathname;
const read = (file: string): string => readFileSync(join(root, file), "utf8");

const markdown = (folder: string): ReadonlyArray<string> =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".md"))
    .map((file) => join(folder, file));

const pages = ["README.md", "CHANGELOG.md", ...markdown("docs")];

describe("generated pages", () => {
  it.each(PAGES)("$file is what its generator prints", async ({ file, print }) => {
    expect(read(file), `run: npm run docs`).toBe(await print());
  });
});

describe("links", () => {
  it.each(pages)("of %s lead to files that exist", (page) => {
    const targets = [...read(page).matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)].map(
      ([, target = ""]) => target,
    );
    expect(targets.filter((target) => !existsSync(join(root, dirname(page), target)))).toEqual([]);
  });
});

/** Code of the README that carries `<!-- file: path -->` before its fence repeats that file. */
const included = (page: string): ReadonlyArray<readonly [string, string]> =>
  [...read(page).matchAll(/<!-- file: (\S+) -->\n+```\w+\n([\s\S]*?)```/g)].map(
    ([, file = "", code = ""]) => [file, code],
  );

describe("the README", () => {
  it("shows the quickstart as it is", () => {
    const shown = included("README.md");
    expect(shown.map(([file]) => file)).toContain("examples/quickstart/main.ts");
    for (const [file, code] of shown) expect(code).toBe(read(file));
  });

  it("shows the two commands", () => {
    expect(read("README.md")).toContain("npm ci && npm start");
    expect(read("README.md")).toContain("npm ci && npm test");
  });
});

describe("the quickstart", () => {
  it("has fewer than sixty lines", () => {
    expect(read("examples/quickstart/main.ts").trimEnd().split("\n").length).toBeLessThan(60);
  });

  it("pays a settlement", () => {
    const printed = execFileSync(
      process.execPath,
      ["--import", "tsx", "--conditions", "quittance-source", "examples/quickstart/main.ts"],
      { cwd: root, encoding: "utf8" },
    );
    expect(printed).toMatch(/^paid: 1235 cents, in 1 line\nreport-[0-9a-f-]+\.pdf: \d+ bytes\n$/);
  });
});

/** `quittance import partners`: each row once, every error with its line. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { call, developmentKey, folder, listening, type Run, run } from "../running.ts";

let server: Run;
let url = "";
let key = "";
const workspace_id = crypto.randomUUID();
const here = folder();

beforeAll(async () => {
  server = run(here.path, ["serve"], { DATABASE_URL: "memory:", PORT: "0", LOG_LEVEL: "off" });
  url = await listening(server);
  key = developmentKey(here.path);
});

afterAll(async () => {
  server.process.kill("SIGTERM");
  await server.ended;
  here.remove();
});

const importing = async (file: string, ...more: ReadonlyArray<string>) => {
  const settings = { QUITTANCE_URL: url, QUITTANCE_KEY: key };
  const started = run(here.path, ["import", "partners", file, ...more], settings);
  return { code: await started.ended, output: started.output(), errors: started.errors() };
};

const write = (file: string, lines: ReadonlyArray<string>): void =>
  writeFileSync(join(here.path, file), lines.join("\n"));

const partners = async (query: string) => (await call(url, key, "GET", `partners?${query}`)).body;

const totalOf = async (): Promise<number> => (await partners("per_page=1")).total;

describe("quittance import partners", () => {
  it("creates the partners of a file, and none of them twice", async () => {
    const before = await totalOf();
    const lines = Array.from({ length: 200 }, (_, index) => `Partner ${index},crm-${index}`);
    write("good.csv", ["name,external_reference", ...lines]);
    const dryRun = await importing("good.csv", "--workspace", workspace_id, "--dry-run");
    expect([dryRun.code, dryRun.output, await totalOf()]).toEqual([
      0,
      "200 rows can be imported; nothing was stored\n",
      before,
    ]);
    for (const _ of ["first", "again"]) {
      const { code, output } = await importing("good.csv", "--workspace", workspace_id);
      expect([code, output]).toEqual([0, expect.stringMatching(/^200 rows stored, 0 not stored/)]);
    }
    expect(await totalOf()).toBe(before + 200);
    write("changed.csv", ["name,external_reference", "Another name,crm-0"]);
    const { code, errors } = await importing("changed.csv", "--workspace", workspace_id);
    expect([code, errors]).toEqual([1, expect.stringMatching(/row 1 \(line 2\): external_reference_reuse:/)]);
  });

  it("names each wrong line and stores nothing, unless the good ones are wanted", async () => {
    const before = await totalOf();
    write("bad.csv", [
      "name,external_reference,status",
      "Good,b-1,active",
      ",b-2,",
      "Bad,b-3,gone",
      "Twice,b-1,",
    ]);
    const refused = await importing("bad.csv", "--workspace", workspace_id);
    expect(refused.code).toBe(1);
    expect(refused.errors).toContain("row 2 (line 3): name: is missing");
    expect(refused.errors).toMatch(/row 3 \(line 4\): status: /);
    expect(refused.errors).toContain("row 4 (line 5): external_reference: is that of line 2");
    expect(await totalOf()).toBe(before);
    const { code } = await importing("bad.csv", "--workspace", workspace_id, "--skip-bad-rows");
    expect([code, await totalOf()]).toEqual([1, before + 1]);
    for (const [lines, words] of [
      [["name", "A"], 'wrong.csv has no column "external_reference"; it has name'],
      [["name,external_reference,colour", "A,1,red"], "wrong.csv has columns that are not read: colour"],
    ] as const) {
      write("wrong.csv", lines);
      const { code, errors } = await importing("wrong.csv", "--workspace", workspace_id);
      expect([code, errors]).toEqual([2, expect.stringContaining(words)]);
    }
  });
});

/** The exit code of a command that cannot do its work: 1, or 2 for wrong input, and one line. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { Effect } from "effect";
import { afterAll, describe, expect, it } from "vitest";
import { commandLine } from "../../../adapters/server/CommandLine.ts";
import { freePort } from "../../support/postgresServer.ts";
import { folder } from "../running.ts";

const CUSTOMER = "6f1c2d4e-0000-4000-8000-000000000001";
const here = folder();
afterAll(() => here.remove());

const inFile = (name: string, text: string | Uint8Array): string => {
  const file = join(here.path, name);
  writeFileSync(file, text);
  return file;
};

const SALES = inFile("sales.csv", "workspace_id,schema_id,partner_id,external_reference\na,b,c,1\n");

const COMMANDS: ReadonlyArray<ReadonlyArray<string>> = [
  ["serve", "--port", "0"],
  ["migrate"],
  ["migrate", "status"],
  ["migrate", "--dry-run"],
  ["keys", "list"],
  ["import", SALES, "--customer", CUSTOMER],
  ["import", SALES],
  ["export", "commissions", "--customer", CUSTOMER],
  ["export", "commissions"],
  ["verify"],
  ["copy", `pglite://${join(here.path, "copied")}`],
  ["outbox", "list"],
  ["outbox", "retry", "--all"],
  ["runs", "list", "--customer", CUSTOMER],
  ["policy", "show", "--workspace", CUSTOMER],
];

describe("a database that cannot be reached", () => {
  it.each(COMMANDS)("ends %s %s with 1", async (...words) => {
    const url = `postgres://postgres@127.0.0.1:${await freePort()}/quittance`;
    const failure = await Effect.runPromise(Effect.flip(commandLine(words, { DATABASE_URL: url }, false)));
    expect(failure.exitCode).toBe(1);
    expect(failure.message).toMatch(/^the database cannot be used: .*ECONNREFUSED[^\n]*$/);
  });

  it("is a server that cannot be reached", async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    const words = ["keys", "revoke", CUSTOMER, "--url", url, "--key", "qk_x"];
    const failure = await Effect.runPromise(Effect.flip(commandLine(words, {}, false)));
    expect(failure.exitCode).toBe(1);
    expect(failure.message).toMatch(/^http:\/\/127\.0\.0\.1:\d+ cannot be reached: [^\n]+$/);
  });
});

describe("a folder that cannot hold a store", () => {
  const file = inFile("file", "");
  const backup = inFile("store.backup", gzipSync(""));
  const impossible = [file, join(file, "store"), ...(process.platform === "linux" ? ["/proc/x"] : [])];

  it.each(impossible)("ends serve, migrate and restore with 2: %s", async (store) => {
    const messages = await Promise.all(
      [["serve", "--port", "0"], ["migrate"], ["restore", backup]].map(async (words) => {
        const url = ["--database-url", `pglite://${store}`];
        const failure = await Effect.runPromise(Effect.flip(commandLine([...words, ...url], {}, false)));
        return [failure.exitCode, failure.message] as const;
      }),
    );
    const message = expect.stringMatching(
      /^the folder \S+ cannot be used: [^\n]+; name another with --database-url$/,
    );
    expect(messages).toEqual(messages.map(() => [2, message]));
  });
});

import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import type { Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import openapiTS, { astToString } from "openapi-typescript";
import { nodeServer } from "quittance/http";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Engine, listening, READY, start } from "../http/Engine.ts";

const run = promisify(execFile);
const root = new URL("../..", import.meta.url).pathname;
const project = mkdtempSync(join(tmpdir(), "quittance-openapi-"));

let engine: Engine;
let server: Server;
let url = "";
beforeAll(async () => {
  engine = await start();
  server = nodeServer(await engine.runtime.runtime(), READY);
  url = `http://127.0.0.1:${await listening(server)}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(project, { recursive: true, force: true });
});

/** Prints the types of the document that the server serves. */
const generate = async (): Promise<string> => astToString(await openapiTS(new URL(`${url}/openapi.json`)));

it("openapi-typescript makes types of the served document, with which openapi-fetch pays a settlement", async () => {
  writeFileSync(join(project, "schema.ts"), await generate());
  cpSync(join(root, "test/client/openapi/pay.mts"), join(project, "pay.mts"));
  symlinkSync(join(root, "node_modules"), join(project, "node_modules"));
  writeFileSync(join(project, "package.json"), JSON.stringify({ name: "host", type: "module" }));
  const compilerOptions = {
    target: "es2023",
    module: "nodenext",
    strict: true,
    exactOptionalPropertyTypes: true,
    allowImportingTsExtensions: true,
    noEmit: true,
    types: ["node"],
  };
  writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["pay.mts"] }));
  const checked = await run(join(root, "node_modules/.bin/tsc"), ["-p", project]).catch(
    (failure: { readonly stdout: string }) => failure,
  );
  expect(checked.stdout).toBe("");
  const working = setInterval(() => void engine.settle(), 100);
  try {
    const paid = await run(
      process.execPath,
      ["--import", "tsx", join(project, "pay.mts"), url, engine.token],
      {
        cwd: root,
      },
    );
    expect(paid.stdout).toMatch(/^paid 1235 CONFLICT report of [\w-]+\n$/);
  } finally {
    clearInterval(working);
  }
});

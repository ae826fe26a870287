/** Each law quotes a sentence of the documentation of the ports. */
import { readdirSync, readFileSync } from "node:fs";
import { assert, describe, it } from "@effect/vitest";
import { storageContract } from "quittance/testing";

const PORTS = new URL("../../src/ports/", import.meta.url);

/** The doc comments of a source, as running text. */
const documentation = (source: string): string =>
  [...source.matchAll(/\/\*\*([\s\S]*?)\*\//g)]
    .map(([, comment = ""]) =>
      comment
        .replace(/^\s*\*/gm, " ")
        .replace(/\s+/g, " ")
        .trim(),
    )
    .join("\n");

const documented = readdirSync(PORTS, { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".ts"))
  .map((path) => documentation(readFileSync(new URL(path, PORTS), "utf8")))
  .join("\n");

describe("the storage contract", () => {
  it("quotes the ports in every law", () => {
    const sentences = new Set(storageContract.map(({ sentence }) => sentence));
    assert.deepStrictEqual(
      [...sentences].filter((sentence) => !documented.includes(sentence)),
      [],
    );
  });

  it("is about one store, of which each service states the rooms that it uses", () => {
    const services = new URL("../../src/services/", import.meta.url);
    const whole = readdirSync(services, { recursive: true, encoding: "utf8" }).filter(
      (path) =>
        path.endsWith(".ts") &&
        /const \w+ = yield\* Storage;|\bStorageService\b/.test(readFileSync(new URL(path, services), "utf8")),
    );
    // Spans are of every commit, whoever sends it.
    assert.deepStrictEqual(whole, ["commands/Tracing.ts"]);
  });

  it("names each law once", () => {
    const names = storageContract.map(({ name }) => name);
    assert.strictEqual(new Set(names).size, names.length);
  });
});

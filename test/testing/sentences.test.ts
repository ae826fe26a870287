/** Each law quotes a sentence of the documentation of the ports. */
import { readFileSync } from "node:fs";
import { assert, describe, it } from "@effect/vitest";
import { storageContract } from "quittance/testing";

const PORTS = [
  "Storage",
  "storage/ChangeSet",
  "storage/Reads",
  "storage/Filter",
  "storage/Filters",
  "storage/Feed",
  "storage/Records",
  "Outbox",
  "Directory",
  "Documents",
];

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

const documented = PORTS.map((port) =>
  documentation(readFileSync(new URL(`../../src/ports/${port}.ts`, import.meta.url), "utf8")),
).join("\n");

describe("the storage contract", () => {
  it("quotes the ports in every law", () => {
    const sentences = new Set(storageContract.map(({ sentence }) => sentence));
    assert.deepStrictEqual(
      [...sentences].filter((sentence) => !documented.includes(sentence)),
      [],
    );
  });

  it("names each law once", () => {
    const names = storageContract.map(({ name }) => name);
    assert.strictEqual(new Set(names).size, names.length);
  });
});

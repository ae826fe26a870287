/** Archives of statements, as EBICS delivers them, and archives that are meant to harm. */
import { Effect } from "effect";
import { zipSync } from "fflate";
import { sepa } from "quittance/payouts";
import { describe, expect, it } from "vitest";
import { batchBooked, bytesOf, IBAN, single, statusReport } from "./Statements.ts";

const read = (bytes: Uint8Array) => {
  if (sepa.files === null) throw new Error("SEPA reads statements");
  return Effect.runPromise(Effect.either(sepa.files.read(bytes)));
};

const ONE = `${"0".repeat(31)}1`;
const CAMT = bytesOf(batchBooked([{ endToEndId: ONE, amount: 1_250 }]));
const FILES = {
  "2026-01-05_C53.xml": CAMT,
  "folder/": new Uint8Array(),
  "folder/2026-01-06.xml": bytesOf(single([{ endToEndId: ONE, amount: 1_250, isCredit: true }])),
  "folder/report.xml": bytesOf(statusReport({ fileId: ONE, group: "RJCT" })),
  "__MACOSX/._2026-01-05_C53.xml": Uint8Array.of(1, 2, 3),
};

describe("an archive of statements", () => {
  it.each([0, 6] as const)("has what its files have, at level %i", async (level) => {
    expect(await read(zipSync(FILES, { level }))).toMatchObject({
      right: {
        accounts: [
          { iban: IBAN, movements: [{ direction: "debit" }] },
          { iban: IBAN, movements: [{ direction: "credit" }] },
          { iban: null, movements: [{ direction: "rejected" }] },
        ],
      },
    });
  });

  const whole = zipSync(FILES);
  it.each<readonly [string, Uint8Array, string]>([
    ["half of it", whole.subarray(0, whole.length / 3), "is no ZIP archive that can be unpacked"],
    ["nothing in it", zipSync({ "a/": new Uint8Array() }), "has no file in the ZIP archive"],
    [
      "damage",
      whole.map((byte, index) => (index > 60 && index < 200 ? byte ^ 0x55 : byte)),
      "is no ZIP archive that can be unpacked",
    ],
    [
      "a file that is no statement, whose name would turn the text around",
      zipSync({ "a.xml": CAMT, "b\u202e.pdf": bytesOf("%PDF-1.7") }),
      "b?.pdf: is not XML",
    ],
    ["an archive in it", zipSync({ "b.zip": whole }), "b.zip: is not text in utf-8"],
    [
      "a bomb",
      zipSync({ "a.xml": new Uint8Array(33 * 1024 * 1024) }),
      "must have at most 33554432 bytes when it is unpacked",
    ],
    [
      "many files",
      zipSync(Object.fromEntries(Array.from({ length: 1_001 }, (_, index) => [`${index}.xml`, CAMT]))),
      "must have at most 1000 files",
    ],
  ])("with %s is refused", async (_, bytes, message) => {
    expect(await read(bytes)).toMatchObject({ left: { message: `file: ${message}` } });
  });
});

/** Status reports of banks: rejected files, batches and single payments. */
import { Effect, Either } from "effect";
import { sepa } from "quittance/payouts";
import { describe, expect, it } from "vitest";
import { bytesOf, type Report, statusReport } from "./Statements.ts";

const read = (text: string) => {
  if (sepa.files === null) throw new Error("SEPA reads messages of banks");
  return Effect.runPromise(Effect.either(sepa.files.read(bytesOf(text))));
};

const FILE = "f".repeat(32);
const ONE = `${"0".repeat(31)}1`;
const TWO = `${"0".repeat(31)}2`;

const REJECTED = {
  direction: "rejected",
  bookingDate: null,
  bankReference: "R1",
  reason: "AC04 Account closed",
};
const payment = (endToEndId: string) => ({
  ...REJECTED,
  ...{ endToEndId, batch: null, amount: 1_250, currency: "EUR" },
});
const file = { ...REJECTED, endToEndId: null, batch: { id: FILE, count: null }, amount: null, currency: "" };

describe("a status report", () => {
  it.each<[string, Omit<Report, "fileId">, ReadonlyArray<object>]>([
    ["of a rejected file", { group: "RJCT" }, [file]],
    ["of a rejected batch", { batch: "RJCT" }, [file]],
    ["of a rejected file and its batch", { group: "RJCT", batch: "RJCT" }, [file]],
    [
      "of single payments",
      {
        batch: "PART",
        transactions: [
          { endToEndId: ONE, status: "RJCT" },
          { endToEndId: TWO, status: "ACSP" },
        ],
      },
      [payment(ONE)],
    ],
    [
      "of a rejected batch and its payments",
      { batch: "RJCT", transactions: [{ endToEndId: ONE, status: "RJCT" }] },
      [payment(ONE), file],
    ],
    ["of an accepted file", { group: "ACTC" }, []],
    ["of a file that is pending", { group: "PDNG", batch: "PDNG" }, []],
  ])("%s has its rejections, in both versions", async (_, given, movements) => {
    for (const version of ["03", "10"] as const)
      expect(Either.getOrThrow(await read(statusReport({ ...given, version, fileId: FILE })))).toEqual({
        accounts: [{ iban: null, isFinal: false, movements }],
      });
  });

  it("has the reason of the file where a payment states none, and a UETR where it has no end-to-end id", async () => {
    const uetr = "0198b2a4-5c3d-4e1f-8a2b-3c4d5e6f7a8b";
    const text = statusReport({
      fileId: FILE,
      group: "RJCT",
      transactions: [{ endToEndId: "", status: "CANC", uetr }],
    });
    const [only] = Either.getOrThrow(await read(text)).accounts[0]?.movements ?? [];
    expect(only).toMatchObject({ endToEndId: uetr, reason: "AC04 Account closed" });
  });

  it.each([
    ["about no file", "<OrgnlMsgId>", "<Other>", "has no OrgnlMsgId, the file that it is about"],
    [
      "of another message",
      "CstmrPmtStsRpt",
      "Other",
      "must be a message camt.053, camt.054, pain.002, MT940 or MT942, or a NACHA return file",
    ],
    [
      "with a hundred thousand and one rejections",
      "</OrgnlPmtInfAndSts>",
      `${"<TxInfAndSts/>".repeat(100_001)}</OrgnlPmtInfAndSts>`,
      "must have at most 100000 payments",
    ],
  ])("%s is refused", async (_, from, to, message) => {
    const text = statusReport({ fileId: FILE, batch: "RJCT" })
      .replaceAll(from, to)
      .replaceAll(from.replace("<", "</"), to.replace(/^<(\w+)>$/, "</$1>"));
    expect(await read(text)).toMatchObject({ left: { message: `file: ${message}` } });
  });
});

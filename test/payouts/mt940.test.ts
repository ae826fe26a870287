/** Statements of SWIFT, as banks of several countries write them. */
import { Effect, Either } from "effect";
import { sepa } from "quittance/payouts";
import { describe, expect, it } from "vitest";
import { bytesOf, IBAN } from "./Statements.ts";

const read = (content: string | Uint8Array) => {
  if (sepa.files === null) throw new Error("SEPA reads statements");
  return Effect.runPromise(
    Effect.either(sepa.files.read(typeof content === "string" ? bytesOf(content) : content)),
  );
};
const accountsOf = async (content: string | Uint8Array) => Either.getOrThrow(await read(content)).accounts;

// Ends with digits that the next label could continue.
const ONE = "0198b2a45c3d4e1f8a2b3c4d5e6f7a8b";
const TWO = `${"0".repeat(31)}2`;

const statement = (...entries: ReadonlyArray<string>): string =>
  [
    ...[":20:STARTUMS", `:25:${IBAN}EUR`, ":28C:00001/001", ":60F:C260105EUR1000,00"],
    ...entries,
    ...[":62F:C260105EUR987,50", ":86:closing words", "-", ""],
  ].join("\r\n");

const only = async (entry: string) => (await accountsOf(statement(entry)))[0]?.movements[0];

describe("a statement of SWIFT", () => {
  it("has its account, and the movements of its entries", async () => {
    const text = statement(
      `:61:2601050105DR12,50NTRFNONREF//BANK-1\r\nsupplement`,
      `:86:116?00SEPA-UEBERWEISUNG?20EREF+${ONE.slice(0, 22)}?21${ONE.slice(22)}?22CRED+DE98ZZZ?32Nordlys`,
      ":61:260105C7,NTRFX//BANK-2",
      ":86:words without a reference",
    );
    const common = { batch: null, currency: "EUR", bookingDate: "2026-01-05" };
    expect(await accountsOf(text)).toEqual([
      {
        iban: IBAN,
        isFinal: true,
        movements: [
          {
            ...{ ...common, direction: "debit", endToEndId: ONE, amount: 1_250 },
            ...{ bankReference: "BANK-1", reason: null },
          },
          {
            ...{ ...common, direction: "credit", endToEndId: null, amount: 700 },
            ...{ bankReference: "BANK-2", reason: "words without a reference" },
          },
        ],
      },
    ]);
  });

  it.each([
    ["German, of parts", `:86:116?00UEBERWEISUNG?20EREF+${ONE.slice(0, 22)}?21${ONE.slice(22)}?22ABWA+X`],
    ["Polish, of parts", `:86:020~00BTRX~20${ONE.slice(0, 27)}~21${ONE.slice(27)}~32NORDLYS~33APS`],
    ["Dutch, by labels", `:86:/TRTP/SEPA OVERBOEKING/EREF/${ONE.slice(0, 20)}\r\n${ONE.slice(20)}/REMI/HM-1`],
    ["Danish, in capitals", `:86:Overforsel ${ONE.toUpperCase()} Nordlys`],
    ["with spaces where lines end", `:86:E2E: ${ONE.slice(0, 20)} \r\n${ONE.slice(20)} FAKTURA`],
    ["with hyphens", ":86:/EREF/0198b2a4-5c3d-4e1f-8a2b-3c4d5e6f7a8b/"],
  ])("finds a reference, %s", async (_, text) => {
    const found = await only(`:61:2601050105D12,50NTRFNONREF\r\n${text}`);
    expect(found?.endToEndId?.toLowerCase().replaceAll("-", "")).toBe(ONE);
    expect(found).toMatchObject({ batch: null, bankReference: null, amount: 1_250, direction: "debit" });
  });

  it("takes no last digits of a reference for a label", async () => {
    const [own, settlement] = ["019b76daa8004e6786c6f35c6453ae2e", "019b76db-e89e-7c02-9d69-b568e09ce2c2"];
    const text = `:86:076<00ZWROT PRZELEWU<20${own.slice(0, 27)}<21${own.slice(27)} ${settlement}`;
    expect(await only(`:61:2601080108CR12,50S073NONREF\r\n${text}`)).toMatchObject({ endToEndId: own });
  });

  it("takes no number in groups for a reference", async () => {
    const text = `:86:DE89 3704 0044 0532 0130 00 1234567890 ${ONE}`;
    expect(await only(`:61:2601050105D12,50NTRF\r\n${text}`)).toMatchObject({ endToEndId: ONE });
  });

  it.each([
    [`:86:/PREF/${TWO}//NRTX/0000012//PIND/BATCH-BOOKING/`, { id: TWO, count: 12 }],
    [`:86:/TRTP/SEPA BATCH/PREF/${TWO}/NRTX/3/`, { id: TWO, count: 3 }],
    [`:86:117?00SAMMLER?20KREF+${TWO.slice(0, 22)}?21${TWO.slice(22)}`, { id: TWO, count: null }],
    [`:86:117?00SAMMLER?20EREF+NOTPROVIDED?21KREF+${TWO}`, { id: TWO, count: null }],
  ])("has a batch by %s", async (text, batch) => {
    expect(await only(`:61:2601050105D12,50NTRFNONREF\r\n${text}`)).toMatchObject({
      endToEndId: null,
      batch,
    });
  });

  it.each([
    ["D", "debit"],
    ["C", "credit"],
    ["RC", "debit"],
    ["RD", "credit"],
  ])("with the mark %s is a %s, with a letter of the currency or without", async (mark, direction) => {
    for (const letter of ["", "R"])
      expect(await only(`:61:260105${mark}${letter}1,05NTRFX`)).toMatchObject({ direction, amount: 105 });
  });

  it.each([
    ["2601050105", "2026-01-05"],
    ["260105", "2026-01-05"],
    ["2601021231", "2025-12-31"],
    ["2512310102", "2026-01-02"],
  ])("of %s is booked on %s", async (dates, day) => {
    expect((await only(`:61:${dates}D1,00NTRFX`))?.bookingDate).toBe(day);
  });

  it("within the day is not final, and takes its currency from its limit", async () => {
    const text = [":20:R", ":25:10020030/1234567", ":34F:EURD0,", ":34F:EURC0,", ":61:260105D1,00NTRFX", "-"];
    expect(await accountsOf(text.join("\n"))).toMatchObject([
      { iban: null, isFinal: false, movements: [{ currency: "EUR", amount: 100 }] },
    ]);
  });

  it("may have an envelope, a header of the bank, several accounts and letters of an old encoding", async () => {
    const envelope = `{1:F01BANKDEFFXXXX0000000000}{2:O9400000260105BANKDEFF}{4:\r\n${statement()}}`;
    expect(await accountsOf(envelope)).toMatchObject([{ iban: IBAN, movements: [] }]);
    const header = `ABNANL2A\r\n940\r\nABNANL2A\r\n${statement()}${statement(":61:260105D1,00NTRFX\r\n:86:M\u00fcller")}`;
    const old = Uint8Array.from(header, (character) => character.charCodeAt(0));
    expect((await accountsOf(old)).map(({ movements }) => movements.length)).toEqual([0, 1]);
  });

  it.each([
    ["an entry without an amount", statement(":61:260105DNTRFX"), "line 5 is no entry of MT940 or MT942"],
    ["a long line", statement(`:86:${"x".repeat(1_001)}`), "must have no line longer than 1000 characters"],
    [
      "too many entries",
      statement(...Array.from({ length: 100_001 }, () => ":61:260105D1,NTRF")),
      "must have at most 100000 movements",
    ],
    ["too many statements", ":20:1\n".repeat(10_001), "must have at most 10000 statements"],
  ])("with %s is refused", async (_, text, message) => {
    expect(await read(text)).toMatchObject({ left: { message: `file: ${message}` } });
  });

  it("is read in time proportional to its length", async () => {
    const hostile = [
      `:20:1\n${"\n".repeat(9_000_000)}`,
      statement(":61:260105D1,NTRF\n:86:", ...Array.from({ length: 10_000 }, () => "0".repeat(990))),
      statement(...Array.from({ length: 30_000 }, () => `:61:260105D1,NTRF\n:86:${"EREF+".repeat(60)}`)),
    ];
    for (const text of hostile) {
      const before = process.cpuUsage();
      await read(text);
      const { user, system } = process.cpuUsage(before);
      expect([text.slice(0, 40), (user + system) / 1_000 < 5_000]).toEqual([text.slice(0, 40), true]);
    }
  });
});

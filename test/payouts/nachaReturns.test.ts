/** Return files of ACH payments: round trips with the files of the writer, and files with damage. */
import { Effect } from "effect";
import { PaymentFile } from "quittance";
import { files } from "quittance/payouts";
import { describe, expect, it } from "vitest";
import { random } from "../support/Random.ts";
import { type AchEntry, readAch } from "./AchReader.ts";
import { type Answer, returnFile } from "./AchReturns.ts";
import { file, payment, textOf } from "./Payers.ts";

const provider = files({ formats: ["nacha"], nacha: { companyId: "1234567890", bank: "021000021" } });
const USD = "USD" as PaymentFile.BankPayment["currency"];
const PARAMETERS = { company_name: "Harbour Market, Inc.", company_id: "1234567890", bank: "021000021" };

const ach = (given: Partial<PaymentFile.BankPayment> = {}, details: Record<string, string> = {}) =>
  payment({
    ...{ currency: USD, bankAccount: null, ...given },
    account: {
      type: "us_ach",
      details: {
        ...{ routing_number: "011000015", account_number: "0012345678", account_type: "checking" },
        ...{ holder: "Nordlys LLC", ...details },
      },
    },
  });

const write = (payments: ReadonlyArray<PaymentFile.BankPayment>): string =>
  textOf(
    provider,
    file(payments, { format: "nacha", debtor: null, currency: USD, parameters: PARAMETERS }),
    payments,
  );

const entriesOf = (sent: string): ReadonlyArray<AchEntry> =>
  readAch(sent).batches.flatMap(({ entries }) => entries);

const read = (text: string) => {
  if (provider.files === null) throw new Error("the provider pays by files");
  return Effect.runPromise(provider.files.read(new TextEncoder().encode(text)));
};

const movementsOf = async (text: string) =>
  (await read(text)).accounts.flatMap(({ movements, isFinal, iban }) => {
    expect([isFinal, iban]).toEqual([false, null]);
    return movements;
  });

const refusalOf = (text: string): Promise<string> =>
  read(text).then(
    () => "it was read",
    (error) => String(error.message),
  );

const SENT = write([
  ach({ id: "0198b2a4-5c3d-4e1f-8a2b-3c4d5e6f7a8b" as never }),
  ach({ amount: 99_999 }, { account_type: "savings" }),
]);
const [FIRST, SECOND] = entriesOf(SENT) as [AchEntry, AchEntry];
const RETURNED = returnFile(SENT, [
  { entry: FIRST, code: "R03", added: "ACCOUNT 0012345678 IS NOT KNOWN" },
  { entry: SECOND, code: "C01", added: "0098765432" },
]);

describe("a return file", () => {
  it("has the end of each reference, the day, and the reason in words without account numbers", async () => {
    expect(await movementsOf(RETURNED)).toEqual([
      {
        ...{
          direction: "credit",
          endToEndId: "a2b3c4d5e6f7a8b",
          batch: null,
          amount: 1_250,
          currency: "USD",
        },
        ...{ bookingDate: "2026-01-07", bankReference: "011000010000001" },
        reason: "R03 there is no such account, or it is not of this holder: ACCOUNT …78 IS NOT KNOWN",
        entry: { end: "a2b3c4d5e6f7a8b", executionDate: "2026-01-05" },
      },
      {
        ...{ direction: "credit", endToEndId: SECOND.id, batch: null, amount: 0, currency: "USD" },
        ...{ bookingDate: "2026-01-07", bankReference: "011000010000002" },
        reason: "C01 the account number is wrong: …32",
        entry: { end: SECOND.id, executionDate: "2026-01-05" },
        isNotice: true,
      },
    ]);
  });

  it.each([
    ["C01", "123", "C01 the account number is wrong: …"],
    ["C01", "AB12", "C01 the account number is wrong: …2"],
    ["C03", "021000021           4711", "C03 the routing number and the account number are wrong: …21 …1"],
    ["C06", "815              32", "C06 the account number and the kind of the account are wrong: … 32"],
    [
      "C07",
      "02100002181537           22",
      "C07 the routing number, the account number and the kind of the account are wrong: …21 …7 22",
    ],
    ["C05", "32", "C05 the kind of the account is wrong: 32"],
    ["C02", "011000015", "C02 the routing number is wrong: …15"],
    ["C12", "HARBOUR", "C12 the name and the id of the company are wrong: HARBOUR"],
  ])("with %s and %j masks every part of an account, however short", async (code, added, reason) => {
    const [movement] = await movementsOf(returnFile(SENT, [{ entry: SECOND, code, added }]));
    expect(movement?.reason).toBe(reason);
  });

  it("masks the account of the entry in the words of the bank, however short", async () => {
    const [sent] = entriesOf(write([ach({}, { account_number: "0815" })]));
    if (sent === undefined) throw new Error("there is one");
    const file = returnFile(SENT, [{ entry: sent, code: "R03", added: "ACCT 815, NAME 17" }]);
    const [movement] = await movementsOf(file);
    expect(movement?.reason).toBe(
      "R03 there is no such account, or it is not of this holder: ACCT …, NAME 17",
    );
  });

  it("without an effective day is read, and its entries say so", async () => {
    const [movement] = await movementsOf(RETURNED.replace(/260105(006)/, "      $1"));
    expect(movement?.entry).toEqual({ end: "a2b3c4d5e6f7a8b", executionDate: null });
  });

  it("of an international entry shows nothing of its account, which stands where others have an id", async () => {
    const account = "1234567890123456789012345678901234";
    const international = RETURNED.replace(/^(5.{49})CCD/m, "$1IAT")
      .replace(/^(6.{38}).{35}/m, (_, before: string) => `${before}${account.padEnd(35)}`)
      .replace(/^(799R03.{29}).{44}/m, (_, before: string) => {
        const words = `0000001250${`ACCOUNT ${account.slice(0, 4)}`.padEnd(34)}`;
        return `${before}${words}`;
      });
    expect(international).toContain("IAT");
    const [movement] = await movementsOf(international);
    expect(movement).toMatchObject({
      ...{ endToEndId: null, amount: 1_250 },
      reason: "R03 there is no such account, or it is not of this holder: ACCOUNT …4",
    });
    expect(JSON.stringify(movement)).not.toContain("12345");
    expect(movement).not.toHaveProperty("entry");
  });

  it("is the same with the line ends of Windows, and without filling", async () => {
    const plain = await movementsOf(RETURNED);
    expect(await movementsOf(RETURNED.replaceAll("\n", "\r\n"))).toEqual(plain);
    expect(await movementsOf(RETURNED.replaceAll(/^9{94}\n/gm, ""))).toEqual(plain);
  });

  it("with a code that is not published has the code alone", async () => {
    const [movement] = await movementsOf(RETURNED.replace("799R03", "799R99"));
    expect(movement?.reason).toBe("R99: ACCOUNT …78 IS NOT KNOWN");
  });

  it.each(["R61", "R69", "R71", "R77"])("with %s, about a return, moves no money", async (code) => {
    const [movement] = await movementsOf(RETURNED.replace("799R03", `799${code}`));
    expect(movement?.isNotice).toBe(true);
  });

  it.each(["R01", "R60", "R80", "R85"])("with %s returns the payment", async (code) => {
    const [movement] = await movementsOf(RETURNED.replace("799R03", `799${code}`));
    expect(movement).not.toHaveProperty("isNotice");
  });

  it("names no payment of ours in a debit, or in another id", async () => {
    const debit = RETURNED.replace("621021", "626021")
      .replace(/^(8220.{16})(.{12})(.{12})/m, "$1$3$2")
      .replace(/^(9.{30})(.{12})(.{12})/m, "$1$3$2");
    const [first] = await movementsOf(debit);
    expect(first).toMatchObject({ direction: "debit", amount: 1_250 });
    expect(first).not.toHaveProperty("entry");
    const other = await movementsOf(RETURNED.replace("a2b3c4d5e6f7a8b", "INVOICE-17     "));
    expect(other[0]).toMatchObject({ endToEndId: "INVOICE-17" });
    expect(other[0]).not.toHaveProperty("entry");
  });

  it("has every returned payment and its amount, of 1 to 1,000 payments and any codes", async () => {
    const decide = random(148);
    for (const count of [1, 2, 3, 17, 250, 1_000]) {
      const payments = Array.from({ length: count }, () =>
        ach(
          { amount: decide.pick([1, 999_999_999, decide.integer(1, 1_000_000)]) },
          {
            account_type: decide.pick(["checking", "savings"]),
            holder_type: decide.pick(["company", "person"]),
          },
        ),
      );
      const sent = write(payments);
      const answers = entriesOf(sent).flatMap((entry): ReadonlyArray<Answer> => {
        const code = `${decide.pick(["R", "R", "C"])}0${decide.integer(1, 9)}`;
        return decide.chance(0.6) ? [{ entry, code }] : [];
      });
      if (answers.length === 0) continue;
      const byEnd = new Map(payments.map((one) => [PaymentFile.endOf(one.id), one]));
      const found = await movementsOf(returnFile(sent, answers));
      const returned = answers.filter(({ code }) => code.startsWith("R"));
      const expected = [...returned, ...answers.filter(({ code }) => code.startsWith("C"))];
      expect(found.map(({ entry, reason }) => [entry?.end, reason?.slice(0, 3)])).toEqual(
        expected.map(({ entry, code }) => [entry.id, code]),
      );
      for (const { entry, amount, isNotice } of found)
        expect(amount).toBe(isNotice === true ? 0 : byEnd.get(entry?.end ?? "")?.amount);
    }
  });
});

describe("a return file with damage is refused with its line:", () => {
  it.each<[string, RegExp | string, string, string]>([
    ["a record that is too short", / \n/, "\n", "line 1 has 93 characters, and every record has 94"],
    ["a record that is too long", "Nordlys LLC", "Nordlys LLC ", "line 3 has 95 characters"],
    ["an empty line", "\n62", "\n\n62", "line 3 has 0 characters"],
    ["no batch header", /^5.*\n/m, "", 'line 2 is a record of type "6", where one of type 5 or 9 must be'],
    ["no addenda", /^799.*\n/m, "", 'line 4 is a record of type "8", where one of type 7 must be'],
    [
      "addenda of a payment",
      "799R03",
      "705R03",
      "follows an entry in line 3 that has no addenda of type 98 or 99",
    ],
    [
      "another amount",
      "0000001250",
      "0000001251",
      "line 5 states 1250 cents of credits, and the records before it have 1251",
    ],
    [
      "an amount that is none",
      "0000001250",
      "00000012.0",
      'line 3 the amount (positions 30 to 39) must have digits alone, and is "00000012.0"',
    ],
    ["another hash", "62102100002", "62102100012", "as the hash of the routing numbers"],
    ["another count", "8220000002", "8220000003", "line 5 states 3 records of entries and addenda"],
    [
      "another number of batches",
      /^9000002/m,
      "9000003",
      "states 3 batches, and the records before it have 2",
    ],
    ["another total", /^(9.{43})\d{11}/m, "$1".padEnd(13, "7"), "cents of credits"],
    ["no reason", "799R03", "799   ", 'line 4 has no return code in positions 4 to 6, but "   "'],
    ["the reason of a change", "799R03", "799C01", "line 4 has no return code"],
    [
      "a day that is no date",
      /260105(006)/,
      "26O105$1",
      "line 2 the effective entry date (positions 70 to 75) must be a date as YYMMDD",
    ],
    ["a day that is none", "2601070815", "2613070815", "line 1 the date of the file (positions 24 to 29)"],
    ["no end", /^90[\s\S]*/m, "", "the file has no record of type 9, its end"],
    [
      "something after the end",
      /\n$/,
      `\n${"8".repeat(94)}\n`,
      'is a record of type "8", where one of type 9 must be',
    ],
    ["another end", /\n$/, `\n9${"0".repeat(93)}\n`, "comes after the end of the file, and is no filling"],
  ])("%s", async (_, found, replacement, problem) => {
    const changed = RETURNED.replace(found, replacement);
    expect(changed).not.toBe(RETURNED);
    expect(await refusalOf(changed)).toContain(problem);
  });

  it("two reasons of one entry", async () => {
    const twice = RETURNED.replace(/^799.*\n/m, "$&$&");
    expect(await refusalOf(twice)).toContain("line 5 is a second reason of the same entry");
  });

  it("a file to the bank instead of one from it", async () => {
    expect(await refusalOf(SENT)).toBe(
      "file: line 3 is no returned entry and no notification of change: its transaction code is 22",
    );
  });

  it("any lost record or character", async () => {
    const lines = RETURNED.trimEnd().split("\n");
    for (const index of lines.keys()) {
      if (lines[index] === "9".repeat(94)) continue;
      const lost = lines.filter((_, other) => other !== index).join("\n");
      expect(await refusalOf(lost)).not.toBe("it was read");
      const cut = lines.map((line, other) => (other === index ? line.slice(1) : line)).join("\n");
      expect(await refusalOf(cut)).not.toBe("it was read");
    }
  });
});

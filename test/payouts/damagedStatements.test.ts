/** Statements, reports and return files with random damage: each is read or refused with a reason, and never breaks the reader. */
import { Cause, Effect, Exit, Option } from "effect";

import { files } from "quittance/payouts";
import { expect, it } from "vitest";
import { longOr } from "../support/profile.ts";
import { type Random, random } from "../support/Random.ts";
import { readAch } from "./AchReader.ts";
import { returnFile } from "./AchReturns.ts";
import { file, payment, textOf } from "./Payers.ts";
import { single, statusReport } from "./Statements.ts";

const provider = files({
  formats: ["nacha", "pain.001.001.09"],
  nacha: { companyId: "1234567890", bank: "021000021" },
});
const REFERENCE = "0198b2a45c3d4e1f8a2b3c4d5e6f7a8b";
const ACCOUNT = "9081726354";

const ach = (): string => {
  const paid = payment({
    ...{ currency: "USD" as never, bankAccount: null },
    account: {
      type: "us_ach",
      details: {
        ...{ routing_number: "011000015", account_number: ACCOUNT, account_type: "checking" },
        holder: "Nordlys LLC",
      },
    },
  });
  const parameters = { company_name: "Harbour", company_id: "1234567890", bank: "021000021" };
  const sent = textOf(
    provider,
    file([paid], { format: "nacha", debtor: null, currency: "USD" as never, parameters }),
    [paid],
  );
  const entries = readAch(sent).batches.flatMap((batch) => batch.entries);
  return returnFile(
    sent,
    ["R03", "R61", "C01", "C06", "C07"].flatMap((code) =>
      entries.map((entry) => ({ entry, code, added: ACCOUNT })),
    ),
  );
};

const MT940 = [
  ":20:STARTUMSE",
  ":25:12030000/0000202051",
  ":28C:00001/001",
  ":60F:C260105EUR1000,00",
  ":61:2601050105D12,50NTRFNONREF//B1",
  `:86:166?00SEPA?20EREF+${REFERENCE}?21SVWZ+Commission`,
  ":62F:C260105EUR987,50",
  "-",
].join("\r\n");

const SOURCES: Readonly<Record<string, string>> = {
  "camt.053": single([{ endToEndId: REFERENCE, amount: 1_250 }]),
  "pain.002": statusReport({
    fileId: "0198b2a4-5c3d-4e1f-8a2b-3c4d5e6f7a8b",
    transactions: [{ endToEndId: REFERENCE, status: "RJCT" }],
  }),
  MT940,
  NACHA: ach(),
};

const CHARACTERS = [..."0123456789RC 67859<>&\"'/:,?-\n\r\0AZé"];

/** The text with one to four places changed: a character, a lost or doubled part, or an end that is cut off. */
const damage = (decide: Random, text: string): string => {
  let changed = text;
  for (let count = decide.integer(1, 4); count > 0; count--) {
    const at = decide.integer(0, changed.length);
    const length = decide.pick([0, 1, 1, 2, 17, 94, 95]);
    const part = changed.slice(at, at + length);
    const put = decide.pick([
      "",
      decide.pick(CHARACTERS),
      part + part,
      decide.pick(CHARACTERS).repeat(length),
    ]);
    changed = decide.chance(0.05)
      ? changed.slice(0, at)
      : changed.slice(0, at) + put + changed.slice(at + length);
  }
  return changed;
};

it.each(Object.keys(SOURCES))("%s with damage is read or refused with a reason", async (name) => {
  const source = SOURCES[name] ?? "";
  const decide = random(20_261_129);
  const counts = { read: 0, refused: 0 };
  if (provider.files === null) throw new Error("the provider pays by files");
  expect(
    Exit.isSuccess(await Effect.runPromiseExit(provider.files.read(new TextEncoder().encode(source)))),
  ).toBe(true);
  for (let count = longOr(20_000, 1_000); count > 0; count--) {
    const text = damage(decide, source);
    const exit = await Effect.runPromiseExit(provider.files.read(new TextEncoder().encode(text)));
    if (Exit.isFailure(exit)) {
      const failure = Option.getOrNull(Cause.failureOption(exit.cause));
      if (failure === null) throw new Error(`${Cause.pretty(exit.cause)}\n${JSON.stringify(text)}`);
      expect(failure.message).toMatch(/^file: /);
      counts.refused += 1;
      continue;
    }
    counts.read += 1;
    for (const { movements } of exit.value.accounts)
      for (const { amount, reason, entry } of movements) {
        expect(amount === null || (Number.isSafeInteger(amount) && amount >= 0), text).toBe(true);
        if (entry !== undefined) expect(entry.end).toMatch(/^[0-9a-f]{15}$/);
        if (name === "NACHA") expect(reason ?? "").not.toContain(ACCOUNT);
      }
  }
  expect(counts.refused).toBeGreaterThan(0);
  expect(counts.read).toBeGreaterThan(0);
});

/** Which payments go into which file: by the accounts to be paid. */
import { describe, expect, it } from "@effect/vitest";
import { Effect } from "effect";
import {
  BankStatements,
  BillingProfiles,
  Currency,
  type Ids,
  type PaymentFile,
  PaymentFiles,
  PayoutAccounts,
  type PayoutDetails,
  Settlements,
  Storage,
} from "quittance";
import { type FormatName, files } from "quittance/payouts";
import { Build, Scene } from "quittance/testing";
import { readAch } from "../payouts/AchReader.ts";
import { DEBTOR } from "../payouts/Payers.ts";
import { bytesOf } from "../payouts/Statements.ts";
import * as Given from "./Given.ts";

const NACHA = { companyId: "1234567890", bank: "021000021" };
const ACH: PayoutDetails.Payee = {
  type: "us_ach",
  details: {
    ...{ routing_number: "011000015", account_number: "12345678", account_type: "checking" },
    holder: "Nordlys LLC",
  },
};
const UK: PayoutDetails.Payee = {
  type: "uk",
  details: { sort_code: "200000", account_number: "55779911", holder: "Nordlys Ltd" },
};

const LONDON = { beneficiaryName: "Havn Ltd", iban: "GB29NWBK60161331926819", bic: "NWBKGB2L" };

/** The statement of a day with one booking of 12.50. */
const booked = (endToEndId: string, currency: string): string =>
  `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt><Acct><Id><IBAN>${LONDON.iban}</IBAN></Id></Acct>
  <Ntry><Amt Ccy="${currency}">12.50</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>2026-01-05</Dt></BookgDt>
  <NtryDtls><TxDtls><Refs><EndToEndId>${endToEndId}</EndToEndId></Refs><Amt Ccy="${currency}">12.50</Amt></TxDtls></NtryDtls></Ntry></Stmt></BkToCstmrStmt></Document>`;

const providerOf = (formats: ReadonlyArray<FormatName>) => files({ formats, nacha: NACHA });

const rule = <A, E>(
  effect: Parameters<typeof Given.rule<A, E>>[0],
  formats: ReadonlyArray<FormatName> = ["pain.001.001.09", "nacha", "wise-csv"],
): Effect.Effect<A, E> => {
  const provider = providerOf(formats);
  return Given.rule(effect, { send: provider.send, provider });
};

/** A partner of a scene's customer whose payment of 10 % of each sale was initiated, in a currency to an account. */
const initiated = (
  code: string,
  payee: PayoutDetails.Payee | null,
  orderValues: ReadonlyArray<number> = [10_000],
  of: Given.Scene | null = null,
) =>
  Effect.gen(function* () {
    // Each partner is in a workspace of its own.
    const scene = yield* Given.scene({
      selfBilled: true,
      ...(of === null ? {} : { customerId: of.customerId }),
    });
    const currency = Currency.Currency.make(code);
    yield* Given.formula(scene, { currency });
    for (const value of orderValues) yield* Given.sell(scene, value);
    if (payee !== null) {
      const { propose } = yield* PayoutAccounts.PayoutAccounts;
      yield* propose(scene.owner, scene.partnerId, { ...payee, currency });
    }
    const given = { ...scene, settlementId: yield* Given.draft(scene) };
    yield* Given.approveAndDrain(given);
    yield* (yield* Settlements.Settlements).initiatePayment(given.owner, given.settlementId);
    return given;
  });

const profile = ({ owner }: Given.Scene, bankAccount?: typeof DEBTOR) =>
  Effect.flatMap(BillingProfiles.BillingProfiles, ({ write }) =>
    write(owner, {
      ...{ legalName: "Havn & Mark GmbH", address: Given.SELF_BILLING.address, vatNumber: "DE123456789" },
      ...(bankAccount === undefined ? {} : { bankAccount }),
    }),
  );

const create = ({ owner }: Given.Scene, input: PaymentFile.Create = {}) =>
  Effect.flatMap(PaymentFiles.PaymentFiles, (service) => service.create(owner, input));

const shown = ({ owner }: Given.Scene, id: Ids.PaymentFileId) =>
  Effect.flatMap(PaymentFiles.PaymentFiles, ({ list }) =>
    Effect.map(list(owner, { ids: [id] }), ({ items: [file] }) => file),
  );

const download = ({ owner }: Given.Scene, id: Ids.PaymentFileId) =>
  Effect.flatMap(PaymentFiles.PaymentFiles, ({ read }) =>
    Effect.map(read(owner, id), ({ bytes, ...rest }) => ({ ...rest, text: new TextDecoder().decode(bytes) })),
  );

describe("the payments that wait", () => {
  it.effect("go into a file of the first format that pays their account, one for each currency", () =>
    rule(
      Effect.gen(function* () {
        const euro = yield* initiated("EUR", null);
        yield* profile(euro, DEBTOR);
        yield* initiated("USD", ACH, [20_000], euro);
        yield* initiated("GBP", UK, [30_000], euro);
        yield* initiated("EUR", null, [40_000], euro);
        yield* initiated("CHF", null, [50_000], euro);
        const made = yield* Effect.replicateEffect(create(euro), 4);
        expect(made.map(({ leftOut }) => leftOut)).toEqual([[], [], [], []]);
        const found = yield* Effect.forEach(made, ({ id }) => shown(euro, id));
        expect(found.map((file) => [file?.format, file?.currency, file?.count, file?.sum])).toEqual([
          ["pain.001.001.09", "EUR", 2, 6_250],
          ["nacha", "USD", 1, 2_500],
          ["wise-csv", "GBP", 1, 3_750],
          ["wise-csv", "CHF", 1, 6_250],
        ]);
        expect(found.map((file) => file?.debtor?.iban ?? null)).toEqual([DEBTOR.iban, null, null, null]);
        expect(yield* Given.refusal(create(euro))).toBe(
          "payout_unavailable: no initiated payment waits for a file",
        );
      }),
    ),
  );

  it.effect("to accounts in the United States are an ACH file that the bank can add up again", () =>
    rule(
      Effect.gen(function* () {
        const given = yield* initiated("USD", ACH);
        yield* profile(given);
        yield* initiated(
          "USD",
          { ...ACH, details: { ...ACH.details, holder_type: "person" } },
          [20_000],
          given,
        );
        yield* initiated("USD", ACH, [30_000], given);
        const { id } = yield* create(given, { executionDate: "2026-01-05" });
        const { fileName, mediaType, text } = yield* download(given, id);
        expect([fileName, mediaType]).toEqual([`payments-2026-01-05-${id}.ach`, "text/plain"]);
        const { batches, problems } = readAch(text);
        expect(problems).toEqual([]);
        expect(
          batches.map(({ header, entries }) => [
            header.entryClass,
            entries.map(({ amount }) => Number(amount)),
          ]),
        ).toEqual([
          ["CCD", [1_250, 3_750]],
          ["PPD", [2_500]],
        ]);
        expect(batches.map(({ header }) => header.companyName)).toEqual([
          "Havn + Mark GmbH",
          "Havn + Mark GmbH",
        ]);
      }),
    ),
  );

  it.effect("that no format can pay are named with the reason, and the others are paid", () =>
    rule(
      Effect.gen(function* () {
        const given = yield* initiated("USD", ACH);
        yield* profile(given);
        const other = yield* initiated("USD", ACH, [20_000], given);
        yield* rename(other, "北京公司");
        const { id, leftOut } = yield* create(given);
        expect((yield* shown(given, id))?.count).toBe(1);
        const reason =
          "banks exchange names in Latin letters, and holder has none: write it as the bank of the account does, in Latin letters";
        expect(leftOut).toEqual([{ settlementId: other.settlementId, partnerId: other.partnerId, reason }]);
        expect(yield* Given.refusal(create(given))).toBe(
          `payout_unavailable: settlement ${other.settlementId} of partner ${other.partnerId}: ${reason}`,
        );
      }),
      ["nacha"],
    ),
  );

  it.effect("fill a file up to the largest sum that its format states", () =>
    rule(
      Effect.gen(function* () {
        const given = yield* initiated("USD", ACH, [70_000_000_000]);
        yield* profile(given);
        const amount = (yield* Given.settlement(given, given.settlementId)).payableAmount ?? 0;
        const rest = Array.from({ length: Math.floor(999_999_999_999 / amount) + 1 });
        for (const _ of rest) yield* initiated("USD", ACH, [70_000_000_000], given);
        const first = yield* shown(given, (yield* create(given)).id);
        const second = yield* shown(given, (yield* create(given)).id);
        expect([first?.count, second?.count]).toEqual([rest.length - 1, 2]);
        expect(first?.sum).toBe(amount * (rest.length - 1));
        expect(first?.sum).toBeLessThanOrEqual(999_999_999_999);
      }),
      ["nacha"],
    ),
  );
});

describe("a statement in another currency", () => {
  it.effect("confirms and reconciles the payments of a file", () =>
    rule(
      Effect.gen(function* () {
        const given = yield* initiated("GBP", UK);
        yield* profile(given, LONDON);
        const { id } = yield* create(given);
        yield* (yield* PaymentFiles.PaymentFiles).handOver(given.owner, id);
        const { text } = yield* download(given, id);
        const endToEndId = /<EndToEndId>(\w+)</.exec(text)?.[1] ?? "";
        const upload = (currency: string) =>
          Effect.flatMap(BankStatements.BankStatements, (statements) =>
            statements.upload(given.owner, {
              fileName: "camt.xml",
              bytes: bytesOf(booked(endToEndId, currency)),
            }),
          );
        expect((yield* upload("EUR")).unmatched.map(({ reason }) => reason)).toEqual(["other_currency"]);
        expect(yield* upload("GBP")).toMatchObject({ confirmed: 1, reconciled: 1, unmatched: [] });
        expect(yield* Given.statusOf(given)).toMatchObject({ type: "paid" });
      }),
      ["pain.001.001.09.gb"],
    ),
  );
});

/** The holder's name of a payment that waits becomes another, as under settings that took it when it was initiated. */
const rename = (
  { customerId, settlementId, owner }: Given.Scene & { settlementId: Ids.SettlementId },
  holder: string,
) =>
  Effect.gen(function* () {
    const { paymentReference } = yield* Given.settlement({ owner } as Given.Scene, settlementId);
    const storage = yield* Storage.Storage;
    const [payment] = yield* storage.find(customerId, "bankPayment", [paymentReference ?? ""]);
    if (payment === undefined) return yield* Effect.dieMessage("the payment waits");
    const account = { ...ACH, details: { ...ACH.details, holder } };
    yield* Scene.commit(customerId, [Build.flat("bankPayment", { ...payment, account })]);
  });

/** The account that documents print: the one of the approval, of whatever type, in full, because the payer reads it there. */
import { expect, it } from "@effect/vitest";
import { Effect } from "effect";
import { Documents, Ids, type PayoutAccount } from "quittance";
import { describe } from "vitest";
import { BUYER, contentOf, SUPPLIER, type Variation } from "./content.ts";
import { pagesOf } from "./extract.ts";
import { inProcess } from "./renderer.ts";

const ID = Ids.PayoutAccountId.make("0198c1d2-9999-7abc-8def-000000000001");
const ACCOUNT = { beneficiaryName: "Acme Software GmbH", iban: "DE89370400440532013000", bic: "COBADEFF" };

const linesOf = (
  payoutAccount: PayoutAccount.ApprovedAccount | null,
  variation: Variation = {},
): Effect.Effect<ReadonlyArray<string>, unknown> =>
  Effect.gen(function* () {
    const renderer = yield* Documents.DocumentRenderer;
    const { settlement, ...content } = contentOf(variation);
    const { approval } = settlement;
    const { bytes } = yield* renderer.render({
      ...content,
      settlement: { ...settlement, approval: approval === null ? null : { ...approval, payoutAccount } },
    });
    return pagesOf(bytes).flatMap(({ lines }) => lines);
  }).pipe(Effect.provide(inProcess));

/** The lines between the title of the payment and its terms. */
const payment = (lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  lines.slice(
    lines.indexOf("Payment to the supplier") + 1,
    lines.findIndex((line) => line.startsWith("Terms ")),
  );

const REFERENCE = "Reference SB-2026-000042";

const CASES: ReadonlyArray<readonly [Omit<PayoutAccount.ApprovedAccount, "id">, ReadonlyArray<string>]> = [
  [
    {
      type: "us_ach",
      details: {
        ...{ routing_number: "021000021", account_number: "000123456789", account_type: "checking" },
        holder: "Nordlys Inc",
      },
    },
    [
      ...["Beneficiary Nordlys Inc", "Routing number 021000021", "Account number 000123456789"],
      "Account type checking",
    ],
  ],
  [
    { type: "uk", details: { sort_code: "200000", account_number: "55779911", holder: "Nordlys Ltd" } },
    ["Beneficiary Nordlys Ltd", "Sort code 200000", "Account number 55779911"],
  ],
  [
    { type: "email", details: { address: "pay@nordlys.example", service: "Wallet" } },
    ["Address pay@nordlys.example", "Service Wallet"],
  ],
  [{ type: "custom", details: { wallet_id: "W-77", network: "alpha" } }, ["Wallet id W-77", "Network alpha"]],
  [
    { type: "iban", details: { iban: "NL91ABNA0417164300", holder: "Nordlys BV" } },
    ["Beneficiary Nordlys BV", "IBAN NL91 ABNA 0417 1643 00"],
  ],
];

describe("an invoice that is paid to an account", () => {
  for (const [account, expected] of CASES)
    it.effect(`of the type ${account.type} prints it in full, and no account of the billing data`, () =>
      Effect.gen(function* () {
        const lines = yield* linesOf({ id: ID, ...account });
        expect(payment(lines)).toEqual([...expected, REFERENCE]);
        expect(lines.join("\n")).not.toContain("DK50 0040");
      }),
    );

  it.effect("prints none where none was confirmed at the approval", () =>
    Effect.gen(function* () {
      const lines = yield* linesOf(null);
      expect(payment(lines)).toEqual([REFERENCE]);
      expect(lines.join("\n")).not.toContain("DK50 0040");
    }),
  );

  it.effect("prints what is left of one that was erased", () =>
    Effect.gen(function* () {
      expect(payment(yield* linesOf({ id: ID, type: "us_ach", details: {} }))).toEqual([REFERENCE]);
    }),
  );
});

describe("an account without an IBAN", () => {
  it.effect.each([
    [
      "de",
      ["Empfänger Nordlys Inc", "Routing-Nummer 021000021", "Kontonummer 12345678", "Kontoart Sparkonto"],
    ],
    [
      "fr",
      [
        ...["Bénéficiaire Nordlys Inc", "Numéro de routage 021000021", "Numéro de compte 12345678"],
        "Type de compte compte d’épargne",
      ],
    ],
    [
      "es",
      [
        ...["Beneficiario Nordlys Inc", "Número de ruta 021000021", "Número de cuenta 12345678"],
        "Tipo de cuenta cuenta de ahorro",
      ],
    ],
  ] as const)("is named in the language of the document: %s", ([language, expected]) =>
    Effect.gen(function* () {
      const details = {
        ...{ routing_number: "021000021", account_number: "12345678", account_type: "savings" },
        holder: "Nordlys Inc",
      };
      const buyer = { ...BUYER, language } as typeof BUYER;
      const lines = yield* linesOf({ id: ID, type: "us_ach", details }, { buyer });
      expect(lines).toEqual(expect.arrayContaining([...expected]));
    }),
  );

  it.effect("keeps the names and values that a partner gave to a custom one", () =>
    Effect.gen(function* () {
      const details = { account_type: "savings", sort_code: "x" };
      const buyer = { ...BUYER, language: "de" } as typeof BUYER;
      const lines = yield* linesOf({ id: ID, type: "custom", details }, { buyer });
      expect(lines).toEqual(expect.arrayContaining(["Account type savings", "Sort code x"]));
    }),
  );
});

it.effect("A claim prints the account of the payer, whatever account the partner has.", () =>
  Effect.gen(function* () {
    const claim: Variation = {
      ...{ kind: "credit_note", number: "SB-CN-2026-000007", amounts: [-10_000], taxAmount: -2_500 },
      ...{ supplier: SUPPLIER, buyer: { ...BUYER, bankAccount: ACCOUNT } as typeof BUYER },
    };
    for (const [account] of CASES) {
      const text = (yield* linesOf({ id: ID, ...account }, claim)).join("\n");
      expect(text).toContain("IBAN DE89 3704 0044 0532 0130 00");
      for (const value of Object.values(account.details)) expect(text).not.toContain(value);
    }
  }),
);

it.effect("A report prints no account.", () =>
  Effect.gen(function* () {
    for (const [account] of CASES) {
      const text = (yield* linesOf({ id: ID, ...account }, { kind: "report", taxAmount: null })).join("\n");
      for (const value of Object.values(account.details)) expect(text).not.toContain(value);
    }
  }),
);

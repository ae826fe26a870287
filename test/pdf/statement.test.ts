/** Statements of partners as PDF files. */
import { expect, it } from "@effect/vitest";
import { Effect } from "effect";
import { BillingProfile, Documents, type MovementText } from "quittance";
import { layer } from "quittance/pdf";
import { describe } from "vitest";
import { PARTNER_STATEMENT_TEXTS } from "../../adapters/pdf/PartnerStatementTexts.ts";
import { STEPS, statementOf } from "./account.ts";
import { BUYER } from "./content.ts";
import { type Element, elementsOf, pagesOf, structureOf } from "./extract.ts";
import { inProcess } from "./renderer.ts";

const render = (given: Parameters<typeof statementOf>[0] = {}, renderer = inProcess) =>
  Effect.flatMap(Documents.DocumentRenderer, ({ renderStatement }) =>
    renderStatement === undefined
      ? Effect.dieMessage("the renderer renders no statements")
      : Effect.map(renderStatement(statementOf(given)), ({ bytes }) => bytes),
  ).pipe(Effect.provide(renderer));

const rowsOf = (table: Element | undefined): ReadonlyArray<ReadonlyArray<string>> =>
  table === undefined ? [] : elementsOf(table, "TR").map(({ children }) => children.map(({ text }) => text));

describe("a statement", () => {
  it.effect("has the sums by type and every movement with the balance after it", () =>
    Effect.gen(function* () {
      const document = structureOf(yield* render({ opening: 5_000n }));
      expect(elementsOf(document, "H1").map(({ text }) => text)).toEqual(["Statement of account"]);
      expect(elementsOf(document, "H2").map(({ text }) => text)).toEqual(["Summary", "Movements"]);
      const [summary, movements, ...others] = elementsOf(document, "Table");
      expect(others).toEqual([]);
      expect(rowsOf(summary)).toEqual([
        ["Description", "Number", "Amount (EUR)"],
        ["Opening balance", "", "50.00"],
        ["Commission earned", "3", "1,450.00"],
        ["Commission adjusted", "3", "-316.67"],
        ["Settled by payment", "3", "-2,000.00"],
        ["Payments returned", "1", "1,200.00"],
        ["Written off", "1", "-250.00"],
        ["Closing balance", "", "133.33"],
      ]);
      expect(rowsOf(movements)).toEqual([
        ["Date", "Description", "Reference", "Amount (EUR)", "Balance (EUR)"],
        ["01 Jan 2026", "Opening balance", "", "", "50.00"],
        ["05 Jan 2026", "Sale of 05 Jan 2026", "ORD-10005", "800.00", "850.00"],
        ["09 Jan 2026", "Sale of 03 Jan 2026", "ORD-10003", "400.00", "1,250.00"],
        [
          "12 Jan 2026",
          "Paid 1,500.00 EUR including 300.00 EUR tax: invoice HM-2026-000017, paid on 11 Jan 2026, bank reference 2026-0111-118",
          "HM-2026-000017",
          "-1,200.00",
          "50.00",
        ],
        [
          "13 Jan 2026",
          "Payment of 1,500.00 EUR including 300.00 EUR tax returned: invoice HM-2026-000017, account closed",
          "HM-2026-000017",
          "1,200.00",
          "1,250.00",
        ],
        [
          "15 Jan 2026",
          "Paid 1,500.00 EUR including 300.00 EUR tax: invoice HM-2026-000017",
          "HM-2026-000017",
          "-1,200.00",
          "50.00",
        ],
        ["18 Jan 2026", "Sale of 03 Jan 2026 cancelled: goods returned", "ORD-10003", "-400.00", "-350.00"],
        [
          "20 Jan 2026",
          "Refund of 500.00 EUR including 100.00 EUR tax received: credit note HM-CN-2026-000003",
          "HM-CN-2026-000003",
          "400.00",
          "50.00",
        ],
        ["21 Jan 2026", "Sale of 20 Jan 2026", "ORD-10020", "250.00", "300.00"],
        ["24 Jan 2026", "Written off 250.00 EUR", "", "-250.00", "50.00"],
        [
          "26 Jan 2026",
          "Sale of 20 Jan 2026 recalculated: its commission formula was cancelled; no change, because 250.00 EUR was written off before",
          "ORD-10020",
          "0.00",
          "50.00",
        ],
        [
          "28 Jan 2026",
          "Sale of 20 Jan 2026 recalculated: its commission formula changed; 250.00 EUR of it was written off before",
          "ORD-10020",
          "83.33",
          "133.33",
        ],
        ["31 Jan 2026", "Closing balance", "", "", "133.33"],
      ]);
    }),
  );

  it.effect.each([
    ["en", "Paid 31.00 EUR (50.00 EUR net, -19.00 EUR tax)"],
    ["de", "Gezahlt: 31,00 EUR (50,00 EUR netto, -19,00 EUR Steuer)"],
    ["fr", "Payé : 31,00 EUR (50,00 EUR hors taxes, -19,00 EUR de taxe)"],
    ["es", "Pagado: 31,00 EUR (50,00 EUR sin impuesto, -19,00 EUR de impuesto)"],
  ] as const)("states net and tax apart where their signs differ, in %s", ([language, sentence]) =>
    Effect.gen(function* () {
      const steps = STEPS.slice(2, 3).map((step) => ({
        ...step,
        settled: 5_000,
        subject: {
          ...step.subject,
          total: 5_000,
          taxAmount: -1_900,
          documentNumber: null,
        } as typeof step.subject,
      }));
      const buyer = { ...BUYER, language } as typeof BUYER;
      const [, movements] = elementsOf(structureOf(yield* render({ buyer, steps })), "Table");
      expect(rowsOf(movements)[2]?.[1]).toContain(sentence);
    }),
  );

  it.effect("states the partner, the period, and whether it may still change", () =>
    Effect.gen(function* () {
      const text = (bytes: Uint8Array) =>
        pagesOf(bytes)
          .flatMap(({ lines }) => lines)
          .join(" ");
      const final = text(yield* render());
      expect(final).toContain("Nordlys ApS Acme Software GmbH");
      expect(final).toContain("01 Jan 2026 to 31 Jan 2026");
      expect(final).not.toContain("not final");
      const open = text(yield* render({ final: false, buyer: null, opening: -1_000_000n }));
      expect(open).toContain("This statement is not final");
      expect(open).toContain("The customer's billing profile is missing.");
      expect(open).toContain("The balance is negative: it is owed by the partner to the customer.");
    }),
  );

  it.effect.each([
    [
      "en",
      "Sale of 20 Jan 2026, correction of ORD-10020 of 18 Jan 2026",
      "Sale of 20 Jan 2026 replaced by a corrected one: another price",
    ],
    [
      "de",
      "Sale vom 20.01.2026, Korrektur von ORD-10020 vom 18.01.2026",
      "Sale vom 20.01.2026 durch eine Korrektur ersetzt: another price",
    ],
    [
      "fr",
      "Sale du 20/01/2026, correction de ORD-10020 du 18/01/2026",
      "Sale du 20/01/2026 : remplacement par une correction (another price)",
    ],
    [
      "es",
      "Sale de 20/01/2026, corrección de ORD-10020 de 18/01/2026",
      "Sale de 20/01/2026: sustitución por una corrección (another price)",
    ],
  ] as const)("names a replaced sale and its replacement as a pair, in %s", ([language, ...sentences]) =>
    Effect.gen(function* () {
      const [step] = STEPS.filter(({ day }) => day === 21);
      if (step === undefined) return expect.fail("a sale");
      const other = { attributionId: "0198c1d2-aaaa-7abc-8def-000000000001" as never };
      const subjects: ReadonlyArray<Partial<MovementText.EarnedSubject>> = [
        { replaces: { ...other, occurredOn: "2026-01-18" } },
        {
          ...{ type: "adjusted", cause: "attribution_cancelled", cancelReason: "another price" },
          replacedBy: { ...other, occurredOn: "2026-01-22" },
        },
      ];
      const steps = subjects.map((fields) => ({
        ...step,
        subject: { ...step.subject, ...fields } as typeof step.subject,
      }));
      const buyer = { ...BUYER, language } as typeof BUYER;
      const [, movements] = elementsOf(structureOf(yield* render({ steps, buyer })), "Table");
      expect(
        rowsOf(movements)
          .slice(2, 4)
          .map(([, text]) => text),
      ).toEqual(sentences);
    }),
  );

  it.effect.each([
    ["en", "Sale of 20 Jan 2026, as manager of a seller below you (60 % of the sale), level 1"],
    ["de", "Sale vom 20.01.2026, als manager von einem Verkäufer unter Ihnen (60 % des Verkaufs), Stufe 1"],
    [
      "fr",
      "Sale du 20/01/2026, en tant que manager, niveau 1, pour un vendeur de votre équipe (60 % de la vente)",
    ],
    ["es", "Sale de 20/01/2026, como manager de un vendedor por debajo de usted (60 % de la venta), nivel 1"],
  ] as const)("says which part of a sale is the partner's, in %s", ([language, sentence]) =>
    Effect.gen(function* () {
      const [step] = STEPS.filter(({ day }) => day === 21);
      if (step === undefined) return expect.fail("a sale");
      const part = { role: "manager", share: "0.6", depth: 1, sellers: [{ name: null, share: "0.6" }] };
      const steps = [{ ...step, subject: { ...step.subject, part } as typeof step.subject }];
      const buyer = { ...BUYER, language } as typeof BUYER;
      const [, movements] = elementsOf(structureOf(yield* render({ steps, buyer })), "Table");
      expect(rowsOf(movements)[2]?.[1]?.replaceAll("\u00a0", " ")).toBe(sentence);
    }),
  );

  it.effect.each([
    [
      "en",
      "Sale of 20 Jan 2026: the buyer has paid 1,234.5 of 9,876.54",
      "Sale of 20 Jan 2026: a payment of the buyer was taken back, 1,234.5 of 9,876.54 is paid",
    ],
    [
      "de",
      "Sale vom 20.01.2026: Der Käufer hat 1.234,5 von 9.876,54 bezahlt",
      "Sale vom 20.01.2026: Zahlung des Käufers zurückgenommen, 1.234,5 von 9.876,54 bezahlt",
    ],
    [
      "fr",
      "Sale du 20/01/2026 : l'acheteur a payé 1 234,5 sur 9 876,54",
      "Sale du 20/01/2026 : reprise d'un paiement de l'acheteur, 1 234,5 sur 9 876,54 payés",
    ],
    [
      "es",
      "Sale de 20/01/2026: el comprador ha pagado 1.234,5 de 9.876,54",
      "Sale de 20/01/2026: pago del comprador revertido, 1.234,5 de 9.876,54 pagado",
    ],
  ] as const)("says how much the buyer has paid, in %s", ([language, ...sentences]) =>
    Effect.gen(function* () {
      const [step] = STEPS.filter(({ day }) => day === 21);
      if (step === undefined) return expect.fail("a sale");
      const receipt = { received: 1_234.5, of: 9_876.54 };
      const steps = [-10_000, 10_000].map((waiting) => ({
        ...{ ...step, earned: 0, waiting },
        subject: { ...step.subject, type: "received", receipt } as typeof step.subject,
      }));
      const buyer = { ...BUYER, language } as typeof BUYER;
      const [, movements] = elementsOf(structureOf(yield* render({ steps, buyer })), "Table");
      const texts = rowsOf(movements).slice(2, 4);
      expect(texts.map(([, text = ""]) => text.replaceAll(/[\u00a0\u202f]/g, " "))).toEqual(sentences);
    }),
  );

  it.effect("is rendered in every language, also without movements", () =>
    Effect.forEach(BillingProfile.LANGUAGES, (language) =>
      Effect.gen(function* () {
        const buyer = { ...BUYER, language } as typeof BUYER;
        const [title] = elementsOf(structureOf(yield* render({ buyer })), "H1");
        expect(title?.text).toBe(PARTNER_STATEMENT_TEXTS[language].title);
        const empty = structureOf(yield* render({ buyer, steps: [] }));
        expect(elementsOf(empty, "Table").map((table) => rowsOf(table).length)).toEqual([3, 3]);
      }),
    ),
  );
});

describe("a long statement", () => {
  it.effect("is rendered in a thread, with amounts beyond the range of a number", () =>
    Effect.gen(function* () {
      const [first] = statementOf().lines;
      if (first === undefined) return yield* Effect.dieMessage("no line");
      const large = 9_007_199_254_740_991n * 3n;
      const lines = Array.from({ length: 250 }, () => ({ ...first, amount: large, balance: large }));
      const pages = pagesOf(yield* render({ lines, closingBalance: large } as object, layer));
      expect(pages.length).toBeGreaterThan(4);
      expect(pages[1]?.lines.join(" ")).toContain("270,215,977,642,229.73");
    }),
  );
});

describe("the texts of statements", () => {
  const textsOf = (value: unknown, path = ""): ReadonlyArray<readonly [string, string]> =>
    typeof value === "string"
      ? [[path, value]]
      : Object.entries(value as object).flatMap(([key, child]) => textsOf(child, `${path}.${key}`));
  const english = new Map(textsOf(PARTNER_STATEMENT_TEXTS.en));

  it.each(BillingProfile.LANGUAGES)("have the values of the English ones in %s", (language) => {
    const own = textsOf(PARTNER_STATEMENT_TEXTS[language]);
    expect(own.map(([path]) => path)).toEqual([...english.keys()]);
    for (const [path, text] of own) {
      const values = (of: string) => [...of.matchAll(/\{\w+\}/g)].map(([name]) => name).sort();
      expect(values(text), path).toEqual(values(english.get(path) ?? ""));
      if (language !== "en") expect(text, path).not.toBe(english.get(path));
    }
  });
});

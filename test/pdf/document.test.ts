import { expect, it } from "@effect/vitest";
import { Effect } from "effect";
import { type BillingProfile, Currency, Documents, InvoiceLine, type Partner } from "quittance";
import { describe } from "vitest";
import {
  BUYER,
  CUSTOMER_ID,
  linesOf as contentLines,
  contentOf,
  otherDocument,
  SUBJECTS,
  SUPPLIER,
  type Variation,
} from "./content.ts";
import { pagesOf } from "./extract.ts";
import { inProcess } from "./renderer.ts";

const linesOf = (variation: Variation) =>
  Effect.gen(function* () {
    const renderer = yield* Documents.DocumentRenderer;
    const { bytes, extension } = yield* renderer.render(contentOf(variation));
    expect(extension).toBe("pdf");
    return pagesOf(bytes).flatMap(({ lines }) => lines);
  }).pipe(Effect.provide(inProcess));

const taxed = (taxConfig: Partner.TaxConfig): Partner.SelfBillingData => ({ ...SUPPLIER, taxConfig });

const REPORT: Variation = { kind: "report", number: "SB-REP-2026-000042", taxAmount: null };
const ACCOUNT = { beneficiaryName: "Acme Software GmbH", iban: "DE89370400440532013000", bic: "COBADEFF" };
const withAccount = { ...BUYER, bankAccount: ACCOUNT } as typeof BUYER;

const LETTERHEAD = [
  "Nordlys ApS Acme Software GmbH",
  "Havnegade 1 Torstraße 12",
  "1058 København 10119 Berlin",
  "Hovedstaden Germany",
  "Denmark VAT number: DE123456789",
  "VAT number: DK12345678 Electronic address: invoices@acme.example",
];

const DETAILS = [
  "1 01 Jan 2026 ORD-10001 Sale 12,000.00 10% 1,200.00",
  "plan: pro",
  "2 02 Jan 2026 ORD-10002 Sale 455.00 10% 45.50",
  "plan: pro",
  "3 03 Jan 2026 ORD-10003 Sale -105.00 10% -10.50",
  "plan: pro",
];

const COLUMNS = "No. Date Order reference Sold Base Rate or tier Amount (EUR)";

describe("what a document states", () => {
  it.effect("an invoice has a line for each plan and tax, and the settlement's lines as an annex", () =>
    Effect.gen(function* () {
      expect(yield* linesOf({})).toEqual([
        "Self-billed invoice",
        "SB-2026-000042",
        "Settlement 0198c1d2-5555-7abc-8def-000000000001",
        "SUPPLIER BUYER",
        ...LETTERHEAD,
        "ISSUE DATE DUE DATE PERIOD OF SUPPLY TOTAL PAYABLE",
        "27 Feb 2026 29 Mar 2026 01 Jan 2026 to 03 Jan 2026 1,543.75 EUR",
        "No. Description Period of supply Tax Amount (EUR)",
        "1 Commission: 10 % of each sale 01 Jan 2026 to 03 Jan 2026 VAT 25% 1,235.00",
        "Subtotal 1,235.00",
        "VAT 25% 308.75",
        "Total payable (EUR) 1,543.75",
        "Payment to the supplier",
        "Beneficiary Nordlys ApS",
        "IBAN DK50 0040 0440 1162 43",
        "BIC NDEADKKK",
        "Reference SB-2026-000042",
        "Terms 30 days from the issue date, due 29 Mar 2026",
        "Self-billing: the buyer issues this invoice in the name and on behalf of the supplier.",
        "Dates are days in UTC.",
        "Self-billed invoice SB-2026-000042 Page 1 of 2",
        "Annex: details of the lines",
        COLUMNS,
        "Line 1: Commission: 10 % of each sale",
        ...DETAILS,
        "Total 1,235.00",
        "Self-billed invoice SB-2026-000042 Page 2 of 2",
      ]);
    }),
  );

  it.effect("a report sums up each plan, then shows each line", () =>
    Effect.gen(function* () {
      const corrects: Documents.DetailedLine["corrects"] = [
        {
          ...{
            settlementId: otherDocument("invoice", null).settlementId,
            kind: "invoice",
            isSelfBilled: true,
          },
          ...{ number: "SB-2026-000017", date: "2026-01-31", amount: 1_050 },
        },
      ];
      const detail: Variation["detail"] = (index) =>
        index === 2
          ? {
              ...{ basis: "attribution_cancelled", cancelReason: "refunded", terms: null, corrects },
              correction: { before: 1_050, after: 0 },
            }
          : index === 1
            ? { formulaId: OTHER.formulaId, externalReference: null, properties: [] }
            : {};
      const lines = yield* linesOf({ ...REPORT, detail, subjects: [...SUBJECTS, OTHER] });
      expect(lines).toEqual([
        "Settlement report",
        "SB-REP-2026-000042",
        "Settlement 0198c1d2-5555-7abc-8def-000000000001",
        "PARTNER CUSTOMER",
        ...LETTERHEAD,
        "ISSUE DATE LINES PERIOD TOTAL, NET OF TAX",
        "27 Feb 2026 3 01 Jan 2026 to 03 Jan 2026 1,235.00 EUR",
        "Summary by plan",
        "Plan Currency Lines Earned Corrections Total",
        "10 % of each sale EUR 2 1,200.00 -10.50 1,189.50",
        "Renewals EUR 1 45.50 0.00 45.50",
        "Total, net of tax EUR 3 1,245.50 -10.50 1,235.00",
        "Lines",
        COLUMNS,
        "10 % of each sale",
        "1 01 Jan 2026 ORD-10001 Sale 12,000.00 10% 1,200.00",
        "plan: pro",
        "3 03 Jan 2026 ORD-10003 Sale – Cancelled: refunded -10.50",
        "plan: pro",
        "Commission for ORD-10003: 10.50 before, 0.00 now, difference -10.50",
        "Before: 10.50 EUR in invoice SB-2026-000017 of 31 Jan 2026",
        "Total 1,189.50",
        "Renewals",
        "2 02 Jan 2026 …000000000002 Sale 455.00 10% 45.50",
        "Total 45.50",
        "Total, net of tax (EUR) 1,235.00",
        "This report is not an invoice.",
        "Dates are days in UTC.",
        "Settlement report SB-REP-2026-000042 Page 1 of 1",
      ]);
    }),
  );

  it.effect("a credit note is positive, names what it corrects and states where to pay", () =>
    Effect.gen(function* () {
      const credit: Variation = {
        kind: "credit_note",
        number: "SC-2026-000001",
        amounts: [-1_234_567, 20_000],
        taxAmount: -303_642,
        corrects: [otherDocument("invoice", "SB-2026-000042"), otherDocument("invoice", null, 3)],
      };
      const lines = yield* linesOf({ ...credit, buyer: withAccount });
      expect(lines[0]).toBe("Self-billed credit note");
      expect(lines).toContain("Corrects invoice SB-2026-000042 of 22 Feb 2026");
      expect(lines).toContain(
        "Corrects the invoice of settlement 0198c1d2-5555-7abc-8def-000000000003 of 22 Feb 2026",
      );
      expect(lines).toContain("Subtotal 12,145.67");
      expect(lines).toContain("VAT 25% 3,036.42");
      expect(lines).toContain("Total credited (EUR) 15,182.09");
      expect(lines).toContain("1 01 Jan 2026 ORD-10001 Sale 123,456.70 10% 12,345.67");
      const start = lines.indexOf("Payment to the buyer");
      expect(lines.slice(start + 1, start + 5)).toEqual([
        "Beneficiary Acme Software GmbH",
        "IBAN DE89 3704 0044 0532 0130 00",
        "BIC COBADEFF",
        "Reference SC-2026-000001",
      ]);
      expect(lines).toContain(
        "The supplier owes this amount to the buyer. It is payable to the account stated here.",
      );
      expect(lines.join("\n")).not.toMatch(/DUE DATE|Cancels|NDEADKKK/);
      const without = yield* linesOf(credit);
      expect(without).toContain("The supplier owes this amount to the buyer.");
      expect(without.join("\n")).not.toMatch(/IBAN|Payment/);
    }),
  );

  it.effect("a credit note that cancels an invoice names it, and states its amounts", () =>
    Effect.gen(function* () {
      const lines = yield* linesOf({
        kind: "credit_note",
        number: "SC-2026-000002",
        cancels: otherDocument("invoice", "SB-2026-000042"),
        buyer: withAccount,
      });
      expect(lines).toContain("Cancels invoice SB-2026-000042 of 22 Feb 2026");
      expect(lines).toContain("This document cancels invoice SB-2026-000042 of 22 Feb 2026 in full.");
      expect(lines).toContain("Nothing is to be paid on this document.");
      expect(lines).toContain("Subtotal 1,235.00");
      expect(lines).toContain("Total cancelled (EUR) 1,543.75");
      expect(lines.join("\n")).not.toMatch(/owes|IBAN|payable/i);
    }),
  );

  it.effect(
    "a German document names a self-billed invoice as its title does, and another one as an invoice",
    () =>
      Effect.gen(function* () {
        const german = { ...BUYER, language: "de" } as typeof BUYER;
        const invoice = otherDocument("invoice", "SB-2026-000042");
        const credit = { kind: "credit_note", amounts: [-1_000], taxAmount: -250, buyer: german } as const;
        const [title, , first] = yield* linesOf({ ...credit, corrects: [invoice] });
        expect([title, first]).toEqual([
          "Korrektur einer Gutschrift",
          "Korrigiert Gutschrift SB-2026-000042 vom 22.02.2026",
        ]);
        const others = [{ ...invoice, isSelfBilled: false }, otherDocument("credit_note", "SC-2026-000003")];
        const lines = yield* linesOf({ ...credit, corrects: others });
        expect(lines).toContain("Korrigiert Rechnung SB-2026-000042 vom 22.02.2026");
        expect(lines).toContain("Korrigiert Gutschriftskorrektur SC-2026-000003 vom 22.02.2026");
        const cancelling = yield* linesOf({ kind: "credit_note", cancels: invoice, buyer: german });
        expect(cancelling).toContain(
          "Dieses Dokument storniert Gutschrift SB-2026-000042 vom 22.02.2026 vollständig.",
        );
      }),
  );

  it.effect("an invoice that cancels a credit note states its amounts and requests no payment", () =>
    Effect.gen(function* () {
      const lines = yield* linesOf({
        amounts: [-1_000],
        taxAmount: -250,
        cancels: otherDocument("credit_note", "SC-2026-000001"),
      });
      expect(lines).toContain("Cancels credit note SC-2026-000001 of 22 Feb 2026");
      expect(lines).toContain("Subtotal 10.00");
      expect(lines).toContain("VAT 25% 2.50");
      expect(lines).toContain("Total cancelled (EUR) 12.50");
      expect(lines.join("\n")).not.toMatch(/IBAN|DUE DATE|owes|payable/i);
    }),
  );

  it.effect("lines of several taxes are lines of their own, summed up by tax", () =>
    Effect.gen(function* () {
      const [first, second] = contentLines([100_000, -90_000]);
      if (first === undefined || second === undefined) return expect.fail("two lines");
      const exempt = { treatment: "exempt", label: "VAT", rateBps: null } as const;
      const standard = { treatment: "standard", label: "VAT", rateBps: 2_500 } as const;
      const lines = yield* linesOf({
        kind: "credit_note",
        number: "SC-2026-000009",
        amounts: [100_000, -90_000],
        taxAmount: -22_500,
        groups: [
          {
            ...{ ...exempt, base: 100_000, tax: 0 },
            invoiceLines: InvoiceLine.invoiceLines([first], SUBJECTS, exempt, 0),
            lines: [{ ...first, position: 1 }],
          },
          {
            ...{ ...standard, base: -90_000, tax: -22_500 },
            invoiceLines: InvoiceLine.invoiceLines([second], SUBJECTS, standard, -22_500),
            lines: [{ ...second, position: 2 }],
          },
        ],
      });
      const start = lines.indexOf("No. Description Period of supply Tax Amount (EUR)");
      expect(lines.slice(start + 1, start + 10)).toEqual([
        "1 Commission: 10 % of each sale 01 Jan 2026 VAT, exempt -1,000.00",
        "2 Commission: 10 % of each sale 02 Jan 2026 VAT 25% 900.00",
        "Taxes",
        "Tax Net Tax Gross",
        "VAT, exempt -1,000.00 0.00 -1,000.00",
        "VAT 25% 900.00 225.00 1,125.00",
        "Subtotal -100.00",
        "Tax 225.00",
        "Total credited (EUR) 125.00",
      ]);
    }),
  );

  it.effect("more corrected documents than fit under the title are named at the end", () =>
    Effect.gen(function* () {
      const corrects = Array.from({ length: 1_200 }, (_, index) =>
        otherDocument("invoice", `SB-${String(index).padStart(6, "0")}`),
      );
      const lines = yield* linesOf({ corrects });
      expect(lines).toContain("Corrects 1,200 documents, named at the end");
      const named = lines.filter((line) => /^invoice SB-\d{6} of 22 Feb 2026$/.test(line));
      expect(new Set(named).size).toBe(1_200);
    }),
  );

  it.effect("an invoice whose groups balance requests no payment", () =>
    Effect.gen(function* () {
      const lines = yield* linesOf({ amounts: [20_000], taxAmount: -20_000 });
      expect(lines).toContain("The amounts balance: nothing is to be paid.");
      expect(lines.join("\n")).not.toMatch(/IBAN|DUE DATE/);
    }),
  );

  it.effect("a partner that issues its own invoices is shown by name and id", () =>
    Effect.gen(function* () {
      const lines = yield* linesOf({ ...REPORT, supplier: null, amounts: [-5_000, 1_000] });
      expect(lines).toContain("Nordlys Acme Software GmbH");
      expect(lines.join("\n")).toContain("Partner id: 0198c1d2-ffff-7abc-8def-000000000001");
      expect(lines).toContain("Total, net of tax (EUR) -40.00");
      expect(lines).toContain("The total is negative: it is owed by the partner to the customer.");
    }),
  );

  for (const variation of [{}, REPORT]) {
    it.effect(
      `a missing buyer on ${variation.kind ?? "an invoice"} is reported, and the customer id is shown instead`,
      () =>
        Effect.gen(function* () {
          const told = yield* linesOf({ ...variation, buyer: null });
          expect(told).toContain(`Nordlys ApS ${CUSTOMER_ID}`);
          expect(told.join(" ")).toContain("The buyer's billing profile is missing.");
          expect((yield* linesOf(variation)).join(" ")).not.toMatch(/missing/);
        }),
    );
  }

  it.effect("names keep their letters, and lose characters that could disguise them", () =>
    Effect.gen(function* () {
      const lines = yield* linesOf({
        supplier: { ...SUPPLIER, legalName: "Łukasz Żółć · Αθήνα" },
        buyer: { ...BUYER, legalName: "Доставка\n\u202eZmbH\u202c" },
      });
      expect(lines).toContain("Łukasz Żółć · Αθήνα Доставка ZmbH");
    }),
  );
});

const OTHER: InvoiceLine.InvoiceSubject = {
  ...(SUBJECTS[0] as InvoiceLine.InvoiceSubject),
  ...{ formulaId: CUSTOMER_ID as never, id: CUSTOMER_ID as never, name: "Renewals" },
};

describe("how a line was earned", () => {
  const words = (detail: Partial<Documents.DetailedLine>, language: BillingProfile.Language = "en") =>
    Effect.map(
      linesOf({
        ...REPORT,
        amounts: [1_000],
        buyer: { ...BUYER, language } as typeof BUYER,
        detail: () => ({ properties: [], ...detail }),
      }),
      (lines) => lines[lines.findIndex((line) => line.startsWith("1 "))]?.replace(/^.*Sale /, ""),
    );
  it.effect.each<readonly [string, Partial<Documents.DetailedLine>, string, string]>([
    ["a rate", {}, "100.00 10% 10.00", "100,00 10\u00a0% 10,00"],
    [
      "a fixed amount",
      { terms: { type: "fixed", amount: "1000" } },
      "– fixed amount 10.00",
      "– fester Betrag 10,00",
    ],
    [
      "an amount for each",
      { terms: { type: "each", quantity: "4", amount: "250" } },
      "– 2.50 each for 4 10.00",
      "– je 2,50 für 4 10,00",
    ],
    [
      "a minimum",
      { terms: { type: "least", amount: "1000" } },
      "– minimum 10.00 10.00",
      "– mindestens 10,00 10,00",
    ],
    [
      "a maximum",
      { terms: { type: "most", amount: "1000" } },
      "– maximum 10.00 10.00",
      "– höchstens 10,00 10,00",
    ],
    [
      "another formula",
      { terms: { type: "other" } },
      "– by the plan's formula 10.00",
      "– nach der Formel des 10,00",
    ],
    ["unknown terms", { terms: null }, "– by the plan's formula 10.00", "– nach der Formel des 10,00"],
    [
      "a withdrawn plan",
      { basis: "formula_cancelled" },
      "– Plan withdrawn 10.00",
      "– Plan zurückgezogen 10,00",
    ],
  ])("%s", ([, detail, en, de]) =>
    Effect.gen(function* () {
      expect(yield* words(detail)).toBe(en);
      expect(yield* words(detail, "de")).toBe(de);
    }),
  );

  it.effect("tiers, and a rate with a fixed amount", () =>
    Effect.gen(function* () {
      const told = (terms: Documents.DetailedLine["terms"]) =>
        Effect.map(
          linesOf({ ...REPORT, amounts: [4_550], detail: () => ({ terms, properties: [] }) }),
          (lines) => lines.join(" "),
        );
      const tiers = [
        { part: "50000", rate: "0.05", flat: "0" },
        { part: "10000", rate: "0.08", flat: "1250" },
      ];
      expect(yield* told({ type: "tiers", base: "60000", tiers })).toMatch(
        /Sale 600\.00 5% of 500\.00 \+ 8% of 45\.50 100\.00 \+ 12\.50/,
      );
      const parts = [
        { type: "rate", base: "200000", rate: "0.015" },
        { type: "fixed", amount: "1550" },
      ] as const;
      expect(yield* told({ type: "sum", parts })).toContain("Sale 2,000.00 1.5% + 15.50 45.50");
    }),
  );

  const CORRECTION: Partial<Documents.DetailedLine> = {
    terms: { type: "rate", base: "-99", rate: "0.031" },
    correction: { before: -12, after: -3 },
    corrects: [
      {
        ...{ settlementId: otherDocument("invoice", null).settlementId, kind: "invoice", isSelfBilled: true },
        ...{ number: "HM-2026-000017", date: "2026-01-31", amount: -12 },
      },
    ],
  };

  it.effect.each<readonly [BillingProfile.Language, ReadonlyArray<string>]>([
    [
      "en",
      [
        "Correction 0.09",
        "Commission for ORD-10001: -0.12 before, -0.03 now, difference 0.09",
        "Now 3.1% of -0.99",
        "Before: -0.12 EUR in invoice HM-2026-000017 of 31 Jan 2026",
      ],
    ],
    [
      "de",
      [
        "Korrektur 0,09",
        "Provision zu ORD-10001: bisher -0,12, jetzt -0,03, Differenz 0,09",
        "Jetzt 3,1\u00a0% von -0,99",
        "Bisher: -0,12 EUR in Gutschrift HM-2026-000017 vom 31.01.2026",
      ],
    ],
    [
      "fr",
      [
        "Correction 0,09",
        "Commission sur ORD-10001 : -0,12 auparavant, -0,03 désormais, différence 0,09",
        "Désormais 3,1\u00a0% de -0,99",
        "Auparavant : -0,12 EUR (facture HM-2026-000017 du 31/01/2026)",
      ],
    ],
    [
      "es",
      [
        "Corrección 0,09",
        "Comisión de ORD-10001: antes -0,12, ahora -0,03, diferencia 0,09",
        "Ahora 3,1\u00a0% de -0,99",
        "Antes: -0,12 EUR en factura HM-2026-000017 de 31/01/2026",
      ],
    ],
  ])("a correction states the commission before and after, and its difference: %s", ([language, expected]) =>
    Effect.gen(function* () {
      for (const kind of [REPORT, {}] as const) {
        const lines = yield* linesOf({
          ...{ ...kind, amounts: [9], taxAmount: kind === REPORT ? null : 2 },
          buyer: { ...BUYER, language } as typeof BUYER,
          detail: () => ({ properties: [], ...CORRECTION }),
        });
        const from = lines.findIndex((line) => line.includes("ORD-10001"));
        const [row = "", ...details] = lines.slice(from, from + 4);
        expect([row.replace(/^.*Sale – /, ""), ...details]).toEqual(expected);
      }
    }),
  );

  it.effect.each([
    [
      "en",
      "The buyer has paid 601.5 of 1,000: 6.01 of 10.00 is payable",
      "Further part 3.01",
      "Before: 3.00 EUR in invoice HM-2026-000017 of 31 Jan 2026",
    ],
    [
      "de",
      "Der Käufer hat 601,5 von 1.000 bezahlt: 6,01 von 10,00 sind auszahlbar",
      "Weiterer Teil 3,01",
      "Bisher: 3,00 EUR in Gutschrift HM-2026-000017 vom 31.01.2026",
    ],
    [
      "fr",
      "L'acheteur a payé 601,5 sur 1 000 : 6,01 sur 10,00 sont payables",
      "Part suivante 3,01",
      "Auparavant : 3,00 EUR (facture HM-2026-000017 du 31/01/2026)",
    ],
    [
      "es",
      "El comprador ha pagado 601,5 de 1.000: son pagaderos 6,01 de 10,00",
      "Parte siguiente 3,01",
      "Antes: 3,00 EUR en factura HM-2026-000017 de 31/01/2026",
    ],
  ] as const)(
    "a commission of which a part is payable states what the buyer has paid: %s",
    ([language, paid, further, before]) =>
      Effect.gen(function* () {
        const part = { received: 601.5, of: 1_000, earned: 1_000, payable: 601 };
        const corrects = (CORRECTION.corrects ?? []).map((line) => ({ ...line, amount: 300 }));
        const [first, later] = yield* Effect.forEach(
          [{}, { correction: { before: 300, after: 601 }, corrects }],
          (more) =>
            linesOf({
              ...{ ...REPORT, amounts: [301], buyer: { ...BUYER, language } as typeof BUYER },
              detail: () => ({ properties: [], part, ...more }),
            }),
        );
        const plain = (text: string): string => text.replace(/\s/g, " ");
        expect(first?.map(plain)).toContain(paid);
        const from = later?.findIndex((line) => line.includes("ORD-10001")) ?? 0;
        const [row = "", ...details] = later?.slice(from, from + 3) ?? [];
        expect([row.replace(/^.*Sale – /, ""), ...details].map(plain)).toEqual([further, paid, before]);
      }),
  );

  it.effect.each([
    ["en", "Replaced: price", "Replaced by {sale} of 12 Jan 2026", "Correction of {sale} of 09 Jan 2026"],
    ["de", "Ersetzt: price", "Ersetzt durch {sale} vom 12.01.2026", "Korrektur von {sale} vom 09.01.2026"],
    ["fr", "Remplacé : price", "Remplacé par {sale} du 12/01/2026", "Correction de {sale} du 09/01/2026"],
    ["es", "Sustituido: price", "Sustituido por {sale} de 12/01/2026", "Corrección de {sale} de 09/01/2026"],
  ] as const)("a replaced sale and its replacement name each other: %s", ([language, replaced, ...named]) =>
    Effect.gen(function* () {
      const other = (place: number, occurredOn: string) => ({
        attributionId: contentLines([0, 0])[place]?.attributionId as never,
        occurredOn,
      });
      for (const [externalReference, names] of [
        ["ORD-10001", ["ORD-10001", "ORD-10001"]],
        [null, ["…000000000002", "…000000000001"]],
      ] as const) {
        const lines = yield* linesOf({
          ...{ ...REPORT, amounts: [-1_050, 2_000], buyer: { ...BUYER, language } as typeof BUYER },
          detail: (index) => ({
            ...{ externalReference, properties: [] },
            ...(index === 0
              ? {
                  ...{ basis: "attribution_cancelled", cancelReason: "price", terms: null },
                  replacedBy: other(1, "2026-01-12"),
                }
              : { replaces: other(0, "2026-01-09") }),
          }),
        });
        expect(lines.join(" ")).toContain(replaced);
        named.forEach((text, place) => {
          expect(lines).toContain(text.replace("{sale}", names[place] ?? ""));
        });
      }
    }),
  );

  it.effect("a correction under several taxes states the part under each", () =>
    Effect.gen(function* () {
      const [line] = contentLines([-1_000]);
      if (line === undefined) return expect.fail("a line");
      const group = (rateBps: number, amount: number) => {
        const terms = { treatment: "standard", label: "VAT", rateBps } as const;
        const part = { ...line, amount };
        const invoiceLines = InvoiceLine.invoiceLines([part], SUBJECTS, terms, 0);
        return { ...terms, base: amount, tax: 0, invoiceLines, lines: [{ ...part, position: 1 }] };
      };
      const lines = yield* linesOf({
        ...{ kind: "credit_note", amounts: [-1_000], taxAmount: 0 },
        groups: [group(2_500, -900), group(2_000, -100)],
        detail: () => ({ properties: [], terms: null, correction: { before: 3_000, after: 2_000 } }),
      });
      expect(lines.filter((candidate) => /before|this tax/.test(candidate))).toEqual([
        "Commission for ORD-10001: 30.00 before, 20.00 now, difference -10.00",
        "-9.00 of it under this tax",
        "Commission for ORD-10001: 30.00 before, 20.00 now, difference -10.00",
        "-1.00 of it under this tax",
      ]);
    }),
  );

  it.effect("shows up to four properties, and cuts long texts", () =>
    Effect.gen(function* () {
      const properties = [
        { name: "plan", value: "x".repeat(100) },
        { name: "seats", value: 1_234.5 },
        { name: "new_customer", value: true },
        { name: "region", value: "EMEA" },
      ];
      const lines = yield* linesOf({
        ...REPORT,
        amounts: [1_000],
        detail: () => ({ properties, externalReference: "R".repeat(255), schemaName: "S".repeat(255) }),
      });
      expect(lines).toContain(`plan: ${"x".repeat(23)}… · seats: 1,234.5 · new_customer: yes · region: EMEA`);
      expect(lines.join("").match(/R/g)?.length).toBeGreaterThan(30);
    }),
  );
});

describe("tax and currency", () => {
  const treatments: ReadonlyArray<
    readonly [string, Variation, ReadonlyArray<string>, ReadonlyArray<string>]
  > = [
    [
      "a standard rate with a fraction",
      { supplier: taxed({ treatment: "standard", label: "MwSt.", rateBps: 775 }), taxAmount: 9_571 },
      ["Subtotal 1,235.00", "MwSt. 7.75% 95.71", "Total payable (EUR) 1,330.71"],
      ["Reverse charge", "Exempt"],
    ],
    [
      "reverse charge",
      { supplier: taxed({ treatment: "reverse_charge", label: "VAT", rateBps: null }), taxAmount: 0 },
      [
        "VAT, reverse charge 0.00",
        "Total payable (EUR) 1,235.00",
        "Reverse charge: the buyer accounts for the tax.",
      ],
      ["Exempt", "25%"],
    ],
    [
      "exemption",
      { supplier: taxed({ treatment: "exempt", label: "VAT", rateBps: null }), taxAmount: 0 },
      [
        "VAT, exempt 0.00",
        "Total payable (EUR) 1,235.00",
        "Exempt from tax: no tax is charged on this supply.",
      ],
      ["Reverse charge", "25%"],
    ],
    [
      "a service outside the scope of VAT, of a business with a tax number",
      {
        supplier: {
          ...taxed({ treatment: "outside_scope", label: "VAT", rateBps: null }),
          ...{ vatNumber: "151/815/08156", vatNumberType: "tax" },
        },
        taxAmount: 0,
      },
      [
        "Tax number: 151/815/08156 Electronic address: invoices@acme.example",
        "VAT, outside the scope of VAT 0.00",
        "Outside the scope of VAT: the service is not subject to the tax.",
      ],
      ["Reverse charge", "Exempt", "DK12345678"],
    ],
    [
      "yen without decimals",
      { currency: "JPY", taxAmount: 30_875 },
      ["Subtotal 123,500", "VAT 25% 30,875", "Total payable (JPY) 154,375"],
      ["EUR"],
    ],
    [
      "dinars with three decimals",
      { currency: "KWD", taxAmount: 30_875 },
      ["Subtotal 123.500", "VAT 25% 30.875", "Total payable (KWD) 154.375"],
      ["EUR"],
    ],
  ];
  for (const [name, variation, present, absent] of treatments) {
    it.effect(name, () =>
      Effect.gen(function* () {
        const lines = yield* linesOf(variation);
        for (const line of present) expect(lines).toContain(line);
        for (const word of absent) expect(lines.join("\n")).not.toContain(word);
      }),
    );
  }

  it.effect.each<readonly [string, Partner.TaxConfig["treatment"], number | null, string]>([
    ["VAT", "standard", 2_500, "VAT 25%"],
    ["VAT 25%", "standard", 2_500, "VAT 25%"],
    ["MwSt. 25 %", "standard", 2_500, "MwSt. 25 %"],
    ["Reverse charge", "reverse_charge", null, "Reverse charge"],
    ["VAT reverse-charged", "reverse_charge", null, "VAT reverse-charged"],
    ["Steuerschuldnerschaft des Leistungsempfängers", "reverse_charge", null, "Steuerschuldnerschaft"],
    ["Autoliquidation", "reverse_charge", null, "Autoliquidation"],
    ["Inversión del sujeto pasivo", "reverse_charge", null, "Inversión del sujeto pasivo"],
    ["MOMS", "reverse_charge", null, "MOMS, reverse charge"],
    ["Tax exempt", "exempt", null, "Tax exempt"],
    ["steuerfrei", "exempt", null, "steuerfrei"],
    ["Exonéré de TVA", "exempt", null, "Exonéré de TVA"],
    ["Exento de IVA", "exempt", null, "Exento de IVA"],
    ["GST", "exempt", null, "GST, exempt"],
    ["Btw verlegd", "reverse_charge", null, "Btw verlegd"],
    ["Omvänd betalningsskyldighet", "reverse_charge", null, "Omvänd betalningsskyldighet"],
    ["TVA non applicable, art. 293 B du CGI", "exempt", null, "TVA non applicable"],
    ["Kleinunternehmer, § 19 UStG", "exempt", null, "Kleinunternehmer"],
    ["Nicht steuerbar", "outside_scope", null, "Nicht steuerbar"],
  ])("the label %s under %s appears once", ([label, treatment, rateBps, told]) =>
    Effect.gen(function* () {
      const lines = yield* linesOf({ supplier: taxed({ treatment, label, rateBps }), taxAmount: 0 });
      const total = lines[lines.indexOf("Subtotal 1,235.00") + 1];
      expect(total).toMatch(new RegExp(`^${told.replace(/[.]/g, "\\.")}.* 0\\.00$`));
      expect(total?.match(/reverse|exempt|25/gi)?.length ?? 0).toBeLessThanOrEqual(1);
    }),
  );

  it.effect("the legal notes of both parties are paragraphs of an invoice, and no part of a report", () =>
    Effect.gen(function* () {
      const supplier = { ...SUPPLIER, legalNote: "SIREN 732 829 320\r\nRCS Paris" };
      const buyer = { ...BUYER, legalNote: "Registered in England No. 1." } as typeof BUYER;
      const NOTES = ["SIREN 732 829 320", "RCS Paris", "Registered in England No. 1."];
      for (const kind of ["invoice", "credit_note"] as const) {
        const lines = yield* linesOf({ kind, supplier, buyer });
        const from = lines.indexOf("SIREN 732 829 320");
        expect(lines.slice(from, from + 3)).toEqual(NOTES);
      }
      for (const variation of [
        { ...REPORT, supplier, buyer },
        { supplier: null, taxAmount: null, buyer },
      ])
        expect((yield* linesOf(variation)).join("\n")).not.toMatch(/SIREN|RCS|England/);
    }),
  );

  it.effect("the tax in the national currency is below the tax, with rate, source and date in a note", () =>
    Effect.gen(function* () {
      const conversion = {
        ...{ currency: Currency.Currency.make("DKK"), rate: "7.4604" },
        ...{ date: "2026-02-26", source: "Danmarks\tNationalbank" },
      };
      // 308.75 × 7.4604 = 2,303.3985.
      const english = yield* linesOf({ taxConversion: conversion });
      const from = english.indexOf("Subtotal 1,235.00");
      expect(english.slice(from + 1, from + 4)).toEqual([
        ...["VAT 25% 308.75", "VAT 25% (DKK) 2,303.40", "Total payable (EUR) 1,543.75"],
      ]);
      expect(english.join(" ")).toContain(
        "Tax in the national currency: 1 EUR = 7.4604 DKK (Danmarks Nationalbank, 26 Feb 2026).",
      );
      const credited = yield* linesOf({
        ...{ kind: "credit_note", amounts: [-120_000], taxAmount: -30_000, taxConversion: conversion },
        buyer: { ...BUYER, language: "de" } as typeof BUYER,
      });
      expect(credited.join(" ")).toContain("(DKK) 2.238,12");
      expect(credited.join(" ")).toContain("1 EUR = 7,4604 DKK (Danmarks Nationalbank, 26.02.2026).");
      expect((yield* linesOf({ ...REPORT, taxConversion: conversion })).join("\n")).not.toContain("DKK");
    }),
  );

  it.effect("the contact of the partner is a line below its address", () =>
    Effect.gen(function* () {
      const contact = { name: "Bookkeeping", phone: "+45 33 12", email: "billing@nordlys.example" };
      const lines = yield* linesOf({ supplier: { ...SUPPLIER, contact } });
      expect(lines.join(" ")).toContain("Bookkeeping, +45 33 12, billing@nordlys.example");
    }),
  );

  it.effect("a small business states the words of its law, and no exemption beside them", () =>
    Effect.gen(function* () {
      const label = "TVA non applicable, art. 293 B du CGI";
      for (const language of ["en", "fr"] as const) {
        const lines = yield* linesOf({
          supplier: taxed({ treatment: "exempt", label, rateBps: null }),
          taxAmount: 0,
          buyer: { ...BUYER, language } as typeof BUYER,
        });
        expect(lines.join(" ")).toContain(label);
        expect(lines.join(" ")).not.toMatch(/exempt|exon/i);
      }
    }),
  );

  it.effect("the column of the tax breaks no word of a treatment", () =>
    Effect.gen(function* () {
      for (const [language, parts] of [
        ["de", ["USt.,", "Steuerschuldnerschaft des", "Leistungsempfängers"]],
        ["es", ["USt., inversión del sujeto", "pasivo"]],
      ] as const) {
        const lines = yield* linesOf({
          supplier: taxed({ treatment: "reverse_charge", label: "USt.", rateBps: null }),
          taxAmount: 0,
          buyer: { ...BUYER, language } as typeof BUYER,
        });
        const from = lines.findIndex((line) => line.startsWith("1 "));
        const cell = lines.slice(from, from + parts.length);
        expect(cell.every((line, index) => line.includes(parts[index] ?? "?"))).toBe(true);
      }
    }),
  );

  it.effect("payment terms are in words", () =>
    Effect.gen(function* () {
      const told = (paymentTermsDays: number, language: BillingProfile.Language) =>
        Effect.map(
          linesOf({
            supplier: { ...SUPPLIER, paymentTermsDays },
            buyer: { ...BUYER, language } as typeof BUYER,
          }),
          (lines) => lines.find((line) => /^(Terms|Zahlungsziel|Conditions|Condiciones) /.test(line)),
        );
      expect(yield* told(0, "en")).toBe("Terms due on receipt");
      expect(yield* told(1, "en")).toBe("Terms 1 day from the issue date, due 28 Feb 2026");
      expect(yield* told(0, "de")).toBe("Zahlungsziel zahlbar bei Erhalt");
      expect(yield* told(0, "fr")).toBe("Conditions payable à réception");
      expect(yield* told(0, "es")).toBe("Condiciones pagadero a la recepción");
    }),
  );
});

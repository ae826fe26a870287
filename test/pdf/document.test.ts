import { describe, expect, it } from "@effect/vitest";
import { Effect } from "effect";
import { Documents, type Partner } from "quittance";
import { layerInProcess } from "quittance/pdf";
import {
  BUYER,
  CUSTOMER_ID,
  linesOf as contentLines,
  contentOf,
  otherDocument,
  SUPPLIER,
  type Variation,
} from "./content.ts";
import { pagesOf } from "./extract.ts";

const linesOf = (variation: Variation) =>
  Effect.gen(function* () {
    const renderer = yield* Documents.DocumentRenderer;
    const { bytes, extension } = yield* renderer.render(contentOf(variation));
    expect(extension).toBe("pdf");
    return pagesOf(bytes).flatMap(({ lines }) => lines);
  });

const taxed = (taxConfig: Partner.TaxConfig): Partner.SelfBillingData => ({ ...SUPPLIER, taxConfig });

const REPORT: Variation = { kind: "report", number: null, taxAmount: null };

it.layer(layerInProcess)("what a document says", (it) => {
  it.effect(
    "an invoice shows both parties, its number and dates, every line, the tax and the bank account",
    () =>
      Effect.gen(function* () {
        const lines = yield* linesOf({});
        expect(lines).toEqual([
          "Self-billed invoice",
          "SB-2026-000042",
          "Settlement 0198c1d2-5555-7abc-8def-000000000001",
          "SUPPLIER BUYER",
          "Nordlys ApS Acme Software GmbH",
          "Havnegade 1 Torstraße 12",
          "1058 København 10119 Berlin",
          "Hovedstaden Germany",
          "Denmark VAT number: DE123456789",
          "VAT number: DK12345678 Electronic address: invoices@acme.example",
          "ISSUE DATE DUE DATE ATTRIBUTIONS TOTAL PAYABLE",
          "2026-02-27 2026-03-29 2026-01-01 to 2026-01-03 1,543.75 EUR",
          "No. Commission Attribution Attributed Amount (EUR)",
          "1 …000000000001 0198c1d2-bbbb-7abc-8def-000000000001 2026-01-01 1,200.00",
          "2 …000000000002 0198c1d2-bbbb-7abc-8def-000000000002 2026-01-02 45.50",
          "3 …000000000003 0198c1d2-bbbb-7abc-8def-000000000003 2026-01-03 -10.50",
          "Subtotal 1,235.00",
          "VAT 25% 308.75",
          "Total payable (EUR) 1,543.75",
          "PAYMENT",
          "Beneficiary Nordlys ApS",
          "IBAN DK50 0040 0440 1162 43",
          "BIC NDEADKKK",
          "Reference SB-2026-000042",
          "Terms 30 days from the issue date, due 2026-03-29",
          "Self-billing: the buyer issues this invoice in the name and on behalf of the supplier.",
          "Dates are days in UTC.",
          "Self-billed invoice SB-2026-000042 Page 1 of 1",
        ]);
      }),
  );

  it.effect(
    "a credit note for a negative settlement shows negative amounts and who owes them, and no bank account",
    () =>
      Effect.gen(function* () {
        const lines = yield* linesOf({
          kind: "credit_note",
          number: "SC-2026-000001",
          amounts: [-1_234_567, 20_000],
          taxAmount: -303_642,
        });
        expect(lines[0]).toBe("Self-billed credit note");
        expect(lines).toContain("Subtotal -12,145.67");
        expect(lines).toContain("VAT 25% -3,036.42");
        expect(lines).toContain("Total payable (EUR) -15,182.09");
        expect(lines).toContain("The total is negative: it is owed by the supplier to the buyer.");
        expect(lines.join("\n")).not.toMatch(/IBAN|DUE DATE|Cancels/);
      }),
  );

  it.effect("a credit note that cancels an invoice names it and has its amounts with the opposite sign", () =>
    Effect.gen(function* () {
      const lines = yield* linesOf({
        kind: "credit_note",
        number: "SC-2026-000002",
        cancels: otherDocument("invoice", "SB-2026-000042"),
      });
      expect(lines).toContain("Cancels invoice SB-2026-000042 of 2026-02-22");
      expect(lines).toContain("This credit note cancels invoice SB-2026-000042 of 2026-02-22 in full.");
      expect(lines).toContain("1 …000000000001 0198c1d2-bbbb-7abc-8def-000000000001 2026-01-01 -1,200.00");
      expect(lines).toContain("3 …000000000003 0198c1d2-bbbb-7abc-8def-000000000003 2026-01-03 10.50");
      expect(lines.filter((line) => / -1,(235\.00|543\.75)$/.test(line))).toEqual([
        "Subtotal -1,235.00",
        "Total payable (EUR) -1,543.75",
      ]);
      expect(lines.join("\n")).not.toMatch(/owed/);
    }),
  );

  it.effect("a credit note that cancels an invoice without a known number names its settlement", () =>
    Effect.gen(function* () {
      const cancels = otherDocument("invoice", null, 1);
      const lines = yield* linesOf({ kind: "credit_note", number: "SC-2026-000003", cancels });
      expect(lines.join(" ")).toContain(
        "This credit note cancels the invoice of settlement 0198c1d2-5555-7abc-8def-000000000001 of 2026-02-22 in full.",
      );
      expect(lines).toContain("Total payable (EUR) -1,543.75");
    }),
  );

  it.effect(
    "an invoice that cancels a credit note has its amounts with the opposite sign and requests no payment",
    () =>
      Effect.gen(function* () {
        const lines = yield* linesOf({
          amounts: [-1_000],
          taxAmount: -250,
          cancels: otherDocument("credit_note", "SC-2026-000001"),
        });
        expect(lines).toContain("Cancels credit note SC-2026-000001 of 2026-02-22");
        expect(lines).toContain("Subtotal 10.00");
        expect(lines).toContain("VAT 25% 2.50");
        expect(lines).toContain("Total payable (EUR) 12.50");
        expect(lines.join("\n")).not.toMatch(/IBAN|DUE DATE|owed/);
      }),
  );

  it.effect("lines are grouped by treatment and rate, and every corrected document is named", () =>
    Effect.gen(function* () {
      const [first, second] = contentLines([100_000, -90_000]);
      if (first === undefined || second === undefined) return expect.fail("two lines");
      const lines = yield* linesOf({
        kind: "credit_note",
        number: "SC-2026-000009",
        amounts: [100_000, -90_000],
        taxAmount: -22_500,
        groups: [
          {
            ...{ treatment: "exempt", label: "VAT", rateBps: null, base: 100_000, tax: 0 },
            invoiceLines: [],
            lines: [{ ...first, position: 1 }],
          },
          {
            ...{ treatment: "standard", label: "VAT", rateBps: 2_500, base: -90_000, tax: -22_500 },
            invoiceLines: [],
            lines: [{ ...second, position: 2 }],
          },
        ],
        corrects: [otherDocument("invoice", "SB-2026-000042"), otherDocument("invoice", null, 3)],
      });
      const table = lines.slice(lines.indexOf("No. Commission Attribution Attributed Amount (EUR)") + 1);
      expect(table.slice(0, 11)).toEqual([
        "VAT, exempt",
        "1 …000000000001 0198c1d2-bbbb-7abc-8def-000000000001 2026-01-01 1,000.00",
        "VAT 25%",
        "2 …000000000002 0198c1d2-bbbb-7abc-8def-000000000002 2026-01-02 -900.00",
        "Net, VAT, exempt 1,000.00",
        "VAT, exempt 0.00",
        "Net, VAT 25% -900.00",
        "VAT 25% -225.00",
        "Subtotal 100.00",
        "Tax -225.00",
        "Total payable (EUR) -125.00",
      ]);
      expect(lines).toContain("Corrects invoice SB-2026-000042 of 2026-02-22");
      expect(lines).toContain(
        "Corrects the invoice of settlement 0198c1d2-5555-7abc-8def-000000000003 of 2026-02-22",
      );
      expect(lines).toContain("The total is negative: it is owed by the supplier to the buyer.");
    }),
  );

  it.effect("more corrected documents than fit under the title are named below the lines", () =>
    Effect.gen(function* () {
      const corrects = Array.from({ length: 120 }, (_, index) =>
        otherDocument("invoice", `SB-${String(index).padStart(6, "0")}`),
      );
      const lines = yield* linesOf({ corrects });
      expect(lines).toContain("Corrects 120 documents, named below the lines");
      const named = lines.filter((line) => /^invoice SB-\d{6} of 2026-02-22$/.test(line));
      expect(named).toHaveLength(120);
    }),
  );

  it.effect("an invoice whose groups balance requests no payment", () =>
    Effect.gen(function* () {
      const lines = yield* linesOf({ amounts: [20_000], taxAmount: -20_000 });
      expect(lines).toContain("The amounts balance: nothing is to be paid.");
      expect(lines.join("\n")).not.toMatch(/IBAN|DUE DATE/);
    }),
  );

  it.effect("a report has no number, tax or bank account", () =>
    Effect.gen(function* () {
      const lines = yield* linesOf(REPORT);
      expect(lines[0]).toBe("Settlement report");
      expect(lines).toContain("PARTNER CUSTOMER");
      expect(lines).toContain("2026-02-27 3 lines 2026-01-01 to 2026-01-03 1,235.00 EUR");
      expect(lines).toContain("Total, net of tax (EUR) 1,235.00");
      expect(lines).toContain("This report is not an invoice.");
      expect(lines).toContain("Settlement report 0198c1d2-5555-7abc-8def-000000000001 Page 1 of 1");
      expect(lines.join("\n")).not.toMatch(/IBAN|Subtotal|VAT 25%|Self-bill/);
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
      expect(lines).toContain("1058 København 10119 Berlin");
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
        "Reverse charge: the buyer accounts for the VAT.",
      ],
      ["Exempt", "%"],
    ],
    [
      "exemption",
      { supplier: taxed({ treatment: "exempt", label: "VAT", rateBps: null }), taxAmount: 0 },
      ["VAT, exempt 0.00", "Total payable (EUR) 1,235.00", "Exempt: no VAT is charged on this supply."],
      ["Reverse charge", "%"],
    ],
    [
      "yen without decimals",
      { currency: "JPY", taxAmount: 30_875 },
      [
        "Subtotal 123,500",
        "VAT 25% 30,875",
        "Total payable (JPY) 154,375",
        "3 …000000000003 0198c1d2-bbbb-7abc-8def-000000000003 2026-01-03 -1,050",
      ],
      ["EUR"],
    ],
    [
      "dinars with three decimals",
      { currency: "KWD", taxAmount: 30_875 },
      [
        "Subtotal 123.500",
        "VAT 25% 30.875",
        "Total payable (KWD) 154.375",
        "3 …000000000003 0198c1d2-bbbb-7abc-8def-000000000003 2026-01-03 -1.050",
      ],
      ["EUR"],
    ],
  ];
  for (const [name, variation, present, absent] of treatments) {
    it.effect(name, () =>
      Effect.gen(function* () {
        const lines = yield* linesOf(variation);
        for (const line of present) expect(lines).toContain(line);
        for (const word of absent) expect(lines.join("\n")).not.toContain(word);
      }).pipe(Effect.provide(layerInProcess)),
    );
  }
});

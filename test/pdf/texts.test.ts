/** The table of texts: complete in each language, and no text longer than the place it has. */
import { BillingProfile, type Documents, InvoiceLine } from "quittance";
import { describe, expect, it } from "vitest";
import * as Fonts from "../../adapters/pdf/Fonts.ts";
import { TEXTS } from "../../adapters/pdf/Languages.ts";
import * as Letterhead from "../../adapters/pdf/Letterhead.ts";
import * as SettlementText from "../../adapters/pdf/SettlementText.ts";
import * as Sheet from "../../adapters/pdf/Sheet.ts";
import * as Table from "../../adapters/pdf/Table.ts";
import * as Tagging from "../../adapters/pdf/Tagging.ts";
import * as Typesetting from "../../adapters/pdf/Typesetting.ts";
import { BUYER, contentOf, linesOf, otherDocument, SUBJECTS, type Variation } from "./content.ts";

const { LANGUAGES } = BillingProfile;

/** Every text with the path to it. */
const textsOf = (value: unknown, path = ""): ReadonlyArray<readonly [path: string, text: string]> => {
  if (typeof value === "string") return [[path, value]];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) => textsOf(child, `${path}.${key}`));
};

/** The words that are the same in English and another language. */
const SHARED: Readonly<Record<string, ReadonlyArray<string>>> = {
  de: [".partner", ".plan", ".of.plus"],
  fr: [".total", ".taxes", ".plan", ".corrections", ".date", ".base", ".of.plus", ".corrected"],
  es: [".total", ".plan", ".base", ".of.plus", ".no"],
};

describe.each(LANGUAGES)("the texts of %s", (language) => {
  const english = new Map(textsOf(TEXTS.en));

  it("are complete, each with the placeholders of the English text", () => {
    const own = textsOf(TEXTS[language]).filter(([path]) => !path.startsWith(".notation.months"));
    expect(own.map(([path]) => path)).toEqual(
      [...english.keys()].filter((path) => !path.startsWith(".notation.months")),
    );
    for (const [path, text] of own) {
      const values = (of: string) => [...of.matchAll(/\{\w+\}/g)].map(([name]) => name).sort();
      expect(values(text), path).toEqual(values(english.get(path) ?? ""));
      if (path !== ".treatment.standard" && path !== ".notation.beforePercent")
        expect(text.trim() === "" && !path.startsWith(".notation"), path).toBe(false);
    }
  });
});

it.each(LANGUAGES.filter((language) => language !== "en"))("the texts of %s are translated", (language) => {
  const english = new Map(textsOf(TEXTS.en));
  const same = textsOf(TEXTS[language]).filter(
    ([path, text]) => text !== "" && text === english.get(path) && !path.startsWith(".notation"),
  );
  expect(same.map(([path]) => path).sort()).toEqual(SHARED[language]?.toSorted());
});

const [first, second] = linesOf([100_000, 20_000]);
if (first === undefined || second === undefined) throw new Error("two lines");
const GROUPS: Variation["groups"] = [
  {
    ...{ treatment: "exempt", label: "VAT", rateBps: null, base: 100_000, tax: 0, invoiceLines: [] },
    lines: [{ ...first, position: 1 }],
  },
  {
    ...{ treatment: "standard", label: "VAT", rateBps: 2_500, base: 20_000, tax: 5_000, invoiceLines: [] },
    lines: [{ ...second, position: 2 }],
  },
];

const { default: PDFDocument } = await import("pdfkit");
const pdf: Sheet.Pdf = {
  file: new PDFDocument({ font: "", margin: 0 }),
  families: Fonts.open(Fonts.installedSources()),
  opened: { regular: new Map(), bold: new Map() },
  structure: Tagging.emptyStructure(),
  palette: Sheet.PALETTE,
};
const widthOf = (style: Typesetting.Style, text: string): number =>
  Typesetting.singleLine(pdf, style, text).width;

describe.each(LANGUAGES)("in %s", (language) => {
  const buyer = { ...BUYER, language } as typeof BUYER;
  it.each<readonly [string, Variation]>([
    ["a report", { kind: "report", number: null, taxAmount: null }],
    ["an invoice", {}],
    ["an invoice of several taxes", { amounts: [100_000, 20_000], taxAmount: 5_000, groups: GROUPS }],
    ["a credit note", { kind: "credit_note", amounts: [-100], taxAmount: -25 }],
    ["a cancellation", { kind: "credit_note", cancels: otherDocument("invoice", "A-1") }],
  ])("%s has no text that is longer than its space", (_, variation) => {
    const { sections, annexes, facts, title } = SettlementText.of(contentOf({ ...variation, buyer }));
    for (const { columns } of [...sections, ...annexes]) {
      Table.areasOf(columns).forEach(({ width }, index) => {
        const { heading } = columns[index] ?? { heading: "" };
        expect(widthOf(Sheet.HEADING, heading), heading).toBeLessThanOrEqual(width);
      });
    }
    facts.forEach(({ label }, index) => {
      const width = Letterhead.FACT_WIDTHS[index] ?? 0;
      expect(widthOf(Sheet.LABEL, label.toUpperCase()), label).toBeLessThanOrEqual(width - 4);
    });
    expect(widthOf(Sheet.TITLE, title), title).toBeLessThanOrEqual(Letterhead.BESIDE_LOGO.width * 2);
  });

  it.each(["EUR", "JPY", "KWD", "CLF"])("no correction of the largest amounts in %s is cut", (currency) => {
    const { settlementId } = otherDocument("invoice", null);
    const largest = Number.MAX_SAFE_INTEGER;
    const stated = { settlementId, isSelfBilled: true, date: "2026-01-31", amount: -largest } as const;
    const detail = (terms: Documents.DetailedLine["terms"]) => () =>
      ({
        ...{
          externalReference: "W".repeat(255),
          terms,
          correction: { before: -largest, after: 1 - largest },
        },
        corrects: [
          { ...stated, kind: "credit_note", number: null },
          { ...stated, kind: "report", number: "W".repeat(64) },
        ],
      }) as const;
    const rate = { type: "rate", base: String(largest), rate: "0.123456" } as const;
    for (const terms of [
      rate,
      { type: "sum", parts: [rate, { type: "fixed", amount: String(largest) }] },
      { type: "each", quantity: "123456789", amount: String(largest) },
    ] as const) {
      // A part of the line: the other one is under another tax.
      const part = { ...first, amount: 1 - largest, position: 1 };
      const tax = { treatment: "exempt", label: "VAT", rateBps: null } as const;
      const invoiceLines = InvoiceLine.invoiceLines([part], SUBJECTS, tax, 0);
      const group = { ...tax, base: part.amount, tax: 0, invoiceLines, lines: [part] };
      for (const variation of [{ kind: "report" as const, taxAmount: null }, { groups: [group] }]) {
        const content = contentOf({
          ...variation,
          amounts: [-largest],
          currency,
          buyer,
          detail: detail(terms),
        });
        const { sections, annexes } = SettlementText.of(content);
        const details = [...sections, ...annexes].flatMap(({ columns, detailColumn, rows }) =>
          rows.flatMap((row) =>
            row.details.map((text) => ({ text, width: Table.detailAreaOf(columns, detailColumn).width })),
          ),
        );
        expect(details.length).toBeGreaterThan(3);
        for (const { text, width } of details)
          expect(Typesetting.wrap(pdf, Sheet.DETAIL, width, text).length, text).toBeLessThanOrEqual(
            Table.DETAIL_LINES_MAX,
          );
      }
    }
  });
});

/** The content that programs extract from a document: structure, amounts equal to the ledger's, and text from right to left. */
import { expect, it } from "@effect/vitest";
import { Effect } from "effect";
import { BillingProfile, Currency, Documents, type InvoiceLine, type Partner } from "quittance";
import { describe } from "vitest";
import { TEXTS } from "../../adapters/pdf/Languages.ts";
import { JPEG, png } from "../support/images.ts";
import { BUYER, contentOf, otherDocument, SUBJECTS, SUPPLIER, type Variation } from "./content.ts";
import { type Element, elementsOf, pagesOf, structureOf } from "./extract.ts";
import { inProcess } from "./renderer.ts";

const render = (variation: Variation) =>
  Effect.flatMap(Documents.DocumentRenderer, (renderer) =>
    Effect.map(renderer.render(contentOf(variation)), ({ bytes }) => bytes),
  ).pipe(Effect.provide(inProcess));

const buyerWith = (fields: Partial<BillingProfile.BillingProfile>) =>
  ({ ...BUYER, ...fields }) as typeof BUYER;

const REPORT: Variation = { kind: "report", number: "REP-1", taxAmount: null };

/** The rows of a table, each as the texts of its cells. */
const rowsOf = (table: Element): ReadonlyArray<ReadonlyArray<string>> =>
  elementsOf(table, "TR").map(({ children }) => children.map(({ text }) => text));

describe("the structure of a document", () => {
  it.effect("has one title, titles of tables, and tables of rows with as many cells as columns", () =>
    Effect.gen(function* () {
      const bytes = yield* render({ ...REPORT, amounts: Array.from({ length: 60 }, (_, index) => index) });
      const document = structureOf(bytes);
      expect(document.role).toBe("Document");
      expect(elementsOf(document, "H1").map(({ text }) => text)).toEqual(["Settlement report"]);
      expect(elementsOf(document, "H2").map(({ text }) => text)).toEqual(["Summary by plan", "Lines"]);
      const [summary, lines, totals, ...others] = elementsOf(document, "Table").map(rowsOf);
      expect(others).toEqual([]);
      expect(summary).toEqual([
        ["Plan", "Currency", "Lines", "Earned", "Corrections", "Total"],
        ["10 % of each sale", "EUR", "60", "17.70", "0.00", "17.70"],
        ["Total, net of tax", "EUR", "60", "17.70", "0.00", "17.70"],
      ]);
      // The heading is repeated on each page, and read once.
      expect(lines?.[0]).toEqual([
        ...["No.", "Date", "Order reference", "Sold", "Base", "Rate or tier", "Amount (EUR)"],
      ]);
      expect(lines?.filter(([first]) => first === "No.")).toHaveLength(1);
      expect(lines?.slice(2).map(([position]) => position)).toEqual(
        Array.from({ length: 60 }, (_, index) => String(index + 1)),
      );
      expect(lines?.[5]?.slice(2)).toEqual(["ORD-10004", "Sale plan: pro", "0.30", "10%", "0.03"]);
      expect(totals).toEqual([["Total, net of tax (EUR)", "17.70"]]);
      const scopes = elementsOf(document, "TH").map(({ scope }) => scope);
      expect(scopes.slice(0, 6)).toEqual(Array.from({ length: 6 }, () => "Column"));
      expect(scopes.at(-1)).toBe("Row");
    }),
  );

  it.effect("holds every text but the running footers", () =>
    Effect.gen(function* () {
      const bytes = yield* render({ amounts: Array.from({ length: 60 }, (_, index) => index) });
      for (const { runs } of pagesOf(bytes)) {
        const outside = runs.filter(({ mcid }) => mcid === null).map(({ text }) => text.trim());
        const heading = outside.slice(0, -2).join(" ");
        expect(["", "No. Date Order reference Sold Base Rate or tier Amount (EUR)"]).toContain(heading);
        expect(outside.at(-1)).toMatch(/^Page \d of \d$/);
      }
    }),
  );

  it.effect("states language and title, and what the logo shows", () =>
    Effect.gen(function* () {
      for (const logo of [png(), png({ colorType: 6 }), JPEG]) {
        const bytes = yield* render({ buyer: buyerWith({ language: "fr", logo }) });
        const file = Buffer.from(bytes).toString("latin1");
        expect(file).toContain("/Lang (fr)");
        expect(file).toMatch(/\/MarkInfo \d+ 0 R/);
        expect(file).toContain("/DisplayDocTitle true");
        expect(elementsOf(structureOf(bytes), "Figure").map(({ alt }) => alt)).toEqual([
          "Acme Software GmbH",
        ]);
        expect(file).toMatch(/\/Subtype \/Image/);
      }
    }),
  );

  it.effect("has no logo whose pixels are not those of its header", () =>
    Effect.gen(function* () {
      // A few kilobytes that would decompress to 64 MiB.
      const bomb = png({ width: 100, height: 100, pixels: Buffer.alloc(64 * 1024 * 1024) });
      for (const logo of [bomb, png({ pixels: Buffer.alloc(3) })]) {
        const bytes = yield* render({ buyer: buyerWith({ logo }) });
        expect(elementsOf(structureOf(bytes), "Figure")).toEqual([]);
        expect(pagesOf(bytes)[0]?.lines).toContain("Total payable (EUR) 1,543.75");
      }
    }),
  );
});

describe("text from right to left", () => {
  it.effect("has its reading order in every cell", () =>
    Effect.gen(function* () {
      const bytes = yield* render({
        ...REPORT,
        amounts: [1_000],
        detail: () => ({
          externalReference: "طلب 1024",
          schemaName: "اشتراك سنوي",
          properties: [{ name: "מסלול", value: "מקצועי" }],
        }),
        subjects: SUBJECTS.map((subject) => ({ ...subject, name: "عمولة المبيعات" })),
      });
      const cells = elementsOf(structureOf(bytes), "Table").flatMap(rowsOf);
      expect(cells[1]?.[0]).toBe("عمولة المبيعات");
      const line = cells.find(([position]) => position === "1");
      expect(line?.[2]).toBe("طلب 1024");
      expect(line?.[3]).toContain("اشتراك سنوي");
      expect(line?.[3]).toContain("מסלול");
    }),
  );
});

const TREATMENTS: ReadonlyArray<Partner.TaxConfig> = [
  { treatment: "standard", label: "VAT", rateBps: 2_500 },
  { treatment: "standard", label: "VAT", rateBps: 775 },
  { treatment: "reverse_charge", label: "Reverse charge", rateBps: null },
  { treatment: "exempt", label: "VAT", rateBps: null },
];

describe("the amounts that a reader extracts", () => {
  for (const language of BillingProfile.LANGUAGES) {
    it.effect(`equal those of the ledger in ${language}, for each treatment, currency and kind`, () =>
      Effect.gen(function* () {
        const { notation, totalPayable, totalCredited, totalCancelled, totalNet, annex, details } =
          TEXTS[language];
        for (const [index, currency] of ["EUR", "JPY", "KWD"].entries()) {
          for (const terms of TREATMENTS.slice(index === 0 ? 0 : 1, index === 0 ? 4 : 3)) {
            const code = Currency.Currency.make(currency);
            const smallestUnits = (text: string): number => {
              const plain = text.replaceAll(notation.group, "").replace(notation.decimal, ".");
              expect(plain).toMatch(/^-?\d+(\.\d+)?$/);
              const units = Number(plain.replace(".", ""));
              expect(Currency.formatAmount(units, code)).toBe(plain);
              return units;
            };
            const amounts = [1_234_567, 100, -5_000, 0, 999_999];
            const total = amounts.reduce((sum, amount) => sum + amount, 0);
            const tax = Math.round((total * (terms.rateBps ?? 0)) / 10_000);
            const buyer = buyerWith({ language });
            const supplier = { ...SUPPLIER, taxConfig: terms };
            const kinds: ReadonlyArray<readonly [Variation, string, number]> = [
              [{ ...REPORT, amounts }, totalNet, total],
              [{ amounts, taxAmount: tax }, totalPayable, total + tax],
              [
                { kind: "credit_note", amounts: amounts.map((each) => -each), taxAmount: -tax },
                totalCredited,
                total + tax,
              ],
              [
                { kind: "credit_note", amounts, taxAmount: tax, cancels: otherDocument("invoice", "A-1") },
                totalCancelled,
                total + tax,
              ],
            ];
            for (const [variation, label, sum] of kinds) {
              const document = structureOf(yield* render({ ...variation, currency, buyer, supplier }));
              const tables = elementsOf(document, "Table").map(rowsOf);
              const lines = tables.find(([heading]) => heading?.length === 7) ?? [];
              const stated = lines.filter(([position]) => /^\d+$/.test(position ?? ""));
              expect(stated.map((cells) => smallestUnits(cells[6] ?? ""))).toEqual(amounts);
              const totals = tables.find((rows) => rows.at(-1)?.[0] === `${label} (${currency})`) ?? [];
              expect(smallestUnits(totals.at(-1)?.[1] ?? "")).toBe(sum);
              if (totals.length === 3) {
                expect(totals.slice(0, 2).map(([, value]) => smallestUnits(value ?? ""))).toEqual([
                  total,
                  tax,
                ]);
              }
              const titles = elementsOf(document, "H2").map(({ text }) => text);
              expect(titles).toContain(variation.kind === "report" ? details : annex);
            }
          }
        }
      }),
    );
  }
});

it("a document states the share of each line in its group's tax", () => {
  // The PDF sums up a group's tax; the lines of the content must agree with it.
  const { groups, taxAmount } = contentOf({});
  const lines: ReadonlyArray<InvoiceLine.InvoiceLine> = groups.flatMap(({ invoiceLines }) => invoiceLines);
  expect(lines.reduce((sum, { tax }) => sum + tax, 0)).toBe(taxAmount);
});

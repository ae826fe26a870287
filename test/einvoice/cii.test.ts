import * as fc from "fast-check";
import { EInvoice } from "quittance";
import { describe, expect, it } from "vitest";
import { brokenRules } from "./Checker.ts";
import { contentOf, contents, standard } from "./Contents.ts";
import { differentTerms, termsOfCii, termsOfUbl } from "./Terms.ts";

/** The document in UBL, and in CII as it is made of the stored UBL. */
const both = (content: EInvoice.Content) => {
  const ubl = EInvoice.write(EInvoice.make(content));
  return { ubl, cii: EInvoice.writeCii(EInvoice.read(ubl)) };
};

const edited = (bytes: Uint8Array, from: string | RegExp, to: string): Uint8Array =>
  new TextEncoder().encode(new TextDecoder().decode(bytes).replace(from, to));

describe("an e-invoice in CII", () => {
  it("states every term of the one in UBL, for every treatment, rate, sign, currency and country", () => {
    let checked = 0;
    fc.assert(
      fc.property(contents, (content) => {
        const invoice = EInvoice.make(content);
        if (EInvoice.problemsOf(invoice).length > 0) return;
        const { ubl, cii } = both(content);
        expect(differentTerms(ubl, cii)).toEqual([]);
        // Reading loses nothing that is written.
        expect(EInvoice.write(EInvoice.read(ubl))).toEqual(ubl);
        checked++;
      }),
      { numRuns: 100 },
    );
    expect(checked).toBeGreaterThan(50);
  });

  it("keeps letters, marks of XML and line ends of names", () => {
    const content = contentOf();
    const legalName = 'Søn & "Co" <1>\n\t&amp; <tag>';
    const { ubl, cii } = both({ ...content, seller: { ...content.seller, legalName } });
    expect(EInvoice.read(ubl).seller.legalName).toBe(legalName);
    expect(differentTerms(ubl, cii)).toEqual([]);
  });

  it("states a credit note with positive amounts, the account of the buyer, and every corrected document", () => {
    const references = [
      { number: "HM-2025-000003", issuedOn: "2025-11-30" },
      { number: "HM-2025-000004", issuedOn: "2025-12-31" },
    ];
    const groups = [{ terms: standard(2_500), amounts: [-10_000] }];
    const { cii } = both(contentOf({ kind: "credit_note", groups, references, hasAccount: true }));
    const terms = termsOfCii(cii);
    expect(terms.header).toMatchObject({
      ...{ "BT-3": "261", "BT-84": "DE02120300000000202051" },
      ...{ "BT-109": "100.00", "BT-110": "25.00", "BT-115": "125.00" },
    });
    expect(terms.references).toEqual([
      { "BT-25": "HM-2025-000003", "BT-26": "2025-11-30" },
      { "BT-25": "HM-2025-000004", "BT-26": "2025-12-31" },
    ]);
  });

  it("states what a document that cancels another one leaves to pay: nothing", () => {
    const references = [{ number: "HM-2026-000001", issuedOn: "2026-01-01" }];
    const { cii } = both(contentOf({ kind: "credit_note", cancels: true, references }));
    expect(termsOfCii(cii).header).toMatchObject({ "BT-113": "149.38", "BT-115": "0.00" });
  });

  it.each([
    ["BT-115", /(<ram:DuePayableAmount>)149\.38/, "$1149.39"],
    ["BT-129", '<ram:BilledQuantity unitCode="C62">-1', '<ram:BilledQuantity unitCode="C62">1'],
    ["BT-31", /(<ram:ID schemeID="VA">)DK/, "$1SE"],
    ["BT-9", "20260303", "20260304"],
    [
      "number of taxes",
      /<ram:ApplicableTradeTax>\s*<ram:CalculatedAmount>[\s\S]*?<\/ram:ApplicableTradeTax>/,
      "",
    ],
    ["XSD: ID in rsm:ExchangedDocument", /(<ram:ID>HM[^\n]*\n)(\s*<ram:TypeCode>389[^\n]*\n)/, "$2$1"],
  ] as const)("differs visibly from the UBL where it states another %s", (term, from, to) => {
    const { ubl, cii } = both(contentOf());
    const found = differentTerms(ubl, edited(cii, from, to));
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(term === "BT-31" ? "vat" : term);
  });
});

describe("an e-invoice with the PDF of the document inside", () => {
  const NAMES = Object.keys(EInvoice.FORMATS) as ReadonlyArray<EInvoice.FormatName>;
  /** The element of the file, with the tags around it. */
  const FILE = /\n *<(c|r)a[cm]:Additional\w+>[\s\S]*<\/\1a[cm]:Additional\w+>/;

  it("states the file and its name in every format, and else what it states without", () => {
    let checked = 0;
    fc.assert(
      fc.property(contents, fc.uint8Array({ minLength: 1, maxLength: 99 }), (content, pdf) => {
        const invoice = EInvoice.make(content);
        if (EInvoice.problemsOf(invoice).length > 0) return;
        const attachment = { fileName: 'invoice "1" & <2>.pdf', pdf };
        const written = NAMES.map((name) => EInvoice.FORMATS[name].write({ ...invoice, attachment }));
        const [ubl = pdf, cii = pdf] = written;
        for (const [index, name] of NAMES.entries()) {
          const bytes = written[index] ?? pdf;
          expect(edited(bytes, FILE, "")).toEqual(EInvoice.FORMATS[name].write(invoice));
          const { header } = name.includes("cii") ? termsOfCii(bytes) : termsOfUbl(bytes);
          expect(header).toMatchObject({
            ...{ "BT-122": invoice.number, "BT-125-1": "application/pdf" },
            ...{ "BT-125": Buffer.from(pdf).toString("base64"), "BT-125-2": attachment.fileName },
          });
        }
        expect(differentTerms(ubl, cii)).toEqual([]);
        expect(brokenRules(ubl)).toEqual([]);
        checked++;
      }),
      { numRuns: 15 },
    );
    expect(checked).toBeGreaterThan(5);
  });
});

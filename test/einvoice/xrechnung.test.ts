import * as fc from "fast-check";
import { EInvoice } from "quittance";
import { describe, expect, it } from "vitest";
import { brokenRules, type Node, rootOf, textOf } from "./Checker.ts";
import { CONTACT, contentOf, contents, OUTSIDE, standard } from "./Contents.ts";
import { differentTerms, termsOfUbl } from "./Terms.ts";
import { brokenOf } from "./XRechnung.ts";

const { write, problemsOf } = EInvoice.FORMATS.xrechnung;

/** The stored document, and the one in XRechnung that is made of it. */
const both = (content: EInvoice.Content) => {
  const ubl = EInvoice.write(EInvoice.make(content));
  const stored = EInvoice.read(ubl);
  return {
    ubl,
    xrechnung: write(stored),
    problems: problemsOf(stored).map(({ rule, field }) => `${rule} ${field}`),
  };
};

const parsed = (bytes: Uint8Array): Node => {
  const root = rootOf(bytes);
  if (root === undefined) throw new Error("no XML");
  return root;
};

/** What the specification alone states differently: its names, the type of credit notes, and how to pay. */
const DIFFERENT = ["BT-3", "BT-81"];
/** Rules of Peppol Self-Billing that another specification breaks. */
const OF_PEPPOL = ["PEPPOL-EN16931-R004", "PEPPOL-EN16931-R007", "PEPPOL-EN16931-P0101", "BR-CL-16"];

describe("an e-invoice in XRechnung", () => {
  it("breaks no rule, for every treatment, rate, sign, currency and country, and states the terms of the stored one", () => {
    let checked = 0;
    fc.assert(
      fc.property(contents, (content) => {
        if (EInvoice.problemsOf(EInvoice.make(content)).length > 0) return;
        const { ubl, xrechnung, problems } = both(content);
        if (content.seller.contact === undefined) {
          expect(problems).toEqual(["BR-DE-2 partner.self_billing_data.contact"]);
          expect(brokenOf(parsed(xrechnung))).toContain("BR-DE-2");
          return;
        }
        expect(problems).toEqual([]);
        expect(brokenOf(parsed(xrechnung))).toEqual([]);
        expect(brokenRules(xrechnung).filter((rule) => !OF_PEPPOL.includes(rule))).toEqual([]);
        const [a, b] = [termsOfUbl(ubl), termsOfUbl(xrechnung)];
        const different = Object.keys(a.header).filter((term) => a.header[term] !== b.header[term]);
        expect(different.filter((term) => !DIFFERENT.includes(term))).toEqual([]);
        expect([b.lines, b.taxes, b.references]).toEqual([a.lines, a.taxes, a.references]);
        checked++;
      }),
      { numRuns: 200 },
    );
    expect(checked).toBeGreaterThan(40);
  });

  it("has the Leitweg-ID of the profile, the contact of the partner, and an account or no instrument", () => {
    const leitweg = { buyerReference: "04011000-1234512345-06", contact: CONTACT };
    const invoice = parsed(both(contentOf(leitweg)).xrechnung);
    expect(textOf(invoice, "cbc:BuyerReference")).toBe("04011000-1234512345-06");
    expect(textOf(invoice, "cbc:InvoiceTypeCode")).toBe("389");
    expect(textOf(invoice, "cac:PaymentMeans/cbc:PaymentMeansCode")).toBe("58");
    const contact = "cac:AccountingSupplierParty/cac:Party/cac:Contact";
    expect(textOf(invoice, `${contact}/cbc:Telephone`)).toBe("+45 33 12 34 56");
    const groups = [{ terms: standard(1_900), amounts: [-10_000] }];
    const note = parsed(both(contentOf({ ...leitweg, kind: "credit_note", groups })).xrechnung);
    expect(textOf(note, "cbc:CreditNoteTypeCode")).toBe("381");
    expect(textOf(note, "cac:PaymentMeans/cbc:PaymentMeansCode")).toBe("1");
  });

  it("states a rate of 0 for services outside the scope of VAT (BR-DE-14)", () => {
    const groups = [{ terms: OUTSIDE, amounts: [100] }];
    const { xrechnung } = both(contentOf({ groups, contact: CONTACT }));
    expect(termsOfUbl(xrechnung).taxes).toMatchObject([{ "BT-118": "O", "BT-119": "0" }]);
    expect(brokenOf(parsed(xrechnung))).toEqual([]);
  });

  it("is there in CII with the terms of the one in UBL", () => {
    let checked = 0;
    fc.assert(
      fc.property(contents, (content) => {
        if (EInvoice.problemsOf(EInvoice.make(content)).length > 0 || content.seller.contact === undefined)
          return;
        const stored = EInvoice.read(EInvoice.write(EInvoice.make(content)));
        const cii = EInvoice.FORMATS["xrechnung-cii"].write(stored);
        expect(differentTerms(write(stored), cii)).toEqual([]);
        const context = "rsm:ExchangedDocumentContext/ram:";
        expect(
          ["BusinessProcess", "Guideline"].map((name) =>
            textOf(parsed(cii), `${context}${name}SpecifiedDocumentContextParameter/ram:ID`),
          ),
        ).toEqual([
          "urn:fdc:peppol.eu:2017:poacc:billing:01:1.0",
          "urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0",
        ]);
        checked++;
      }),
      { numRuns: 60 },
    );
    expect(checked).toBeGreaterThan(10);
    const stored = EInvoice.read(EInvoice.write(EInvoice.make(contentOf())));
    expect(EInvoice.FORMATS["xrechnung-cii"].problemsOf(stored)).toHaveLength(1);
  });

  it.each([
    ["BR-DE-1", /<cac:PaymentMeans>[\s\S]*<\/cac:PaymentMeans>/, ""],
    ["BR-DE-6", /<cbc:Telephone>.*<\/cbc:Telephone>/, ""],
    ["BR-DE-7", /<cbc:ElectronicMail>.*<\/cbc:ElectronicMail>/, ""],
    ["BR-DE-15", /<cbc:BuyerReference>.*<\/cbc:BuyerReference>/, ""],
    ["BR-DE-17", ">389<", ">261<"],
    ["BR-DE-21", "xrechnung_3.0", "xrechnung_2.3"],
    ["BR-DE-23", /<cac:PayeeFinancialAccount>[\s\S]*<\/cac:PayeeFinancialAccount>/, ""],
    ["BR-DE-28", "billing@nordlys.example", "billing@@nordlys.example"],
  ] as const)("is checked by a reader that finds a broken %s", (rule, from, to) => {
    const text = new TextDecoder().decode(both(contentOf({ contact: CONTACT })).xrechnung);
    expect(brokenOf(parsed(new TextEncoder().encode(text.replace(from, to))))).toContain(rule);
  });
});

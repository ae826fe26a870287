import { EInvoice } from "quittance";
import { describe, expect, it } from "vitest";
import { brokenRules } from "./Checker.ts";
import { contentOf, EXEMPT, OUTSIDE, PARTNER_ID, REVERSE, standard } from "./Contents.ts";
import { termsOfUbl } from "./Terms.ts";

const written = (content: EInvoice.Content) => EInvoice.write(EInvoice.make(content));
const headerOf = (content: EInvoice.Content) => termsOfUbl(written(content)).header;
const problems = (content: EInvoice.Content) =>
  EInvoice.problemsOf(EInvoice.make(content)).map(({ rule, field }) => `${rule} ${field}`);

const SELLER = "AccountingSupplierParty";
const BUYER = "AccountingCustomerParty";

describe("the legal notes of an e-invoice", () => {
  it("are those of the seller and of the buyer, as sentences of the one note that is allowed (BT-22)", () => {
    const note = (shape: Parameters<typeof contentOf>[0]) =>
      headerOf(contentOf(shape))["BT-22"]?.replace("&#10;", "\n");
    expect(note({ note: "SIREN 732 829 320", buyerNote: "Registered in England No. 1." })).toBe(
      "Self-billing. SIREN 732 829 320. Registered in England No. 1.",
    );
    expect(note({ note: " HRB 1\nBerlin " })).toBe("Self-billing. HRB 1\nBerlin");
    const replacements = [
      { sale: "ORD-1", occurredOn: "2026-01-09", by: "ORD-2", byOccurredOn: "2026-01-12" },
    ];
    expect(note({ note: "SIREN 1", replacements })).toBe(
      "Self-billing. SIREN 1. Replaced sales: ORD-1 (2026-01-09) → ORD-2 (2026-01-12)",
    );
  });
});

describe("an e-invoice of a seller without a VAT number", () => {
  const taxNumber = "151/815/08156";

  it("states the tax number (BT-32), and the partner's id, by which the buyer identifies the seller (BT-29, BR-CO-26)", () => {
    for (const terms of [standard(1_900), EXEMPT, REVERSE]) {
      const content = contentOf({ taxNumber, groups: [{ terms, amounts: [100] }] });
      expect(headerOf(content)).toMatchObject({
        [`${SELLER} vat (from BT-27)`]: "",
        [`${SELLER} tax number (from BT-27)`]: taxNumber,
        [`${SELLER} id (from BT-27)`]: PARTNER_ID,
        [`${BUYER} vat (from BT-44)`]: "DE123456789",
      });
      expect(problems(content)).toEqual([]);
      expect(brokenRules(written(content))).toEqual([]);
    }
    expect(headerOf(contentOf())).toMatchObject({
      [`${SELLER} vat (from BT-27)`]: "DK12345674",
      [`${SELLER} id (from BT-27)`]: "",
    });
  });

  it("gives the reason of a small business in the words of its law (category E)", () => {
    const label = "Kleinunternehmer, § 19 UStG";
    const groups = [{ terms: { ...EXEMPT, label }, amounts: [100] }];
    const { taxes } = termsOfUbl(written(contentOf({ taxNumber, groups })));
    expect(taxes).toMatchObject([{ "BT-118": "E", "BT-117": "0.00", "BT-120": label }]);
  });

  it("needs a stated electronic address, since none follows from a tax number (PEPPOL-EN16931-R020)", () => {
    const content = contentOf({ taxNumber });
    const { electronicAddress: _, ...seller } = content.seller;
    expect(problems({ ...content, seller })).toEqual([
      "PEPPOL-EN16931-R020 partner.self_billing_data.electronic_address",
    ]);
  });

  it("is charged with reverse charge only by a buyer with a VAT number (BR-AE-02)", () => {
    const content = contentOf({ groups: [{ terms: REVERSE, amounts: [100] }] });
    const buyer: EInvoice.Content["buyer"] = {
      ...{ ...content.buyer, vatNumber: "12/345", electronicAddress: "0088:7300010000001" },
      vatNumberType: "tax",
    };
    expect(problems({ ...content, buyer })).toEqual(["BR-AE-02 billing_profile.vat_number_type"]);
    expect(brokenRules(written({ ...content, buyer }))).toEqual(["BR-AE-02"]);
    const exempt = contentOf({ groups: [{ terms: EXEMPT, amounts: [100] }] });
    expect(problems({ ...exempt, buyer })).toEqual([]);
    expect(brokenRules(written({ ...exempt, buyer }))).toEqual([]);
  });
});

describe("an e-invoice outside the scope of VAT", () => {
  const groups = [{ terms: OUTSIDE, amounts: [100, -30] }];

  it.each([
    ["en", "Outside the scope of VAT"],
    ["de", "Nicht steuerbar"],
    ["fr", "Hors du champ d'application de la TVA"],
    ["es", "Operación no sujeta"],
  ] as const)(
    "states category O with its reason, and neither rate nor VAT numbers (BR-O-02, 05, 10): %s",
    (language, reason) => {
      const content = contentOf({ groups, language });
      const { header, lines, taxes } = termsOfUbl(written(content));
      expect(header).toMatchObject({
        [`${SELLER} vat (from BT-27)`]: "",
        [`${SELLER} id (from BT-27)`]: PARTNER_ID,
        [`${BUYER} vat (from BT-44)`]: "",
      });
      expect(lines.map((line) => [line["BT-151"], line["BT-152"]])).toEqual([
        ["O", ""],
        ["O", ""],
      ]);
      expect(taxes).toMatchObject([{ "BT-118": "O", "BT-120": reason, "BT-121": "VATEX-EU-O" }]);
      expect([problems(content), brokenRules(written(content))]).toEqual([[], []]);
    },
  );

  it("has no line under another treatment (BR-O-11)", () => {
    const content = contentOf({ groups: [...groups, { terms: standard(2_500), amounts: [-50] }] });
    expect(problems(content)).toEqual(["BR-O-11 settlement.lines"]);
    expect(brokenRules(written(content))).toContain("BR-O-11");
  });
});

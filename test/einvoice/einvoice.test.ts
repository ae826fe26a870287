import * as fc from "fast-check";
import { EInvoice } from "quittance";
import { describe, expect, it } from "vitest";
import { brokenRules, payableOf } from "./Checker.ts";
import { differences } from "./Comparison.ts";
import { CONVERSIONS, contentOf, contents, EXEMPT, REVERSE, SMALL, standard } from "./Contents.ts";

const problems = (content: EInvoice.Content) =>
  EInvoice.problemsOf(EInvoice.make(content)).map(({ rule, field }) => `${rule} ${field}`);
const written = (content: EInvoice.Content) => EInvoice.write(EInvoice.make(content));
const xml = (content: EInvoice.Content) => new TextDecoder().decode(written(content));

const ROUNDED_APART = "BR-CO-17 settlement.lines";
/** What random amounts, all of them the ledger's, can make impossible to state. */
const UNSTATABLE = ["BR-DEC-20 settlement.currency", ROUNDED_APART];

describe("a valid e-invoice", () => {
  it("breaks no rule and has the amounts of the ledger, for every treatment, rate, sign, currency and country", () => {
    let checked = 0;
    fc.assert(
      fc.property(contents, (content) => {
        const found = problems(content);
        // Tax in thousandths of a unit cannot be stated, nor two taxes of one rate that are rounded apart by a whole unit.
        if (found.length > 0) {
          expect(UNSTATABLE).toContain([...new Set(found)].join());
          if (found.includes(ROUNDED_APART))
            expect(brokenRules(written(content))).toContainEqual(expect.stringMatching(/^BR-CO-17/));
          return;
        }
        const bytes = written(content);
        expect(brokenRules(bytes)).toEqual([]);
        expect(differences(content, bytes)).toEqual([]);
        checked++;
      }),
      { numRuns: 300 },
    );
    expect(checked).toBeGreaterThan(150);
  });

  it("states the VAT in the national currency, exact and rounded once, with the rate in the note (BR-53)", () => {
    // 25 % of 119.50, rounded to 29.88, times 4.2563 is 127.178244.
    const [taxConversion] = CONVERSIONS;
    if (taxConversion === undefined) throw new Error("no rate");
    const text = xml(contentOf({ taxConversion }));
    expect(text).toMatch(/<cbc:TaxCurrencyCode>PLN<\/cbc:TaxCurrencyCode>/);
    expect(text).toMatch(
      /<\/cac:TaxTotal>\s*<cac:TaxTotal>\s*<cbc:TaxAmount currencyID="PLN">127.18<\/cbc:TaxAmount>\s*<\/cac:TaxTotal>/,
    );
    expect(text).toContain(
      "<cbc:Note>Self-billing. VAT in the national currency: 1 EUR = 4.2563 PLN (Central &lt;bank&gt;, 2026-01-30)</cbc:Note>",
    );
    expect(xml(contentOf())).not.toMatch(/TaxCurrencyCode|national/);
  });

  it("is the same for the same content", () => {
    expect(written(contentOf())).toEqual(written(contentOf()));
  });

  it("states a negative line as a quantity of -1 at a positive price (BR-27)", () => {
    const text = xml(contentOf({ groups: [{ terms: standard(2_500), amounts: [12_000, -50] }] }));
    expect(text).toContain('<cbc:InvoicedQuantity unitCode="C62">-1</cbc:InvoicedQuantity>');
    expect(text).toContain('<cbc:PriceAmount currencyID="EUR">0.50</cbc:PriceAmount>');
  });

  it("states a credit note with positive amounts, and the documents that it corrects (BR-55)", () => {
    const text = xml(
      contentOf({
        kind: "credit_note",
        groups: [{ terms: standard(2_500), amounts: [-10_000] }],
        references: [{ number: "HM-2025-000003", issuedOn: "2025-11-30" }],
      }),
    );
    expect(text).toContain("<cbc:CreditNoteTypeCode>261</cbc:CreditNoteTypeCode>");
    expect(text).toContain('<cbc:PayableAmount currencyID="EUR">125.00</cbc:PayableAmount>');
    expect(text).toMatch(/<cbc:ID>HM-2025-000003<\/cbc:ID>\s*<cbc:IssueDate>2025-11-30<\/cbc:IssueDate>/);
  });

  it("states in a credit note the buyer's account, to which the supplier pays (BR-61)", () => {
    const claim = { kind: "credit_note", groups: [{ terms: standard(2_500), amounts: [-10_000] }] } as const;
    const text = xml(contentOf({ ...claim, hasAccount: true }));
    expect(text).toMatch(/<cac:PayeeFinancialAccount>\s*<cbc:ID>DE02120300000000202051<\/cbc:ID>/);
    expect(text).toContain("<cbc:Note>The supplier owes the amount to the buyer.</cbc:Note>");
    expect(brokenRules(written(contentOf({ ...claim, hasAccount: true })))).toEqual([]);
    expect(xml(contentOf(claim))).not.toContain("cac:PaymentMeans");
  });

  it("states no account of a seller that is paid to none with an IBAN, and is valid without", () => {
    for (const currency of ["EUR", "USD"]) {
      const content = contentOf({ currency });
      const unpaid = { ...content, seller: { ...content.seller, bankAccount: null } };
      expect(xml(content)).toContain("cac:PaymentMeans");
      expect(xml(unpaid)).not.toMatch(/cac:PaymentMeans|DK50/);
      expect(problems(unpaid)).toEqual([]);
      expect(brokenRules(written(unpaid))).toEqual([]);
    }
  });

  it("states an IBAN without a BIC where no BIC is known", () => {
    const content = contentOf();
    const { bankAccount } = content.seller;
    const text = xml({
      ...content,
      seller: { ...content.seller, bankAccount: bankAccount && { ...bankAccount, bic: "" } },
    });
    expect(text).toContain("<cbc:ID>DK5000400440116243</cbc:ID>");
    expect(text).not.toContain("FinancialInstitutionBranch");
  });

  it("cancels an invoice in full by a credit note with the invoice's own amounts", () => {
    const references = [{ number: "HM-2026-000001", issuedOn: "2026-01-01" }];
    const content = contentOf({ kind: "credit_note", cancels: true, references });
    const text = xml(content);
    expect(text).toContain('<cbc:TaxInclusiveAmount currencyID="EUR">149.38</cbc:TaxInclusiveAmount>');
    expect(text).toContain('<cbc:PrepaidAmount currencyID="EUR">149.38</cbc:PrepaidAmount>');
    expect(payableOf(written(content))).toBe("0.00");
    expect(brokenRules(written(content))).toEqual([]);
    expect(xml(contentOf())).not.toContain("PrepaidAmount");
  });

  it("names each replaced sale with the one that replaces it, in the one note that a document may have (R002)", () => {
    const pair = (number: number, sale = `ORD-${number}`) => ({
      ...{ sale, occurredOn: "2026-01-09", by: sale, byOccurredOn: "2026-01-12" },
    });
    const noteOf = (shape: Parameters<typeof contentOf>[0]) => {
      const content = contentOf(shape);
      expect(brokenRules(written(content))).toEqual([]);
      const [note, ...others] = [...xml(content).matchAll(/<cbc:Note>(.*?)<\/cbc:Note>/g)].map(
        ([, text]) => text,
      );
      expect(others).toEqual([]);
      return note;
    };
    expect(noteOf({})).toBe("Self-billing");
    expect(noteOf({ replacements: [pair(1), pair(2, "<A&B>\u0001")] })).toBe(
      "Self-billing. Replaced sales: ORD-1 (2026-01-09) → ORD-1 (2026-01-12); &lt;A&amp;B&gt; (2026-01-09) → &lt;A&amp;B&gt; (2026-01-12)",
    );
    const many = Array.from({ length: 23 }, (_, index) => pair(index));
    expect(noteOf({ replacements: many })).toMatch(/ORD-19 \(2026-01-12\); \+3$/);
    const languages = [
      ["de", "Gutschrift (Self-Billing). Ersetzte Verkäufe: "],
      ["fr", "Autofacturation. Ventes remplacées : "],
      ["es", "Facturación por el destinatario. Ventas sustituidas: "],
    ] as const;
    for (const [language, start] of languages)
      expect(noteOf({ language, replacements: [pair(1)] })).toContain(start);
  });

  it("has one subtotal for exempt groups that differ only in the label (BR-E-01), with both reasons (BR-E-10)", () => {
    const groups = [
      { terms: EXEMPT, amounts: [100] },
      { terms: SMALL, amounts: [200] },
    ];
    const text = xml(contentOf({ groups }));
    expect(text.match(/<cac:TaxSubtotal>/g)).toHaveLength(1);
    expect(text).toContain("Exempt from tax: VAT; small business");
  });

  it("states why the buyer owes the tax (BR-AE-10)", () => {
    const text = xml(contentOf({ groups: [{ terms: REVERSE, amounts: [100] }] }));
    expect(text).toContain("<cbc:TaxExemptionReasonCode>VATEX-EU-AE</cbc:TaxExemptionReasonCode>");
    expect(text).toContain("<cbc:TaxExemptionReason>Reverse charge</cbc:TaxExemptionReason>");
  });
});

describe("the texts of an e-invoice", () => {
  /** Every text that is ours: notes, reasons and descriptions, without those that parties have given. */
  const textsOf = (content: EInvoice.Content): ReadonlyArray<string> =>
    [...xml(content).matchAll(/<cbc:(?:Note|TaxExemptionReason|Description|Name)>([^<]*)</g)]
      .map(([, text = ""]) => text)
      .filter((text) => text !== "Nordlys" && text !== "Harbour Market");
  const groups = [
    { terms: REVERSE, amounts: [-100, -200] },
    { terms: EXEMPT, amounts: [-300] },
  ];

  it.each([
    [
      "en",
      [
        "Self-billing",
        "The supplier owes the amount to the buyer.",
        "Reverse charge",
        "Exempt from tax: VAT",
      ],
    ],
    [
      "de",
      [
        "Gutschrift (Self-Billing)",
        "Der Leistungserbringer schuldet dem Leistungsempfänger den Betrag.",
        "Steuerschuldnerschaft des Leistungsempfängers",
        "Steuerbefreit: VAT",
      ],
    ],
    [
      "fr",
      [
        "Autofacturation",
        "Le fournisseur doit le montant à l'acheteur.",
        "Autoliquidation",
        "Exonération: VAT",
      ],
    ],
    [
      "es",
      [
        "Facturación por el destinatario",
        "El proveedor debe el importe al destinatario.",
        "Inversión del sujeto pasivo",
        "Operación exenta: VAT",
      ],
    ],
  ] as const)("are in the document's language: %s", (language, expected) => {
    const content = contentOf({ kind: "credit_note", groups, language });
    expect(textsOf(content)).toEqual(expect.arrayContaining([...expected]));
    const own = {
      ...content,
      groups: content.groups.map((group) => ({
        ...group,
        invoiceLines: group.invoiceLines.map((line) => ({ ...line, description: " " })),
      })),
    };
    const [one, many] = {
      en: ["commission", "commissions"],
      de: ["Provision", "Provisionen"],
      fr: ["commission", "commissions"],
      es: ["comisión", "comisiones"],
    }[language];
    const texts = textsOf(own);
    expect(texts).toEqual(
      expect.arrayContaining([`1 ${one}`, expect.stringMatching(new RegExp(`^${many}$`, "i"))]),
    );
    if (language !== "en")
      expect(texts.join("\n")).not.toMatch(
        /supplier|reverse charge|exempt from|commissions? (?:in|of)|nothing/i,
      );
    const references = [{ number: "HM-2026-000001", issuedOn: "2026-01-01" }];
    const cancelling = textsOf(contentOf({ kind: "credit_note", cancels: true, references, language }));
    expect(
      cancelling.some((text) =>
        /Cancels the invoice|Storniert die Gutschrift|Annule la facture|Anula la factura/.test(text),
      ),
    ).toBe(true);
    expect(brokenRules(written(content))).toEqual([]);
  });

  it.each([
    ["btw verlegd", "AE"],
    ["Omvänd betalningsskyldighet", "AE"],
    ["TVA non applicable, art. 293 B du CGI", "E"],
    ["Kleinunternehmer, § 19 UStG", "E"],
    ["Vrijgesteld van btw", "E"],
  ] as const)("repeat no treatment that the partner's label names: %s", (label, category) => {
    const treatment = category === "AE" ? "reverse_charge" : "exempt";
    const content = contentOf({
      groups: [{ terms: { treatment, label, rateBps: null }, amounts: [100] }],
      language: "de",
    });
    expect(xml(content)).toContain(`<cbc:TaxExemptionReason>${label}</cbc:TaxExemptionReason>`);
    expect(brokenRules(written(content))).toEqual([]);
  });
});

describe("the checker", () => {
  const broken = (edit: (text: string) => string) =>
    brokenRules(new TextEncoder().encode(edit(xml(contentOf())))).map((rule) => rule.split(":")[0]);

  const edits: ReadonlyArray<readonly [rule: string, from: string | RegExp, to: string]> = [
    [
      "BR-CO-10",
      '<cbc:LineExtensionAmount currencyID="EUR">119.50',
      '<cbc:LineExtensionAmount currencyID="EUR">119.49',
    ],
    ["BR-CO-14", /(<cac:TaxTotal>\s*<cbc:TaxAmount currencyID="EUR">)29.88/, "$129.87"],
    [
      "BR-CO-15",
      '<cbc:TaxInclusiveAmount currencyID="EUR">149.38',
      '<cbc:TaxInclusiveAmount currencyID="EUR">149.39',
    ],
    ["BR-CO-16", '<cbc:PayableAmount currencyID="EUR">149.38', '<cbc:PayableAmount currencyID="EUR">149.30'],
    ["BR-27", '<cbc:PriceAmount currencyID="EUR">0.50', '<cbc:PriceAmount currencyID="EUR">-0.50'],
    ["BR-S-08", '<cbc:TaxableAmount currencyID="EUR">119.50', '<cbc:TaxableAmount currencyID="EUR">119.51'],
    ["BR-CO-25", "<cbc:DueDate>2026-03-03</cbc:DueDate>", ""],
    ["PEPPOL-EN16931-R003", /<cbc:BuyerReference>.*<\/cbc:BuyerReference>/, ""],
    ["PEPPOL-EN16931-R020", /<cbc:EndpointID schemeID="0184">.*<\/cbc:EndpointID>/, ""],
    ["PEPPOL-EN16931-P0100", ">389<", ">380<"],
    ["BR-49", /<cbc:PaymentMeansCode>58<\/cbc:PaymentMeansCode>/, ""],
    ["BR-CL-16", "<cbc:PaymentMeansCode>58<", "<cbc:PaymentMeansCode>SEPA<"],
    ["BR-50", "<cbc:ID>DK5000400440116243</cbc:ID>", ""],
    ["BR-61", /<cac:PayeeFinancialAccount>[\s\S]*<\/cac:PayeeFinancialAccount>/, ""],
    ["XSD", /(<cbc:ProfileID>.*<\/cbc:ProfileID>)(\s*)(<cbc:ID>.*<\/cbc:ID>)/, "$3$2$1"],
    [
      "PEPPOL-EN16931-R054",
      "</cac:TaxTotal>",
      "$&<cac:TaxTotal><cbc:TaxAmount>1</cbc:TaxAmount></cac:TaxTotal>",
    ],
    ["XML", "</Invoice>", ""],
  ];
  for (const [rule, from, to] of edits)
    it(`finds a document that breaks ${rule}`, () => {
      expect(broken((text) => text.replace(from, to))).toContain(rule);
    });
});

describe("the problems of a document", () => {
  it("are none by default", () => {
    expect(problems(contentOf())).toEqual([]);
  });

  const RATE = "partner.self_billing_data.tax_config.rate_bps";
  const CURRENCY = "settlement.currency";

  it("name a standard rate of 0 (BR-S-05)", () => {
    const groups = [{ terms: standard(0), amounts: [100] }];
    expect(problems(contentOf({ groups }))).toEqual([`BR-S-05 ${RATE}`]);
    expect(brokenRules(written(contentOf({ groups })))).toContain("BR-S-05");
  });

  it("name a rate that the rule rounds to 0 % (BR-CO-17)", () => {
    expect(problems(contentOf({ groups: [{ terms: standard(49), amounts: [100_000] }] }))).toEqual([
      `BR-CO-17 ${RATE}`,
    ]);
    expect(problems(contentOf({ groups: [{ terms: standard(49), amounts: [1_000] }] }))).toEqual([]);
  });

  it("name tax that differs from the rate by a unit, as corrections of many invoices may (BR-CO-17)", () => {
    expect(problems(contentOf({ apart: 99 }))).toEqual([]);
    expect(problems(contentOf({ apart: 101 }))).toEqual(["BR-CO-17 settlement.lines"]);
    expect(brokenRules(written(contentOf({ apart: 101 })))).toContain("BR-CO-17");
  });

  it("name amounts with more than two decimals (BR-DEC-23, BR-DEC-20)", () => {
    const groups = [{ terms: standard(2_500), amounts: [1_001] }];
    expect(problems(contentOf({ currency: "KWD", groups }))).toEqual([`BR-DEC-23 ${CURRENCY}`]);
    const taxed = [{ terms: standard(2_500), amounts: [1_010] }];
    expect(problems(contentOf({ currency: "KWD", groups: taxed }))).toEqual([`BR-DEC-20 ${CURRENCY}`]);
    expect(problems(contentOf({ currency: "KWD", groups: [{ terms: EXEMPT, amounts: [1_010] }] }))).toEqual(
      [],
    );
  });

  it("name a currency that the code lists lack (BR-CL-04)", () => {
    expect(problems(contentOf({ currency: "STN" }))).toEqual([`BR-CL-04 ${CURRENCY}`]);
  });

  it("name VAT numbers without a country (BR-CO-09), and missing addresses (PEPPOL-EN16931-R020, R010)", () => {
    const content = contentOf();
    const found = problems({
      ...content,
      seller: { ...content.seller, vatNumber: "12345678" },
      buyer: { ...content.buyer, vatNumber: "US123456789" },
    });
    expect(found).toEqual([
      "BR-CO-09 partner.self_billing_data.vat_number",
      "PEPPOL-EN16931-R020 partner.self_billing_data.electronic_address",
      "PEPPOL-EN16931-R010 billing_profile.electronic_address",
    ]);
  });

  it("name an address that is not of the Peppol list (PEPPOL-EN16931-CL008)", () => {
    const content = contentOf();
    const buyer = { ...content.buyer, electronicAddress: "invoices@acme.example" };
    expect(problems({ ...content, buyer })).toEqual([
      "PEPPOL-EN16931-CL008 billing_profile.electronic_address",
    ]);
  });

  it("name corrected documents without a number (BR-55)", () => {
    expect(problems(contentOf({ references: [{ number: null, issuedOn: "1970-01-01" }] }))).toEqual([
      "BR-55 settlement.lines",
    ]);
  });

  it("name text that XML cannot hold", () => {
    const content = contentOf();
    const found = problems({ ...content, seller: { ...content.seller, legalName: "Nord\u0001lys" } });
    expect(found).toEqual(["XML-2.2 partner.self_billing_data.legal_name"]);
  });
});

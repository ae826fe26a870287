/** Content of documents for the tests, varied by what each test is about. */
import {
  CalendarDate,
  Currency,
  type Documents,
  Ids,
  InvoiceLine,
  type Partner,
  type TaxCurrency,
} from "quittance";

const id = (kind: string, number: number): string =>
  `0198c1d2-${kind}-7abc-8def-${number.toString(16).padStart(12, "0")}`;

/** The moment the documents are issued: late in a UTC day that is already the next one east of Greenwich. */
export const ISSUED_AT = Date.UTC(2026, 1, 27, 23, 30);

export const CUSTOMER_ID = Ids.CustomerId.make(id("c000", 1));

export const SUPPLIER: Partner.SelfBillingData = {
  legalName: "Nordlys ApS",
  address: {
    street: "Havnegade 1",
    city: "København",
    region: "Hovedstaden",
    postalCode: "1058",
    country: "DK",
  },
  vatNumber: "DK12345678",
  paymentTermsDays: 30,
  bankAccount: { beneficiaryName: "Nordlys ApS", iban: "DK5000400440116243", bic: "NDEADKKK" },
  taxConfig: { treatment: "standard", label: "VAT", rateBps: 2500 },
};

export const BUYER: NonNullable<Documents.DocumentContent["buyer"]> = {
  customerId: CUSTOMER_ID,
  legalName: "Acme Software GmbH",
  address: { street: "Torstraße 12", city: "Berlin", region: "", postalCode: "10119", country: "DE" },
  vatNumber: "DE123456789",
  electronicAddress: "invoices@acme.example",
};

const FORMULA_ID = Ids.FormulaId.make(id("f000", 1));

export const SUBJECTS = [{ formulaId: FORMULA_ID, id: FORMULA_ID, name: "10 % of each sale" }];

/** Lines of the given amounts, attributed on consecutive days of January 2026. */
export const linesOf = (
  amounts: ReadonlyArray<number>,
  detail: (index: number) => Partial<Documents.DetailedLine> = () => ({}),
): Documents.DocumentContent["lines"] =>
  amounts.map((amount, index) => ({
    commissionId: Ids.CommissionId.make(id("aaaa", index + 1)),
    formulaId: FORMULA_ID,
    attributionId: Ids.AttributionId.make(id("bbbb", index + 1)),
    attributionOccurredAt: Date.UTC(2026, 0, 1 + (index % 31), 12),
    attributionOccurredOn: null,
    amount,
    externalReference: `ORD-${10_001 + index}`,
    schemaName: "Sale",
    properties: [{ name: "plan", value: "pro" }],
    basis: "evaluated",
    cancelReason: null,
    ...{ replaces: null, replacedBy: null },
    terms: { type: "rate", base: String(10 * amount), rate: "0.1" },
    part: null,
    correction: null,
    corrects: [],
    ...detail(index),
  }));

export interface Variation {
  readonly subjects?: Documents.DocumentContent["subjects"];
  /** What differs from 10 % of an order under the plan "pro", by the index of the line. */
  readonly detail?: (index: number) => Partial<Documents.DetailedLine>;
  readonly kind?: Documents.DocumentContent["kind"];
  readonly number?: string | null;
  readonly currency?: string;
  readonly amounts?: ReadonlyArray<number>;
  readonly taxAmount?: number | null;
  /** Null for a partner that writes its own invoices. */
  readonly supplier?: Partner.SelfBillingData | null;
  readonly buyer?: Documents.DocumentContent["buyer"];
  /** By default one group of everything, under the supplier's terms. */
  readonly groups?: Documents.DocumentContent["groups"];
  readonly corrects?: Documents.DocumentContent["corrects"];
  readonly cancels?: Documents.DocumentContent["cancels"];
  readonly taxConversion?: TaxCurrency.Conversion;
  readonly eInvoice?: Documents.DocumentContent["eInvoice"];
}

/** Another document, issued five days before. */
export const otherDocument = (
  kind: "invoice" | "credit_note",
  number: string | null,
  index = 2,
): Documents.CorrectedDocument => ({
  settlementId: Ids.SettlementId.make(id("5555", index)),
  kind,
  isSelfBilled: true,
  number,
  issuedOn: "2026-02-22",
});

/** An invoice of three lines in EUR with 25% tax, unless varied. */
export const contentOf = (variation: Variation = {}): Documents.DocumentContent => {
  const amounts = variation.amounts ?? [120_000, 4_550, -1_050];
  const supplier = variation.supplier === undefined ? SUPPLIER : variation.supplier;
  const taxAmount = variation.taxAmount === undefined ? 30_875 : variation.taxAmount;
  const total = amounts.reduce((sum, amount) => sum + amount, 0);
  const lines = linesOf(amounts, variation.detail);
  const whole = lines.map(
    (
      { commissionId, formulaId, attributionId, attributionOccurredAt, attributionOccurredOn, amount },
      index,
    ) => ({
      ...{ commissionId, formulaId, attributionId, attributionOccurredAt, attributionOccurredOn, amount },
      position: index + 1,
    }),
  );
  const groups =
    supplier === null || variation.kind === "report"
      ? []
      : [
          {
            ...supplier.taxConfig,
            base: total,
            tax: taxAmount ?? 0,
            invoiceLines: InvoiceLine.invoiceLines(lines, SUBJECTS, supplier.taxConfig, taxAmount ?? 0),
            lines: whole,
          },
        ];
  return {
    kind: variation.kind ?? "invoice",
    documentId: Ids.DocumentId.make(id("dddd", 1)),
    number: variation.number === undefined ? "SB-2026-000042" : variation.number,
    issuedAt: ISSUED_AT,
    issuedOn: "2026-02-27",
    dueDate: supplier === null ? null : CalendarDate.dateOf(ISSUED_AT, supplier.paymentTermsDays),
    settlement: {
      id: Ids.SettlementId.make(id("5555", 1)),
      customerId: CUSTOMER_ID,
      workspaceId: Ids.WorkspaceId.make(id("eeee", 1)),
      partnerId: Ids.PartnerId.make(id("ffff", 1)),
      status: { type: "awaiting_invoice" },
      currency: Currency.Currency.make(variation.currency ?? "EUR"),
      total,
      lineCount: amounts.length,
      createdBy: "test",
      approval: {
        billingMode: supplier === null ? "partner_billing" : "self_billing",
        partnerName: "Nordlys",
        selfBillingData: supplier,
        taxGroups: [],
        ...(variation.taxConversion === undefined ? {} : { taxConversion: variation.taxConversion }),
      },
      approvedAt: ISSUED_AT,
      taxAmount: null,
      payableAmount: null,
      taxReview: null,
      paidAfterWriteOff: false,
      erasedAt: null,
      handedOver: null,
      disputeReason: null,
      disputedAt: null,
      reconciliationStatus: "unreconciled",
      reportReference: null,
      reportNumber: null,
      invoiceReference: null,
      invoiceNumber: null,
      invoiceDate: null,
      dueDate: null,
      creditNoteReference: null,
      creditNoteNumber: null,
      creditNoteDate: null,
      uploads: [],
      documentProblem: null,
      eInvoiceProblems: [],
      paymentReference: null,
      attempt: 0,
      paidAt: null,
      bankReference: null,
      createdAt: ISSUED_AT,
    },
    lines,
    subjects: variation.subjects ?? SUBJECTS,
    groups: variation.groups ?? groups,
    taxAmount,
    buyer: variation.buyer === undefined ? BUYER : variation.buyer,
    corrects: variation.corrects ?? [],
    cancels: variation.cancels ?? null,
    eInvoice: variation.eInvoice ?? null,
  };
};

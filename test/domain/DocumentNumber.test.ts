import { Either, Schema } from "effect";
import * as fc from "fast-check";
import { BillingProfile, DocumentNumber, type Ids } from "quittance";
import { describe, expect, it } from "vitest";

const partner = (ending: string) => `01900000-0000-7000-8000-0000${ending.padStart(8, "0")}` as Ids.PartnerId;

const NUMBERED: DocumentNumber.Numbered = {
  kind: "invoice",
  cancels: false,
  partnerId: partner("7f3a9c01"),
  issuedOn: "2026-12-31",
  documentNumbers: null,
  invoicePrefix: "",
  isPerPartner: false,
};

const numberOf = (numbered: Partial<DocumentNumber.Numbered>, counter = 17): string =>
  DocumentNumber.print(DocumentNumber.seriesOf({ ...NUMBERED, ...numbered }), counter);

describe("a document number", () => {
  it("has the prefix, the year and a counter of six digits", () => {
    expect(numberOf({ documentNumbers: { prefix: "HM", year: true } })).toBe("HM-2026-000017");
  });

  it("has no year unless the profile requires it", () => {
    expect(numberOf({ documentNumbers: { prefix: "HM" } })).toBe("HM-000017");
  });

  it("has the separator of the profile", () => {
    expect(numberOf({ documentNumbers: { prefix: "HM", separator: "/", year: true } })).toBe(
      "HM/2026/000017",
    );
  });

  it("names the partner if each partner has a series", () => {
    expect(numberOf({ documentNumbers: { prefix: "HM", year: true, series: "partner" } })).toBe(
      "HM-7F3A9C01-2026-000017",
    );
  });

  it("of a credit note is from the series of invoices; a report's is not", () => {
    const documentNumbers = { prefix: "HM" };
    expect(numberOf({ documentNumbers, kind: "credit_note" })).toBe("HM-000017");
    expect(numberOf({ documentNumbers, kind: "report" })).toBe("HM-REP-000017");
  });

  it("of a correction is from a series of its own if the profile has a prefix for them", () => {
    const documentNumbers = { prefix: "F", correctionPrefix: "R", year: true };
    expect(numberOf({ documentNumbers })).toBe("F-2026-000017");
    expect(numberOf({ documentNumbers, kind: "credit_note" })).toBe("R-2026-000017");
    expect(numberOf({ documentNumbers, kind: "credit_note", cancels: true })).toBe("R-2026-000017");
    expect(numberOf({ documentNumbers, cancels: true })).toBe("R-2026-000017");
    expect(numberOf({ documentNumbers, kind: "report" })).toBe("F-REP-2026-000017");
    expect(numberOf({ documentNumbers: { prefix: "F" }, cancels: true })).toBe("F-000017");
  });

  it("is from the customer's series of the document's kind by default", () => {
    expect(DocumentNumber.seriesOf(NUMBERED)).toEqual({ name: "INV-", stem: "INV-" });
    expect(numberOf({ invoicePrefix: "K-", kind: "credit_note" })).toBe("K-CN-000017");
  });

  it("continues a partner's series of version 1 until the profile has settings", () => {
    const { partnerId } = NUMBERED;
    expect(DocumentNumber.seriesOf({ ...NUMBERED, isPerPartner: true })).toEqual({
      name: `${partnerId} invoice`,
      stem: "INV-",
    });
    const documentNumbers = { prefix: "HM" };
    expect(DocumentNumber.seriesOf({ ...NUMBERED, isPerPartner: true, documentNumbers }).name).toBe("HM-");
  });

  it("grows beyond six digits", () => {
    expect(numberOf({}, 1_234_567)).toBe("INV-1234567");
  });

  it("belongs to one series: equal numbers have equal series and counters", () => {
    const separator = fc.constantFrom<"-" | "/" | "." | "_">("-", "/", ".", "_");
    const documentNumbers = fc.record(
      {
        prefix: fc.stringMatching(/^[A-C12]{1,3}([-/._][A-C12]{1,2})?$/),
        correctionPrefix: fc.stringMatching(/^[A-C12]{1,2}([-/._][A-C12])?$/),
        separator,
        year: fc.boolean(),
        series: fc.constantFrom<"customer" | "partner">("customer", "partner"),
      },
      { requiredKeys: ["prefix"] },
    );
    const numbered = fc.record({
      kind: fc.constantFrom("report" as const, "invoice" as const, "credit_note" as const),
      cancels: fc.boolean(),
      partnerId: fc.constantFrom(partner("20260000"), partner("1"), partner("A")),
      issuedOn: fc.constantFrom("2026-01-01", "2027-01-01"),
      documentNumbers: fc.option(documentNumbers),
      invoicePrefix: fc.constantFrom("", "A", "1-"),
      isPerPartner: fc.constant(false),
    });
    const counter = fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 999_990, max: 30_000_000 }));
    fc.assert(
      fc.property(numbered, counter, numbered, counter, (left, first, right, second) => {
        const [a, b] = [DocumentNumber.seriesOf(left), DocumentNumber.seriesOf(right)];
        if (DocumentNumber.print(a, first) !== DocumentNumber.print(b, second)) return;
        expect([a.name, first]).toEqual([b.name, second]);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("the next document of a series", () => {
  const last = (lastDate: string) => ({
    customerId: "" as Ids.CustomerId,
    name: "HM-",
    lastNumber: 7,
    lastDate,
  });

  it("has the next number, and the date of its day", () => {
    expect(DocumentNumber.next(null, "2026-03-01")).toEqual({ lastNumber: 1, lastDate: "2026-03-01" });
    expect(DocumentNumber.next(last("2026-03-01"), "2026-03-01")).toEqual({
      ...{ lastNumber: 8, lastDate: "2026-03-01" },
    });
    expect(DocumentNumber.next(last("2026-02-28"), "2026-03-01").lastDate).toBe("2026-03-01");
  });

  it("is never dated before its predecessor", () => {
    expect(DocumentNumber.next(last("2027-01-01"), "2026-12-31").lastDate).toBe("2027-01-01");
  });
});

describe("the setting document_numbers", () => {
  const decoded = (documentNumbers: unknown, more: object = {}) =>
    Either.isRight(
      Schema.decodeUnknownEither(BillingProfile.Write)({
        legal_name: "Kontor A/S",
        address: { street: "Torvet 2", city: "Aarhus", region: "", postal_code: "8000", country: "DK" },
        vat_number: "DK87654321",
        ...(documentNumbers === undefined ? {} : { document_numbers: documentNumbers }),
        ...more,
      }),
    );

  it("has a prefix of letters, digits and single separators", () => {
    const valid = ["HM", "h", "HM.2", "A-B_C/D.E", "01234567890123456789"];
    const invalid = ["", "-HM", "HM-", "H--M", "H M", "HÆ", "012345678901234567890", "{year}"];
    expect(valid.filter((prefix) => !decoded({ prefix }))).toEqual([]);
    expect(invalid.filter((prefix) => decoded({ prefix }))).toEqual([]);
  });

  it("has a prefix for corrections of the same form, which differs from the prefix", () => {
    expect(decoded({ prefix: "F", correction_prefix: "F-R" })).toBe(true);
    expect(decoded({ prefix: "F", correction_prefix: "F" })).toBe(false);
    expect(decoded({ prefix: "F", correction_prefix: "R-" })).toBe(false);
    expect(decoded({ correction_prefix: "R" })).toBe(false);
  });

  it("has one of four separators and one of two kinds of series", () => {
    expect(decoded({ prefix: "HM", separator: "+" })).toBe(false);
    expect(decoded({ prefix: "HM", series: "workspace" })).toBe(false);
    expect(decoded({ prefix: "HM", year: "2026" })).toBe(false);
    expect(decoded({ separator: "-" })).toBe(false);
  });

  it("excludes invoice_prefix", () => {
    expect(decoded(undefined, { invoice_prefix: "K-" })).toBe(true);
    expect(decoded({ prefix: "HM" }, { invoice_prefix: "K-" })).toBe(false);
  });
});

import { VatNumber } from "quittance";
import { describe, expect, it } from "vitest";

describe("a VAT number", () => {
  it("is compared without spaces, in capitals", () => {
    expect(VatNumber.compact(" dk 12 34 56 78 ")).toBe("DK12345678");
  });

  it("begins with a country code, EL for Greece or XI for Northern Ireland (BR-CO-09)", () => {
    for (const number of ["DK12345678", "EL123456789", "XI123456789"])
      expect(VatNumber.prefixProblem(number)).toBeNull();
    for (const number of ["12345678", "QQ12345678", ""])
      expect(VatNumber.prefixProblem(number)?.rule).toBe("BR-CO-09");
  });

  it("has the Dutch form after NL (PEPPOL-COMMON-R056-2)", () => {
    expect(VatNumber.prefixProblem("NL123456789B01")).toBeNull();
    expect(VatNumber.prefixProblem("NL123456789")?.rule).toBe("PEPPOL-COMMON-R056-2");
  });
});

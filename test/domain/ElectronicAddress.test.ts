import { Either } from "effect";
import { ElectronicAddress } from "quittance";
import { describe, expect, it } from "vitest";

const ruleOf = (text: string): string | null =>
  Either.match(ElectronicAddress.parse(text), { onLeft: ({ rule }) => rule, onRight: () => null });

describe("an electronic address", () => {
  it("is a scheme of the Peppol list and an identifier (PEPPOL-EN16931-CL008)", () => {
    expect(Either.getOrNull(ElectronicAddress.parse("9930:DE123456789"))).toEqual({
      scheme: "9930",
      identifier: "DE123456789",
    });
    for (const text of [
      "invoices@acme.example",
      "DE123456789",
      "9930:",
      "9930: DE1",
      "9999:1",
      "EM:a@b.example",
    ])
      expect(ruleOf(text)).toBe("PEPPOL-EN16931-CL008");
  });

  const cases: ReadonlyArray<readonly [rule: string, valid: string, invalid: string]> = [
    ["PEPPOL-COMMON-R040", "0088:7300010000001", "0088:7300010000002"],
    ["PEPPOL-COMMON-R041", "0192:974760673", "0192:974760674"],
    ["PEPPOL-COMMON-R042", "0184:DK12345678", "0184:12345678"],
    ["PEPPOL-COMMON-R043", "0208:0403170701", "0208:0403170702"],
    ["PEPPOL-COMMON-R044", "0201:UFABC1", "0201:UFABC"],
    ["PEPPOL-COMMON-R045", "0210:RSSMRA85T10A562S", "0210:RSSMRA85T10A562"],
    ["PEPPOL-COMMON-R047", "0211:IT00743110157", "0211:IT00743110158"],
    ["PEPPOL-COMMON-R049", "0007:5560747569", "0007:5560747568"],
    ["PEPPOL-COMMON-R050", "0151:51824753556", "0151:51824753557"],
    ["PEPPOL-COMMON-R052", "0096:1234567890", "0096:123456789"],
    ["PEPPOL-COMMON-R053", "0198:DK12345678", "0198:DK1234567"],
    ["PEPPOL-COMMON-R054", "0106:12345678", "0106:1234567"],
    ["PEPPOL-COMMON-R055", "0190:00000001234567890000", "0190:123"],
    ["PEPPOL-COMMON-R056-1", "9944:NL123456789B01", "9944:123456789B01"],
  ];
  for (const [rule, valid, invalid] of cases)
    it(`has the form of its scheme (${rule})`, () => {
      expect([ruleOf(valid), ruleOf(invalid)]).toEqual([null, rule]);
    });

  it("follows from a VAT number where its country has a scheme", () => {
    const derived = {
      "DK 12 34 56 78": "0184:DK12345678",
      DE123456789: "9930:DE123456789",
      NO974760673MVA: "0192:974760673",
      SE556074756901: "0007:5560747569",
      FI20774740: "0216:003720774740",
      IT00743110157: "0211:IT00743110157",
      EL123456789: "9933:EL123456789",
    };
    for (const [number, address] of Object.entries(derived)) {
      expect(ElectronicAddress.fromVatNumber(number)).toBe(address);
      expect(ruleOf(address)).toBeNull();
    }
    expect(ElectronicAddress.fromVatNumber("US123456789")).toBeNull();
  });
});

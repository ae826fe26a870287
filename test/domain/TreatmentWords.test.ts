import { TreatmentWords } from "quittance";
import { describe, expect, it } from "vitest";

const { namesSmallBusiness, namesTreatment } = TreatmentWords;

describe("a label names a reverse charge", () => {
  it.each([
    "Reverse charge",
    "VAT reverse-charged",
    "Steuerschuldnerschaft des Leistungsempfängers",
    "Übergang der Steuerschuld auf den Leistungsempfänger",
    "AUTOLIQUIDATION",
    "Inversión del sujeto pasivo",
    "INVERSION DEL SUJETO PASIVO",
    "Inversione contabile",
    "Btw verlegd",
    "BTW\u00a0verlegd",
    "Omvänd betalningsskyldighet",
    "omvand betalningsskyldighet",
    "Omvendt betalingspligt",
    "Käännetty verovelvollisuus",
    "odwrotne obciążenie",
    "fordított adózás",
    "αντίστροφη επιβάρυνση",
    "ΑΝΤΙΣΤΡΟΦΗ ΕΠΙΒΑΡΥΝΣΗ",
    "обратно начисляване",
  ])("by %s", (label) => {
    expect(namesTreatment("reverse_charge", label)).toBe(true);
    expect(namesTreatment("exempt", label)).toBe(false);
    expect(namesTreatment("standard", label)).toBe(false);
  });

  it.each(["VAT", "MwSt.", "TVA", "btw", "moms", "IVA 22 %"])("not by %s", (label) => {
    expect(namesTreatment("reverse_charge", label)).toBe(false);
    expect(namesTreatment("exempt", label)).toBe(false);
    expect(namesSmallBusiness(label)).toBe(false);
  });
});

describe("a label names an exemption", () => {
  it.each([
    "Tax exempt",
    "steuerfrei",
    "Exonéré de TVA",
    "EXONERATION",
    "Exento de IVA",
    "vrijgesteld van btw",
    "momsfri",
  ])("by %s, which is no scheme of small businesses", (label) => {
    expect(namesTreatment("exempt", label)).toBe(true);
    expect(namesSmallBusiness(label)).toBe(false);
  });

  it.each([
    "TVA non applicable, art. 293 B du CGI",
    "TVA non applicable - article 293B du CGI",
    "Franchise en base de TVA",
    "Kleinunternehmer, § 19 UStG",
    "Gemäß §19 UStG wird keine Umsatzsteuer berechnet",
    "Vrijgesteld, kleineondernemersregeling",
    "Regime forfettario, art. 1 commi 54-89 L. 190/2014",
    "small business",
  ])("by the scheme of a small business: %s", (label) => {
    expect(namesTreatment("exempt", label)).toBe(true);
    expect(namesSmallBusiness(label)).toBe(true);
  });
});

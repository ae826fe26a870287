/** Why a partner earns from a sale that several people earn from, in every language. */
import { creditLine, LANGUAGES, type SalePart } from "quittance/explanation";
import { describe, expect, it } from "vitest";

const part = (given: Partial<SalePart>): SalePart => ({
  ...{ role: "seller", share: "1", depth: 0, sellers: [] },
  ...given,
});

const inAll = (given: Partial<SalePart>): ReadonlyArray<string> =>
  LANGUAGES.map((language) => creditLine(part(given), language).replaceAll("\u00a0", " "));

describe("a part that was given", () => {
  it("says the role, and the share where it is not the whole sale", () => {
    expect(inAll({ share: "0.6" })).toEqual([
      "As seller, 60 % of the sale.",
      "Als Verkäufer, 60 % des Verkaufs.",
      "En tant que vendeur, 60 % de la vente.",
      "Como vendedor, 60 % de la venta.",
    ]);
    expect(inAll({ role: "sales_engineer" })).toEqual([
      "As sales engineer.",
      "Als sales engineer.",
      "En tant que sales engineer.",
      "Como sales engineer.",
    ]);
    expect(creditLine(part({ role: "finder", share: "1/3" }), "en")).toBe("As finder, 1/3 of the sale.");
  });
});

describe("a part of whoever is above the sellers", () => {
  it("names the sellers below with their shares, and the level", () => {
    const sellers = [{ name: "Nordlys", share: "0.6" }];
    expect(inAll({ role: "manager", share: "0.6", depth: 1, sellers })).toEqual([
      "As manager of Nordlys (60 % of the sale), level 1.",
      "Als manager von Nordlys (60 % des Verkaufs), Stufe 1.",
      "En tant que manager, niveau 1, pour Nordlys (60 % de la vente).",
      "Como manager de Nordlys (60 % de la venta), nivel 1.",
    ]);
  });

  it("leaves out sellers that are not to be named", () => {
    expect(inAll({ role: "manager", share: "0.6", depth: 2, sellers: [] })).toEqual([
      "As manager, level 2.",
      "Als manager, Stufe 2.",
      "En tant que manager, niveau 2.",
      "Como manager, nivel 2.",
    ]);
  });

  it("does not name a seller that the reader does not see", () => {
    const sellers = [
      { name: null, share: "0.125" },
      { name: "Ann", share: "0.5" },
      { name: null, share: "3/8" },
    ];
    expect(inAll({ role: "recruiter", depth: 2, sellers })).toEqual([
      "As recruiter of a seller below you (12.5 % of the sale), Ann (50 % of the sale) and a seller below you (3/8 of the sale), level 2.",
      "Als recruiter von einem Verkäufer unter Ihnen (12,5 % des Verkaufs), Ann (50 % des Verkaufs) und einem Verkäufer unter Ihnen (3/8 des Verkaufs), Stufe 2.",
      "En tant que recruiter, niveau 2, pour un vendeur de votre équipe (12,5 % de la vente), Ann (50 % de la vente) et un vendeur de votre équipe (3/8 de la vente).",
      "Como recruiter de un vendedor por debajo de usted (12,5 % de la venta), Ann (50 % de la venta) y un vendedor por debajo de usted (3/8 de la venta), nivel 2.",
    ]);
  });
});

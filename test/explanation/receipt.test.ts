/** How much of an amount is payable, in every language. */
import { type BuyerPaid, LANGUAGES, receiptLine } from "quittance/explanation";
import { describe, expect, it } from "vitest";

const MONEY = { currency: "EUR", decimals: 2 };

const inAll = (paid: BuyerPaid, payable: number): ReadonlyArray<string> =>
  LANGUAGES.map((language) => receiptLine(paid, payable, MONEY, language).replaceAll("\u00a0", " "));

const inEnglish = (paid: BuyerPaid, payable: number): string => receiptLine(paid, payable, MONEY, "en");

describe("how much is payable", () => {
  it("is half, where the buyer has paid half", () => {
    expect(inAll({ received: 500, of: 1_000 }, 50_000)).toEqual([
      "Half of it is payable (500.00 EUR): the buyer has paid 500 of 1,000.",
      "Die Hälfte davon ist auszahlbar (500,00 EUR): Der Käufer hat 500 von 1.000 bezahlt.",
      "La moitié du montant est payable (500,00 EUR) : l'acheteur a payé 500 sur 1 000.",
      "La mitad del importe es pagadera (500,00 EUR): el comprador ha pagado 500 de 1.000.",
    ]);
    expect(inEnglish({ received: 0.1, of: 0.2 }, 1)).toMatch(/^Half of it .* 0\.1 of 0\.2\.$/);
  });

  it("is another part", () => {
    expect(inAll({ received: 250, of: 1_000 }, 25_000)).toEqual([
      "250.00 EUR of it is payable: the buyer has paid 250 of 1,000.",
      "250,00 EUR davon sind auszahlbar: Der Käufer hat 250 von 1.000 bezahlt.",
      "250,00 EUR du montant sont payables : l'acheteur a payé 250 sur 1 000.",
      "250,00 EUR del importe son pagaderos: el comprador ha pagado 250 de 1.000.",
    ]);
    expect(inEnglish({ received: 1, of: 3 }, 33_333)).toBe(
      "333.33 EUR of it is payable: the buyer has paid 1 of 3.",
    );
    expect(inEnglish({ received: 1e-7, of: 1e15 }, 0)).toContain("0.0000001 of 1,000,000,000,000,000.");
  });

  it("is nothing before the buyer has paid, and all in the end", () => {
    expect(inAll({ received: 0, of: null }, 0)).toEqual([
      "Nothing of it is payable yet: no payment of the buyer is known.",
      "Davon ist noch nichts auszahlbar: Es ist keine Zahlung des Käufers bekannt.",
      "Rien n'est encore payable : aucun paiement de l'acheteur n'est connu.",
      "Aún no hay nada pagadero: no consta ningún pago del comprador.",
    ]);
    expect(inAll({ received: 0, of: 80 }, 0)).toEqual([
      "Nothing of it is payable yet: the buyer has paid 0 of 80.",
      "Davon ist noch nichts auszahlbar: Der Käufer hat 0 von 80 bezahlt.",
      "Rien n'est encore payable : l'acheteur a payé 0 sur 80.",
      "Aún no hay nada pagadero: el comprador ha pagado 0 de 80.",
    ]);
    expect(inAll({ received: 90, of: 80 }, 100_000)).toEqual([
      "All of it is payable: the buyer has paid 90 of 80.",
      "Der volle Betrag ist auszahlbar: Der Käufer hat 90 von 80 bezahlt.",
      "Tout le montant est payable : l'acheteur a payé 90 sur 80.",
      "Todo el importe es pagadero: el comprador ha pagado 90 de 80.",
    ]);
  });
});

/** The texts of an e-invoice, in the languages of documents. */
import type { Language } from "../domain/BillingProfile.ts";

/** The texts of one language. */
export interface Texts {
  readonly selfBilling: string;
  /** Why nothing is charged where the category alone says it. */
  readonly untaxed: Readonly<Record<"AE" | "O", string>>;
  readonly exempt: string;
  /** The name of a line whose plan has none that XML can hold. */
  readonly commissions: string;
  readonly count: readonly [one: string, many: string];
  readonly cancels: Readonly<Record<"invoice" | "credit_note", string>>;
  readonly claim: string;
  /** What names the rate of the VAT in the national currency. */
  readonly nationalTax: string;
  /** What names the sales that were replaced, each with the one that replaces it. */
  readonly replaced: string;
}

/** The texts of every language. */
export const TEXTS: Readonly<Record<Language, Texts>> = {
  en: {
    selfBilling: "Self-billing",
    untaxed: { AE: "Reverse charge", O: "Outside the scope of VAT" },
    exempt: "Exempt from tax",
    commissions: "Commissions",
    count: ["commission", "commissions"],
    cancels: {
      invoice: "Cancels the invoice in full; nothing is to be paid.",
      credit_note: "Cancels the credit note in full; nothing is to be paid.",
    },
    claim: "The supplier owes the amount to the buyer.",
    nationalTax: "VAT in the national currency:",
    replaced: "Replaced sales:",
  },
  de: {
    // § 14 (4) UStG prescribes the word.
    selfBilling: "Gutschrift (Self-Billing)",
    untaxed: { AE: "Steuerschuldnerschaft des Leistungsempfängers", O: "Nicht steuerbar" },
    exempt: "Steuerbefreit",
    commissions: "Provisionen",
    count: ["Provision", "Provisionen"],
    cancels: {
      invoice: "Storniert die Gutschrift vollständig; es ist nichts zu zahlen.",
      credit_note: "Storniert die Korrektur der Gutschrift vollständig; es ist nichts zu zahlen.",
    },
    claim: "Der Leistungserbringer schuldet dem Leistungsempfänger den Betrag.",
    nationalTax: "Umsatzsteuer in Landeswährung:",
    replaced: "Ersetzte Verkäufe:",
  },
  fr: {
    selfBilling: "Autofacturation",
    untaxed: { AE: "Autoliquidation", O: "Hors du champ d'application de la TVA" },
    exempt: "Exonération",
    commissions: "Commissions",
    count: ["commission", "commissions"],
    cancels: {
      invoice: "Annule la facture en totalité ; rien n'est à payer.",
      credit_note: "Annule l'avoir en totalité ; rien n'est à payer.",
    },
    claim: "Le fournisseur doit le montant à l'acheteur.",
    nationalTax: "TVA en monnaie nationale :",
    replaced: "Ventes remplacées :",
  },
  es: {
    // Real Decreto 1619/2012, article 6 (1) n, prescribes the words.
    selfBilling: "Facturación por el destinatario",
    untaxed: { AE: "Inversión del sujeto pasivo", O: "Operación no sujeta" },
    exempt: "Operación exenta",
    commissions: "Comisiones",
    count: ["comisión", "comisiones"],
    cancels: {
      invoice: "Anula la factura por completo; no hay nada que pagar.",
      credit_note: "Anula la factura rectificativa por completo; no hay nada que pagar.",
    },
    claim: "El proveedor debe el importe al destinatario.",
    nationalTax: "IVA en moneda nacional:",
    replaced: "Ventas sustituidas:",
  },
};

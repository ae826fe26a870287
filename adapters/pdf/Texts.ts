/** Every text of a document, in each language. */
import type { BillingProfile, Documents, Partner } from "quittance";

export type Language = BillingProfile.Language;

type Kind = Documents.DocumentContent["kind"];
type Treatment = Partner.TaxConfig["treatment"];

/** How a language writes numbers and dates. */
export interface Notation {
  /** Between groups of three digits. */
  readonly group: string;
  readonly decimal: string;
  /** Between a number and its percent sign. */
  readonly beforePercent: string;
  /** The order and separators of a date, with `DD`, `MM` or `MMM`, and `YYYY`. */
  readonly date: string;
  /** The abbreviations that `MMM` stands for. */
  readonly months: ReadonlyArray<string>;
}

/** The texts of one language. Text in braces is replaced by a value. */
export interface Texts {
  readonly notation: Notation;
  /** By kind, for documents that the service issues in the partner's name and for others. */
  readonly title: Readonly<Record<Kind, readonly [selfBilled: string, other: string]>>;
  /** A document in a sentence: "invoice {number} of {date}". */
  readonly named: Readonly<Record<Kind, readonly [numbered: string, unnumbered: string]>>;
  readonly supplier: string;
  readonly buyer: string;
  readonly partner: string;
  readonly customer: string;
  readonly vatNumber: string;
  readonly electronicAddress: string;
  readonly partnerId: string;
  readonly noProfile: string;
  readonly missingProfile: string;
  readonly settlement: string;
  readonly cancels: string;
  readonly corrects: string;
  readonly correctsMany: string;
  readonly correctedDocuments: string;
  readonly issueDate: string;
  readonly dueDate: string;
  readonly period: string;
  readonly lines: string;
  readonly until: string;
  readonly none: string;
  readonly totalNet: string;
  readonly totalPayable: string;
  readonly totalCredited: string;
  readonly subtotal: string;
  readonly tax: string;
  readonly net: string;
  readonly rate: string;
  readonly gross: string;
  readonly total: string;
  readonly summary: string;
  readonly taxes: string;
  readonly details: string;
  readonly annex: string;
  readonly annexNote: string;
  readonly continued: string;
  readonly plan: string;
  readonly count: string;
  readonly earned: string;
  readonly corrections: string;
  readonly currency: string;
  readonly amount: string;
  readonly position: string;
  readonly date: string;
  readonly reference: string;
  readonly sold: string;
  readonly base: string;
  readonly terms: string;
  readonly description: string;
  readonly periodOfSupply: string;
  readonly commission: string;
  /** How an amount was earned. */
  readonly of: Readonly<{
    each: string;
    fixed: string;
    least: string;
    most: string;
    tier: string;
    plus: string;
    other: string;
  }>;
  readonly correction: string;
  readonly cancelledSale: string;
  readonly endedPlan: string;
  readonly outsidePlan: string;
  readonly yes: string;
  readonly no: string;
  /** Beside the label of a tax; empty for a rate. */
  readonly treatment: Readonly<Record<Treatment, string>>;
  /** Words by which the partner's own label already names the treatment. */
  readonly treatmentWords: Readonly<Record<Exclude<Treatment, "standard">, RegExp>>;
  /** The sentence that the law wants on the document. */
  readonly treatmentNote: Readonly<Record<Exclude<Treatment, "standard">, string>>;
  readonly selfBilling: Readonly<Record<Exclude<Kind, "report">, string>>;
  readonly cancelsInFull: string;
  readonly nothingToPay: string;
  readonly balanced: string;
  readonly owedByPartner: string;
  readonly claim: string;
  readonly claimWithoutAccount: string;
  readonly notAnInvoice: string;
  readonly utc: string;
  readonly payment: string;
  readonly claimPayment: string;
  readonly beneficiary: string;
  readonly paymentReference: string;
  readonly paymentTerms: string;
  readonly onReceipt: string;
  readonly afterOneDay: string;
  readonly afterDays: string;
  readonly page: string;
}

const DIGIT_MONTHS: ReadonlyArray<string> = [];

/** The word for the treatment in any of the languages: a label may be in another one than the document. */
const WORDS: Texts["treatmentWords"] = {
  reverse_charge:
    /reverse.?charge|steuerschuldner|autoliquidation|inversi[oó]n del sujeto pasivo|omvendt|inversione contabile/iu,
  exempt: /exempt|befreit|steuerfrei|exon[ée]r|exent|exenci[oó]n|esente|momsfri/iu,
};

const en: Texts = {
  notation: {
    group: ",",
    decimal: ".",
    beforePercent: "",
    date: "DD MMM YYYY",
    months: ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"],
  },
  title: {
    report: ["Settlement report", "Settlement report"],
    invoice: ["Self-billed invoice", "Invoice"],
    credit_note: ["Self-billed credit note", "Credit note"],
  },
  named: {
    report: ["report {number} of {date}", "the report of settlement {settlement} of {date}"],
    invoice: ["invoice {number} of {date}", "the invoice of settlement {settlement} of {date}"],
    credit_note: ["credit note {number} of {date}", "the credit note of settlement {settlement} of {date}"],
  },
  supplier: "Supplier",
  buyer: "Buyer",
  partner: "Partner",
  customer: "Customer",
  vatNumber: "VAT number: {value}",
  electronicAddress: "Electronic address: {value}",
  partnerId: "Partner id: {value}",
  noProfile: "Customer id; no billing profile",
  missingProfile:
    "The buyer's billing profile is missing. The customer id stands in place of the buyer's legal name, address and " +
    "VAT number, which this document must not be relied on to prove.",
  settlement: "Settlement {id}",
  cancels: "Cancels {document}",
  corrects: "Corrects {document}",
  correctsMany: "Corrects {count} documents, named at the end",
  correctedDocuments: "Corrected documents",
  issueDate: "Issue date",
  dueDate: "Due date",
  period: "Period",
  lines: "Lines",
  until: "{first} to {last}",
  none: "none",
  totalNet: "Total, net of tax",
  totalPayable: "Total payable",
  totalCredited: "Total credited",
  subtotal: "Subtotal",
  tax: "Tax",
  net: "Net",
  rate: "Rate",
  gross: "Gross",
  total: "Total",
  summary: "Summary by plan",
  taxes: "Taxes",
  details: "Lines",
  annex: "Annex: details of the lines",
  annexNote: "Line {position}: {description}",
  continued: "continued",
  plan: "Plan",
  count: "Lines",
  earned: "Earned",
  corrections: "Corrections",
  currency: "Currency",
  amount: "Amount ({currency})",
  position: "No.",
  date: "Date",
  reference: "Order reference",
  sold: "Sold",
  base: "Base",
  terms: "Rate or tier",
  description: "Description",
  periodOfSupply: "Period of supply",
  commission: "Commission: {plan}",
  of: {
    each: "{amount} each for {quantity}",
    fixed: "fixed amount",
    least: "minimum {amount}",
    most: "maximum {amount}",
    tier: "{rate} of {part}",
    plus: "{first} + {second}",
    other: "by the plan's formula",
  },
  correction: "Correction of {amount} in {document}",
  cancelledSale: "Cancelled: {reason}",
  endedPlan: "Plan withdrawn",
  outsidePlan: "Outside the plan's dates",
  yes: "yes",
  no: "no",
  treatment: { standard: "", reverse_charge: "reverse charge", exempt: "exempt" },
  treatmentWords: WORDS,
  treatmentNote: {
    reverse_charge: "Reverse charge: the buyer accounts for the tax.",
    exempt: "Exempt from tax: no tax is charged on this supply.",
  },
  selfBilling: {
    invoice: "Self-billing: the buyer issues this invoice in the name and on behalf of the supplier.",
    credit_note: "Self-billing: the buyer issues this credit note in the name and on behalf of the supplier.",
  },
  cancelsInFull: "This document cancels {document} in full.",
  nothingToPay: "Nothing is to be paid on this document.",
  balanced: "The amounts balance: nothing is to be paid.",
  owedByPartner: "The total is negative: it is owed by the partner to the customer.",
  claim: "The supplier owes this amount to the buyer. It is payable to the account stated here.",
  claimWithoutAccount: "The supplier owes this amount to the buyer.",
  notAnInvoice: "This report is not an invoice.",
  utc: "Dates are days in UTC.",
  payment: "Payment to the supplier",
  claimPayment: "Payment to the buyer",
  beneficiary: "Beneficiary",
  paymentReference: "Reference",
  paymentTerms: "Terms",
  onReceipt: "due on receipt",
  afterOneDay: "1 day from the issue date, due {date}",
  afterDays: "{days} days from the issue date, due {date}",
  page: "Page {page} of {count}",
};

const de: Texts = {
  notation: { group: ".", decimal: ",", beforePercent: "\u00a0", date: "DD.MM.YYYY", months: DIGIT_MONTHS },
  title: {
    report: ["Abrechnungsbericht", "Abrechnungsbericht"],
    // § 14 (4) UStG prescribes the word for an invoice that the buyer issues.
    invoice: ["Gutschrift (Self-Billing)", "Rechnung"],
    credit_note: ["Korrektur einer Gutschrift", "Rechnungskorrektur"],
  },
  named: {
    report: ["Bericht {number} vom {date}", "den Bericht der Abrechnung {settlement} vom {date}"],
    invoice: ["Rechnung {number} vom {date}", "die Rechnung der Abrechnung {settlement} vom {date}"],
    credit_note: [
      "Rechnungskorrektur {number} vom {date}",
      "die Rechnungskorrektur der Abrechnung {settlement} vom {date}",
    ],
  },
  supplier: "Leistungserbringer",
  buyer: "Leistungsempfänger",
  partner: "Partner",
  customer: "Kunde",
  vatNumber: "USt-IdNr.: {value}",
  electronicAddress: "Elektronische Adresse: {value}",
  partnerId: "Partner-ID: {value}",
  noProfile: "Kunden-ID; kein Rechnungsprofil",
  missingProfile:
    "Das Rechnungsprofil des Leistungsempfängers fehlt. Anstelle von Firma, Anschrift und USt-IdNr. steht die " +
    "Kunden-ID; als Nachweis dieser Angaben ist das Dokument nicht geeignet.",
  settlement: "Abrechnung {id}",
  cancels: "Storniert {document}",
  corrects: "Korrigiert {document}",
  correctsMany: "Korrigiert {count} Dokumente, am Ende genannt",
  correctedDocuments: "Korrigierte Dokumente",
  issueDate: "Ausstellungsdatum",
  dueDate: "Fällig am",
  period: "Zeitraum",
  lines: "Positionen",
  until: "{first} bis {last}",
  none: "keiner",
  totalNet: "Summe, netto",
  totalPayable: "Zahlbetrag",
  totalCredited: "Korrekturbetrag",
  subtotal: "Zwischensumme",
  tax: "Steuer",
  net: "Netto",
  rate: "Satz",
  gross: "Brutto",
  total: "Summe",
  summary: "Übersicht nach Plan",
  taxes: "Steuern",
  details: "Positionen",
  annex: "Anlage: Einzelheiten der Positionen",
  annexNote: "Position {position}: {description}",
  continued: "Fortsetzung",
  plan: "Plan",
  count: "Positionen",
  earned: "Verdient",
  corrections: "Korrekturen",
  currency: "Währung",
  amount: "Betrag ({currency})",
  position: "Nr.",
  date: "Datum",
  reference: "Bestellnummer",
  sold: "Verkauft",
  base: "Basis",
  terms: "Satz oder Stufe",
  description: "Beschreibung",
  periodOfSupply: "Leistungszeitraum",
  commission: "Provision: {plan}",
  of: {
    each: "je {amount} für {quantity}",
    fixed: "fester Betrag",
    least: "mindestens {amount}",
    most: "höchstens {amount}",
    tier: "{rate} von {part}",
    plus: "{first} + {second}",
    other: "nach der Formel des Plans",
  },
  correction: "Korrektur von {amount} in {document}",
  cancelledSale: "Storniert: {reason}",
  endedPlan: "Plan zurückgezogen",
  outsidePlan: "Außerhalb der Laufzeit des Plans",
  yes: "ja",
  no: "nein",
  treatment: {
    standard: "",
    reverse_charge: "Steuerschuldnerschaft des Leistungsempfängers",
    exempt: "steuerfrei",
  },
  treatmentWords: WORDS,
  treatmentNote: {
    reverse_charge: "Steuerschuldnerschaft des Leistungsempfängers.",
    exempt: "Steuerbefreit: Für diese Leistung wird keine Steuer berechnet.",
  },
  selfBilling: {
    invoice:
      "Gutschriftsverfahren: Der Leistungsempfänger stellt diese Rechnung im Namen und für Rechnung des Leistungserbringers aus.",
    credit_note:
      "Gutschriftsverfahren: Der Leistungsempfänger stellt diese Korrektur im Namen und für Rechnung des Leistungserbringers aus.",
  },
  cancelsInFull: "Dieses Dokument storniert {document} vollständig.",
  nothingToPay: "Auf dieses Dokument ist nichts zu zahlen.",
  balanced: "Die Beträge gleichen sich aus: Es ist nichts zu zahlen.",
  owedByPartner: "Die Summe ist negativ: Der Partner schuldet sie dem Kunden.",
  claim:
    "Der Leistungserbringer schuldet dem Leistungsempfänger diesen Betrag. Er ist auf das angegebene Konto zu zahlen.",
  claimWithoutAccount: "Der Leistungserbringer schuldet dem Leistungsempfänger diesen Betrag.",
  notAnInvoice: "Dieser Bericht ist keine Rechnung.",
  utc: "Datumsangaben sind Tage in UTC.",
  payment: "Zahlung an den Leistungserbringer",
  claimPayment: "Zahlung an den Leistungsempfänger",
  beneficiary: "Empfänger",
  paymentReference: "Verwendung",
  paymentTerms: "Zahlungsziel",
  onReceipt: "zahlbar bei Erhalt",
  afterOneDay: "1 Tag ab Ausstellung, fällig am {date}",
  afterDays: "{days} Tage ab Ausstellung, fällig am {date}",
  page: "Seite {page} von {count}",
};

const fr: Texts = {
  notation: {
    group: "\u00a0",
    decimal: ",",
    beforePercent: "\u00a0",
    date: "DD/MM/YYYY",
    months: DIGIT_MONTHS,
  },
  title: {
    report: ["Relevé de commissions", "Relevé de commissions"],
    invoice: ["Facture (autofacturation)", "Facture"],
    credit_note: ["Avoir (autofacturation)", "Avoir"],
  },
  named: {
    report: ["relevé {number} du {date}", "relevé du règlement {settlement} du {date}"],
    invoice: ["facture {number} du {date}", "facture du règlement {settlement} du {date}"],
    credit_note: ["avoir {number} du {date}", "avoir du règlement {settlement} du {date}"],
  },
  supplier: "Fournisseur",
  buyer: "Acheteur",
  partner: "Partenaire",
  customer: "Client",
  vatNumber: "Nº de TVA : {value}",
  electronicAddress: "Adresse électronique : {value}",
  partnerId: "Identifiant du partenaire : {value}",
  noProfile: "Identifiant du client ; sans profil de facturation",
  missingProfile:
    "Le profil de facturation de l'acheteur manque. L'identifiant du client remplace son nom, son adresse et son " +
    "numéro de TVA ; ce document ne peut servir de preuve de ces mentions.",
  settlement: "Règlement {id}",
  cancels: "Annule : {document}",
  corrects: "Rectifie : {document}",
  correctsMany: "Rectifie {count} documents, énumérés à la fin",
  correctedDocuments: "Documents rectifiés",
  issueDate: "Date d'émission",
  dueDate: "Échéance",
  period: "Période",
  lines: "Lignes",
  until: "{first} – {last}",
  none: "aucune",
  totalNet: "Total hors taxes",
  totalPayable: "Net à payer",
  totalCredited: "Montant de l'avoir",
  subtotal: "Sous-total",
  tax: "Taxe",
  net: "Hors taxes",
  rate: "Taux",
  gross: "Toutes taxes",
  total: "Total",
  summary: "Récapitulatif par plan",
  taxes: "Taxes",
  details: "Lignes",
  annex: "Annexe : détail des lignes",
  annexNote: "Ligne {position} : {description}",
  continued: "suite",
  plan: "Plan",
  count: "Lignes",
  earned: "Acquis",
  corrections: "Corrections",
  currency: "Devise",
  amount: "Montant ({currency})",
  position: "Nº",
  date: "Date",
  reference: "Réf. commande",
  sold: "Vendu",
  base: "Base",
  terms: "Taux ou palier",
  description: "Désignation",
  periodOfSupply: "Période de prestation",
  commission: "Commission : {plan}",
  of: {
    each: "{amount} l'unité, pour {quantity}",
    fixed: "montant fixe",
    least: "au moins {amount}",
    most: "au plus {amount}",
    tier: "{rate} de {part}",
    plus: "{first} + {second}",
    other: "selon la formule du plan",
  },
  correction: "Correction de {amount} ({document})",
  cancelledSale: "Annulé : {reason}",
  endedPlan: "Plan retiré",
  outsidePlan: "Hors des dates du plan",
  yes: "oui",
  no: "non",
  treatment: { standard: "", reverse_charge: "autoliquidation", exempt: "exonéré" },
  treatmentWords: WORDS,
  treatmentNote: {
    reverse_charge: "Autoliquidation : la taxe est due par l'acheteur.",
    exempt: "Exonération : aucune taxe n'est facturée sur cette prestation.",
  },
  selfBilling: {
    invoice: "Autofacturation : l'acheteur émet cette facture au nom et pour le compte du fournisseur.",
    credit_note: "Autofacturation : l'acheteur émet cet avoir au nom et pour le compte du fournisseur.",
  },
  cancelsInFull: "Ce document annule en totalité : {document}.",
  nothingToPay: "Aucun paiement n'est dû au titre de ce document.",
  balanced: "Les montants se compensent : rien n'est à payer.",
  owedByPartner: "Le total est négatif : le partenaire le doit au client.",
  claim: "Le fournisseur doit ce montant à l'acheteur. Il est à verser sur le compte indiqué.",
  claimWithoutAccount: "Le fournisseur doit ce montant à l'acheteur.",
  notAnInvoice: "Ce relevé n'est pas une facture.",
  utc: "Les dates sont des jours UTC.",
  payment: "Paiement au fournisseur",
  claimPayment: "Paiement à l'acheteur",
  beneficiary: "Bénéficiaire",
  paymentReference: "Référence",
  paymentTerms: "Conditions",
  onReceipt: "payable à réception",
  afterOneDay: "1 jour après émission, échéance le {date}",
  afterDays: "{days} jours après émission, échéance le {date}",
  page: "Page {page} sur {count}",
};

const es: Texts = {
  notation: { group: ".", decimal: ",", beforePercent: "\u00a0", date: "DD/MM/YYYY", months: DIGIT_MONTHS },
  title: {
    report: ["Informe de liquidación", "Informe de liquidación"],
    // Real Decreto 1619/2012, article 6 (1) n, prescribes the words.
    invoice: ["Factura (facturación por el destinatario)", "Factura"],
    credit_note: ["Factura rectificativa (por el destinatario)", "Factura rectificativa"],
  },
  named: {
    report: ["informe {number} de {date}", "informe de la liquidación {settlement} de {date}"],
    invoice: ["factura {number} de {date}", "factura de la liquidación {settlement} de {date}"],
    credit_note: [
      "factura rectificativa {number} de {date}",
      "factura rectificativa de la liquidación {settlement} de {date}",
    ],
  },
  supplier: "Proveedor",
  buyer: "Destinatario",
  partner: "Socio",
  customer: "Cliente",
  vatNumber: "NIF/IVA: {value}",
  electronicAddress: "Dirección electrónica: {value}",
  partnerId: "Identificador del socio: {value}",
  noProfile: "Identificador del cliente; sin perfil de facturación",
  missingProfile:
    "Falta el perfil de facturación del destinatario. El identificador del cliente sustituye su nombre, domicilio y " +
    "NIF; este documento no sirve como prueba de esos datos.",
  settlement: "Liquidación {id}",
  cancels: "Anula: {document}",
  corrects: "Rectifica: {document}",
  correctsMany: "Rectifica {count} documentos, enumerados al final",
  correctedDocuments: "Documentos rectificados",
  issueDate: "Fecha de emisión",
  dueDate: "Vencimiento",
  period: "Período",
  lines: "Líneas",
  until: "{first} – {last}",
  none: "ninguno",
  totalNet: "Total sin impuestos",
  totalPayable: "Total a pagar",
  totalCredited: "Importe rectificado",
  subtotal: "Base imponible",
  tax: "Impuesto",
  net: "Base",
  rate: "Tipo",
  gross: "Con impuestos",
  total: "Total",
  summary: "Resumen por plan",
  taxes: "Impuestos",
  details: "Líneas",
  annex: "Anexo: detalle de las líneas",
  annexNote: "Línea {position}: {description}",
  continued: "continuación",
  plan: "Plan",
  count: "Líneas",
  earned: "Devengado",
  corrections: "Correcciones",
  currency: "Moneda",
  amount: "Importe ({currency})",
  position: "N.º",
  date: "Fecha",
  reference: "Ref. pedido",
  sold: "Vendido",
  base: "Base",
  terms: "Tipo o tramo",
  description: "Descripción",
  periodOfSupply: "Período de prestación",
  commission: "Comisión: {plan}",
  of: {
    each: "{amount} por unidad, por {quantity}",
    fixed: "importe fijo",
    least: "mínimo {amount}",
    most: "máximo {amount}",
    tier: "{rate} de {part}",
    plus: "{first} + {second}",
    other: "según la fórmula del plan",
  },
  correction: "Corrección de {amount} en {document}",
  cancelledSale: "Cancelado: {reason}",
  endedPlan: "Plan retirado",
  outsidePlan: "Fuera de las fechas del plan",
  yes: "sí",
  no: "no",
  treatment: { standard: "", reverse_charge: "inversión del sujeto pasivo", exempt: "exento" },
  treatmentWords: WORDS,
  treatmentNote: {
    reverse_charge: "Inversión del sujeto pasivo: el impuesto lo declara el destinatario.",
    exempt: "Operación exenta: no se repercute impuesto.",
  },
  selfBilling: {
    invoice:
      "Facturación por el destinatario: el destinatario emite esta factura en nombre y por cuenta del proveedor.",
    credit_note:
      "Facturación por el destinatario: el destinatario emite esta rectificación en nombre y por cuenta del proveedor.",
  },
  cancelsInFull: "Este documento anula por completo: {document}.",
  nothingToPay: "No hay nada que pagar por este documento.",
  balanced: "Los importes se compensan: no hay nada que pagar.",
  owedByPartner: "El total es negativo: el socio lo debe al cliente.",
  claim: "El proveedor debe este importe al destinatario. Debe abonarse en la cuenta indicada.",
  claimWithoutAccount: "El proveedor debe este importe al destinatario.",
  notAnInvoice: "Este informe no es una factura.",
  utc: "Las fechas son días en UTC.",
  payment: "Pago al proveedor",
  claimPayment: "Pago al destinatario",
  beneficiary: "Beneficiario",
  paymentReference: "Referencia",
  paymentTerms: "Condiciones",
  onReceipt: "pagadero a la recepción",
  afterOneDay: "1 día desde la emisión, vence el {date}",
  afterDays: "{days} días desde la emisión, vence el {date}",
  page: "Página {page} de {count}",
};

/** The texts of every language. */
export const TEXTS: Readonly<Record<Language, Texts>> = { en, de, fr, es };

/** A text with its values put in. */
export const fill = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{(\w+)\}/g, (name, key: string) => values[key] ?? name);

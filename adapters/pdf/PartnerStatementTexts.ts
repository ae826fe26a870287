/** The texts that only statements have, in each language. */
import type { Commission, Movement } from "quittance";
import type { Language } from "./Texts.ts";
import { same } from "./texts/Same.ts";

type SettledType = Exclude<Movement.MovementType, Movement.CommissionMovementType>;

/** The texts of one language. Text in braces is replaced by a value. */
export interface PartnerStatementTexts {
  readonly title: string;
  readonly summary: string;
  readonly movements: string;
  readonly description: string;
  readonly reference: string;
  readonly count: string;
  readonly balance: string;
  readonly opening: string;
  readonly closing: string;
  /** The sums of the summary. */
  readonly types: Readonly<Record<Movement.MovementType, string>>;
  readonly sale: string;
  /** A sale of which the buyer has paid more, and one of which less. */
  readonly received: readonly [paid: string, takenBack: string];
  /** A sale that was settled in another system, without and with a reference. */
  readonly settledElsewhere: readonly [without: string, withReference: string];
  /** A movement a part of which waits for the buyer. */
  readonly waits: string;
  readonly cancelled: string;
  readonly cancelledBecause: string;
  /** A sale that was replaced, and the one that replaces it. */
  readonly replaced: string;
  readonly correction: string;
  readonly causes: Readonly<Record<Exclude<Commission.Cause, "attribution_cancelled">, string>>;
  readonly settled: Readonly<Record<SettledType, string>>;
  readonly refund: string;
  readonly nothingDue: string;
  readonly withTax: string;
  /** Of a payment whose net amount and tax have opposite signs. */
  readonly netAndTax: string;
  /** By kind, for documents that the service issues in the partner's name and for others. */
  readonly document: Readonly<
    Record<"invoice" | "credit_note", readonly [selfBilled: string, other: string]>
  >;
  readonly paidOn: string;
  readonly bankReference: string;
  /** A movement that changes nothing, and one a part of which changes nothing. */
  readonly writtenOffBefore: readonly [unchanged: string, partly: string];
  readonly notDue: readonly [unchanged: string, partly: string];
  readonly owedToPartner: string;
  readonly owedByPartner: string;
  readonly net: string;
  readonly notFinal: string;
  readonly notAnInvoice: string;
  readonly noProfile: string;
}

const en: PartnerStatementTexts = {
  title: "Statement of account",
  summary: "Summary",
  movements: "Movements",
  description: "Description",
  reference: "Reference",
  count: "Number",
  balance: "Balance ({currency})",
  opening: "Opening balance",
  closing: "Closing balance",
  types: {
    earned: "Commission earned",
    adjusted: "Commission adjusted",
    received: "Released by receipts",
    settled_elsewhere: "Settled in another system",
    paid: "Settled by payment",
    payment_returned: "Payments returned",
    written_off: "Written off",
  },
  sale: "{sold} of {date}",
  received: [
    "{sale}: the buyer has paid {received} of {of}",
    "{sale}: a payment of the buyer was taken back, {received} of {of} is paid",
  ],
  settledElsewhere: [
    "{sale}: settled in another system on {date}",
    "{sale}: settled in another system on {date}, reference {reference}",
  ],
  waits: "{text}; {amount} of it waits for the buyer",
  cancelled: "{sale} cancelled",
  cancelledBecause: "{sale} cancelled: {reason}",
  replaced: "{sale} replaced by a corrected one: {reason}",
  correction: "{sale}, correction of {other}",
  causes: {
    formula_updated: "{sale} recalculated: its commission formula changed",
    formula_cancelled: "{sale} recalculated: its commission formula was cancelled",
    recomputed: "{sale} recalculated: earlier ones that count for it changed",
  },
  settled: {
    paid: "Paid {amount}",
    written_off: "Written off {amount}",
    payment_returned: "Payment of {amount} returned",
  },
  refund: "Refund of {amount} received",
  nothingDue: "Settled without payment: nothing was to be paid",
  withTax: "{amount} including {tax} tax",
  netAndTax: "{amount} ({net} net, {tax} tax)",
  document: { invoice: same("invoice {number}"), credit_note: same("credit note {number}") },
  paidOn: "paid on {date}",
  bankReference: "bank reference {reference}",
  writtenOffBefore: [
    "{text}; no change, because {amount} was written off before",
    "{text}; {amount} of it was written off before",
  ],
  notDue: [
    "{text}; no change, because {amount} was no longer due",
    "{text}; {amount} of it was no longer due",
  ],
  owedToPartner:
    "The balance is owed to the partner. Settlements that are not paid yet are still part of it.",
  owedByPartner: "The balance is negative: it is owed by the partner to the customer.",
  net: "Amounts and balances are net of tax. A payment with tax is stated in its description.",
  notFinal:
    "This statement is not final: it ends less than a minute before it was made, and later movements may be dated before its end.",
  notAnInvoice: "This statement is not an invoice.",
  noProfile:
    "The customer's billing profile is missing. The customer id stands in place of its legal name and address.",
};

const de: PartnerStatementTexts = {
  title: "Kontoauszug",
  summary: "Übersicht",
  movements: "Bewegungen",
  description: "Beschreibung",
  reference: "Referenz",
  count: "Anzahl",
  balance: "Saldo ({currency})",
  opening: "Anfangssaldo",
  closing: "Endsaldo",
  types: {
    earned: "Verdiente Provision",
    adjusted: "Korrigierte Provision",
    received: "Durch Zahlungen der Käufer freigegeben",
    settled_elsewhere: "In einem anderen System abgerechnet",
    paid: "Durch Zahlung abgerechnet",
    payment_returned: "Zurückgegebene Zahlungen",
    written_off: "Ausgebucht",
  },
  sale: "{sold} vom {date}",
  received: [
    "{sale}: Der Käufer hat {received} von {of} bezahlt",
    "{sale}: Zahlung des Käufers zurückgenommen, {received} von {of} bezahlt",
  ],
  settledElsewhere: [
    "{sale}: am {date} in einem anderen System abgerechnet",
    "{sale}: am {date} in einem anderen System abgerechnet, Referenz {reference}",
  ],
  waits: "{text}; davon warten {amount} auf die Zahlung des Käufers",
  cancelled: "{sale} storniert",
  cancelledBecause: "{sale} storniert: {reason}",
  replaced: "{sale} durch eine Korrektur ersetzt: {reason}",
  correction: "{sale}, Korrektur von {other}",
  causes: {
    formula_updated: "{sale} neu berechnet: die Provisionsformel wurde geändert",
    formula_cancelled: "{sale} neu berechnet: die Provisionsformel wurde zurückgezogen",
    recomputed: "{sale} neu berechnet: frühere, die dafür zählen, haben sich geändert",
  },
  settled: {
    paid: "Gezahlt: {amount}",
    written_off: "Ausgebucht: {amount}",
    payment_returned: "Zahlung von {amount} zurückgegeben",
  },
  refund: "Rückzahlung von {amount} erhalten",
  nothingDue: "Ohne Zahlung abgerechnet: es war nichts zu zahlen",
  withTax: "{amount}, davon {tax} Steuer",
  netAndTax: "{amount} ({net} netto, {tax} Steuer)",
  document: {
    invoice: ["Gutschrift {number}", "Rechnung {number}"],
    credit_note: ["Gutschriftskorrektur {number}", "Rechnungskorrektur {number}"],
  },
  paidOn: "gezahlt am {date}",
  bankReference: "Bankreferenz {reference}",
  writtenOffBefore: [
    "{text}; keine Änderung, weil {amount} bereits ausgebucht waren",
    "{text}; davon waren {amount} bereits ausgebucht",
  ],
  notDue: [
    "{text}; keine Änderung, weil {amount} nicht mehr fällig waren",
    "{text}; davon waren {amount} nicht mehr fällig",
  ],
  owedToPartner:
    "Der Saldo steht dem Partner zu. Abrechnungen, die noch nicht bezahlt sind, sind darin enthalten.",
  owedByPartner: "Der Saldo ist negativ: Der Partner schuldet ihn dem Kunden.",
  net: "Beträge und Salden sind netto. Eine Zahlung mit Steuer steht in der Beschreibung.",
  notFinal:
    "Dieser Auszug ist nicht endgültig: Er endet weniger als eine Minute vor seiner Erstellung; spätere Bewegungen können noch vor seinem Ende datiert sein.",
  notAnInvoice: "Dieser Auszug ist keine Rechnung.",
  noProfile: "Das Rechnungsprofil des Kunden fehlt. Anstelle von Firma und Anschrift steht die Kunden-ID.",
};

const fr: PartnerStatementTexts = {
  title: "Relevé de compte",
  summary: "Récapitulatif",
  movements: "Mouvements",
  description: "Désignation",
  reference: "Référence",
  count: "Nombre",
  balance: "Solde ({currency})",
  opening: "Solde d'ouverture",
  closing: "Solde de clôture",
  types: {
    earned: "Commissions acquises",
    adjusted: "Commissions corrigées",
    received: "Débloqué par les paiements des acheteurs",
    settled_elsewhere: "Réglé dans un autre système",
    paid: "Réglé par paiement",
    payment_returned: "Paiements retournés",
    written_off: "Passé en perte",
  },
  sale: "{sold} du {date}",
  received: [
    "{sale} : l'acheteur a payé {received} sur {of}",
    "{sale} : reprise d'un paiement de l'acheteur, {received} sur {of} payés",
  ],
  settledElsewhere: [
    "{sale} : réglé dans un autre système le {date}",
    "{sale} : réglé dans un autre système le {date}, référence {reference}",
  ],
  waits: "{text} ; dont {amount} en attente du paiement de l'acheteur",
  cancelled: "{sale} : annulation",
  cancelledBecause: "{sale} : annulation ({reason})",
  replaced: "{sale} : remplacement par une correction ({reason})",
  correction: "{sale}, correction de {other}",
  causes: {
    formula_updated: "{sale} : nouveau calcul, la formule de commission a changé",
    formula_cancelled: "{sale} : nouveau calcul, la formule de commission a été retirée",
    recomputed: "{sale} : nouveau calcul, des éléments antérieurs pris en compte ont changé",
  },
  settled: {
    paid: "Payé : {amount}",
    written_off: "Passé en perte : {amount}",
    payment_returned: "Paiement de {amount} retourné",
  },
  refund: "Remboursement de {amount} reçu",
  nothingDue: "Réglé sans paiement : rien n'était à payer",
  withTax: "{amount}, dont {tax} de taxe",
  netAndTax: "{amount} ({net} hors taxes, {tax} de taxe)",
  document: { invoice: same("facture {number}"), credit_note: same("avoir {number}") },
  paidOn: "payé le {date}",
  bankReference: "référence bancaire {reference}",
  writtenOffBefore: [
    "{text} ; sans effet, {amount} étant déjà passés en perte",
    "{text} ; dont {amount} déjà passés en perte",
  ],
  notDue: ["{text} ; sans effet, {amount} n'étant plus dus", "{text} ; dont {amount} qui n'étaient plus dus"],
  owedToPartner: "Le solde est dû au partenaire. Les règlements qui ne sont pas encore payés y sont compris.",
  owedByPartner: "Le solde est négatif : le partenaire le doit au client.",
  net: "Montants et soldes sont hors taxes. Un paiement avec taxe est indiqué dans sa désignation.",
  notFinal:
    "Ce relevé n'est pas définitif : il se termine moins d'une minute avant son établissement ; des mouvements ultérieurs peuvent encore être datés avant sa fin.",
  notAnInvoice: "Ce relevé n'est pas une facture.",
  noProfile:
    "Le profil de facturation du client manque. L'identifiant du client remplace son nom et son adresse.",
};

const es: PartnerStatementTexts = {
  title: "Extracto de cuenta",
  summary: "Resumen",
  movements: "Movimientos",
  description: "Descripción",
  reference: "Referencia",
  count: "Número",
  balance: "Saldo ({currency})",
  opening: "Saldo inicial",
  closing: "Saldo final",
  types: {
    earned: "Comisión devengada",
    adjusted: "Comisión corregida",
    received: "Liberado por cobros",
    settled_elsewhere: "Liquidado en otro sistema",
    paid: "Liquidado por pago",
    payment_returned: "Pagos devueltos",
    written_off: "Dado de baja",
  },
  sale: "{sold} de {date}",
  received: [
    "{sale}: el comprador ha pagado {received} de {of}",
    "{sale}: pago del comprador revertido, {received} de {of} pagado",
  ],
  settledElsewhere: [
    "{sale}: liquidado en otro sistema el {date}",
    "{sale}: liquidado en otro sistema el {date}, referencia {reference}",
  ],
  waits: "{text}; de ello {amount} esperan el pago del comprador",
  cancelled: "{sale}: cancelación",
  cancelledBecause: "{sale}: cancelación ({reason})",
  replaced: "{sale}: sustitución por una corrección ({reason})",
  correction: "{sale}, corrección de {other}",
  causes: {
    formula_updated: "{sale}: nuevo cálculo, cambió la fórmula de comisión",
    formula_cancelled: "{sale}: nuevo cálculo, se retiró la fórmula de comisión",
    recomputed: "{sale}: nuevo cálculo, cambiaron elementos anteriores que cuentan para él",
  },
  settled: {
    paid: "Pagado: {amount}",
    written_off: "Dado de baja: {amount}",
    payment_returned: "Pago de {amount} devuelto",
  },
  refund: "Reembolso de {amount} recibido",
  nothingDue: "Liquidado sin pago: no había nada que pagar",
  withTax: "{amount}, de ellos {tax} de impuesto",
  netAndTax: "{amount} ({net} sin impuesto, {tax} de impuesto)",
  document: { invoice: same("factura {number}"), credit_note: same("factura rectificativa {number}") },
  paidOn: "pagado el {date}",
  bankReference: "referencia bancaria {reference}",
  writtenOffBefore: [
    "{text}; sin efecto, porque {amount} ya se habían dado de baja",
    "{text}; de ellos {amount} ya se habían dado de baja",
  ],
  notDue: [
    "{text}; sin efecto, porque {amount} ya no se debían",
    "{text}; de ellos {amount} ya no se debían",
  ],
  owedToPartner: "El saldo se debe al socio. Las liquidaciones que aún no se han pagado forman parte de él.",
  owedByPartner: "El saldo es negativo: el socio lo debe al cliente.",
  net: "Los importes y saldos no incluyen impuestos. Un pago con impuesto se indica en su descripción.",
  notFinal:
    "Este extracto no es definitivo: termina menos de un minuto antes de emitirse, y movimientos posteriores pueden llevar fecha anterior a su fin.",
  notAnInvoice: "Este extracto no es una factura.",
  noProfile:
    "Falta el perfil de facturación del cliente. El identificador del cliente sustituye su nombre y domicilio.",
};

/** The texts of every language. */
export const PARTNER_STATEMENT_TEXTS: Readonly<Record<Language, PartnerStatementTexts>> = { en, de, fr, es };

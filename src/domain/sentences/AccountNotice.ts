/**
 * The mail to a partner for whom another account is stated, or whose address is taken away, and to the customer of a partner that
 * proposes one for itself, in the words of a language.
 */
import { date, fill, type Language, wordsIn } from "../../explanation/index.ts";
import { mask, type Payee, type PayoutType } from "../PayoutDetails.ts";
import { format, type Timestamp } from "../Timestamp.ts";

/** What the mail says. */
export interface AccountNotice {
  readonly partnerName: string;
  /** The name of the customer; null when it is not known. */
  readonly customerName: string | null;
  /** Masked details, as {@link shownAccount} gives them; null where no account is stated, and the address of the mail is taken away. */
  readonly account: Payee | null;
  readonly at: Timestamp;
}

/** Lines with the name of the customer, and without one. */
interface Lines {
  readonly named: ReadonlyArray<string>;
  readonly unnamed: ReadonlyArray<string>;
}

/** What has happened. */
interface Told {
  readonly subject: string;
  readonly named: string;
  readonly unnamed: string;
}

interface Texts extends Lines {
  readonly greeting: string;
  readonly account: Told;
  readonly address: Told;
  readonly accounts: Readonly<Record<PayoutType, string>>;
}

const TEXTS: Readonly<Record<Language, Texts>> = {
  en: {
    greeting: "Hello {partner},\n",
    account: {
      subject: "Another account for payments to you",
      named:
        "on {day} at {time} UTC another account was stated for payments to you from {customer}:\n{account}.\n",
      unnamed: "on {day} at {time} UTC another account was stated for payments to you:\n{account}.\n",
    },
    address: {
      subject: "Your e-mail address was taken away",
      named:
        "on {day} at {time} UTC this e-mail address was taken out of your data at {customer}.\nMail about payments to you no longer comes here.\n",
      unnamed:
        "on {day} at {time} UTC this e-mail address was taken out of your data.\nMail about payments to you no longer comes here.\n",
    },
    named: [
      "If you have asked for this, there is nothing to do.",
      "If you have not, tell {customer} at once, by a phone number or an address that you already know.",
    ],
    unnamed: [
      "If you have asked for this, there is nothing to do.",
      "If you have not, tell whoever pays you at once, by a phone number or an address that you already know.",
    ],
    accounts: {
      iban: "the IBAN {iban}",
      us_ach: "the account {account_number}",
      uk: "the account {account_number}",
      email: "{address} of {service}",
      custom: "the account of {fields}",
    },
  },
  de: {
    greeting: "Guten Tag {partner},\n",
    account: {
      subject: "Ein anderes Konto für Zahlungen an Sie",
      named:
        "am {day} um {time} UTC wurde für Zahlungen von {customer} an Sie ein anderes Konto angegeben:\n{account}.\n",
      unnamed: "am {day} um {time} UTC wurde für Zahlungen an Sie ein anderes Konto angegeben:\n{account}.\n",
    },
    address: {
      subject: "Ihre E-Mail-Adresse wurde entfernt",
      named:
        "am {day} um {time} UTC wurde diese E-Mail-Adresse aus Ihren Daten bei {customer} entfernt.\nNachrichten über Zahlungen an Sie kommen nicht mehr hierher.\n",
      unnamed:
        "am {day} um {time} UTC wurde diese E-Mail-Adresse aus Ihren Daten entfernt.\nNachrichten über Zahlungen an Sie kommen nicht mehr hierher.\n",
    },
    named: [
      "Wenn Sie das veranlasst haben, müssen Sie nichts tun.",
      "Wenn nicht, sagen Sie es {customer} sofort, über eine Telefonnummer oder Adresse, die Sie bereits kennen.",
    ],
    unnamed: [
      "Wenn Sie das veranlasst haben, müssen Sie nichts tun.",
      "Wenn nicht, sagen Sie es sofort dem, der Sie bezahlt, über eine Telefonnummer oder Adresse, die Sie bereits kennen.",
    ],
    accounts: {
      iban: "die IBAN {iban}",
      us_ach: "das Konto {account_number}",
      uk: "das Konto {account_number}",
      email: "{address} bei {service}",
      custom: "das Konto mit {fields}",
    },
  },
  fr: {
    greeting: "Bonjour {partner},\n",
    account: {
      subject: "Un autre compte pour les paiements qui vous sont destinés",
      named:
        "le {day} à {time} UTC, un autre compte a été indiqué pour les paiements de {customer} qui vous sont destinés :\n{account}.\n",
      unnamed:
        "le {day} à {time} UTC, un autre compte a été indiqué pour les paiements qui vous sont destinés :\n{account}.\n",
    },
    address: {
      subject: "Votre adresse e-mail a été retirée",
      named:
        "le {day} à {time} UTC, cette adresse e-mail a été retirée de vos données chez {customer}.\nLes messages sur les paiements qui vous sont destinés n’arrivent plus ici.\n",
      unnamed:
        "le {day} à {time} UTC, cette adresse e-mail a été retirée de vos données.\nLes messages sur les paiements qui vous sont destinés n’arrivent plus ici.\n",
    },
    named: [
      "Si vous l’avez demandé, vous n’avez rien à faire.",
      "Sinon, prévenez immédiatement {customer}, par un numéro de téléphone ou une adresse que vous connaissez déjà.",
    ],
    unnamed: [
      "Si vous l’avez demandé, vous n’avez rien à faire.",
      "Sinon, prévenez immédiatement la personne qui vous paie, par un numéro de téléphone ou une adresse que vous connaissez déjà.",
    ],
    accounts: {
      iban: "l’IBAN {iban}",
      us_ach: "le compte {account_number}",
      uk: "le compte {account_number}",
      email: "{address} chez {service}",
      custom: "le compte avec {fields}",
    },
  },
  es: {
    greeting: "Hola, {partner}:\n",
    account: {
      subject: "Otra cuenta para los pagos a su favor",
      named:
        "El {day} a las {time} UTC se indicó otra cuenta para los pagos de {customer} a su favor:\n{account}.\n",
      unnamed: "El {day} a las {time} UTC se indicó otra cuenta para los pagos a su favor:\n{account}.\n",
    },
    address: {
      subject: "Se retiró su dirección de correo",
      named:
        "El {day} a las {time} UTC se retiró esta dirección de correo de sus datos en {customer}.\nLos mensajes sobre los pagos a su favor ya no llegan aquí.\n",
      unnamed:
        "El {day} a las {time} UTC se retiró esta dirección de correo de sus datos.\nLos mensajes sobre los pagos a su favor ya no llegan aquí.\n",
    },
    named: [
      "Si usted lo ha pedido, no tiene que hacer nada.",
      "Si no, avise de inmediato a {customer}, por un número de teléfono o una dirección que ya conozca.",
    ],
    unnamed: [
      "Si usted lo ha pedido, no tiene que hacer nada.",
      "Si no, avise de inmediato a quien le paga, por un número de teléfono o una dirección que ya conozca.",
    ],
    accounts: {
      iban: "el IBAN {iban}",
      us_ach: "la cuenta {account_number}",
      uk: "la cuenta {account_number}",
      email: "{address} de {service}",
      custom: "la cuenta con {fields}",
    },
  },
};

/** An account as a notice shows it: without what is needed to pay to it. */
export const shownAccount = (account: Payee): Payee => ({ type: account.type, details: mask(account) });

interface Proposal {
  readonly subject: string;
  readonly lines: ReadonlyArray<string>;
}

/** What a customer reads, in the order of the lines. */
const PROPOSALS: Readonly<Record<Language, Proposal>> = {
  en: {
    subject: "An account to confirm: {partner}",
    lines: [
      "On {day} at {time} UTC {partner} proposed an account for payments to it:\n{account}.\n",
      "Nothing is paid to it until one of you confirms it on the page of the partner.",
      "Ask the partner before that, by a phone number or an address that you already know.",
      "Accounts that the partner proposes in its place until then are in no further mail.",
    ],
  },
  de: {
    subject: "Ein Konto zu bestätigen: {partner}",
    lines: [
      "Am {day} um {time} UTC hat {partner} ein Konto für Zahlungen vorgeschlagen:\n{account}.\n",
      "Darauf wird nichts bezahlt, bis jemand von Ihnen es auf der Seite des Partners bestätigt.",
      "Fragen Sie vorher beim Partner nach, über eine Telefonnummer oder Adresse, die Sie bereits kennen.",
      "Über Konten, die der Partner bis dahin an dessen Stelle vorschlägt, kommt keine weitere Nachricht.",
    ],
  },
  fr: {
    subject: "Un compte à confirmer : {partner}",
    lines: [
      "Le {day} à {time} UTC, {partner} a proposé un compte pour les paiements qui lui sont destinés :\n{account}.\n",
      "Rien n’y est payé tant que l’un de vous ne l’a pas confirmé sur la page du partenaire.",
      "Renseignez-vous auparavant auprès du partenaire, par un numéro de téléphone ou une adresse que vous connaissez déjà.",
      "Les comptes que le partenaire propose à sa place d’ici là ne font l’objet d’aucun autre message.",
    ],
  },
  es: {
    subject: "Una cuenta por confirmar: {partner}",
    lines: [
      "El {day} a las {time} UTC, {partner} propuso una cuenta para los pagos a su favor:\n{account}.\n",
      "No se paga nada a ella hasta que alguien de ustedes la confirme en la página del socio.",
      "Pregunte antes al socio, por un número de teléfono o una dirección que ya conozca.",
      "Sobre las cuentas que el socio proponga en su lugar hasta entonces no se envía ningún otro mensaje.",
    ],
  },
};

/** What the sentences name. */
const valuesOf = ({ partnerName, customerName, account, at }: AccountNotice, language: Language) => {
  const moment = format(at);
  const fields = Object.entries(account?.details ?? {}).map(([name, value]) => `${name} ${value}`);
  const { accounts } = TEXTS[language];
  return {
    partner: partnerName,
    customer: customerName ?? "",
    day: date(moment.slice(0, 10), wordsIn(language).notation),
    time: moment.slice(11, 16),
    account:
      account === null ? "" : fill(accounts[account.type], { ...account.details, fields: fields.join(", ") }),
  };
};

/** Subject and text of the mail to a customer of a partner that proposes an account, in a language. The moment is of UTC. */
export const proposalNotice = (
  notice: AccountNotice,
  language: Language,
): { readonly subject: string; readonly text: string } => {
  const { subject, lines } = PROPOSALS[language];
  const values = valuesOf(notice, language);
  return { subject: fill(subject, values), text: lines.map((line) => `${fill(line, values)}\n`).join("") };
};

/** Subject and text of the mail to a partner in a language. The moment is of UTC. */
export const accountNotice = (
  notice: AccountNotice,
  language: Language,
): { readonly subject: string; readonly text: string } => {
  const { greeting, ...texts } = TEXTS[language];
  const { subject, ...told } = notice.account === null ? texts.address : texts.account;
  const known = notice.customerName === null ? "unnamed" : "named";
  const lines = [greeting, told[known], ...texts[known]];
  const values = valuesOf(notice, language);
  return { subject, text: lines.map((line) => `${fill(line, values)}\n`).join("") };
};

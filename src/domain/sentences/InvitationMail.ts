/** The mail that invites a partner to its portal, in the words of a language. */
import { date, fill, type Language, wordsIn } from "../../explanation/index.ts";
import { format, type Timestamp } from "../Timestamp.ts";

/** What the mail says. */
export interface InvitationMail {
  readonly partnerName: string;
  /** The name of the customer; null when it is not known. */
  readonly customerName: string | null;
  /** The link with the key of the invitation. */
  readonly link: string;
  readonly expiresAt: Timestamp;
}

interface Texts {
  /** With the name of the customer, and without one. */
  readonly subject: readonly [named: string, unnamed: string];
  readonly opening: readonly [named: string, unnamed: string];
  readonly rest: ReadonlyArray<string>;
}

const TEXTS: Readonly<Record<Language, Texts>> = {
  en: {
    subject: ["{customer} invites you to its partner portal", "You are invited to the partner portal"],
    opening: [
      "{customer} invites you to its partner portal. It shows what you have earned and why, and what is paid when.\n",
      "you are invited to the partner portal. It shows what you have earned and why, and what is paid when.\n",
    ],
    rest: [
      "Open this link and press “Open my portal”:\n{link}\n",
      "The link can be used once, until {day}, {time} UTC. Do not pass it on: whoever opens it first has your access.",
      "If you do not expect this invitation, leave the link unopened.",
    ],
  },
  de: {
    subject: ["{customer} lädt Sie in das Partnerportal ein", "Einladung in das Partnerportal"],
    opening: [
      "{customer} lädt Sie in das Partnerportal ein. Es zeigt, was Sie verdient haben und warum, und was wann bezahlt wird.\n",
      "Sie sind in das Partnerportal eingeladen. Es zeigt, was Sie verdient haben und warum, und was wann bezahlt wird.\n",
    ],
    rest: [
      "Öffnen Sie diesen Link und drücken Sie „Open my portal“:\n{link}\n",
      "Der Link gilt einmal, bis {day}, {time} UTC. Geben Sie ihn nicht weiter: Wer ihn zuerst benutzt, hat Ihren Zugang.",
      "Wenn Sie diese Einladung nicht erwarten, öffnen Sie den Link nicht.",
    ],
  },
  fr: {
    subject: [
      "{customer} vous invite sur son portail des partenaires",
      "Invitation au portail des partenaires",
    ],
    opening: [
      "{customer} vous invite sur son portail des partenaires. Il montre ce que vous avez gagné et pourquoi, et ce qui est payé et quand.\n",
      "vous êtes invité au portail des partenaires. Il montre ce que vous avez gagné et pourquoi, et ce qui est payé et quand.\n",
    ],
    rest: [
      "Ouvrez ce lien et appuyez sur « Open my portal » :\n{link}\n",
      "Le lien sert une seule fois, jusqu’au {day} à {time} UTC. Ne le transmettez pas : la première personne qui l’utilise a votre accès.",
      "Si vous n’attendez pas cette invitation, n’ouvrez pas le lien.",
    ],
  },
  es: {
    subject: ["{customer} le invita a su portal de socios", "Invitación al portal de socios"],
    opening: [
      "{customer} le invita a su portal de socios. Muestra lo que ha ganado y por qué, y qué se paga y cuándo.\n",
      "Se le invita al portal de socios. Muestra lo que ha ganado y por qué, y qué se paga y cuándo.\n",
    ],
    rest: [
      "Abra este enlace y pulse «Open my portal»:\n{link}\n",
      "El enlace sirve una sola vez, hasta el {day} a las {time} UTC. No lo comparta: quien lo use primero tiene su acceso.",
      "Si no espera esta invitación, no abra el enlace.",
    ],
  },
};

const GREETINGS: Readonly<Record<Language, string>> = {
  en: "Hello {partner},\n",
  de: "Guten Tag {partner},\n",
  fr: "Bonjour {partner},\n",
  es: "Hola, {partner}:\n",
};

/** Subject and text of the mail in a language. The moment is of UTC. */
export const invitationMail = (
  { partnerName, customerName, link, expiresAt }: InvitationMail,
  language: Language,
): { readonly subject: string; readonly text: string } => {
  const { subject, opening, rest } = TEXTS[language];
  const moment = format(expiresAt);
  const form = customerName === null ? 1 : 0;
  const values = {
    ...{ partner: partnerName, customer: customerName ?? "", link },
    day: date(moment.slice(0, 10), wordsIn(language).notation),
    time: moment.slice(11, 16),
  };
  const lines = [GREETINGS[language], opening[form], ...rest];
  return {
    subject: fill(subject[form], values),
    text: lines.map((line) => `${fill(line, values)}\n`).join(""),
  };
};

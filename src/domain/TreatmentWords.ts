/** The words by which the label of a tax names its treatment, in any language: it may be another one than the document's. */
import type { TaxConfig } from "./Partner.ts";

type Treatment = TaxConfig["treatment"];

/** Text without case, marks and spaces, so that `Exonéré` and `EXONERE` are the same, and `§ 19 UStG` and `§19 UStG`. */
const plain = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[\s\-‐-–]+/gu, "");

/** Directive 2006/112/EC, article 226 (11a), in the languages of the European Union, then other ways to say it. */
const REVERSE_CHARGE: ReadonlyArray<string> = [
  "reverse charge",
  "steuerschuldner",
  "übergang der steuerschuld",
  "autoliquidation",
  "inversión del sujeto pasivo",
  "inversione contabile",
  "btw verlegd",
  "omvänd betalningsskyldighet",
  "omvänd skattskyldighet",
  "omvänd moms",
  "omvendt betalingspligt",
  "omvendt avgiftsplikt",
  "omvendt moms",
  "snudd avregning",
  "käännetty verovelvollisuus",
  "odwrotne obciążenie",
  "autoliquidação",
  "daň odvede zákazník",
  "přenesení daňové povinnosti",
  "prenesenie daňovej povinnosti",
  "fordított adózás",
  "taxare inversă",
  "обратно начисляване",
  "prijenos porezne obveze",
  "obrnjena davčna obveznost",
  "pöördmaksustamine",
  "nodokļa apgrieztā maksāšana",
  "atvirkštinis apmokestinimas",
  "αντίστροφη επιβάρυνση",
  "inverżjoni tal-ħlas",
  "frith-mhuirear",
];

const EXEMPT: ReadonlyArray<string> = [
  "exempt",
  "exento",
  "exenta",
  "exención",
  "exonér",
  "befreit",
  "befreiung",
  "steuerfrei",
  "esente",
  "esenzione",
  "vrijgesteld",
  "vrijstelling",
  "momsfri",
  "momsfritag",
  "skattefri",
  "undantag",
  "unntatt",
  "avgiftsfri",
  "veroton",
  "zwolni",
  "isento",
  "isenção",
  "osvoboz",
  "oslobod",
  "adómentes",
  "scutit",
  "освободен",
  "oslobođen",
  "oproščen",
  "maksuvaba",
  "atbrīvot",
  "neapmokestinam",
  "απαλλαγή",
  "απαλλάσσεται",
];

/** Schemes under which a small business charges no tax, by the words that their laws prescribe. */
const SMALL_BUSINESS: ReadonlyArray<string> = [
  "293 b",
  "franchise en base",
  "régime de franchise",
  "régime de la franchise",
  "tva non applicable",
  "kleinunternehmer",
  "§ 19 ustg",
  "§ 6 abs. 1 z 27",
  "kleineondernemersregeling",
  "kleine onderneming",
  "regime forfettario",
  "régimen de franquicia",
  "small business",
  "small enterprise",
  "not registered for vat",
  "not vat registered",
  "ikke momsregistreret",
  "ikke mva registrert",
  "vähäinen toiminta",
  "art. 113 ust",
  "artigo 53",
  "art. 53.º",
];

/** Supplies that are not subject to VAT. */
const OUTSIDE_SCOPE: ReadonlyArray<string> = [
  "outside the scope",
  "out of scope",
  "not subject to vat",
  "nicht steuerbar",
  "hors champ",
  "hors du champ",
  "no sujeta",
  "no sujeto",
  "non soggett",
  "fuori campo",
  "buiten de werkingssfeer",
  "niet onderworpen",
  "uden for momslov",
  "utanför momslagen",
  "nie podlega",
  "não sujeito",
];

const includesOne = (words: ReadonlyArray<string>): ((label: string) => boolean) => {
  const searched = words.map(plain);
  return (label) => {
    const text = plain(label);
    return searched.some((word) => text.includes(word));
  };
};

const NAMES: Readonly<Record<Treatment, (label: string) => boolean>> = {
  standard: includesOne([]),
  reverse_charge: includesOne(REVERSE_CHARGE),
  exempt: includesOne([...EXEMPT, ...SMALL_BUSINESS]),
  outside_scope: includesOne(OUTSIDE_SCOPE),
};

/** True if a label names the treatment itself, as "btw verlegd" names a reverse charge. */
export const namesTreatment = (treatment: Treatment, label: string): boolean => NAMES[treatment](label);

/** True if a label names a scheme for small businesses, as "TVA non applicable, art. 293 B du CGI" does. */
export const namesSmallBusiness: (label: string) => boolean = includesOne(SMALL_BUSINESS);

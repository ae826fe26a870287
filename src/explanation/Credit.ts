/** Why a partner earns from a sale that several people earn from, in a sentence. */
import { writer } from "./Figures.ts";
import type { Language } from "./Languages.ts";
import { wordsIn } from "./Languages.ts";
import { fill, wordsOf } from "./Words.ts";
import { ENGLISH_CREDIT } from "./words/English.ts";
import { FRENCH_CREDIT } from "./words/French.ts";
import { GERMAN_CREDIT } from "./words/German.ts";
import { SPANISH_CREDIT } from "./words/Spanish.ts";

const WORDS = { en: ENGLISH_CREDIT, de: GERMAN_CREDIT, fr: FRENCH_CREDIT, es: SPANISH_CREDIT };

/** A partner's part of a sale. */
export interface SalePart {
  readonly role: string;
  readonly share: string;
  readonly depth: number;
  /**
   * Of a part that follows from who is above whom: the sellers below, none where they are not to be named; a name is null where the
   * reader, the partner, does not see the seller.
   */
  readonly sellers: ReadonlyArray<{ readonly name: string | null; readonly share: string }>;
}

const WHOLE = "1";

/** The part in a sentence, and one more where the formula pays the same whatever the share is. */
export const creditLine = (salePart: SalePart, language: Language, isShareRead = true): string => {
  const sentence = roleSentence(salePart, language);
  return isShareRead || salePart.share === WHOLE ? sentence : `${sentence} ${WORDS[language].unchanged}`;
};

/** The part as the end of a sentence: `as manager of Nordlys (60 % of the sale), level 1`. */
export const creditClause = (salePart: SalePart, language: Language): string => {
  const sentence = roleSentence(salePart, language);
  return `${sentence.charAt(0).toLowerCase()}${sentence.slice(1, -1)}`;
};

/** The roles that a plan pays, and in a sentence whether the share of a sale multiplies what it pays. */
export const sharedTerms = (
  roles: ReadonlyArray<string>,
  isMultiplied: boolean,
  language: Language,
): { readonly label: string; readonly roles: string; readonly sentence: string } => {
  const { seller, roles: label, multiplied, notMultiplied } = WORDS[language];
  return {
    label,
    roles: roles.map((role) => (role === "seller" ? seller : wordsOf(role))).join(", "),
    sentence: isMultiplied ? multiplied : notMultiplied,
  };
};

/** `As manager of Nordlys (60 % of the sale), level 1.` */
const roleSentence = ({ role, share, depth, sellers }: SalePart, language: Language): string => {
  const words = wordsIn(language);
  const { seller, whole, part, above, level, below, unnamed } = WORDS[language];
  const shareWords = (value: string): string =>
    value.includes("/") ? value : writer(words, { currency: "", decimals: 0 })({ value, unit: "share" });
  const stated = { role: role === "seller" ? seller : wordsOf(role), share: shareWords(share) };
  if (depth === 0) return fill(share === WHOLE ? whole : part, stated);
  if (sellers.length === 0) return fill(level, { ...stated, level: String(depth) });
  const named = sellers.map((one) =>
    fill(below, { seller: one.name ?? unnamed, share: shareWords(one.share) }),
  );
  const [last = "", ...before] = named.toReversed();
  const all =
    before.length === 0 ? last : fill(words.and, { first: before.toReversed().join(", "), second: last });
  return fill(above, { ...stated, level: String(depth), sellers: all });
};

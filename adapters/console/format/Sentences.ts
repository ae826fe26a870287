/** Sentences of the server and of the engine, with their amounts as the pages show amounts. */
import { type Language, languageOf, withAmounts, wordsIn } from "quittance/explanation";
import { language } from "../words/Language.ts";
import { exactMoney } from "./Money.ts";

/** The language of the sentences: the one that the reader has chosen, else that of the browser. */
export const sentenceLanguage = (): Language => {
  const chosen = language();
  return languageOf(chosen === null ? navigator.languages : [chosen]);
};

/** Sentences whose amounts of a currency have the form of all other amounts of the page: €9.25 instead of 9.25 EUR. */
export const restateAmounts = (sentences: string, currency: string): string =>
  withAmounts(sentences, currency, wordsIn(sentenceLanguage()).notation, (exact) =>
    exactMoney(exact, currency),
  );

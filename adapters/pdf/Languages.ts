/** The languages of documents, with their texts. */
import type { Language, Texts } from "./Texts.ts";
import { ENGLISH } from "./texts/English.ts";
import { FRENCH } from "./texts/French.ts";
import { GERMAN } from "./texts/German.ts";
import { SPANISH } from "./texts/Spanish.ts";

/** The texts of every language. */
export const TEXTS: Readonly<Record<Language, Texts>> = {
  en: ENGLISH,
  de: GERMAN,
  fr: FRENCH,
  es: SPANISH,
};

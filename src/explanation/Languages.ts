import type { Words } from "./Words.ts";
import { ENGLISH } from "./words/English.ts";
import { FRENCH } from "./words/French.ts";
import { GERMAN } from "./words/German.ts";
import { SPANISH } from "./words/Spanish.ts";

const WORDS = { en: ENGLISH, de: GERMAN, fr: FRENCH, es: SPANISH } as const satisfies Record<string, Words>;

/** A language of explanations, by its ISO 639-1 code. */
export type Language = keyof typeof WORDS;

/** The languages of explanations. */
export const LANGUAGES = Object.keys(WORDS) as ReadonlyArray<Language>;

/** The language of the first of some tags such as `de-AT` that has one; English where none has. */
export const languageOf = (tags: ReadonlyArray<string>): Language =>
  tags
    .map((tag) => LANGUAGES.find((language) => language === tag.split("-")[0]?.toLowerCase()))
    .find((language) => language !== undefined) ?? "en";

/** The words of a language. */
export const wordsIn = (language: Language): Words => WORDS[language];

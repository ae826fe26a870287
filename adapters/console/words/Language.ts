/**
 * The language of the pages. Sentences stand in the code in English; the portal replaces them by those of the reader's language,
 * which it loads before it shows anything. The console has none and stays English.
 */
import type { ComponentChildren } from "preact";
import type german from "../languages/de.json";

/** A sentence of the portal, in English: those that the texts of German have, which every other language has too. */
export type Text = keyof typeof german;

/** The sentences of a language, by those in English. */
export type Texts = Readonly<Record<Text, string>>;

/** The languages of the portal, as their readers call them. A new one needs its texts and its line here. */
export const LANGUAGES = { en: "English", de: "Deutsch", fr: "Français", es: "Español" } as const;
export type Language = keyof typeof LANGUAGES;

const LOADERS: Readonly<Record<Exclude<Language, "en">, () => Promise<Texts>>> = {
  de: async () => (await import("../languages/de.json")).default,
  fr: async () => (await import("../languages/fr.json")).default,
  es: async () => (await import("../languages/es.json")).default,
};

/** The languages that are written from right to left, also those that the portal does not have yet. */
const RIGHT_TO_LEFT: ReadonlySet<string> = new Set(["ar", "fa", "he", "ur"]);

const STORED = "quittance.language";

let texts: Texts | null = null;
let chosen: Language | null = null;

const isLanguage = (code: string): code is Language => Object.hasOwn(LANGUAGES, code);

const baseOf = (tag: string): string => tag.split("-")[0] ?? tag;

/** The language that the reader has chosen here before, else the first of the browser's that there is. */
const preferred = (): Language => {
  const stated = [localStorage.getItem(STORED) ?? "", ...navigator.languages.map(baseOf)];
  return stated.find(isLanguage) ?? "en";
};

/** Loads the reader's language; English where its texts cannot be loaded. */
export const loadLanguage = async (): Promise<void> => {
  chosen = preferred();
  if (chosen !== "en")
    texts = await LOADERS[chosen]().catch(() => {
      chosen = "en";
      return null;
    });
  document.documentElement.lang = chosen;
  document.documentElement.dir = RIGHT_TO_LEFT.has(chosen) ? "rtl" : "ltr";
};

/** The language of the reader; null where the pages have one only. */
export const language = (): Language | null => chosen;

/** True where sentences of the server, which are English, are in the reader's language. */
export const isEnglish = (): boolean => chosen === null || chosen === "en";

/** Remembers a language in this browser, and shows the pages in it. */
export const chooseLanguage = (code: string): void => {
  localStorage.setItem(STORED, code);
  location.reload();
};

/** The locale for dates and numbers: the browser's own where it is of the chosen language. */
export const locale = (): string | undefined => {
  if (chosen === null) return undefined;
  return navigator.languages.find((tag) => baseOf(tag) === chosen) ?? (chosen === "en" ? "en-GB" : chosen);
};

/** A value that is made when it is first used: after the language is known. */
export const lazily = <Value>(make: () => Value): (() => Value) => {
  let made: { readonly value: Value } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
};

type Values = Readonly<Record<string, string | number>>;

const fill = (text: string, values: Values): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));

/** A sentence in the reader's language, with values in place of the names in braces. */
export const t = (text: Text, values: Values = {}): string => fill(texts?.[text] ?? text, values);

/** Words that a part of the pages is given, in the reader's language where they have any. */
export const translated = (words: string): string =>
  texts !== null && Object.hasOwn(texts, words) ? texts[words as Text] : words;

/** A sentence that contains more than text. */
export const sentenceOf = (
  text: Text,
  values: Readonly<Record<string, ComponentChildren>>,
): ReadonlyArray<ComponentChildren> =>
  (texts?.[text] ?? text)
    .split(/\{(\w+)\}/)
    .map((part, index) => (index % 2 === 0 ? part : (values[part] ?? part)));

const plurals = lazily(() => new Intl.PluralRules(locale() ?? "en"));
const counts = lazily(() => new Intl.NumberFormat(locale()));

/** A sentence about a number of things: `{n}` is the number. */
export const many = (n: number, one: Text, several: Text): string =>
  t(plurals().select(n) === "one" ? one : several, { n: counts().format(n) });

/** The fonts of documents: which are available, and which one draws a character. */
import { readFileSync } from "node:fs";
import * as DecodedFont from "./DecodedFont.ts";
import * as FontFile from "./FontFile.ts";
import { ADDITIONAL, EMOJI, filesOf, SHIPPED } from "./FontPackages.ts";
import type { Fonts } from "./SuppliedFonts.ts";

/** The source of a font's bytes: a file that is read when the font is first needed, or memory. */
type FontSource = string | Uint8Array;

/** A font family that is not opened yet; it can be sent to another thread. */
export interface Source {
  readonly name: string;
  readonly regular: FontSource;
  readonly bold: FontSource;
}

/** The weight of a font. */
export type Weight = "regular" | "bold";

/** A font family that draws characters. */
export interface Family {
  readonly name: string;
  /** True if both weights have a glyph for each of the code points. */
  readonly covers: (codePoints: ReadonlyArray<number>) => boolean;
  /** Opens the font in a PDF under a name, once for each PDF. */
  readonly open: (weight: Weight, file: DecodedFont.File, name: string) => void;
  /** Above and below the baseline, as parts of the size. */
  readonly extent: (weight: Weight) => { readonly ascent: number; readonly descent: number };
}

const PACKAGES = [...SHIPPED, ...ADDITIONAL];

const EAST_ASIAN = ["noto-sans-sc", "noto-sans-jp", "noto-sans-kr"];
const SHARED = /[\p{Script=Han}\u3000-\u303f\uff00-\uff60\uffe0-\uffef]/u;

/** The families that are there, in order of preference. */
export const installedSources = (): ReadonlyArray<Source> =>
  PACKAGES.flatMap((each) => {
    const files = filesOf(each);
    return files === null ? [] : [{ name: each.name, ...files }];
  });

const HOST = "host";

/** The family of the host's own fonts. */
export const suppliedSource = ({ regular, bold }: Fonts): Source => ({ name: HOST, regular, bold });

const lazy = <A>(make: () => A): (() => A) => {
  let result: { readonly value: A } | null = null;
  return () => {
    result ??= { value: make() };
    return result.value;
  };
};

const load = (source: FontSource): Uint8Array => (typeof source === "string" ? readFileSync(source) : source);

/** Opens the families; a file is read when its family is first needed. */
export const open = (sources: ReadonlyArray<Source>): ReadonlyArray<Family> =>
  sources.map(({ name, regular, bold }) => {
    const bytes = { regular: lazy(() => load(regular)), bold: lazy(() => load(bold)) };
    const files = lazy(() => ({
      regular: FontFile.read(bytes.regular()),
      bold: FontFile.read(bytes.bold()),
    }));
    const decoded = { regular: DecodedFont.make(bytes.regular), bold: DecodedFont.make(bytes.bold) };
    return {
      name,
      covers: (codePoints) => {
        const { regular, bold } = files();
        return codePoints.every((each) => regular.covers(each) && bold.covers(each));
      },
      open: (weight, file, fontName) => decoded[weight](file, fontName),
      extent: (weight) => files()[weight],
    };
  });

/**
 * The packages for a character's script, best first. Chinese, Japanese and Korean share characters with different shapes:
 * kana or hangul in the same text select the font, else the Chinese one.
 */
const packagesFor = (character: string, text: string): ReadonlyArray<string> => {
  const namesFor = (value: string): ReadonlyArray<string> =>
    PACKAGES.filter(({ script }) => script?.test(value)).map(({ name }) => name);
  if (!SHARED.test(character)) return namesFor(character);
  const hintedNames = namesFor(text.replace(/\p{Script=Han}/gu, "")).filter((name) =>
    EAST_ASIAN.includes(name),
  );
  return [...new Set([...hintedNames, ...EAST_ASIAN])];
};

/** The families in order of preference for a character of a text: the host's, those for its script, all others. */
export const preferredFamilies = (
  families: ReadonlyArray<Family>,
  character: string,
  text: string,
): ReadonlyArray<Family> => {
  const names = packagesFor(character, text).filter((name) => name !== EMOJI);
  if (names.length === 0) return families;
  const first = [HOST, ...names].flatMap((name) => families.find((family) => family.name === name) ?? []);
  return [...first, ...families];
};

/** The package to install for a character: its font is made for the character's script. Null if none is missing. */
export const missingPackageFor = (
  families: ReadonlyArray<Family>,
  character: string,
  text: string,
): string | null => {
  const name = packagesFor(character, text).find((each) => !families.some((family) => family.name === each));
  return name === undefined ? null : `@expo-google-fonts/${name}`;
};

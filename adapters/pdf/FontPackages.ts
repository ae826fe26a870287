/** Noto Sans for each script, each under the SIL Open Font License: what this package ships, and what a host may add. */
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** A font family as an npm package. */
export interface Package {
  /** In `@expo-google-fonts`, and the name of the family here. */
  readonly name: string;
  readonly file: string;
  /** The scripts of the font; it draws characters of other scripts only when no other font has them. */
  readonly script: RegExp | null;
}

export const EMOJI = "noto-emoji";

/** The families that the build copies into this package. The first is the base font. */
export const SHIPPED: ReadonlyArray<Package> = [
  { name: "noto-sans", file: "NotoSans", script: null },
  { name: "noto-sans-arabic", file: "NotoSansArabic", script: /\p{Script=Arabic}/u },
  { name: "noto-sans-hebrew", file: "NotoSansHebrew", script: /\p{Script=Hebrew}/u },
  { name: "noto-sans-thai", file: "NotoSansThai", script: /\p{Script=Thai}/u },
  { name: "noto-sans-devanagari", file: "NotoSansDevanagari", script: /\p{Script=Devanagari}/u },
];

/** The families that a host installs when it needs them: they are too large for everybody. */
export const ADDITIONAL: ReadonlyArray<Package> = [
  { name: "noto-sans-jp", file: "NotoSansJP", script: /[\p{Script=Hiragana}\p{Script=Katakana}]/u },
  { name: "noto-sans-sc", file: "NotoSansSC", script: /[\p{Script=Han}\p{Script=Bopomofo}]/u },
  { name: "noto-sans-kr", file: "NotoSansKR", script: /\p{Script=Hangul}/u },
  { name: EMOJI, file: "NotoEmoji", script: /[\p{Emoji_Presentation}\p{Extended_Pictographic}]/u },
];

/** The weights that documents use. */
export const FACES = ["400Regular", "700Bold"] as const;

/** The name of a font's file, here and in its npm package. */
export const fileOf = ({ file }: Package, face: string): string => `${file}_${face}.ttf`;

const { resolve } = createRequire(import.meta.url);

/** A file inside a package; null when it is not installed. The place of this module differs between sources and bundles. */
const inPackage = (name: string, ...path: ReadonlyArray<string>): string | null => {
  try {
    const file = join(dirname(resolve(`${name}/package.json`)), ...path);
    return existsSync(file) ? file : null;
  } catch {
    return null;
  }
};

/** The files of a family's weights; null when one is missing. A checkout that was not built has those of its npm package. */
export const filesOf = (each: Package): { readonly regular: string; readonly bold: string } | null => {
  const [regular, bold] = FACES.map(
    (face) =>
      inPackage("quittance", "dist/fonts", fileOf(each, face)) ??
      inPackage(`@expo-google-fonts/${each.name}`, face, fileOf(each, face)),
  );
  return regular == null || bold == null ? null : { regular, bold };
};

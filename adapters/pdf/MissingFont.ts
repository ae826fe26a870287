/** The error for characters that no font has. */
import { Documents } from "quittance";
import type { DocumentText } from "./DocumentText.ts";
import * as Fonts from "./Fonts.ts";
import { memoize } from "./Memoize.ts";
import * as Runs from "./Runs.ts";

/** The number of characters that the message names; it counts the others. */
const NAMED = 5;

/** Every text in the values, at any depth. */
const textsOf = (value: unknown): ReadonlyArray<string> => {
  if (typeof value === "string") return [value];
  return value === null || typeof value !== "object" ? [] : Object.values(value).flatMap(textsOf);
};

/** The characters without a font, each with the first text that has it. */
const missingFrom = (
  families: ReadonlyArray<Fonts.Family>,
  texts: Iterable<string>,
): ReadonlyMap<string, string> => {
  const missing = new Map<string, string>();
  const [base] = families;
  const isDrawable = memoize((character) =>
    Runs.clustersOf(families, character).every(({ family }) => family !== null),
  );
  for (const text of texts) {
    if (base !== undefined && Runs.isSimple(text, base)) continue;
    // A text whose characters have fonts one by one has fonts for what they form together.
    if ([...text].every(isDrawable)) continue;
    for (const { text: cluster, family } of Runs.clustersOf(families, text)) {
      if (family === null && !missing.has(cluster)) missing.set(cluster, text);
    }
  }
  return missing;
};

const describeCharacter = (character: string): string =>
  `${character} (U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")})`;

const listCharacters = (characters: ReadonlyArray<string>): string => {
  const rest = characters.length - NAMED;
  const namedCharacters = characters.slice(0, NAMED).map(describeCharacter).join(", ");
  return rest > 0 ? `${namedCharacters} and ${rest} more` : namedCharacters;
};

const remedyText = (packages: ReadonlyArray<string>): string =>
  packages.length === 0
    ? "Supply a font that has them with layerWith of quittance/pdf, and start again."
    : `Run "npm install ${packages.join(" ")}" and start again.`;

/** The error that names the characters without a font and the packages to install; null if every character has a font. */
export const refusalOf = (
  families: ReadonlyArray<Fonts.Family>,
  document: DocumentText,
): Documents.RenderingRefused | null => {
  const missing = missingFrom(families, new Set(textsOf(document)));
  if (missing.size === 0) return null;
  const packages = [...missing].flatMap(
    ([character, text]) => Fonts.missingPackageFor(families, character, text) ?? [],
  );
  const message = `No installed font has ${listCharacters([...missing.keys()])}. ${remedyText([...new Set(packages)])}`;
  return new Documents.RenderingRefused({ code: "missing_font", message });
};

/** Sentences of the server about fields, in the reader's language. */
import { type Text, t } from "./Language.ts";

/** What the server says of a field of an account. */
const SAID: ReadonlySet<string> = new Set([
  "Is missing.",
  "Is not valid: its form or its check digits are wrong.",
  "Must be an e-mail address.",
  "Must be nine digits with a valid check digit.",
  "Must have 1 to 17 digits or letters.",
  "Must have eight digits.",
  "Must have six digits.",
  "The BIC does not have the form of a BIC.",
] satisfies ReadonlyArray<Text>);

/** A sentence of the server about a field: in the reader's language where it is known, else as it is. */
export const saidByServer = (words: string): string => (SAID.has(words) ? t(words as Text) : words);

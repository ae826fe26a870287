/**
 * Numbers of parties in public registers (BT-30, BT-47): as the register writes them, `HRB 12345`, or an identifier under a scheme of
 * ISO 6523, written `0002:732829320`.
 */
import { Either, Schema } from "effect";
import { identifierProblem } from "./ElectronicAddress.ts";
import { LEGAL_TEXT_MAX } from "./Limits.ts";
import { Text } from "./Text.ts";

/** A number, and the scheme that it is an identifier of; null for one as the register writes it. */
export interface RegistrationNumber {
  readonly scheme: string | null;
  readonly identifier: string;
}

/** The schemes that e-invoices may state (BR-CL-11), by the first and last number of each unbroken part of the list. */
const SCHEMES = [
  [2, 91],
  [93, 102],
  [104, 180],
  [183, 248],
] as const;

const isScheme = (code: string): boolean =>
  SCHEMES.some(([first, last]) => Number(code) >= first && Number(code) <= last);

/** Forms of identifiers that no rule of e-invoices checks, and that people write in groups. */
const FORMS: Readonly<Record<string, readonly [form: RegExp, words: string]>> = {
  "0002": [/^[0-9]{9}$/, "a SIREN of 9 digits"],
  "0009": [/^[0-9]{14}$/, "a SIRET of 14 digits"],
};

const IDENTIFIER = /^([0-9]{4}):(.*)$/s;

/** The number that a text states, or why it states none. */
export const parse = (text: string): Either.Either<RegistrationNumber, string> => {
  const [, scheme, identifier = ""] = IDENTIFIER.exec(text) ?? [];
  if (scheme === undefined) return Either.right({ scheme: null, identifier: text });
  if (!isScheme(scheme)) return Either.left(`${scheme} is not a scheme of ISO 6523 that e-invoices know`);
  if (!/^\S+$/.test(identifier))
    return Either.left("must have an identifier without spaces after its scheme");
  const [form, words] = FORMS[scheme] ?? [];
  if (form?.test(identifier) === false) return Either.left(`the identifier must be ${words}`);
  const problem = identifierProblem(scheme, identifier);
  return problem === null ? Either.right({ scheme, identifier }) : Either.left(problem.message);
};

/** The number of a party, or null where none is stated. */
export const registrationOf = ({
  registrationNumber,
}: {
  readonly registrationNumber?: string;
}): RegistrationNumber | null =>
  registrationNumber === undefined ? null : Either.getOrNull(parse(registrationNumber));

/** The text of a number. */
export const RegistrationNumberText = Text(1, LEGAL_TEXT_MAX).pipe(
  Schema.filter(
    (text) =>
      // Neither XML nor a line of text can hold them.
      /[\p{Cc}\uFFFE\uFFFF]/u.test(text)
        ? "must not contain control characters"
        : Either.match(parse(text), { onLeft: (message) => message, onRight: () => true }),
    { arbitrary: () => (fc) => fc.constantFrom("HRB 12345", "0002:732829320") },
  ),
);

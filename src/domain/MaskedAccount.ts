/** Bank accounts as events show them: enough to recognise an account, not enough to use it. */

/** An account without its holder, whose number is masked. */
export interface MaskedAccount {
  readonly iban: string;
  readonly bic: string;
}

/** Letters that are shown at the end at most, and the length from which the country is shown as well. */
const SHOWN = 4;
const LONG = 12;

/** The last letters of a number; a short one shows a quarter of itself. */
export const maskNumber = (number: string): string => {
  const letters = [...number];
  const shown = Math.min(SHOWN, Math.floor(letters.length / 4));
  return `…${letters.slice(letters.length - shown).join("")}`;
};

/** The country and the last letters of an IBAN; a short text shows a quarter of itself. */
export const maskIban = (iban: string): string => {
  const letters = [...iban];
  return `${letters.length < LONG ? "" : letters.slice(0, 2).join("")}${maskNumber(iban)}`;
};

/** The masked account; null stays null. */
export const maskAccount = (account: MaskedAccount | null): MaskedAccount | null =>
  account === null ? null : { iban: maskIban(account.iban), bic: account.bic };

/** The check digits of account numbers, before the server checks the whole number. */

/** True if the check digits of an IBAN (modulo 97) are right; spaces and hyphens are ignored. */
export const hasIbanCheckDigits = (text: string): boolean => {
  const iban = text.replace(/[\s-]/g, "").toUpperCase();
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(iban)) return false;
  const digits = (iban.slice(4) + iban.slice(0, 4)).replace(/[A-Z]/g, (letter) =>
    String(Number.parseInt(letter, 36)),
  );
  return BigInt(digits) % 97n === 1n;
};

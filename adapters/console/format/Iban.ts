/** Account numbers as banks print them, and their check digits, before the server checks the whole number. */

/** True if the check digits of an IBAN (modulo 97) are right; spaces and hyphens are ignored. */
export const hasIbanCheckDigits = (text: string): boolean => {
  const iban = text.replace(/[\s-]/g, "").toUpperCase();
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(iban)) return false;
  const digits = (iban.slice(4) + iban.slice(0, 4)).replace(/[A-Z]/g, (letter) =>
    String(Number.parseInt(letter, 36)),
  );
  return BigInt(digits) % 97n === 1n;
};

/** An IBAN in groups of four; a masked one has none. */
export const spacedIban = (iban: string): string =>
  iban.includes("…") ? iban : iban.replace(/\s/g, "").replace(/.{4}(?=.)/g, "$& ");

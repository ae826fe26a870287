/** Words for the account to which a partner is paid. */

/** The masked fields of an account, in their order. */
export const accountWords = (details: Readonly<Record<string, string>>): string => {
  const values = Object.values(details);
  return values.length === 0 ? "erased" : values.join(" ");
};

/** Words of credentials. */

/** The words for the kinds of keys. */
export const KINDS: Readonly<Record<string, string>> = {
  customer: "Team",
  agent: "Program",
  partner: "Partner",
  platform: "Operator",
};

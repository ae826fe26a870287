/** Why banks reject and return payments: the codes of ISO 20022 (external code sets of reasons) in words. */
import { truncate } from "./Value.ts";

/** The codes of credit transfers. */
const WORDS: Readonly<Record<string, string>> = {
  AC01: "the account number is wrong",
  AC03: "the account number of the payee is wrong",
  AC04: "the account is closed",
  AC06: "the account is blocked",
  AC13: "the account of the payer is of the wrong kind",
  AG01: "the account does not take such payments",
  AG02: "the kind of payment is wrong",
  AM02: "the amount is not allowed",
  AM04: "the account has too little money",
  AM05: "it is a duplicate",
  AM09: "the amount is wrong",
  AM10: "the sum of the file is wrong",
  AM18: "the number of payments of the file is wrong",
  BE01: "the name does not belong to the account",
  BE04: "the address of the payee is missing",
  BE05: "the sender is not known",
  BE06: "the payee is not known at this bank",
  CNOR: "the bank of the payee is not registered",
  CUST: "the customer asked for it",
  DNOR: "the bank of the payer is not registered",
  DT01: "the date is wrong",
  DU01: "the file is a duplicate",
  DU02: "the batch is a duplicate",
  DU03: "the payment is a duplicate",
  DU04: "the end-to-end id is a duplicate",
  DU05: "the instruction is a duplicate",
  DUPL: "the payment is a duplicate",
  FF01: "the file has an error",
  FOCR: "it was recalled",
  FRAD: "fraud is suspected",
  MD07: "the account holder has died",
  MS02: "the customer refused it",
  MS03: "the bank states no reason",
  NARR: "see the words of the bank",
  RC01: "the BIC is wrong",
  RR01: "the account or identification of the payer is missing",
  RR02: "the name or address of the payer is missing",
  RR03: "the name or address of the payee is missing",
  RR04: "a regulation forbids it",
  SL01: "a service of the payer's bank stops it",
  TECH: "a technical problem",
  TM01: "it came too late",
};

/** The codes with which a bank refuses what it has already: it carries out the first one. */
const DUPLICATES: ReadonlySet<string> = new Set(["AM05", "DU01", "DU02", "DU03", "DU04", "DU05", "DUPL"]);

/** True if a code says that the bank has the same payment already. */
export const isDuplicate = (code: string | null): boolean => DUPLICATES.has(code ?? "");

/** A code with the bank's words, or with ours where the bank has none; null without both. */
export const inWords = (code: string | null, words: string | null): string | null => {
  const said = words ?? (code === null ? null : (WORDS[code] ?? null));
  const parts = [code, said].filter((part) => part !== null && part !== "");
  return parts.length === 0 ? null : truncate(parts.join(" "));
};

/** Why entries of the Automated Clearing House come back, and what banks say of them: the published codes in words. */
import { MaskedAccount } from "quittance";
import { truncate } from "../sepa/Value.ts";

/** Return codes (R) and change codes (C). */
const WORDS: Readonly<Record<string, string>> = {
  R01: "the account has too little money",
  R02: "the account is closed",
  R03: "there is no such account, or it is not of this holder",
  R04: "the account number has a wrong form",
  R05: "the consumer has not authorized a debit of this class",
  R06: "the bank of the payer asked for it",
  R07: "the authorization was revoked",
  R08: "the payment was stopped",
  R09: "the money of the account is not available yet",
  R10: "the holder does not know the originator, or has not authorized it",
  R11: "the entry differs from what was authorized",
  R12: "the account was sold to another bank",
  R13: "the routing number is wrong",
  R14: "the representative payee has died or cannot act any more",
  R15: "the beneficiary or the account holder has died",
  R16: "the account is frozen",
  R17: "a record has an error, or its account number is suspicious",
  R18: "the effective entry date is wrong",
  R19: "the amount is wrong",
  R20: "the account does not take such payments",
  R21: "the company id is wrong",
  R22: "the individual id is wrong",
  R23: "the payee refused it",
  R24: "it is a duplicate",
  R25: "the addenda have an error",
  R26: "a mandatory field has an error",
  R27: "the trace number is wrong",
  R28: "the check digit of the routing number is wrong",
  R29: "the company has not authorized it",
  R30: "the bank takes no part in check truncation",
  R31: "the bank of the payer agreed to a late return",
  R32: "the bank cannot settle",
  R33: "a destroyed check comes back",
  R34: "the bank takes part only in a limited way",
  R35: "the debit was improper",
  R36: "the credit was improper",
  R37: "the source document was presented for payment",
  R38: "the source document was stopped",
  R39: "the source document is improper",
  R40: "a federal agency returns an enrolment",
  R41: "the transaction code of an enrolment is wrong",
  R42: "the routing number of an enrolment is wrong",
  R43: "the account number of an enrolment is wrong",
  R44: "the individual id of an enrolment is wrong",
  R45: "the name of an enrolment is wrong",
  R46: "the representative payee of an enrolment is wrong",
  R47: "the enrolment is a duplicate",
  R50: "the law of the state forbids to present the check again",
  R51: "the check may not be presented again",
  R52: "the check was stopped",
  R53: "the check and the entry were both presented",
  R61: "the return went to the wrong bank",
  R62: "an erroneous or reversing debit comes back",
  R63: "the amount of the return is wrong",
  R64: "the individual id of the return is wrong",
  R65: "the transaction code of the return is wrong",
  R66: "the company id of the return is wrong",
  R67: "the return is a duplicate",
  R68: "the return came too late",
  R69: "a field of the return has an error",
  R70: "the return was not agreed",
  R71: "the dishonored return went to the wrong bank",
  R72: "the dishonored return came too late",
  R73: "the return was in time",
  R74: "the return is corrected",
  R75: "the return is no duplicate",
  R76: "the return has no errors",
  R77: "the dishonored return is not accepted",
  R80: "the coding of an international entry is wrong",
  R81: "the bank takes no part in international entries",
  R82: "the foreign bank is wrong",
  R83: "the foreign bank cannot settle",
  R84: "the gateway does not process the entry",
  R85: "an international payment was coded as a domestic one",
  C01: "the account number is wrong",
  C02: "the routing number is wrong",
  C03: "the routing number and the account number are wrong",
  C04: "the name is wrong",
  C05: "the kind of the account is wrong",
  C06: "the account number and the kind of the account are wrong",
  C07: "the routing number, the account number and the kind of the account are wrong",
  C08: "the foreign bank is wrong",
  C09: "the individual id is wrong",
  C10: "the name of the company is wrong",
  C11: "the company id is wrong",
  C12: "the name and the id of the company are wrong",
  C13: "the addenda have a wrong form",
  C14: "an international payment was coded as a domestic one",
};

/** True for codes by which banks argue about a return that was made: R61 to R77. No payment comes back by them. */
export const isAboutReturn = (code: string): boolean => code >= "R61" && code <= "R77";

/** So many digits in the words of a bank are masked: they may be an account. */
const LONG_NUMBER = /\d{5,}/g;

/** Digits of a routing number, which stands before the account number in changes of both. */
const ROUTING_DIGITS = 9;

/** The codes of changes whose data are account numbers, and what stands before and after them. */
const ACCOUNT_CHANGES: Readonly<Record<string, { readonly hasRouting?: true; readonly hasKind?: true }>> = {
  C01: {},
  C03: { hasRouting: true },
  C06: { hasKind: true },
  C07: { hasRouting: true, hasKind: true },
};

/** The data of a change that states an account: every part is masked, however short, except the kind of the account at the end. */
const maskChange = (code: string, data: string): string | null => {
  const change = ACCOUNT_CHANGES[code];
  if (change === undefined) return null;
  const routing = change.hasRouting === true ? data.slice(0, ROUTING_DIGITS) : "";
  const parts = data.slice(routing.length).split(" ").filter(Boolean);
  const kind = change.hasKind === true && parts.length > 1 ? parts.splice(-1) : [];
  return [routing, ...parts].filter(Boolean).map(MaskedAccount.maskNumber).concat(kind).join(" ");
};

/** So many characters of an account at least are masked where they stand alone. */
const PART_MIN = 3;

/** The words of a bank, with each number masked that is long, or that is the account of the entry or the beginning of it. */
const maskWords = (words: string, account: string): string => {
  const own = account.replace(/^0+/, "");
  const isPart = (part: string): boolean =>
    part !== "" && (part === own || (part.length >= PART_MIN && own.startsWith(part)));
  return words
    .split(/ +/)
    .map((word) =>
      isPart(word.replace(/[^0-9A-Za-z]/g, "").replace(/^0+/, ""))
        ? MaskedAccount.maskNumber(word)
        : word.replace(LONG_NUMBER, MaskedAccount.maskNumber),
    )
    .join(" ");
};

/** A code in words, with what the bank adds; its account numbers are masked, since a log keeps them. `account` is the account of the entry. */
export const codeInWords = (code: string, added: string, account: string): string | null => {
  const said = [code, WORDS[code]].filter((part) => part !== undefined).join(" ");
  const masked = maskChange(code, added.trim()) ?? maskWords(added.trim(), account);
  return truncate(masked === "" ? said : `${said}: ${masked}`);
};

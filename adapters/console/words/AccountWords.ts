/** Words for the account to which a partner is paid. */
import type { ApprovedPayoutAccount, PayoutAccount } from "../api/Records.ts";
import { spacedIban } from "../format/Iban.ts";
import { type Text, t } from "./Language.ts";
import type { State } from "./Words.ts";

type Type = PayoutAccount["type"];

/** The types of accounts. */
export const ACCOUNT_TYPES: Readonly<Record<Type, Text>> = {
  iban: "Bank account (IBAN)",
  us_ach: "Bank account in the United States",
  uk: "Bank account in the United Kingdom",
  email: "Account by e-mail address",
  custom: "Another kind of account",
};

/** The masked fields of an account, in their order. */
export const accountWords = (details: Readonly<Record<string, string>>): string => {
  const values = Object.entries(details).map(([name, value]) =>
    name === "iban" ? spacedIban(value) : value,
  );
  return values.length === 0 ? t("erased") : values.join(" ");
};

/** An account in a sentence. */
export const accountName = ({ type, details }: ApprovedPayoutAccount): string =>
  `${ACCOUNT_TYPES[type]} ${accountWords(details)}`;

/** The currencies whose settlements go to an account, one of those of a partner. */
export const accountCurrency = (
  { currency }: PayoutAccount,
  accounts: ReadonlyArray<PayoutAccount>,
): string =>
  currency ??
  (accounts.some((other) => other.currency !== undefined && other.status === "confirmed")
    ? "Every other currency"
    : "Every currency");

/** The state of an account. */
export const ACCOUNT_STATES: Readonly<Record<PayoutAccount["status"], State>> = {
  proposed: { words: "Proposed", family: "waiting" },
  confirmed: { words: "Confirmed", family: "done" },
  retired: { words: "Retired", family: "stopped" },
};

/** The confirmed accounts to which a settlement in a currency can go, first the one to which it goes by itself. */
export const accountsFor = (
  accounts: ReadonlyArray<PayoutAccount>,
  currency: string,
): ReadonlyArray<PayoutAccount> => {
  const live = accounts.filter(({ status }) => status === "confirmed");
  return [
    ...live.filter((account) => account.currency === currency),
    ...live.filter((account) => account.currency === undefined),
  ];
};

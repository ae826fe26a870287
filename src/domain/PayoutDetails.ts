/** What identifies an account of each type: its fields, their checks without a network, and the part of them that is shown. */
import { Schema } from "effect";
import { accountProblem, compact, isIban, isRoutingNumber } from "./Iban.ts";
import { LEGAL_TEXT_MAX, PAYOUT_FIELDS_MAX } from "./Limits.ts";
import { maskIban, maskNumber } from "./MaskedAccount.ts";
import { Text } from "./Text.ts";

/** The types of accounts. */
export const PayoutType = Schema.Literal("iban", "us_ach", "uk", "email", "custom");
export type PayoutType = typeof PayoutType.Type;

/** The fields of an account by their wire names. */
export const Fields = Schema.Record({ key: Schema.String, value: Text(1, LEGAL_TEXT_MAX) });
export type Fields = typeof Fields.Type;

/** Where money goes: the type of an account, and what identifies it. */
export interface Payee {
  readonly type: PayoutType;
  readonly details: Fields;
}

/** An account with an IBAN, as records of billing state it. */
interface BankAccount {
  readonly beneficiaryName: string;
  readonly iban: string;
  readonly bic: string;
}

/** One field of a type: what is wrong with a value, and what is shown of one. */
interface Field {
  readonly problem: (value: string) => string | null;
  /** Null: nothing of it is shown. */
  readonly mask: ((value: string) => string) | null;
  readonly isOptional?: true;
}

const matches =
  (pattern: RegExp, form: string) =>
  (value: string): string | null =>
    pattern.test(value) ? null : form;

const asIs = (value: string): string => value;

/** A name that nobody needs to recognise an account. */
const HOLDER: Field = { problem: () => null, mask: null };

/** A person or a company holds the account, which some formats of payment files state. */
const HOLDER_TYPE: Field = {
  problem: matches(/^(company|person)$/, "must be one of company, person"),
  mask: asIs,
  isOptional: true,
};

/** The first letter of an e-mail address, and its domain. */
const maskAddress = (address: string): string => {
  const at = address.lastIndexOf("@");
  return `${[...address.slice(0, at)][0] ?? ""}…${address.slice(at)}`;
};

/** The fields of each type that prescribes them, in the order in which they are shown. */
const FIELDS: { readonly [Type in Exclude<PayoutType, "custom">]: Readonly<Record<string, Field>> } = {
  iban: {
    iban: {
      problem: (value) => (isIban(value) ? null : "is not valid: its form or its check digits are wrong"),
      mask: (value) => maskIban(compact(value)),
    },
    bic: { problem: () => null, mask: asIs, isOptional: true },
    holder: HOLDER,
    holder_type: HOLDER_TYPE,
  },
  us_ach: {
    routing_number: {
      problem: (value) => (isRoutingNumber(value) ? null : "must be nine digits with a valid check digit"),
      mask: asIs,
    },
    account_number: {
      problem: matches(/^[0-9A-Za-z]{1,17}$/, "must have 1 to 17 digits or letters"),
      mask: maskNumber,
    },
    account_type: {
      problem: matches(/^(checking|savings)$/, "must be one of checking, savings"),
      mask: asIs,
    },
    holder: HOLDER,
    holder_type: HOLDER_TYPE,
  },
  uk: {
    sort_code: { problem: matches(/^[0-9]{6}$/, "must have six digits"), mask: asIs },
    account_number: { problem: matches(/^[0-9]{8}$/, "must have eight digits"), mask: maskNumber },
    holder: HOLDER,
    holder_type: HOLDER_TYPE,
  },
  email: {
    address: {
      problem: matches(/^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/, "must be an e-mail address"),
      mask: maskAddress,
    },
    service: { problem: () => null, mask: asIs },
  },
};

const NAME = /^[a-z][a-z0-9_]{0,63}$/;

/** The rule of a custom account: the operator's payment service knows what its fields mean. */
const customProblem = (details: Fields): Problem | null => {
  const names = Object.keys(details);
  if (names.length < 1 || names.length > PAYOUT_FIELDS_MAX)
    return { path: ["details"], message: `must have 1 to ${PAYOUT_FIELDS_MAX} fields` };
  const wrong = names.find((name) => !NAME.test(name));
  return wrong === undefined
    ? null
    : {
        path: ["details", wrong],
        message: "must have a name of lower-case letters, digits and _ that begins with a letter, at most 64",
      };
};

interface Problem {
  readonly path: ReadonlyArray<string>;
  readonly message: string;
}

/** The first field that is missing, unknown or wrong, with what it must be; null where nothing offline speaks against an account. */
export const problemOf = ({ type, details }: Payee): Problem | null => {
  if (type === "custom") return customProblem(details);
  const fields = FIELDS[type];
  const unknown = Object.keys(details).find((name) => !Object.hasOwn(fields, name));
  if (unknown !== undefined)
    return {
      path: ["details", unknown],
      message: `is not a known field; known are ${Object.keys(fields).join(", ")}`,
    };
  for (const [name, { problem, isOptional }] of Object.entries(fields)) {
    const value = details[name];
    if (value === undefined) {
      if (isOptional !== true) return { path: ["details", name], message: "is missing" };
      continue;
    }
    const message = problem(value);
    if (message !== null) return { path: ["details", name], message };
  }
  const account = type === "iban" && details.bic !== undefined ? bankAccountOf({ type, details }) : null;
  const message = account === null ? null : accountProblem(account);
  return message === null ? null : { path: ["details", "bic"], message };
};

/** What is shown of an account: enough to recognise it, not enough to use it. */
export const mask = ({ type, details }: Payee): Fields => {
  const fields = type === "custom" ? null : FIELDS[type];
  return Object.fromEntries(
    Object.entries(details).flatMap(([name, value]) => {
      const masked = fields === null ? maskNumber : (fields[name]?.mask ?? null);
      return masked === null ? [] : [[name, masked(value)]];
    }),
  );
};

/** The account as records of billing state it; null for an account without an IBAN. The BIC is empty where none was given. */
export const bankAccountOf = ({ type, details }: Payee): BankAccount | null =>
  type === "iban"
    ? { beneficiaryName: details.holder ?? "", iban: details.iban ?? "", bic: details.bic ?? "" }
    : null;

/** The account that a record of billing states. */
export const payeeOf = ({ beneficiaryName, iban, bic }: BankAccount): Payee => ({
  type: "iban",
  details: { iban, bic, holder: beneficiaryName },
});

/** An account in a few words, masked. */
export const describe = (payee: Payee): string => {
  const shown = mask(payee);
  switch (payee.type) {
    case "iban":
      return `the IBAN ${shown.iban}`;
    case "us_ach":
    case "uk":
      return `the account ${shown.account_number}`;
    case "email":
      return `${shown.address} of ${shown.service}`;
    case "custom":
      return `the account of ${Object.entries(shown)
        .map(([name, value]) => `${name} ${value}`)
        .join(", ")}`;
  }
};

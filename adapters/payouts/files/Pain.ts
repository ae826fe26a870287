/** The formats of pain.001: which accounts each pays, and from which. */
import { Iban, Limits, type PaymentProvider, PayoutDetails } from "quittance";
import { areaProblem } from "../sepa/Area.ts";
import { nameProblem } from "../sepa/Characters.ts";
import type { Format } from "../sepa/Format.ts";
import { writeIn } from "../sepa/Pain001.ts";

type FileFormat = PaymentProvider.FileFormat;
type BankAccount = Parameters<typeof areaProblem>[0];

/** The largest payment of Faster Payments. */
const UK_AMOUNT_MAX = 100_000_000;

const countryOf = ({ iban }: BankAccount): string => Iban.compact(iban).slice(0, 2);

const isSwiss = (account: BankAccount): boolean => ["CH", "LI"].includes(countryOf(account));

/** True for an IBAN to which only QR-bills with their reference can be paid: the number of the institution begins with 30 or 31. */
const isQrIban = (account: BankAccount): boolean =>
  isSwiss(account) && /^3[01]/.test(Iban.compact(account.iban).slice(4));

/** A check of accounts with an IBAN; of others, that the name of the holder can be written. */
const check =
  (problem: (account: BankAccount) => string | null): FileFormat["accountProblem"] =>
  (payee) => {
    const account = PayoutDetails.bankAccountOf(payee);
    if (account === null) return nameProblem(payee.details.holder ?? "", "holder");
    return problem(account) ?? nameProblem(account.beneficiaryName);
  };

const pain = (
  name: Format,
  parts: Pick<FileFormat, "takes" | "accountProblem" | "problem" | "payerProblem">,
): FileFormat => ({
  ...{ name, mediaType: "application/xml", extension: "xml" },
  parameters: () => ({}),
  write: writeIn(name),
  ...parts,
});

const sepaProblem: FileFormat["problem"] = ({ amount }) =>
  amount > Limits.SEPA_AMOUNT_MAX ? "SEPA pays at most 999,999,999.99 EUR at once" : null;

/** SEPA credit transfers in a version of pain.001. */
export const sepaFormat = (name: Format): FileFormat => {
  const accountProblem = check(areaProblem);
  return pain(name, {
    takes: [{ type: "iban", currencies: ["EUR"] }],
    accountProblem,
    problem: sepaProblem,
    payerProblem: (account) => accountProblem(PayoutDetails.payeeOf(account)),
  });
};

/** Payments from an account in Switzerland or Liechtenstein: in francs to another one, in euro by SEPA. */
export const swissFormat: FileFormat = pain("pain.001.001.09.ch.03", {
  takes: [{ type: "iban", currencies: ["CHF", "EUR"] }],
  accountProblem: check((account) =>
    isQrIban(account)
      ? "iban: is a QR-IBAN, which takes only payments of QR-bills; state the ordinary IBAN of the account"
      : areaProblem(account),
  ),
  problem: (payment) => {
    if (payment.currency === "EUR") return sepaProblem(payment);
    const account = PayoutDetails.bankAccountOf(payment.account);
    if (account === null || !isSwiss(account))
      return "iban: payments in CHF go to accounts in Switzerland and Liechtenstein";
    return payment.amount > Limits.SEPA_AMOUNT_MAX ? "a payment has at most 999,999,999.99 CHF" : null;
  },
  payerProblem: (account) =>
    isSwiss(account)
      ? nameProblem(account.beneficiaryName)
      : "Swiss payment files pay from an account in Switzerland or Liechtenstein",
});

/** Faster Payments from an account in the United Kingdom. */
export const ukFormat: FileFormat = pain("pain.001.001.09.gb", {
  takes: [
    { type: "uk", currencies: ["GBP"] },
    { type: "iban", currencies: ["GBP"] },
  ],
  accountProblem: check((account) =>
    countryOf(account) === "GB" ? null : "iban: Faster Payments go to accounts in the United Kingdom",
  ),
  problem: ({ amount }) =>
    amount > UK_AMOUNT_MAX ? "Faster Payments pays at most 1,000,000.00 GBP at once" : null,
  payerProblem: (account) =>
    countryOf(account) === "GB"
      ? nameProblem(account.beneficiaryName)
      : "Faster Payments pays from an account in the United Kingdom",
});

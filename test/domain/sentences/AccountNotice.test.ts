/** The mail about another account: complete in each language, and never with what is needed to pay to the account. */
import { AccountNotice, type PayoutDetails } from "quittance";
import { LANGUAGES } from "quittance/explanation";
import { describe, expect, it } from "vitest";

const ACCOUNTS: ReadonlyArray<readonly [PayoutDetails.Payee, shown: string]> = [
  [{ type: "iban", details: { iban: "DK5000400440116243", holder: "Ada" } }, "DK…6243"],
  [
    {
      type: "us_ach",
      details: {
        ...{ routing_number: "021000021", account_number: "000123456789", account_type: "checking" },
        holder: "Ada",
      },
    },
    "…789",
  ],
  [{ type: "uk", details: { sort_code: "200000", account_number: "55779911", holder: "Ada" } }, "…11"],
  [{ type: "email", details: { address: "pay@wallet.example", service: "Wallet" } }, "p…@wallet.example"],
  [{ type: "custom", details: { wallet_id: "W-77-4711" } }, "wallet_id …11"],
];

const AT = Date.UTC(2026, 0, 31, 9, 5);

const notice = (
  account: PayoutDetails.Payee | null,
  customerName: string | null,
  language: (typeof LANGUAGES)[number],
) =>
  AccountNotice.accountNotice(
    {
      ...{ partnerName: "Ada {customer}", customerName, at: AT },
      account: account && AccountNotice.shownAccount(account),
    },
    language,
  );

describe.each(LANGUAGES)("in the language %s", (language) => {
  it.each(ACCOUNTS)("names the account %j as it is shown", (account, shown) => {
    for (const customer of ["Acme GmbH", null]) {
      const { subject, text } = notice(account, customer, language);
      expect(text).toContain(shown);
      for (const name of ["iban", "account_number", "wallet_id", "address"])
        expect(text).not.toContain(account.details[name] ?? "{no such field}");
      expect(`${subject}${text}`.replace("Ada {customer}", "")).not.toMatch(/[{}]/);
      expect(text.split("Acme GmbH").length - 1).toBe(customer === null ? 0 : 2);
      expect(text).toContain("09:05 UTC");
    }
  });
});

it.each(LANGUAGES)(
  "tells a customer in the language %s of an account that a partner proposes",
  (language) => {
    for (const [account, shown] of ACCOUNTS) {
      const { subject, text } = AccountNotice.proposalNotice(
        {
          ...{ partnerName: "Ada {day}", customerName: "Acme GmbH", at: AT },
          account: AccountNotice.shownAccount(account),
        },
        language,
      );
      expect(subject).toContain("Ada {day}");
      expect(text).toContain(shown);
      for (const name of ["iban", "account_number", "wallet_id", "address"])
        expect(text).not.toContain(account.details[name] ?? "{no such field}");
      expect(`${subject}${text}`.replaceAll("Ada {day}", "")).not.toMatch(/[{}]/);
      expect(text).toContain("09:05 UTC");
    }
  },
);

it.each(LANGUAGES)("says in the language %s that the address is taken away", (language) => {
  const [[iban] = []] = ACCOUNTS;
  for (const customer of ["Acme GmbH", null]) {
    const { subject, text } = notice(null, customer, language);
    expect(subject).not.toBe(notice(iban ?? null, customer, language).subject);
    expect(`${subject}${text}`.replace("Ada {customer}", "")).not.toMatch(/[{}]/);
    expect(text.split("Acme GmbH").length - 1).toBe(customer === null ? 0 : 2);
    expect(text).toContain("09:05 UTC");
  }
});

it("is in the words of its language", () => {
  const [[iban] = []] = ACCOUNTS;
  if (iban === undefined) throw new Error("no account");
  const [en, de, fr, es] = (["en", "de", "fr", "es"] as const).map((language) =>
    notice(iban, "Acme GmbH", language),
  );
  expect(en?.text).toBe(`Hello Ada {customer},

on 31 January 2026 at 09:05 UTC another account was stated for payments to you from Acme GmbH:
the IBAN DK…6243.

If you have asked for this, there is nothing to do.
If you have not, tell Acme GmbH at once, by a phone number or an address that you already know.
`);
  expect(notice(null, null, "en").text).toContain(
    "this e-mail address was taken out of your data.\nMail about payments to you no longer comes here.\n",
  );
  expect(de?.subject).toBe("Ein anderes Konto für Zahlungen an Sie");
  expect(de?.text).toContain("am 31. Januar 2026 um 09:05 UTC");
  expect(fr?.text).toContain("le 31 janvier 2026 à 09:05 UTC");
  expect(es?.text).toContain("El 31 de enero de 2026 a las 09:05 UTC");
});

import { Either } from "effect";
import { Currency, type Ids, PayoutAccount, Timestamp } from "quittance";
import { describe, expect, it } from "vitest";

const { accountFor, confirmAccount, proposeAccount, retireAccount, ruleOf, stateBankAccount, stricter } =
  PayoutAccount;

const NOW = Timestamp.parse("2026-01-01T00:00:00Z") ?? 0;
const EUR = Currency.Currency.make("EUR");
const USD = Currency.Currency.make("USD");

const DETAILS = { iban: "DK5000400440116243", bic: "NDEADKKK", holder: "Nordlys" };
const OTHER = { ...DETAILS, iban: "DK9520000123456789" };

const acting = (
  person: string,
  confirmation: PayoutAccount.Confirmation,
  at = NOW,
): PayoutAccount.Acting => ({
  ...{ actor: `key of ${person}`, person, at },
  rule: ruleOf(confirmation),
});

const id = (number: number) => `00000000-0000-4000-8000-00000000000${number}` as Ids.PayoutAccountId;

const proposal = (number: number, given: Partial<PayoutAccount.Proposal> = {}): PayoutAccount.Proposal => ({
  ...{ id: id(number), type: "iban", details: DETAILS, currency: null },
  ...{ isBankAccount: false, isFirst: false },
  ...given,
});

type Accounts = ReadonlyArray<PayoutAccount.PayoutAccount>;

const propose = (
  accounts: Accounts,
  number: number,
  by: PayoutAccount.Acting,
  given: Partial<PayoutAccount.Proposal> = {},
) => Either.getOrThrow(proposeAccount(accounts, proposal(number, given), by)).accounts;

const confirm = (accounts: Accounts, number: number, by: PayoutAccount.Acting) => {
  const account = accounts.find((one) => one.id === id(number));
  if (account === undefined) throw new Error(`no account ${number}`);
  return confirmAccount(accounts, account, by);
};

const refusal = (accounts: Accounts, number: number, by: PayoutAccount.Acting) =>
  Either.match(confirm(accounts, number, by), { onLeft: ({ message }) => message, onRight: () => null });

const statuses = (accounts: Accounts) => accounts.map(({ status }) => status);

const first = propose([], 1, acting("ada", "second_person"), { isFirst: true });

describe("a proposal", () => {
  it("is confirmed with it where nothing more is demanded, and retires its predecessor", () => {
    const after = proposeAccount(first, proposal(2), acting("ada", "at_once", NOW + 1));
    const { accounts, steps } = Either.getOrThrow(after);
    expect(statuses(accounts)).toEqual(["retired", "confirmed"]);
    expect(accounts[0]?.retiredAt).toBe(NOW + 1);
    expect(steps.map(({ type, account }) => [type, account.id])).toEqual([
      ["propose", id(2)],
      ["retire", id(1)],
      ["confirm", id(2)],
    ]);
  });

  it("that is the first needs no confirmation, and the second one does", () => {
    expect(statuses(first)).toEqual(["confirmed"]);
    expect(statuses(propose(first, 2, acting("ada", "second_person")))).toEqual(["confirmed", "proposed"]);
    expect(statuses(propose(first, 2, acting("ada", { afterHours: 1 })))).toEqual(["confirmed", "proposed"]);
  });

  it("of the partner itself is never confirmed with it, and takes the place of its own that waits", () => {
    const own = { isFirst: true, byPartner: { admittedBy: "ada" } };
    const waiting = propose([], 1, acting("partner", "at_once"), own);
    expect(statuses(waiting)).toEqual(["proposed"]);
    const both = propose(waiting, 2, acting("bo", "second_person"));
    const again = propose(both, 3, acting("partner", "at_once"), own);
    expect(statuses(again)).toEqual(["retired", "proposed", "proposed"]);
    expect(refusal(again, 3, acting("partner", "at_once"))).toBe(
      "four_eyes: who proposed a payout account may not confirm it",
    );
    expect(refusal(again, 3, acting("ada", "second_person"))).toBe(
      "four_eyes: who let the partner in may not confirm what it has proposed",
    );
    expect(refusal(again, 3, acting("ada", "at_once"))).toBeNull();
  });

  it("is refused beyond fifty accounts that are not retired", () => {
    let accounts: Accounts = first;
    for (let count = 1; count < 50; count++)
      accounts = [...accounts, ...propose([], 2, acting("ada", "second_person"))];
    const refused = proposeAccount(accounts, proposal(3), acting("ada", "second_person"));
    expect(Either.isLeft(refused)).toBe(true);
    const after = retireAccount(accounts, accounts[0] as PayoutAccount.PayoutAccount, { at: NOW });
    expect(Either.isRight(proposeAccount(after.accounts, proposal(3), acting("ada", "second_person")))).toBe(
      true,
    );
  });
});

describe("a confirmation", () => {
  const accounts = propose(first, 2, acting("ada", "second_person"));

  it("is refused to the person that proposed it, with whatever credential", () => {
    const own = "four_eyes: who proposed a payout account may not confirm it";
    expect(refusal(accounts, 2, acting("ada", "second_person"))).toBe(own);
    expect(refusal(accounts, 2, { ...acting("ada", "second_person"), actor: "another key" })).toBe(own);
    expect(refusal(accounts, 2, acting("bo", "second_person"))).toBeNull();
  });

  it("follows the stricter of the rule of the proposal and that of now", () => {
    const own = /^four_eyes:/;
    expect(refusal(accounts, 2, acting("ada", "at_once"))).toMatch(own);
    expect(refusal(accounts, 2, acting("ada", { afterHours: 1 }, NOW + 7_200_000))).toMatch(own);
    const waiting = propose(first, 2, acting("ada", { afterHours: 48 }));
    expect(refusal(waiting, 2, acting("ada", "second_person", NOW + 2 * Timestamp.DAY))).toMatch(own);
    expect(refusal(waiting, 2, acting("bo", "at_once"))).toBe(
      "payout_account: the account may be confirmed from 2026-01-03T00:00:00.000Z on",
    );
    expect(stricter(ruleOf("second_person"), ruleOf({ afterHours: 5 }))).toEqual({
      isSecondPerson: true,
      hours: 5,
    });
  });

  it("waits for the hours to the millisecond", () => {
    const waiting = propose(first, 2, acting("ada", { afterHours: 48 }));
    const end = NOW + 2 * Timestamp.DAY;
    expect(refusal(waiting, 2, acting("ada", { afterHours: 48 }, end - 1))).toMatch(/^payout_account:/);
    expect(refusal(waiting, 2, acting("ada", { afterHours: 48 }, end))).toBeNull();
  });

  it("retires the account before it for the same currency, and no other", () => {
    const both = propose(accounts, 3, acting("ada", "second_person"), { currency: USD });
    const dollars = Either.getOrThrow(confirm(both, 3, acting("bo", "second_person"))).accounts;
    expect(statuses(dollars)).toEqual(["confirmed", "proposed", "confirmed"]);
    const all = Either.getOrThrow(confirm(dollars, 2, acting("bo", "second_person"))).accounts;
    expect(statuses(all)).toEqual(["retired", "confirmed", "confirmed"]);
  });

  it("is refused a second time, and of what is retired", () => {
    const once = Either.getOrThrow(confirm(accounts, 2, acting("bo", "second_person"))).accounts;
    expect(refusal(once, 2, acting("bo", "second_person"))).toBe("payout_account: the account is confirmed");
    expect(refusal(once, 1, acting("bo", "second_person"))).toBe("payout_account: the account is retired");
  });
});

describe("a bank account of the billing data", () => {
  const stated = { isBankAccount: true, details: OTHER };
  const waiting = stateBankAccount(first, proposal(2, stated), acting("ada", "second_person")).accounts;

  it("is a proposal", () => {
    expect(statuses(waiting)).toEqual(["confirmed", "proposed"]);
    expect(PayoutAccount.waitingProblem(waiting)).toBe(
      "the IBAN DK…6789 waits for its confirmation; payments go to the IBAN DK…6243 until then",
    );
  });

  it("that is stated again as it is confirmed withdraws the proposal of another", () => {
    const back = proposal(3, { isBankAccount: true });
    const { accounts, steps } = stateBankAccount(waiting, back, acting("ada", "second_person"));
    expect(statuses(accounts)).toEqual(["confirmed", "retired"]);
    expect(steps.map(({ type }) => type)).toEqual(["retire"]);
    expect(PayoutAccount.waitingProblem(accounts)).toBeNull();
  });

  it("takes the place of the one that was stated before it", () => {
    const third = proposal(3, { isBankAccount: true, details: { ...OTHER, holder: "Sol" } });
    const { accounts } = stateBankAccount(waiting, third, acting("ada", "second_person"));
    expect(statuses(accounts)).toEqual(["confirmed", "retired", "proposed"]);
  });
});

describe("the account of a settlement", () => {
  it("is that of its currency, else the one for every currency, and only a confirmed one", () => {
    const proposed = propose(first, 2, acting("ada", "second_person"), { currency: USD });
    expect(accountFor(proposed, USD)?.id).toBe(id(1));
    const both = Either.getOrThrow(confirm(proposed, 2, acting("bo", "second_person"))).accounts;
    expect(accountFor(both, USD)?.id).toBe(id(2));
    expect(accountFor(both, EUR)?.id).toBe(id(1));
    const [general] = both;
    const without = retireAccount(both, general as PayoutAccount.PayoutAccount, { at: NOW }).accounts;
    expect(accountFor(without, EUR)).toBeNull();
    expect(PayoutAccount.waitingProblem(retireAccount(first, first[0] as never, { at: NOW }).accounts)).toBe(
      "no payout account is confirmed",
    );
  });
});

it("keeps the newest fifty retired accounts", () => {
  let accounts: Accounts = first;
  for (let count = 0; count < 60; count++) {
    const next = { ...proposal(2), id: `${count}` as Ids.PayoutAccountId };
    accounts = Either.getOrThrow(proposeAccount(accounts, next, acting("ada", "at_once"))).accounts;
  }
  expect(accounts).toHaveLength(51);
  expect(accounts.at(-1)).toMatchObject({ id: "59", status: "confirmed" });
  expect(accounts[0]).toMatchObject({ id: "9", status: "retired" });
});

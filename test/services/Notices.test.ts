/** Mail to a partner about another account: to the address that it had, after the commit, until it is accepted. */
import { describe, expect, it } from "@effect/vitest";
import { Chunk, Effect, Stream } from "effect";
import {
  BillingProfiles,
  DeadLetters,
  Erasures,
  Mailer,
  Partners,
  PayoutAccounts,
  type PayoutDetails,
  Principal,
} from "quittance";
import * as Given from "./Given.ts";

const OTHER = { ...Given.SELF_BILLING.bankAccount, iban: "DK9520000123456789" };
const EMAIL = "ada@nordlys.example";
const LEGAL_DATA = {
  ...{ legalName: "Acme GmbH", vatNumber: "DE123456789" },
  address: { street: "Torstraße 12", city: "Berlin", region: "", postalCode: "10119", country: "DE" },
};
const WALLET: PayoutDetails.Payee = {
  type: "email",
  details: { address: "mallory@wallet.example", service: "Wallet" },
};

/** A mailer that refuses the first mails, what it was asked to send, and what it has sent. */
const mailbox = (refusals = 0) => {
  const asked: Array<Mailer.Mail> = [];
  const mailer: Mailer.MailerService = {
    send: (mail) =>
      Effect.suspend(() =>
        asked.push(mail) <= refusals
          ? Effect.fail(new Mailer.MailFailed({ message: "the mailbox is full" }))
          : Effect.void,
      ),
  };
  return { asked, mailer };
};

/** A partner with a bank account and an address. */
const scene = Effect.gen(function* () {
  const made = yield* Given.scene({ selfBilled: true });
  yield* (yield* Partners.Partners).update(made.owner, made.partnerId, { email: EMAIL });
  return made;
});

const overwrite = ({ owner, partnerId }: Given.Scene, change: object = {}) =>
  Effect.flatMap(Partners.Partners, ({ update }) =>
    update(owner, partnerId, {
      selfBillingData: { ...Given.SELF_BILLING, bankAccount: OTHER },
      ...change,
    }),
  );

const propose = ({ owner, partnerId }: Given.Scene, options = {}) =>
  Effect.flatMap(PayoutAccounts.PayoutAccounts, (service) =>
    service.propose(owner, partnerId, WALLET, options),
  );

describe("a mail about another account", () => {
  for (const payoutAccounts of ["at_once", "second_person"] as const)
    it.effect(
      `is sent when a bank account is overwritten, ${payoutAccounts}, once the commit is stored`,
      () => {
        const { asked, mailer } = mailbox();
        return Given.rule(
          Effect.gen(function* () {
            const made = yield* scene;
            yield* overwrite(made);
            expect(asked).toEqual([]);
            yield* Given.drain;
            yield* Given.drain;
            expect(asked).toHaveLength(1);
            expect(asked[0]).toMatchObject({ to: EMAIL, subject: "Another account for payments to you" });
            expect(asked[0]?.text).toContain("the IBAN DK…6789");
            // Whoever reads the mail cannot pay to it.
            expect(asked[0]?.text).not.toContain(OTHER.iban);
          }),
          { mailer, policy: { payoutAccounts } },
        );
      },
    );

  it.effect("is in the language of the customer's documents when it is sent, and names the customer", () => {
    const { asked, mailer } = mailbox();
    return Given.rule(
      Effect.gen(function* () {
        const made = yield* scene;
        yield* propose(made);
        const { write } = yield* BillingProfiles.BillingProfiles;
        yield* write(made.owner, {
          ...{ ...LEGAL_DATA, invoicePrefix: "A-", language: "de" },
        });
        yield* Given.drain;
        expect(asked[0]?.subject).toBe("Ein anderes Konto für Zahlungen an Sie");
        expect(asked[0]?.text).toContain("Zahlungen von Acme GmbH an Sie");
        expect(asked[0]?.text).toContain("m…@wallet.example bei Wallet");
      }),
      { mailer },
    );
  });

  it.effect("goes to the address before a change that overwrites both", () => {
    const { asked, mailer } = mailbox();
    return Given.rule(
      Effect.gen(function* () {
        yield* overwrite(yield* scene, { email: "mallory@example.com" });
        yield* Given.drain;
        expect(asked.map(({ to }) => to)).toEqual([EMAIL]);
      }),
      { mailer },
    );
  });

  it.effect("goes to an address that is replaced or taken away before another account is stated", () => {
    const { asked, mailer } = mailbox();
    return Given.rule(
      Effect.gen(function* () {
        const made = yield* scene;
        const { update } = yield* Partners.Partners;
        yield* update(made.owner, made.partnerId, { email: "mallory@example.com" });
        yield* overwrite(made);
        yield* update(made.owner, made.partnerId, { email: null });
        yield* overwrite(made, { selfBillingData: Given.SELF_BILLING });
        yield* Given.drain;
        const another = "Another account for payments to you";
        const taken = "Your e-mail address was taken away";
        expect(asked.map(({ to, subject }) => [to, subject])).toEqual([
          [EMAIL, taken],
          ["mallory@example.com", another],
          ["mallory@example.com", taken],
        ]);
        // The new address is nothing for whoever reads the old one.
        expect(asked[0]?.text).not.toContain("mallory");
      }),
      { mailer },
    );
  });

  it.effect("is sent although the billing data was dropped before, with the account in it", () => {
    const { asked, mailer } = mailbox();
    return Given.rule(
      Effect.gen(function* () {
        const made = yield* scene;
        yield* overwrite(made, { billingMode: "partner_billing", selfBillingData: null });
        yield* overwrite(made, { billingMode: "self_billing" });
        yield* overwrite(made, { billingMode: "partner_billing", selfBillingData: null, email: null });
        yield* Given.drain;
        expect(asked.map(({ to }) => to)).toEqual([EMAIL, EMAIL]);
      }),
      { mailer },
    );
  });

  it.effect("is sent for a proposal, once, however often its request is repeated", () => {
    const { asked, mailer } = mailbox();
    return Given.rule(
      Effect.gen(function* () {
        const made = yield* scene;
        const options = { idempotency: { key: "k", requestSha256: "0a" } };
        yield* propose(made, options);
        yield* propose(made, options);
        yield* Given.drain;
        expect(asked).toHaveLength(1);
        expect(asked[0]?.text).toContain("m…@wallet.example of Wallet");
      }),
      { mailer },
    );
  });

  it.effect("that is not accepted does not fail the command, and is sent again under the same id", () => {
    const { asked, mailer } = mailbox(2);
    return Given.rule(
      Effect.gen(function* () {
        const made = yield* scene;
        yield* propose(made);
        for (let days = 0; days < 3; days++) {
          yield* Given.drain;
          yield* Given.wait(Given.DAY);
        }
        expect(asked).toHaveLength(3);
        expect(new Set(asked.map(({ id }) => id)).size).toBe(1);
        expect(new Set(asked.map(({ text }) => text)).size).toBe(1);
      }),
      { mailer },
    );
  });

  it.effect("that is refused for good is a dead letter with the reason, and is not sent again", () => {
    let attempts = 0;
    const send = () => {
      attempts++;
      return Effect.fail(new Mailer.MailFailed({ message: "550 no such mailbox", isPermanent: true }));
    };
    return Given.rule(
      Effect.gen(function* () {
        yield* propose(yield* scene);
        yield* Given.drain;
        yield* Given.wait(Given.DAY);
        yield* Given.drain;
        expect(attempts).toBe(1);
        const { list } = yield* DeadLetters.DeadLetters;
        const [letter] = Chunk.toReadonlyArray(yield* Stream.runCollect(list));
        expect(letter).toMatchObject({ topic: "send_mail" });
        expect(JSON.stringify(letter)).toContain("the mail service: 550 no such mailbox");
      }),
      { mailer: { send } },
    );
  });

  it.effect(
    "is not sent for the first account, without an address, for other changes, or when a change is refused",
    () => {
      const { asked, mailer } = mailbox();
      return Given.rule(
        Effect.gen(function* () {
          const made = yield* Given.scene();
          const { update } = yield* Partners.Partners;
          yield* propose(made);
          yield* propose(made);
          yield* update(made.owner, made.partnerId, { email: EMAIL });
          yield* update(made.owner, made.partnerId, { name: "Nordlys" });
          const { propose: send } = yield* PayoutAccounts.PayoutAccounts;
          const wrong = { ...WALLET, details: { address: "none" } };
          yield* Given.refusal(send(made.owner, made.partnerId, wrong));
          yield* Given.drain;
          expect(asked).toEqual([]);
        }),
        { mailer },
      );
    },
  );

  it.effect("is sent to the customer when the partner proposes it, once while it waits", () => {
    const { asked, mailer } = mailbox();
    return Given.rule(
      Effect.gen(function* () {
        const made = yield* Given.scene();
        const { owner, partnerId } = made;
        const partner: Principal.Principal = {
          ...{ ...owner, kind: "partner", principalId: "session", partnerIds: [partnerId] },
          scopes: ["partners:read", "partners:write"],
        };
        const bo = { ...owner, person: "bo" };
        const { propose: send, confirm } = yield* PayoutAccounts.PayoutAccounts;
        const { write } = yield* BillingProfiles.BillingProfiles;
        const toCustomer = () => asked.filter(({ to }) => to === "treasury@shop.example");
        yield* send(partner, partnerId, WALLET);
        yield* Given.drain;
        expect(toCustomer()).toEqual([]);
        yield* write(owner, { ...LEGAL_DATA, noticeEmail: "treasury@shop.example" });
        yield* send(owner, partnerId, WALLET);
        yield* send(partner, partnerId, WALLET);
        yield* Given.drain;
        // The first one of the partner waits still.
        expect(toCustomer()).toEqual([]);
        const { payoutAccounts } = yield* (yield* PayoutAccounts.PayoutAccounts).read(owner, partnerId);
        const waiting = payoutAccounts.find(({ confirmable }) => confirmable !== null);
        if (waiting !== undefined) yield* confirm(bo, partnerId, waiting.id);
        yield* send(partner, partnerId, WALLET);
        yield* send(partner, partnerId, WALLET);
        yield* Given.drain;
        expect(toCustomer()).toHaveLength(1);
        expect(toCustomer()[0]?.subject).toMatch(/^An account to confirm: /);
        expect(toCustomer()[0]?.text).toContain("m…@wallet.example of Wallet");
        expect(toCustomer()[0]?.text).not.toContain(WALLET.details.address);
      }),
      { mailer },
    );
  });

  it.effect("is not sent to a partner that was erased since", () => {
    const { asked, mailer } = mailbox();
    return Given.rule(
      Effect.gen(function* () {
        const made = yield* scene;
        yield* propose(made);
        const { partner } = yield* Erasures.Erasures;
        yield* partner(Principal.platform("operator"), made.partnerId);
        yield* Given.drain;
        expect(asked).toEqual([]);
        const { list } = yield* DeadLetters.DeadLetters;
        expect(Chunk.size(yield* Stream.runCollect(list))).toBe(0);
      }),
      { mailer },
    );
  });
});

/**
 * The accounts of a partner that is paid, which change and are retired while payments are under way. The test itself keeps which
 * one was confirmed when a settlement was approved, and which one was chosen later.
 */
import { Effect } from "effect";
import { type Ids, type PayoutAccount, PayoutAccounts, Principal, type Settlements } from "quittance";
import * as Given from "../services/Given.ts";
import type { Random } from "../support/Random.ts";
import { otherAccount } from "./HostilePaymentService.ts";

type Scene = Effect.Effect.Success<ReturnType<typeof Given.scene>>;
type Proposal = Pick<PayoutAccount.Propose, "type" | "details">;

/** An IBAN of Denmark with this account number (ISO 13616). */
const ibanOf = (number: number): string => {
  const account = String(number).padStart(14, "0");
  const check = 98n - (BigInt(`${account}132000`) % 97n);
  return `DK${String(check).padStart(2, "0")}${account}`;
};

/** The account of a number, each of another type than the one before. */
const proposalOf = (number: number): Proposal => {
  const holder = `Nordlys ${number}`;
  const account_number = String(10_000_000 + number);
  const proposals: ReadonlyArray<Proposal> = [
    { type: "iban", details: { iban: ibanOf(number), holder } },
    {
      type: "us_ach",
      details: { routing_number: "021000021", account_number, account_type: "checking", holder },
    },
    { type: "uk", details: { sort_code: "200000", account_number, holder } },
    { type: "email", details: { address: `pay${number}@nordlys.example`, service: "Wallet" } },
    { type: "custom", details: { wallet_id: `W-${number}` } },
  ];
  return proposals[number % proposals.length] as Proposal;
};

const keyOf = ({ type, details }: Proposal): string =>
  type === "iban" ? (details.iban ?? "") : otherAccount({ type, details });

/** The message of a refused command; empty where it is carried out. */
const outcome = <R>(command: Effect.Effect<unknown, { readonly message: string }, R>) =>
  Effect.match(command, { onSuccess: () => "", onFailure: ({ message }) => message });

export const changingAccounts = (scene: Scene, decide: Random) => {
  const colleague = Principal.customer(scene.customerId, "colleague");
  const initiated = new Map<string, Array<string>>();
  const payee = new Map<string, string>();
  const problems: Array<string> = [];
  let present: string | null = Given.SELF_BILLING.bankAccount.iban;
  let presentId: Ids.PayoutAccountId | null = null;
  let [changes, redirected] = [0, 0];

  /** The owner proposes another account, may not confirm it, and a colleague does. */
  const replace = Effect.gen(function* () {
    const { propose, confirm } = yield* PayoutAccounts.PayoutAccounts;
    const proposal = proposalOf(++changes);
    const { id } = yield* propose(scene.owner, scene.partnerId, proposal);
    const refused = yield* outcome(confirm(scene.owner, scene.partnerId, id));
    if (!refused.startsWith("four_eyes:")) problems.push(`account ${changes}: ${refused}`);
    yield* confirm(colleague, scene.partnerId, id);
    [present, presentId] = [keyOf(proposal), id];
  });

  /** Replaces the account, and at times leaves the partner without one until the next change. */
  const change = Effect.gen(function* () {
    yield* replace;
    if (presentId === null || !decide.chance(0.2)) return;
    yield* (yield* PayoutAccounts.PayoutAccounts).retire(scene.owner, scene.partnerId, presentId);
    [present, presentId] = [null, null];
  });

  return {
    replace,
    change,
    isMissing: () => present === null,
    /** Notes that a settlement was approved while the present account was confirmed. */
    approved: (id: Ids.SettlementId): void => {
      if (present !== null) payee.set(id, present);
    },
    /** Initiates a payment; where its account is not confirmed any more, a colleague chooses the present one first. */
    initiate: ({ initiatePayment, choosePayoutAccount }: Settlements.Settlements, id: Ids.SettlementId) =>
      Effect.gen(function* () {
        const attempt = Effect.map(outcome(initiatePayment(scene.owner, id)), (refused) => {
          if (refused === "") initiated.set(id, [...(initiated.get(id) ?? []), payee.get(id) ?? ""]);
          return refused;
        });
        const refused = yield* attempt;
        if (!refused.startsWith("payout_account:")) return;
        if (payee.get(id) === present) problems.push(`settlement ${id}: ${refused}`);
        if (present === null) return;
        yield* choosePayoutAccount(colleague, id);
        payee.set(id, present);
        redirected++;
        yield* attempt;
      }),
    /** The account of the attempts of a settlement, in their order. */
    attemptsOf: (id: string): ReadonlyArray<string> => initiated.get(id) ?? [],
    counts: () => ({ changes, redirected }),
    problems,
  };
};

export type ChangingAccounts = ReturnType<typeof changingAccounts>;

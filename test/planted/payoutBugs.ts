/** Planted bugs of payout accounts; the rules of `test/services/PayoutAccounts.test.ts` and `Notices.test.ts` find them. */
import { type Bug, bug } from "./Bug.ts";

const ACCOUNT = "src/domain/PayoutAccount.ts";

const of = (title: string): string => `PayoutAccounts: ${title}`;

/** Every planted bug of this file. */
export const payoutBugs: ReadonlyArray<Bug> = [
  bug(
    "the fee of a payment is taken from what was settled",
    "M14",
    "src/domain/Settlement.ts",
    "...amountsOf(event),",
    "...amountsOf(event),\n  total: state.total - (event.fee?.amount ?? 0),",
  ),
  bug(
    "what a payment reported stays when it has come back",
    "M14",
    "src/domain/Settlement.ts",
    "...amountsGone(state),",
    "",
  ),
  bug(
    "an anomaly does not keep what its payment reported",
    "model",
    "src/domain/SettlementMachine.ts",
    "...withoutNulls({ bank_reference: bankReference }),\n    ...amounts,\n  };",
    "...withoutNulls({ bank_reference: bankReference }),\n  };",
  ),
  bug(
    "an order goes to an account that is only proposed",
    of("is shown as given, and nothing is paid to it before another person confirms it"),
    ACCOUNT,
    'const live = accounts.filter(({ status }) => status === "confirmed");',
    'const live = accounts.filter(({ status }) => status !== "retired").toReversed();',
    "rules",
  ),
  bug(
    "a run approves for an account that is only proposed",
    of("is not paid through a run that approves by itself"),
    "src/domain/PartnerAccounts.ts",
    "if (payoutAccounts === null) return {};",
    "if (payoutAccounts !== undefined) return {};",
    "rules",
  ),
  bug(
    "who proposed an account confirms it with a second key",
    of("is not confirmed by who gave it: by the same key, a second one, or after one has expired"),
    ACCOUNT,
    "proposedBy: personOf(by),",
    "proposedBy: by.actor,",
    "rules",
  ),
  bug(
    "the laxer of two rules holds",
    of("is confirmed under the stricter of the settings of then and of now"),
    ACCOUNT,
    "= stricter(then, now);",
    "= now.hours <= then.hours ? now : then;",
    "rules",
  ),
  bug(
    "a confirmation leaves the account before it",
    of("is shown as given, and nothing is paid to it before another person confirms it"),
    ACCOUNT,
    'status === "confirmed" && currency === account.currency)',
    'status === "retired" && currency === account.currency)',
    "rules",
  ),
  bug(
    "billing data that is dropped makes the next account the first",
    of("is still no first account after the billing data was dropped and stated again"),
    "src/services/PayoutAccounts.ts",
    "(log) => !hasHeldAccount(log.slice(0, partner.version)),",
    "(log) => !hasHeldAccount(log.slice(partner.version)),",
    "rules",
  ),
  bug(
    "a payment is initiated to an account that was retired",
    of("is not paid any more; another one is chosen, not by its proposer"),
    "src/services/settlements/Payout.ts",
    "isRetired: payee !== null && !isStillConfirmed(partner, settlement.approval),",
    "isRetired: payee === null && !isStillConfirmed(partner, settlement.approval),",
    "rules",
  ),
  bug(
    "who proposed an account chooses it for a settlement",
    of("is not paid any more; another one is chosen, not by its proposer"),
    "src/services/settlements/Payout.ts",
    "isProposer: account.proposedBy === personOf(execution),",
    "isProposer: account.proposedBy === execution.id,",
    "rules",
  ),
  bug(
    "a payment file has a payment to an account that was retired",
    of("is in no payment file, and in none that is handed over"),
    "src/services/PaymentFiles.ts",
    "partner !== undefined && !isStillConfirmed(partner, settlement.approval);",
    "partner === undefined && settlement.approval === null;",
    "rules",
  ),
  bug(
    "the mail about another account goes to the new address",
    "Notices: goes to the address before a change that overwrites both",
    "src/services/Partners.ts",
    "notices.ofAccount(partner, payeeOf(account), execution)",
    "notices.ofAccount({ ...partner, ...data }, payeeOf(account), execution)",
    "rules",
  ),
  bug(
    "a mail that was refused for good is sent again",
    "Notices: that is refused for good is a dead letter with the reason, and is not sent again",
    "src/services/worker/Jobs.ts",
    "isPermanent || (failures >= FAILURES_MAX",
    "(failures >= FAILURES_MAX",
    "rules",
  ),
];

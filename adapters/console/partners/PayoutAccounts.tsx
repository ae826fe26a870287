/** The payout accounts of a partner: which one is paid, who proposed and confirmed it, and what can be done. */
import type { Partner, PayoutAccount } from "../api/Records.ts";
import { useMay, useSession } from "../api/Session.ts";
import { readAgain, useLoad } from "../data/Load.ts";
import { moment } from "../format/Dates.ts";
import { ACCOUNT, byState } from "../parts/Accounts.tsx";
import { Badge, Empty, LoadResult, When } from "../parts/Basics.tsx";
import { ActionButton } from "../parts/Forms.tsx";
import { Table } from "../parts/Table.tsx";
import { ACCOUNT_STATES, accountCurrency, accountName } from "../words/AccountWords.ts";
import { AccountFields, accountOf } from "./AccountFields.tsx";

const Propose = ({ partner }: { readonly partner: Partner }) => (
  <ActionButton
    words="Propose an account"
    title={`Propose an account of ${partner.name}`}
    consequence={[
      "It is paid at once if the partner never had one, or if your server asks for no confirmation. Else it waits.",
      "Settlements that are approved already keep their account.",
    ]}
    run={(commands, fields) => commands.payoutAccounts.propose(partner.id, accountOf(fields))}
    done={readAgain}
  >
    {(problemOf) => <AccountFields problemOf={problemOf} />}
  </ActionButton>
);

/** The accounts that a confirmation retires. */
const replacedBy = (
  accounts: ReadonlyArray<PayoutAccount>,
  { currency }: PayoutAccount,
): ReadonlyArray<PayoutAccount> =>
  accounts.filter((one) => one.status === "confirmed" && one.currency === currency);

const conditionsOf = ({
  needsSecondPerson,
  confirmableFrom,
  proposedBy,
  proposedByPartner,
}: PayoutAccount): ReadonlyArray<string> => [
  ...(confirmableFrom !== null && Date.parse(confirmableFrom) > Date.now()
    ? [`From ${moment(confirmableFrom)} on`]
    : []),
  ...(proposedByPartner ? ["By somebody of the team"] : []),
  ...(needsSecondPerson && !proposedByPartner ? [`Not by ${proposedBy ?? "who proposed it"}`] : []),
];

interface OfAccount {
  readonly partner: Partner;
  readonly account: PayoutAccount;
}

const Confirm = ({
  partner,
  account,
  accounts,
}: OfAccount & { readonly accounts: ReadonlyArray<PayoutAccount> }) => (
  <ActionButton
    words="Confirm"
    title={`Pay ${partner.name} to another account`}
    isMain
    consequence={[
      `Settlements that are approved from now on are paid to: ${accountName(account)}.`,
      ...replacedBy(accounts, account).map(
        (before) =>
          `${accountName(before)} is retired. Settlements that were approved for it and are not paid need another account.`,
      ),
      "Confirm only what the partner has told you in another way than the one in which the account came.",
    ]}
    run={(commands) => commands.payoutAccounts.confirm(partner.id, account.id)}
    done={readAgain}
  />
);

const Refuse = ({ partner, account }: OfAccount) => (
  <ActionButton
    words="Refuse"
    title={`Refuse an account of ${partner.name}`}
    danger
    consequence={[
      `Danger: nothing is ever paid to ${accountName(account)}. This cannot be undone; the account can be proposed again.`,
      "Payments go where they went before.",
    ]}
    run={(commands) => commands.payoutAccounts.retire(partner.id, account.id)}
    done={readAgain}
  />
);

const Retire = ({ partner, account }: OfAccount) => (
  <ActionButton
    words="Retire"
    title={`Pay nothing more to an account of ${partner.name}`}
    danger
    consequence={[
      `Danger: nothing more is paid to ${accountName(account)}. This cannot be undone; the account can be proposed again.`,
      "Settlements that were approved for it and are not paid need another account.",
    ]}
    run={(commands) => commands.payoutAccounts.retire(partner.id, account.id)}
    done={readAgain}
  />
);

/** What happened to an account, when and by whom. */
const History = ({ account }: { readonly account: PayoutAccount }) => (
  <>
    {(
      [
        ["Proposed", account.proposedAt, account.proposedByPartner ? "the partner" : account.proposedBy],
        ["Confirmed", account.confirmedAt, account.confirmedBy],
        ["Retired", account.retiredAt, null],
      ] as const
    ).map(
      ([words, at, person]) =>
        at !== null && (
          <span class="under" key={words}>
            {words} <When at={at} />
            {person === null ? "" : ` by ${person}`}
          </span>
        ),
    )}
  </>
);

const State = ({ account }: { readonly account: PayoutAccount }) => {
  const { words, family } = ACCOUNT_STATES[account.status];
  return (
    <>
      <Badge family={family}>{words}</Badge>
      {account.status === "proposed" &&
        conditionsOf(account).map((condition) => (
          <span class="under" key={condition}>
            {condition}
          </span>
        ))}
    </>
  );
};

const Accounts = ({
  partner,
  accounts,
}: {
  readonly partner: Partner;
  readonly accounts: ReadonlyArray<PayoutAccount>;
}) => {
  const may = useMay();
  return (
    <Table
      caption="Payout accounts of the partner"
      rows={byState(accounts)}
      rowKey={({ id }) => id}
      columns={[
        ACCOUNT,
        { name: "Paid in", show: (account) => accountCurrency(account, accounts) },
        { name: "State", show: (account) => <State account={account} /> },
        { name: "History", show: (account) => <History account={account} /> },
        {
          name: "Actions",
          show: (account) => (
            <div class="row">
              {account.status === "proposed" && may("settlements:approve") && (
                <Confirm partner={partner} account={account} accounts={accounts} />
              )}
              {account.status !== "retired" &&
                may("partners:write") &&
                (account.proposedByPartner && account.status === "proposed" ? (
                  <Refuse partner={partner} account={account} />
                ) : (
                  <Retire partner={partner} account={account} />
                ))}
            </div>
          ),
        },
      ]}
    />
  );
};

/** Every account of a partner, with the actions that the key allows. */
export const PayoutAccounts = ({ partner }: { readonly partner: Partner }) => {
  const { client } = useSession();
  const may = useMay();
  const loaded = useLoad(
    `payout-accounts/${partner.id}`,
    async (signal) => (await client.remote.payoutAccounts.read(partner.id, { signal })).payoutAccounts,
  );
  return (
    <section class="panel">
      <h2>Payout accounts</h2>
      <LoadResult loaded={loaded} lines={3}>
        {(accounts) =>
          accounts.length === 0 ? (
            <Empty title="No payout account">
              Nothing can be paid by bank file. Propose an account; it counts once it is confirmed.
            </Empty>
          ) : (
            <Accounts partner={partner} accounts={accounts} />
          )
        }
      </LoadResult>
      {may("partners:write") && (
        <div class="row">
          <Propose partner={partner} />
        </div>
      )}
    </section>
  );
};

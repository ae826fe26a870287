/** The accounts to which a partner is paid, and the proposal of another one. */

import { sendsMail } from "../api/BrowserSession.ts";
import type { Client } from "../api/Client.ts";
import type { Partner, PayoutAccount } from "../api/Records.ts";
import { useMay, useSession } from "../api/Session.ts";
import { readAgain, useLoad } from "../data/Load.ts";
import { AccountFields, accountOf } from "../partners/AccountFields.tsx";
import { ACCOUNT, byState } from "../parts/Accounts.tsx";
import { Badge, Clip, Empty, Heading, LoadResult, ReadAt, When } from "../parts/Basics.tsx";
import { ActionButton } from "../parts/Forms.tsx";
import { Table } from "../parts/Table.tsx";
import { accountWords } from "../words/AccountWords.ts";
import { sentenceOf, type Text, t } from "../words/Language.ts";
import type { Family } from "../words/Words.ts";

interface Mine {
  readonly partner: Partner;
  readonly accounts: ReadonlyArray<PayoutAccount>;
}

const readMine = async (client: Client, signal: AbortSignal): Promise<ReadonlyArray<Mine>> => {
  const { items } = await client.list("partners", { perPage: 100 }, signal);
  return Promise.all(
    items.map(async (partner) => ({
      partner,
      accounts: (await client.remote.payoutAccounts.read(partner.id, { signal })).payoutAccounts,
    })),
  );
};

/** What each state means for who is paid, and what happens next. */
const STATES: Readonly<Record<PayoutAccount["status"], readonly [words: Text, family: Family]>> = {
  proposed: ["We check it", "waiting"],
  confirmed: ["We pay to it", "done"],
  retired: ["No longer used", "stopped"],
};

const sinceWords = ({
  status,
  proposedAt,
  confirmedAt,
  retiredAt,
}: PayoutAccount): readonly [Text, string] =>
  status === "proposed"
    ? ["Proposed on {day}. Nothing is paid to it before we have checked it.", proposedAt]
    : status === "confirmed"
      ? ["Since {day}", confirmedAt ?? proposedAt]
      : ["Until {day}", retiredAt ?? proposedAt];

const paidIn = ({ currency, status }: PayoutAccount, accounts: ReadonlyArray<PayoutAccount>): string =>
  currency ??
  t(
    status === "confirmed" && accounts.some((one) => one.status === "confirmed" && one.currency !== undefined)
      ? "Every other currency"
      : "Every currency",
  );

const Accounts = ({ accounts }: Pick<Mine, "accounts">) => (
  <Table
    caption="My accounts"
    rows={byState(accounts)}
    rowKey={({ id }) => id}
    columns={[
      ACCOUNT,
      {
        name: "State",
        show: (account) => {
          const [words, family] = STATES[account.status];
          const [since, at] = sinceWords(account);
          return (
            <>
              <Badge family={family}>{t(words)}</Badge>
              <span class="under">{sentenceOf(since, { day: <When at={at} /> })}</span>
            </>
          );
        },
      },
      { name: "Paid in", show: (account) => paidIn(account, accounts) },
    ]}
  />
);

const Propose = ({ partner, accounts }: Mine) => {
  const present = accounts.filter(({ status }) => status === "confirmed");
  const waiting = accounts.some(
    ({ status, proposedByPartner }) => status === "proposed" && proposedByPartner,
  );
  return (
    <ActionButton
      words={t("Propose an account")}
      title={t("Propose an account")}
      isMain
      consequence={[
        present.length === 0
          ? t("We check the account before anything is paid to it.")
          : t("We check the account before anything is paid to it. Until then we pay to {account}.", {
              account: present.map(({ details }) => accountWords(details)).join(", "),
            }),
        t("We may ask you about it, by a phone number or an address that we already know."),
        ...(waiting ? [t("It takes the place of the account that you proposed before.")] : []),
        ...(sendsMail() && partner.email !== undefined && accounts.length > 0
          ? [t("We send a mail about it to {address}.", { address: partner.email })]
          : []),
      ]}
      run={(commands, fields) => commands.payoutAccounts.propose(partner.id, accountOf(fields))}
      done={readAgain}
    >
      {(problemOf) => <AccountFields problemOf={problemOf} isOwn />}
    </ActionButton>
  );
};

export const MyAccounts = () => {
  const { client, signOut } = useSession();
  const may = useMay();
  const loaded = useLoad("my accounts", (signal) => readMine(client, signal));
  return (
    <LoadResult loaded={loaded} lines={5} what="Reading your accounts" signOut={signOut}>
      {(mine) => (
        <>
          <Heading title={t("My account")}>
            <ReadAt loaded={loaded} />
          </Heading>
          {mine.map(({ partner, accounts }) => (
            <section key={partner.id} class="panel">
              <h2>{mine.length > 1 ? <Clip>{partner.name}</Clip> : t("Where we pay you")}</h2>
              {accounts.length === 0 ? (
                <Empty title="We have no account of yours">{t("Tell us where your money is to go.")}</Empty>
              ) : (
                <Accounts accounts={accounts} />
              )}
              {may("partners:write") ? (
                <div class="actions">
                  <Propose partner={partner} accounts={accounts} />
                </div>
              ) : (
                <p class="note">{t("To be paid to another account, ask us for a new invitation.")}</p>
              )}
            </section>
          ))}
        </>
      )}
    </LoadResult>
  );
};

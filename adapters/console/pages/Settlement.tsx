/** One settlement: its total, state, next step, and the explanation of each line. */

import { useState } from "preact/hooks";
import { type ActionsOf, lacksAccount, type Subject } from "../actions/Action.ts";
import { lastDispute } from "../actions/Dispute.tsx";
import { SettlementActions } from "../actions/SettlementActions.tsx";
import type { DocumentKind } from "../actions/Upload.tsx";
import type { Client } from "../api/Client.ts";
import type {
  Attribution,
  Commission,
  EventType,
  Line,
  LogEntry,
  Partner,
  Settlement as Record,
} from "../api/Records.ts";
import { Absent } from "../api/Refusal.ts";
import { useSession } from "../api/Session.ts";
import { useLoad, useWatch } from "../data/Load.ts";
import { linkTo } from "../data/Route.ts";
import { creditWords, isOrdinary } from "../format/Credits.ts";
import { calendarDay, day } from "../format/Dates.ts";
import {
  Amount,
  Clip,
  Fact,
  Heading,
  Id,
  LoadResult,
  ReadAt,
  SoldOn,
  StateBadge,
  When,
} from "../parts/Basics.tsx";
import { DownloadButton, downloadOf } from "../parts/Download.tsx";
import { Later } from "../parts/Later.tsx";
import { useNames } from "../parts/Names.ts";
import { type Formulas, PlanName, readFormulas } from "../parts/PlanName.tsx";
import { Pager, type Selection, Table } from "../parts/Table.tsx";
import { Timeline } from "../parts/Timeline.tsx";
import { WhyAmount } from "../parts/Why.tsx";
import { ACCOUNT_TYPES, accountsFor, accountWords } from "../words/AccountWords.ts";
import { many, sentenceOf, t, translated } from "../words/Language.ts";
import { useWords } from "../words/Reader.ts";
import { isBeforeHandOver } from "../words/States.ts";

const LINES_PER_PAGE = 50;

const readSubject = async (
  client: Client,
  id: string,
  hasAccounts: (settlement: Record) => boolean,
  signal: AbortSignal,
): Promise<Subject> => {
  const { items } = await client.list("settlements", { ids: [id] }, signal);
  const settlement = items[0];
  if (settlement === undefined)
    throw new Absent(t("This settlement does not exist, or you have no access to it."));
  const partners = await client
    .byIds("partners", [settlement.partnerId], signal)
    .catch(() => new Map<string, Partner>());
  const subject = { settlement, partner: partners.get(settlement.partnerId) };
  if (!hasAccounts(settlement)) return subject;
  const { payoutAccounts } = await client.remote.payoutAccounts.read(settlement.partnerId, { signal });
  return { ...subject, accounts: payoutAccounts };
};

interface LineRow {
  readonly formulas: Formulas;
  readonly line: Line;
  readonly commission: Commission | undefined;
  readonly attribution: Attribution | undefined;
}

const readLines = async (
  client: Client,
  lines: ReadonlyArray<Line>,
  signal: AbortSignal,
): Promise<ReadonlyArray<LineRow>> => {
  const commissions = await client.byIds(
    "commissions",
    lines.map(({ commissionId }) => commissionId),
    signal,
  );
  const [attributions, formulas] = await Promise.all([
    client
      .byIds(
        "attributions",
        [...commissions.values()].map(({ attributionId }) => attributionId),
        signal,
      )
      .catch(() => new Map<string, Attribution>()),
    readFormulas(client, commissions.values(), signal),
  ]);
  return lines.map((line) => {
    const commission = commissions.get(line.commissionId);
    return { formulas, line, commission, attribution: attributions.get(commission?.attributionId ?? "") };
  });
};

/** The most lines that a dispute may name. */
const CHOSEN_MAX = 100;

/** The lines that the reader has chosen, by commission. */
type Chosen = ReadonlyMap<string, Line>;

const selectionOf = (chosen: Chosen, choose: (chosen: Chosen) => void): Selection<LineRow> => ({
  isChosen: ({ line }) => chosen.has(line.commissionId),
  label: ({ line, attribution }) =>
    t("Line of {reference}", { reference: attribution?.externalReference ?? line.commissionId }),
  choose: (rows, isChosen) => {
    const next = new Map(chosen);
    for (const { line } of rows) {
      if (!isChosen) next.delete(line.commissionId);
      else if (next.size < CHOSEN_MAX) next.set(line.commissionId, line);
    }
    choose(next);
  },
});

/** What a line is worth, and what its commission is worth now where that has changed. */
const amountColumn = (currency: string) => ({
  name: "Line, net",
  isNumber: true,
  show: ({ line, commission }: LineRow) => (
    <>
      <WhyAmount commissionId={line.commissionId} amount={line.amount} currency={currency} />
      {commission?.computedAmount != null && commission.computedAmount !== line.amount && (
        <span class="under">
          {sentenceOf("its commission is {amount} now", {
            amount: <Amount amount={commission.computedAmount} currency={currency} />,
          })}
        </span>
      )}
    </>
  ),
});

const Lines = ({
  settlement,
  chosen,
  choose,
}: {
  readonly settlement: Record;
  readonly chosen: Chosen;
  /** Null where there is nothing to choose lines for. */
  readonly choose: ((chosen: Chosen) => void) | null;
}) => {
  const words = useWords();
  const { client, principal } = useSession();
  const isOwn = principal.kind === "partner";
  const [page, setPage] = useState(1);
  const { lines } = settlement;
  const disputed = new Set(
    settlement.status.type === "disputed" ? lastDispute(settlement)?.commission_ids : [],
  );
  const loaded = useLoad(
    `${settlement.id}/${page}`,
    (signal) => readLines(client, lines.slice((page - 1) * LINES_PER_PAGE, page * LINES_PER_PAGE), signal),
    true,
  );
  return (
    <section class="panel">
      <h2>{many(lines.length, "{n} line", "{n} lines")}</h2>
      {choose !== null && (
        <p class="note">
          {isOwn ? t("Choose lines to object to these only.") : "Choose lines to dispute these only."}
        </p>
      )}
      <LoadResult loaded={loaded} lines={8} what="Reading the lines">
        {(rows) => (
          <>
            <Table
              caption="Lines of the settlement"
              rows={rows}
              rowKey={({ line }) => line.commissionId}
              isStale={loaded.isLoading}
              selection={choose === null ? undefined : selectionOf(chosen, choose)}
              columns={[
                {
                  name: "Sale",
                  show: ({ attribution }) => (attribution === undefined ? "" : <SoldOn sale={attribution} />),
                },
                {
                  name: "Reference and plan",
                  show: ({ attribution, commission, formulas, line }) => (
                    <>
                      {attribution === undefined ? (
                        <Id id={line.commissionId} />
                      ) : (
                        <a href={linkTo(`sales/${attribution.id}`)}>
                          {attribution.externalReference === undefined ? (
                            <Id id={attribution.id} />
                          ) : (
                            <Clip>{attribution.externalReference}</Clip>
                          )}
                        </a>
                      )}
                      {commission !== undefined && (
                        <PlanName id={commission.commissionFormulaId} formulas={formulas} />
                      )}
                      {disputed.has(line.commissionId) && (
                        <span class="under">{translated(words.disputedLine)}</span>
                      )}
                      {attribution?.credit !== undefined && !isOrdinary(attribution.credit) && (
                        <span class="under">{creditWords(attribution.credit)}</span>
                      )}
                    </>
                  ),
                },
                amountColumn(settlement.currency),
              ]}
              foot={
                <tr>
                  <th scope="row" colSpan={choose === null ? 2 : 3}>
                    {lines.length > LINES_PER_PAGE ? t("Net total of all lines") : t("Net total")}
                  </th>
                  <td class="number">
                    <Amount amount={settlement.total} currency={settlement.currency} strong />
                  </td>
                </tr>
              }
            />
            {lines.length > LINES_PER_PAGE && (
              <Pager
                page={page}
                perPage={LINES_PER_PAGE}
                total={lines.length}
                go={setPage}
                isLoading={loaded.isLoading}
              />
            )}
          </>
        )}
      </LoadResult>
    </section>
  );
};

type LinkType = Extract<EventType, `link_${string}`>;

const LINKED: { readonly [Type in LinkType]: DocumentKind } = {
  link_report: "report",
  link_invoice: "invoice",
  link_credit_note: "credit_note",
};

const isLink = (type: EventType): type is LinkType => type in LINKED;

const hasEnded = ({ type }: Record["status"]): boolean => ["paid", "written_off", "cancelled"].includes(type);

/** The name of what is to be paid: no tax is named where none is stated. */
const payableName = ({ status, payableAmount, taxAmount }: Record, open: string): string => {
  const name = hasEnded(status) ? "With tax" : open;
  return name === "With tax" && payableAmount !== null && taxAmount === null ? "Total" : name;
};

const Facts = ({ subject }: { readonly subject: Subject }) => {
  const { principal } = useSession();
  const words = useWords();
  const { settlement, partner } = subject;
  const { currency } = settlement;
  const billing = settlement.billingMode ?? partner?.billingMode ?? "partner_billing";
  const isAwaited = settlement.payableAmount === null && !hasEnded(settlement.status);
  const unknown = t(isAwaited ? "not known yet" : "not stated");
  return (
    <dl class="facts">
      <Fact name={t("Net")}>
        <Amount amount={settlement.total} currency={currency} strong />
      </Fact>
      <Fact name={t("Tax")}>
        {settlement.taxAmount === null ? (
          unknown
        ) : (
          <Amount amount={settlement.taxAmount} currency={currency} />
        )}
      </Fact>
      <Fact name={translated(payableName(settlement, words.payable))}>
        {settlement.payableAmount === null ? (
          unknown
        ) : (
          <Amount amount={settlement.payableAmount} currency={currency} strong />
        )}
      </Fact>
      <Fact name={t("Billing")}>
        {translated((settlement.total < 0 ? words.claimBilling : words.billing)[billing])}
      </Fact>
      {settlement.dueDate !== null && <Fact name={t("Due on")}>{calendarDay(settlement.dueDate)}</Fact>}
      {settlement.payoutAccount != null && (
        <Fact name={t("Account")}>
          {accountWords(settlement.payoutAccount.details)}
          <span class="under">{t(ACCOUNT_TYPES[settlement.payoutAccount.type])}</span>
        </Fact>
      )}
      {settlement.paidAt !== null && (
        <Fact name={t("Paid on")}>
          <When at={settlement.paidAt} />
        </Fact>
      )}
      {settlement.bankReference !== null && (
        <Fact name={t("Bank reference")}>{settlement.bankReference}</Fact>
      )}
      {settlement.received !== null && (
        <Fact name={t("Received")}>
          <Amount amount={settlement.received.amount} currency={settlement.received.currency} />
        </Fact>
      )}
      {settlement.fee !== null && (
        <Fact name={t("Fee")}>
          <Amount amount={settlement.fee.amount} currency={settlement.fee.currency} />
        </Fact>
      )}
      {settlement.status.type === "paid" && principal.kind !== "partner" && (
        <Fact name="Reconciliation">
          {settlement.reconciliationStatus === "reconciled" ? "Reconciled" : "Not reconciled"}
        </Fact>
      )}
      <Fact name={t("Settlement")}>
        <Id id={settlement.id} />
      </Fact>
    </dl>
  );
};

/** That there is no account, with a link to where one is proposed. A partner sees it where its approval states that there was none. */
const NoAccount = ({ subject }: { readonly subject: Subject }) => {
  const { settlement, accounts = [] } = subject;
  const words = useWords();
  const isOwn = useSession().principal.kind === "partner";
  const isMissing = isOwn ? settlement.payoutAccount === null : lacksAccount(subject);
  if (settlement.total <= 0 || !isMissing) return null;
  const isOneConfirmed = accountsFor(accounts, settlement.currency).length > 0;
  const message = words.noAccount(settlement, isOneConfirmed);
  return message === null ? null : (
    <div class="notice wait">
      <strong>{message.title}</strong>
      <p>{message.text}</p>
      {!isOneConfirmed && (
        <a href={linkTo(isOwn ? "account" : `partners/${settlement.partnerId}`)}>{t("Propose an account")}</a>
      )}
    </div>
  );
};

const Problems = ({ subject }: { readonly subject: Subject }) => {
  const { settlement, partner } = subject;
  return (
    <>
      {useWords()
        .problemsOf(settlement, partner?.payoutProblem ?? null)
        .map(({ title, text }) => (
          <div key={title} class="notice wait">
            <strong>{title}</strong>
            <p>{text}</p>
          </div>
        ))}
      <NoAccount subject={subject} />
    </>
  );
};

/** The interval in milliseconds at which a settlement is read again while the service works on it. */
const WATCH_MILLISECONDS = 1_500;

export const Settlement = ({
  id,
  actionsOf,
}: {
  readonly id: string;
  /** The actions of the reader. */
  readonly actionsOf: ActionsOf;
}) => {
  const { client, principal, signOut } = useSession();
  const words = useWords();
  const isOwn = principal.kind === "partner";
  // A partner chooses no account, and does not need to know the others that it has.
  const hasAccounts = (settlement: Record): boolean =>
    !isOwn && principal.scopes.includes("partners:read") && words.noAccount(settlement) !== null;
  const names = useNames();
  const loaded = useLoad(`settlement/${id}`, (signal) => readSubject(client, id, hasAccounts, signal));
  const { value, reload } = loaded;
  const [chosen, setChosen] = useState<Chosen>(new Map());
  const done = () => {
    setChosen(new Map());
    reload();
  };
  const mayDispute = principal.scopes.includes("settlements:write") && principal.kind !== "platform";
  const isMoving =
    value?.settlement.documentProblem === null && words.stateOf(value.settlement).family === "moving";
  useWatch(isMoving, reload, WATCH_MILLISECONDS);
  const documentOf = (entry: LogEntry) => {
    const { type } = entry.event;
    return !isLink(type) ? (
      "attachments" in entry.event && (
        <Later what="Reading the documents" load={() => import("../parts/Files.tsx")}>
          {({ Attachments }) => <Attachments id={id} event={entry.event} />}
        </Later>
      )
    ) : (
      <DownloadButton load={downloadOf(id, LINKED[type])}>{t("Download")}</DownloadButton>
    );
  };
  const list = <a href="#/settlements">{t(isOwn ? "My settlements" : "Settlements")}</a>;
  return (
    <LoadResult loaded={loaded} lines={10} what="Reading the settlement" signOut={signOut} above={list}>
      {(subject) => (
        <>
          <Heading
            above={
              <>
                {list}
                {isOwn && subject.partner !== undefined && <Clip>{subject.partner.name}</Clip>}
              </>
            }
            title={
              <>
                <Clip>
                  {isOwn
                    ? t("Settlement of {day}", { day: day(subject.settlement.createdAt) })
                    : (subject.partner?.name ?? t("Settlement"))}
                </Clip>{" "}
                <StateBadge settlement={subject.settlement} />
              </>
            }
          >
            <ReadAt loaded={loaded} />
          </Heading>
          <section class="panel lead">
            <p class="next">{words.nextStep(subject.settlement)}</p>
            {!isOwn && isBeforeHandOver(subject.settlement) && (
              <a class="button" href={linkTo("payments")}>
                Open the page Payments
              </a>
            )}
            <Problems subject={subject} />
            <Facts subject={subject} />
            <SettlementActions
              possible={actionsOf(subject)}
              subject={{ ...subject, chosen: [...chosen.values()] }}
              done={done}
            />
          </section>
          <div class="columns">
            <Lines
              key={subject.settlement.id}
              settlement={subject.settlement}
              chosen={chosen}
              choose={
                mayDispute && actionsOf(subject).some((action) => action.id === "dispute") ? setChosen : null
              }
            />
            <section class="panel">
              <h2>{t("What happened")}</h2>
              <Timeline
                events={subject.settlement.events.filter(({ event }) => event.type !== "comment_settlement")}
                currency={subject.settlement.currency}
                documentOf={documentOf}
                names={names}
              />
              <Later what="Reading the documents" load={() => import("../parts/Documents.tsx")}>
                {({ Comments, Documents }) => (
                  <>
                    <Comments settlement={subject.settlement} done={reload} />
                    <Documents settlement={subject.settlement} />
                  </>
                )}
              </Later>
              {principal.kind !== "partner" && (
                <p class="after">
                  <a href={linkTo(`partners/${subject.settlement.partnerId}`)}>
                    <Clip>{`Everything about ${subject.partner?.name ?? "this partner"}`}</Clip>
                  </a>
                </p>
              )}
            </section>
          </div>
        </>
      )}
    </LoadResult>
  );
};

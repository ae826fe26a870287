/** Payments that have failed or come back, and those that a payment provider has: each with its attempts, reasons and what to do. */
import { ConflictError, ForbiddenError } from "quittance/client";
import type { Client, Query } from "../api/Client.ts";
import type { Settlement } from "../api/Records.ts";
import { useMay, useSession } from "../api/Session.ts";
import { type Loaded, readAgain, useLoad } from "../data/Load.ts";
import { linkTo } from "../data/Route.ts";
import { countWords, money } from "../format/Money.ts";
import { Badge, Clip, LoadResult, When } from "../parts/Basics.tsx";
import { ActionButton } from "../parts/Forms.tsx";
import { type Column, Table } from "../parts/Table.tsx";
import {
  type Attempt,
  attemptsOf,
  daysSince,
  failedAttempt,
  STRAY_DAYS,
  type Stray,
  strayReport,
} from "./Attempts.ts";
import { type Reports, readReports } from "./Reports.ts";
import { partnerColumn, payableColumn } from "./SettlementColumns.tsx";
import { accountOf, everySettlement, type SettlementRow, withPartners } from "./SettlementRows.ts";

/** The most settlements to pay again that are read. */
const FAILED_MAX = 2_000;

/** A provider that has not reported for so many days is worth a question. */
const LONG_DAYS = 3;

/** What is wrong with payments, and from when on the feed was searched for reports; null if its whole time was. */
interface Wrong {
  readonly rows: ReadonlyArray<SettlementRow>;
  readonly searchedFrom: string | null;
}

/** Those to pay again, and those with a report that does not fit; of the reports none where events may not be read. */
const readWrong = async (client: Client, signal: AbortSignal): Promise<Wrong> => {
  const failed: Query = { paymentFailed: true, order: "desc" };
  const [toPay, reports] = await Promise.all([
    everySettlement(client, failed, signal, FAILED_MAX),
    readReports(client, Date.now(), signal).catch((failure: unknown): Reports => {
      const isNotTold =
        failure instanceof ForbiddenError ||
        (failure instanceof ConflictError && failure.token === "feed_off");
      if (isNotTold) return { ids: [], searchedFrom: null };
      throw failure;
    }),
  ]);
  const found = await client.byIds("settlements", reports.ids, signal);
  const stray = reports.ids.flatMap((id) => found.get(id) ?? []);
  return {
    rows: joined(toPay, await withPartners(client, stray, signal)),
    searchedFrom: reports.searchedFrom,
  };
};

const ENDED = { failed: "Failed", returned: "Returned", paid: "Paid" } as const;

/** An attempt that has ended, in one line. */
const Ended = ({ attempt: { number, end } }: { readonly attempt: Attempt }) =>
  end === null ? null : (
    <span class="under">
      Attempt {number}, {ENDED[end.type].toLowerCase()} on <When at={end.at} />
      {end.reason === null ? "" : `: ${end.reason}`}
    </span>
  );

const STRAYS: Readonly<Record<Stray["kind"], string>> = {
  confirmed: "reported as paid while no payment was awaited. It may have been paid twice.",
  failed: "reported as failed while no payment was awaited.",
  returned: "reported as returned while nothing counted as paid. The money may have come back.",
};

const StrayReport = ({ stray: { kind, reference, at } }: { readonly stray: Stray }) => (
  <>
    <Badge family="waiting">Report does not fit</Badge>
    <span class="under">
      On <When at={at} /> {STRAYS[kind]} Look for it in the bank account or at the provider, under the
      reference <code class="reference">{reference}</code>.
    </span>
  </>
);

const happenedColumn: Column<SettlementRow> = {
  name: "What happened",
  show: ({ settlement }) => {
    const failed = failedAttempt(settlement);
    const stray = strayReport(settlement, Date.now());
    return (
      <>
        {failed !== null && (
          <>
            <Badge family="stopped">{ENDED[failed.end.type]}</Badge>
            {attemptsOf(settlement)
              .toReversed()
              .map((attempt) => (
                <Ended key={attempt.reference} attempt={attempt} />
              ))}
          </>
        )}
        {stray !== null && <StrayReport stray={stray} />}
      </>
    );
  },
};

/** The mark of a settlement that is to be paid after an attempt that has failed or come back. */
export const LastAttempt = ({ settlement }: { readonly settlement: Settlement }) => {
  const failed = failedAttempt(settlement);
  return failed === null ? null : <Badge family="stopped">{ENDED[failed.end.type]}</Badge>;
};

const againWords = (row: SettlementRow): ReadonlyArray<string> => {
  const { settlement, partner } = row;
  const { payableAmount, total, currency } = settlement;
  const account = accountOf(row);
  return [
    `${money(payableAmount ?? total, currency)} is paid to ${partner?.name ?? "the partner"}${account === "" ? "" : `, account ${account}`}, under a new reference.`,
    `The last attempt: ${failedAttempt(settlement)?.end.reason ?? ""}. If that still holds, this one fails too: choose another account on the page of the settlement first.`,
    "The settlement can no longer be disputed until the payment has ended.",
  ];
};

const againColumn: Column<SettlementRow> = {
  name: "Next",
  show: (row) =>
    failedAttempt(row.settlement) === null ? (
      <a href={linkTo(`settlements/${row.settlement.id}`)}>Look at its log</a>
    ) : (
      <ActionButton
        words="Initiate again"
        title="Initiate the payment again"
        consequence={againWords(row)}
        run={(commands) => commands.settlements.initiatePayment(row.settlement.id)}
        done={readAgain}
      />
    ),
};

/** When something has gone wrong for the last time; empty where nothing needs somebody. */
const wrongAt = ({ settlement }: SettlementRow): string =>
  [failedAttempt(settlement)?.end.at ?? "", strayReport(settlement, Date.now())?.at ?? ""].toSorted()[1] ??
  "";

/** The rows of both lists in which something has gone wrong, the latest first. */
const joined = (
  toPay: ReadonlyArray<SettlementRow>,
  reported: ReadonlyArray<SettlementRow>,
): ReadonlyArray<SettlementRow> =>
  [...new Map([...toPay, ...reported].map((row) => [row.settlement.id, row] as const)).values()]
    .filter((row) => wrongAt(row) !== "")
    .toSorted((a, b) => wrongAt(b).localeCompare(wrongAt(a)));

/** Payments that have failed, come back, or of which a report does not fit; nothing where there are none. */
export const WrongPayments = () => {
  const { client } = useSession();
  const mayPay = useMay()("settlements:pay");
  const loaded = useLoad("wrong-payments", (signal) => readWrong(client, signal), true);
  const { value, failure } = loaded;
  if (failure === null && (value === null || (value.rows.length === 0 && value.searchedFrom === null)))
    return null;
  return (
    <section class="panel" aria-label="Failed and returned payments">
      <h2>Failed and returned</h2>
      <LoadResult loaded={loaded} lines={2} what="Reading payments that went wrong">
        {({ rows, searchedFrom }) => (
          <>
            {rows.length > 0 && (
              <Table
                caption="Payments that went wrong, the latest first"
                columns={[partnerColumn, happenedColumn, payableColumn, ...(mayPay ? [againColumn] : [])]}
                rows={rows}
                rowKey={({ settlement }) => settlement.id}
                isStale={loaded.isLoading}
              />
            )}
            {searchedFrom !== null && (
              <p class="note">
                There are too many events to search all of the last {STRAY_DAYS} days for reports that do not
                fit: those before <When at={searchedFrom} exact /> are on the page{" "}
                <a href={linkTo("events", { type: "payment_anomaly" })}>Events</a>.
              </p>
            )}
          </>
        )}
      </LoadResult>
    </section>
  );
};

const accountColumn: Column<SettlementRow> = {
  name: "Account",
  isMinor: true,
  show: (row) => <Clip>{accountOf(row)}</Clip>,
};

const attemptColumn: Column<SettlementRow> = {
  name: "Attempt",
  show: ({ settlement }) => {
    const attempts = attemptsOf(settlement);
    const last = attempts.at(-1);
    if (last === undefined) return "";
    const days = daysSince(last.at, Date.now());
    return (
      <>
        {days >= LONG_DAYS && <Badge family="waiting">{`No report for ${days} days`}</Badge>}
        <span class="under">
          Attempt {last.number}, since <When at={last.at} exact />
        </span>
        <span class="under">
          Reference <code class="reference">{last.reference}</code>
        </span>
        {attempts
          .slice(0, -1)
          .toReversed()
          .map((attempt) => (
            <Ended key={attempt.reference} attempt={attempt} />
          ))}
      </>
    );
  },
};

/** The payments under way that no file makes; nothing where there are none. */
export const ProviderPayments = ({
  underWay,
}: {
  readonly underWay: Loaded<ReadonlyArray<SettlementRow>>;
}) => {
  const rows = (underWay.value ?? []).filter(({ settlement }) => settlement.paymentFileStatus === null);
  return rows.length === 0 ? null : (
    <section class="panel" aria-label="With the payment provider">
      <h2>With the payment provider</h2>
      <p class="note">
        {countWords(rows.length, "payment waits", "payments wait")} for the report of the provider. Where none
        comes, look for the reference there; if it was paid, open the settlement and confirm the payment.
        Under one reference a payment is made at most once.
      </p>
      <Table
        caption="Payments that a provider has, the oldest first"
        columns={[partnerColumn, accountColumn, attemptColumn, payableColumn]}
        rows={rows}
        rowKey={({ settlement }) => settlement.id}
        isStale={underWay.isLoading}
      />
    </section>
  );
};

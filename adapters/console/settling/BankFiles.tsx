/** Files for the bank: creating one, handing it over, discarding it. */
import { type ComponentChildren, Fragment } from "preact";
import { useState } from "preact/hooks";
import type { Client, Commands } from "../api/Client.ts";
import type { PaymentFile, Settlement } from "../api/Records.ts";
import { sentence } from "../api/Refusal.ts";
import { useMay, useSession } from "../api/Session.ts";
import { type Loaded, readAgain, useLoad } from "../data/Load.ts";
import { linkTo } from "../data/Route.ts";
import { saveDownload } from "../data/Save.ts";
import { calendarDay } from "../format/Dates.ts";
import { spacedIban } from "../format/Iban.ts";
import { countWords, money } from "../format/Money.ts";
import { Badge, Empty, Failure, Field, LoadResult, When } from "../parts/Basics.tsx";
import { Confirm } from "../parts/Dialog.tsx";
import { DownloadButton } from "../parts/Download.tsx";
import { optional, Reason, text } from "../parts/Forms.tsx";
import { useNames } from "../parts/Names.ts";
import { type Column, Pager, Table } from "../parts/Table.tsx";
import { type Names, whoWords } from "../words/People.ts";
import { type SettlementRow, totalWords } from "./SettlementRows.ts";

const PER_PAGE = 10;

const payable = { amount: ({ payableAmount, total }: Settlement): number => payableAmount ?? total };

/** What has become of a file, when, and by whom. */
const FileState = ({ file, names }: { readonly file: PaymentFile; readonly names: Names }) => {
  const { handedOverAt, handedOverBy, discardedAt, discardedBy } = file;
  const at = discardedAt ?? handedOverAt;
  if (at === null) return <Badge family="waiting">To hand over</Badge>;
  return (
    <>
      {discardedAt === null ? (
        <Badge family="done">Handed over</Badge>
      ) : (
        <Badge family="stopped">Discarded</Badge>
      )}
      <span class="under">
        <When at={at} />
        <By person={discardedAt === null ? handedOverBy : discardedBy} names={names} />
      </span>
    </>
  );
};

const By = ({ person, names }: { readonly person: string | undefined; readonly names: Names }) =>
  person === undefined ? null : `, ${whoWords(person, names)}`;

const contentWords = ({ count, sum, currency }: PaymentFile): string =>
  `${countWords(count, "payment")} of ${money(sum, currency)} in all`;

type Created = Awaited<ReturnType<Commands["paymentFiles"]["create"]>>;

/** A command on a file, asked for in a dialog. */
interface Asked {
  readonly title: string;
  /** The words of its button, where they are not the title. */
  readonly action?: string;
  readonly consequence: ReadonlyArray<string>;
  readonly danger?: boolean;
  readonly fields?: ComponentChildren;
  readonly run: (commands: Commands, fields: FormData) => Promise<unknown>;
  /** What follows when it is done, as the server has answered: the next dialog, or none. */
  readonly next?: (client: Client, answer: unknown) => Promise<Asked | null>;
}

const handOver = (file: PaymentFile, leftOut: ReadonlyArray<string> = []): Asked => ({
  title: "Hand over the file",
  action: "Hand over and download",
  consequence: [
    ...leftOut,
    `It has ${contentWords(file)}${file.debtor === null ? "" : `, from ${spacedIban(file.debtor.iban)}`}. The bank carries it out on ${calendarDay(file.executionDate)}.`,
    "Then it is downloaded: give it to your bank, and compare number and sum there before you release it.",
    "From then on the payments are on their way. The bank's statement confirms them.",
  ],
  run: (commands) => commands.paymentFiles.handOver(file.id),
  next: async ({ remote }) => {
    saveDownload(await remote.paymentFiles.read(file.id));
    return null;
  },
});

const discard = (file: PaymentFile): Asked => ({
  title: file.handedOverAt === null ? "Discard the file" : "The bank refused the file",
  action: "Discard the file",
  consequence: [
    `Its ${contentWords(file)} ${file.count === 1 ? "fails and can" : "fail. Each can"} then be initiated again, under a new reference.`,
    file.handedOverAt === null
      ? "Nothing has left the account."
      : "Only for a file that the bank has refused as a whole. Never discard one that the bank carries out: it would be paid twice.",
  ],
  danger: true,
  fields: <Reason hint="The log of each settlement shows it." />,
  run: (commands, fields) => commands.paymentFiles.discard(file.id, { reason: text(fields, "reason") }),
});

const create = (waiting: ReadonlyArray<SettlementRow>): Asked => ({
  title: "Create a bank file",
  consequence: [
    `${countWords(waiting.length, "payment waits", "payments wait")} for a file, ${totalWords(waiting, payable)} with tax; at most 1,000 go into it, the oldest first. Those of another format or currency wait for another file.`,
    "Nothing leaves before you hand the file over and give it to your bank.",
  ],
  fields: (
    <Field label="Execution day (optional)" hint="A business day; the next one, unless stated.">
      <input name="executionDate" type="date" />
    </Field>
  ),
  run: (commands, fields) => commands.paymentFiles.create(optional(fields, "executionDate")),
  next: async ({ remote }, answer) => {
    const { id, leftOut } = answer as Created;
    const nameOf = (settlementId: string): string =>
      waiting.find(({ settlement }) => settlement.id === settlementId)?.partner?.name ?? settlementId;
    return handOver(
      await remote.paymentFiles.get(id),
      leftOut.map(({ settlementId, reason }) => `${nameOf(settlementId)} is left out: ${sentence(reason)}`),
    );
  },
});

const FileActions = ({ file, ask }: { readonly file: PaymentFile; readonly ask: (asked: Asked) => void }) => {
  if (file.discardedAt !== null) return null;
  return (
    <div class="row">
      {file.handedOverAt === null && (
        <button type="button" class="primary" onClick={() => ask(handOver(file))}>
          Hand over
        </button>
      )}
      <DownloadButton load={({ paymentFiles }) => paymentFiles.read(file.id)}>Download</DownloadButton>
      <button type="button" class="danger-quiet" onClick={() => ask(discard(file))}>
        {file.handedOverAt === null ? "Discard" : "Bank refused the file"}
      </button>
    </div>
  );
};

const columnsOf = (
  ask: ((asked: Asked) => void) | null,
  names: Names,
): ReadonlyArray<Column<PaymentFile>> => [
  {
    name: "Created",
    isDate: true,
    show: ({ createdAt, createdBy }) => (
      <>
        <When at={createdAt} exact />
        <By person={createdBy} names={names} />
      </>
    ),
  },
  { name: "Execution day", isDate: true, show: ({ executionDate }) => calendarDay(executionDate) },
  { name: "State", show: (file) => <FileState file={file} names={names} /> },
  { name: "Format", isMinor: true, show: ({ format = "" }) => format },
  { name: "Payments", isNumber: true, show: ({ count }) => String(count) },
  {
    name: "Sum",
    isNumber: true,
    show: ({ sum, currency }) => <span class="amount">{money(sum, currency)}</span>,
  },
  ...(ask === null
    ? []
    : [{ name: "Next", show: (file: PaymentFile) => <FileActions file={file} ask={ask} /> }]),
];

/** The payments that wait for a file: a single one by its partner. */
const Awaiting = ({
  rows,
  ask,
}: {
  readonly rows: ReadonlyArray<SettlementRow>;
  readonly ask: ((asked: Asked) => void) | null;
}) => {
  const [first, ...others] = rows;
  if (first === undefined) return null;
  const only = others.length === 0 ? first : null;
  return (
    <div class="notice">
      <strong>{countWords(rows.length, "payment waits", "payments wait")} for a bank file</strong>
      <p>
        <a
          href={
            only === null
              ? linkTo("settlements", { statuses: "payment_initiated" })
              : linkTo(`settlements/${only.settlement.id}`)
          }
        >
          {only?.partner?.name ?? "Look at them"}
        </a>
        : {totalWords(rows, payable)} with tax. Nothing has left the account.
      </p>
      {ask !== null && (
        <button type="button" class="primary" onClick={() => ask(create(rows))}>
          Create a bank file
        </button>
      )}
    </div>
  );
};

export const BankFiles = ({ underWay }: { readonly underWay: Loaded<ReadonlyArray<SettlementRow>> }) => {
  const { client } = useSession();
  const may = useMay()("settlements:pay");
  const names = useNames();
  const [page, setPage] = useState(1);
  const [asked, setAsked] = useState<Asked | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const loaded = useLoad(
    `payment-files/${page}`,
    (signal) => client.list("paymentFiles", { order: "desc", page, perPage: PER_PAGE }, signal),
    true,
  );
  return (
    <section class="panel" aria-label="Bank files">
      <h2>Bank files</h2>
      <LoadResult loaded={underWay} lines={1} what="Reading payments that wait for a file">
        {(found) => (
          <Awaiting
            rows={found.filter(({ settlement }) => settlement.paymentFileStatus === "awaited")}
            ask={may ? setAsked : null}
          />
        )}
      </LoadResult>
      <LoadResult loaded={loaded} lines={3} what="Reading bank files">
        {({ items, total }) =>
          total === 0 ? (
            <Empty title="No bank files yet">
              If your server pays by bank files, payments that you initiate wait here for a file. If it pays
              through a payment provider, this list stays empty.
            </Empty>
          ) : (
            <Fragment>
              <Table
                caption="Bank files, newest first"
                columns={columnsOf(may ? setAsked : null, names)}
                rows={items}
                rowKey={({ id }) => id}
                isStale={loaded.isLoading}
              />
              {total > PER_PAGE && (
                <Pager {...{ page, total }} perPage={PER_PAGE} go={setPage} isLoading={loaded.isLoading} />
              )}
            </Fragment>
          )
        }
      </LoadResult>
      {failure !== null && <Failure failure={failure} />}
      {asked !== null && (
        <Confirm
          key={asked.title}
          title={asked.title}
          consequence={asked.consequence}
          action={asked.action ?? asked.title}
          danger={asked.danger ?? false}
          run={asked.run}
          done={(answer) => {
            readAgain();
            asked.next?.(client, answer).then(setAsked, setFailure);
          }}
          close={() => setAsked(null)}
        >
          {asked.fields}
        </Confirm>
      )}
    </section>
  );
};

/** Does one thing to many settlements from one dialog, with a result for each. */
import { useRef, useState } from "preact/hooks";
import type { Progress } from "../api/Command.ts";
import { failureWords } from "../api/Refusal.ts";
import { useSession } from "../api/Session.ts";
import { readAgain } from "../data/Load.ts";
import { count, countWords } from "../format/Money.ts";
import { Amount, Badge, Clip } from "../parts/Basics.tsx";
import { Consequences, Dialog } from "../parts/Dialog.tsx";
import { announce } from "../parts/Focus.ts";
import { type Column, Table } from "../parts/Table.tsx";
import { TEAM } from "../words/TeamWords.ts";
import { Comparison } from "./Comparison.tsx";
import { type Results, sendInTurn } from "./InTurn.ts";
import type { ManyAction } from "./ManyActions.ts";
import { type SettlementRow, totalWords } from "./SettlementRows.ts";

const rowKey = ({ settlement }: SettlementRow): string => settlement.id;

const Result = ({
  action,
  result,
}: {
  readonly action: ManyAction;
  readonly result: Progress<unknown> | undefined;
}) => {
  if (result?.type === "done") return <Badge family="done">{action.done}</Badge>;
  const isRefused = result?.type === "refused";
  return (
    <>
      <Badge family="waiting">{isRefused ? "Not done" : "Not known"}</Badge>
      <span class="under">
        {isRefused
          ? failureWords(TEAM.failures, result.failure).text
          : "The server did not answer. Look at the settlement before you do this again."}
      </span>
    </>
  );
};

const PARTNER: Column<SettlementRow> = {
  name: "Partner",
  show: ({ settlement, partner }) => <Clip>{partner?.name ?? settlement.partnerId}</Clip>,
};

const amountColumn = ({ amount, kind }: ManyAction): Column<SettlementRow> => ({
  name: kind === "net" ? "Net" : "To pay",
  isNumber: true,
  show: ({ settlement }) => <Amount amount={amount(settlement)} currency={settlement.currency} />,
});

const isDone = (results: Results, row: SettlementRow): boolean => results.get(rowKey(row))?.type === "done";

/** The settlements that have a result, those that need attention first. */
const resultsFirst = (rows: ReadonlyArray<SettlementRow>, results: Results): ReadonlyArray<SettlementRow> =>
  rows
    .filter((row) => results.has(rowKey(row)))
    .toSorted((a, b) => Number(isDone(results, a)) - Number(isDone(results, b)));

/** What became of the settlements, in one sentence. */
const outcomeWords = (action: ManyAction, rows: ReadonlyArray<SettlementRow>, results: Results): string => {
  const done = rows.filter((row) => isDone(results, row));
  const left = rows.length - done.length;
  return [
    done.length > 0 &&
      `${action.done}: ${countWords(done.length, action.noun)}, ${totalWords(done, action)} ${action.kind}.`,
    left > 0 && `${countWords(left, `${action.noun} stays`, `${action.noun}s stay`)} as before and chosen.`,
  ]
    .filter((sentence) => sentence !== false)
    .join(" ");
};

/** Asks before anything is sent: the sums, what will happen, and what to look at twice. */
const Ask = ({
  title,
  action,
  rows,
  start,
  back,
}: {
  readonly title: string;
  readonly action: ManyAction;
  readonly rows: ReadonlyArray<SettlementRow>;
  readonly start: () => void;
  readonly back: () => void;
}) => (
  <form
    onSubmit={(event) => {
      event.preventDefault();
      start();
    }}
  >
    <p class="sentence">
      {totalWords(rows, action)} {action.kind}.
    </p>
    <Consequences sentences={action.consequence} />
    {action.isCompared && <Comparison rows={rows} title="h3" />}
    <div class="row end">
      <button type="button" class="back" onClick={back}>
        Go back
      </button>
      <button type="submit" class={action.danger ? "danger" : "primary"}>
        {title}
      </button>
    </div>
  </form>
);

/** The dialog. It closes with the ids of the settlements for which the action was done. */
export const Many = ({
  action,
  rows: given,
  close,
}: {
  readonly action: ManyAction;
  readonly rows: ReadonlyArray<SettlementRow>;
  readonly close: (done: ReadonlyArray<string>) => void;
}) => {
  const { client } = useSession();
  // The list behind the dialog is read again while the dialog is open.
  const [rows] = useState(given);
  const [results, setResults] = useState<Results>(new Map());
  const [step, setStep] = useState<"asking" | "working" | "done">("asking");
  const stop = useRef(new AbortController());
  const title = `${action.words} ${countWords(rows.length, action.noun)}`;
  const leave = (): void => {
    stop.current.abort();
    if (step !== "asking") readAgain();
    close(rows.filter((row) => isDone(results, row)).map(rowKey));
  };
  const start = async (): Promise<void> => {
    setStep("working");
    await sendInTurn(rows.map(rowKey), action.run, {
      ...{ client, show: (found) => setResults(new Map(found)), signal: stop.current.signal },
    });
    setStep("done");
    announce(`${title}: finished.`);
  };
  if (step === "asking")
    return (
      <Dialog title={title} close={leave}>
        <Ask {...{ title, action, rows, start }} back={leave} />
      </Dialog>
    );
  return (
    <Dialog title={title} close={leave}>
      <p class="sentence" role="status">
        {step === "done" ? (
          outcomeWords(action, rows, results)
        ) : (
          <>
            <progress max={rows.length} value={results.size} aria-label="Done" /> {count(results.size)} of{" "}
            {countWords(rows.length, action.noun)}
          </>
        )}
      </p>
      <Table
        caption="The result for each"
        rows={resultsFirst(rows, results)}
        rowKey={rowKey}
        columns={[
          PARTNER,
          amountColumn(action),
          { name: "Result", show: (row) => <Result action={action} result={results.get(rowKey(row))} /> },
        ]}
      />
      <div class="row end">
        {step === "working" ? (
          <button type="button" onClick={() => stop.current.abort()}>
            Stop
          </button>
        ) : (
          <button type="button" class="primary" onClick={leave}>
            Back to the list
          </button>
        )}
      </div>
    </Dialog>
  );
};

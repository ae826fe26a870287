/** Imports partners from a CSV file: every row is checked by the server before anything is stored, and has a result. */
import { useRef, useState } from "preact/hooks";
import type { CreatePartner, PartnerDryRun } from "quittance/client";
import { CsvProblem, csvRows } from "../../importing/Csv.ts";
import { checkColumns, inColumns, PARTNER_COLUMNS, partnerReader } from "../../importing/PartnerRow.ts";
import { failureWords, sentence } from "../api/Refusal.ts";
import { useSession } from "../api/Session.ts";
import { useLoad } from "../data/Load.ts";
import { count, countWords } from "../format/Money.ts";
import { newId, WorkspaceChoice } from "../partners/PartnerForm.tsx";
import { Badge, Clip, Field, Heading } from "../parts/Basics.tsx";
import { announce } from "../parts/Focus.ts";
import { Table } from "../parts/Table.tsx";
import { type Results, sendInTurn } from "../settling/InTurn.ts";
import { readWorkspaces } from "../settling/Workspaces.ts";
import { TEAM } from "../words/TeamWords.ts";

/** Requests that are under way at once. */
const LANES = 6;

/** Rows that are shown; those that need attention come first. */
const SHOWN = 200;

/** A row of the file, by its line. */
interface FileRow {
  readonly line: string;
  readonly name: string;
  readonly reference: string;
  /** The partner of the row; null where the row is wrong. */
  readonly partner: CreatePartner | null;
  readonly problem: string;
}

/** A request with the names of fields that the client takes. */
const camel = (value: unknown): unknown =>
  Array.isArray(value) || typeof value !== "object" || value === null
    ? value
    : Object.fromEntries(
        Object.entries(value).map(([name, inner]) => [
          name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
          camel(inner),
        ]),
      );

const readFile = async (file: File, workspaceId: string) => {
  const text = new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
  let titles: ReadonlyArray<string> = [];
  const chunks = (async function* () {
    yield text;
  })();
  const rows: Array<FileRow> = [];
  let read: ReturnType<typeof partnerReader> | null = null;
  for await (const some of csvRows(chunks, (found) => {
    titles = found;
  }))
    for (const row of some) {
      read ??= partnerReader(titles, workspaceId);
      const found = read(row);
      const body: Readonly<Record<string, unknown>> = "body" in found ? found.body : {};
      rows.push({
        line: String(row.line),
        ...{ name: String(body.name ?? ""), reference: String(body.external_reference ?? "") },
        partner: "body" in found ? (camel(body) as CreatePartner) : null,
        problem: "problem" in found ? found.problem : "",
      });
    }
  return { rows, ...checkColumns(titles) };
};

type Kind = "problem" | "doubt" | "new" | "existing" | "unknown" | "left";

interface RowResult {
  readonly kind: Kind;
  readonly words: string;
}

const problemOf = (failure: unknown): string => {
  const { text } = failureWords(TEAM.failures, failure);
  return inColumns(text.charAt(0).toLowerCase() + text.slice(1));
};

/** What a row would do, or has done. */
const resultOf = (row: FileRow, checks: Results, stored: Results | null): RowResult => {
  if (row.partner === null) return { kind: "problem", words: row.problem };
  const progress = stored?.get(row.line) ?? checks.get(row.line);
  if (progress?.type === "refused") return { kind: "problem", words: problemOf(progress.failure) };
  if (progress?.type === "unknown") return { kind: "unknown", words: "The server did not answer." };
  if (progress?.type !== "done") return { kind: "left", words: "" };
  if (stored?.has(row.line)) return { kind: "new", words: "" };
  const { existingId, doubts } = progress.result as PartnerDryRun;
  if (existingId !== null) return { kind: "existing", words: "" };
  return doubts.length === 0
    ? { kind: "new", words: "" }
    : { kind: "doubt", words: doubts.map(({ message }) => sentence(message)).join(" ") };
};

const ORDER: ReadonlyArray<Kind> = ["problem", "unknown", "doubt", "left", "new", "existing"];

const BADGES = {
  problem: ["stopped", "Not possible"],
  unknown: ["waiting", "Not known"],
  doubt: ["waiting", "Can be stored"],
  left: ["open", "Not checked"],
  new: ["done", "New"],
  existing: ["open", "There already"],
} as const;

interface Shown extends RowResult {
  readonly row: FileRow;
}

const isGood = ({ kind }: RowResult): boolean => kind === "new" || kind === "doubt";

const Rows = ({ shown, isStored }: { readonly shown: ReadonlyArray<Shown>; readonly isStored: boolean }) => (
  <>
    <Table
      caption="The rows of the file, those that need attention first"
      rows={shown.slice(0, SHOWN)}
      rowKey={({ row }) => row.line}
      columns={[
        { name: "Line", isNumber: true, isMinor: true, show: ({ row }) => row.line },
        {
          name: "Name",
          show: ({ row, words }) => (
            <>
              <Clip>{row.name || `Line ${row.line}`}</Clip>
              {words !== "" && <span class="under">{words}</span>}
            </>
          ),
        },
        { name: "Reference", isMinor: true, show: ({ row }) => <Clip>{row.reference}</Clip> },
        {
          name: "Result",
          show: ({ kind }) => {
            const [family, label] = BADGES[kind];
            return <Badge family={family}>{isStored && kind === "new" ? "Imported" : label}</Badge>;
          },
        },
      ]}
    />
    {shown.length > SHOWN && (
      <p class="note">
        The first {SHOWN} of {count(shown.length)} rows.
      </p>
    )}
  </>
);

interface Loaded {
  readonly name: string;
  readonly rows: ReadonlyArray<FileRow>;
  readonly unknown: ReadonlyArray<string>;
}

type Step = "choosing" | "checking" | "checked" | "importing" | "imported";

/** Reads a file, has its rows checked, and stores them. */
const useImport = () => {
  const { client } = useSession();
  const [step, setStep] = useState<Step>("choosing");
  const [file, setFile] = useState<Loaded | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [checks, setChecks] = useState<Results>(new Map());
  const [stored, setStored] = useState<Results | null>(null);
  const stop = useRef(new AbortController());
  const send = async (
    rows: ReadonlyArray<FileRow>,
    dryRun: boolean,
    show: (results: Results) => void,
  ): Promise<void> => {
    const partners = new Map(
      rows.flatMap(({ line, partner }) => (partner === null ? [] : [[line, partner] as const])),
    );
    stop.current = new AbortController();
    await sendInTurn(
      [...partners.keys()],
      (commands, line) =>
        commands.partners.create({
          ...(partners.get(line) as CreatePartner),
          ...(dryRun ? { dryRun } : {}),
        }),
      { client, show, signal: stop.current.signal, lanes: LANES },
    );
  };
  const choose = async (given: File, workspaceId: string): Promise<void> => {
    setFile(null);
    setStored(null);
    setChecks(new Map());
    setStep("choosing");
    try {
      const { rows, missing, unknown } = await readFile(given, workspaceId);
      if (missing.length > 0) return setProblem(`The file has no column ${missing.join(" and none ")}.`);
      setProblem(null);
      setFile({ name: given.name, rows, unknown });
      setStep("checking");
      await send(rows, true, setChecks);
      setStep("checked");
      announce("Every row is checked.");
    } catch (failure) {
      setProblem(
        failure instanceof CsvProblem
          ? `The file${failure.message}.`
          : "The file is not UTF-8 text: save it as CSV UTF-8.",
      );
    }
  };
  const shown: ReadonlyArray<Shown> = (file?.rows ?? [])
    .map((row) => ({ row, ...resultOf(row, checks, stored) }))
    .sort((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind));
  const run = async (): Promise<void> => {
    const rows = shown.filter(isGood).map(({ row }) => row);
    setStored(new Map());
    setStep("importing");
    await send(rows, false, setStored);
    setStep("imported");
    announce("The import has ended.");
  };
  return {
    ...{ step, file, problem, choose, shown, run, isStored: stored !== null },
    done: (step === "importing" ? stored : checks)?.size ?? 0,
    stop: () => stop.current.abort(),
  };
};

type Importing = ReturnType<typeof useImport>;

/** The numbers of rows by what became of them, in sentences. */
const outcomeWords = ({ shown, step }: Importing): string => {
  const of = (...kinds: ReadonlyArray<Kind>): number =>
    shown.filter(({ kind }) => kinds.includes(kind)).length;
  const rows = (number: number, words: string) =>
    number > 0 && `${countWords(number, "row is", "rows are")} ${words}.`;
  return [
    step === "imported"
      ? `${countWords(of("new"), "partner")} imported.`
      : `${countWords(of("new", "doubt"), "partner")} can be imported.`,
    rows(of("existing"), "there already"),
    rows(of("problem"), "wrong and left out"),
    rows(of("unknown", "left"), "not done"),
  ]
    .filter((words) => words !== false)
    .join(" ");
};

const Progress = ({ importing }: { readonly importing: Importing }) => {
  const { step, file, shown, done, run, stop, isStored } = importing;
  const isBusy = step === "checking" || step === "importing";
  const good = shown.filter(isGood).length;
  if (file === null) return null;
  return (
    <section class="panel" aria-label={file.name}>
      {file.unknown.length > 0 && (
        <div class="notice wait">These columns are not read: {file.unknown.join(", ")}.</div>
      )}
      <p class="sentence" role="status">
        {isBusy ? (
          <>
            <progress max={file.rows.length} value={done} aria-label="Rows done" /> {count(done)} of{" "}
            {countWords(file.rows.length, "row")}
          </>
        ) : (
          outcomeWords(importing)
        )}
      </p>
      <div class="row">
        {step === "checked" && good > 0 && (
          <button type="button" class="primary" onClick={run}>
            Import {countWords(good, "partner")}
          </button>
        )}
        {isBusy && (
          <button type="button" onClick={stop}>
            Stop
          </button>
        )}
        {step === "imported" && (
          <a class="button" href="#/partners">
            To the partners
          </a>
        )}
      </div>
      <Rows shown={shown} isStored={isStored} />
    </section>
  );
};

export const ImportPartners = () => {
  const { client, principal } = useSession();
  const [chosen, setChosen] = useState<string | null>(null);
  const [fresh] = useState(newId);
  const importing = useImport();
  const loaded = useLoad("workspaces", (signal) => readWorkspaces(client, principal, signal));
  const workspaceId = chosen ?? loaded.value?.[0]?.id ?? fresh;
  const isBusy = importing.step === "checking" || importing.step === "importing";
  return (
    <>
      <Heading above={<a href="#/partners">Partners</a>} title="Import partners" />
      <section class="panel">
        <p>
          A CSV file whose first line has the names of the columns. <code>name</code> and{" "}
          <code>external_reference</code> are needed. Every row is checked before anything is stored.
        </p>
        <WorkspaceChoice workspaces={loaded.value ?? []} value={workspaceId} change={setChosen} />
        <Field label="CSV file" hint="Drop it here or choose it." problem={importing.problem}>
          <input
            class="drop"
            type="file"
            accept=".csv,text/csv"
            disabled={isBusy || loaded.value === null}
            onChange={({ currentTarget: { files } }) => {
              const [file] = files ?? [];
              if (file !== undefined) importing.choose(file, workspaceId);
            }}
          />
        </Field>
        <details>
          <summary>All columns</summary>
          <p>{PARTNER_COLUMNS.join(", ")}</p>
          <p class="note">
            A row with a legal_name is billed by us. tax_rate is in percent; tags have | between them.
          </p>
        </details>
        <p class="note">
          What is there already is not stored again: after an interruption, choose the same file again.
        </p>
      </section>
      <Progress importing={importing} />
    </>
  );
};

/** Imports the rows of a CSV file: every row is checked before anything is stored, and has a result. */
import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import { CsvProblem, csvRows, type Row } from "../../importing/Csv.ts";
import type { Client } from "../api/Client.ts";
import { failureWords } from "../api/Refusal.ts";
import { useSession } from "../api/Session.ts";
import { count, countWords } from "../format/Money.ts";
import { Badge, Clip, Field } from "../parts/Basics.tsx";
import { announce } from "../parts/Focus.ts";
import { Table } from "../parts/Table.tsx";
import { TEAM } from "../words/TeamWords.ts";
import { paced } from "./Paced.ts";

/** Rows that are shown; those that need attention come first. */
const SHOWN = 200;

/** Milliseconds between two drawings of the results: each draws and sorts all rows, of which many have a result a second. */
const REDRAW = 500;

/** A row of the file, by its line. */
export interface FileRow<Item> {
  readonly line: string;
  readonly name: string;
  readonly reference: string;
  /** What the row is stored as; null where the row is wrong. */
  readonly item: Item | null;
  readonly problem: string;
}

type Kind = "problem" | "unknown" | "doubt" | "left" | "new" | "stored" | "existing";

/** What a row would do, or has done. */
export interface RowResult {
  readonly kind: Kind;
  readonly words: string;
}

/** The results so far, by line. */
export type RowResults = ReadonlyMap<string, RowResult>;

/** A row that can be sent. */
export interface GoodRow<Item> {
  readonly line: string;
  readonly item: Item;
}

/**
 * Sends rows, and says after each request that there are results, which `show` reads when it draws them; the signal stops it
 * after the requests under way.
 */
export type Send<Item> = (
  rows: ReadonlyArray<GoodRow<Item>>,
  sending: {
    readonly client: Client;
    readonly show: (read: () => RowResults) => void;
    readonly signal: AbortSignal;
  },
) => Promise<void>;

/** How the rows of a file become records. */
export interface Importer<Item> {
  /** What a row is: `partner`. */
  readonly noun: string;
  /** What the names and the references of its rows are called. */
  readonly titles: { readonly name: string; readonly reference: string };
  /** The list of what is imported. */
  readonly list: { readonly link: string; readonly words: string };
  /** The reader of the rows below these titles. */
  readonly readerOf: (titles: ReadonlyArray<string>) => (row: Row) => Omit<FileRow<Item>, "line">;
  readonly columnsOf: (titles: ReadonlyArray<string>) => {
    readonly missing: ReadonlyArray<string>;
    readonly unknown: ReadonlyArray<string>;
  };
  /** Finds out what storing the rows would do. */
  readonly check: Send<Item>;
  /** Stores the rows, which are in the order of the file. */
  readonly store: Send<Item>;
}

/** A refusal in the words of the console, to follow a name. */
export const refusalWords = (failure: unknown): string => {
  const { text } = failureWords(TEAM.failures, failure);
  return text.charAt(0).toLowerCase() + text.slice(1);
};

export const NOT_KNOWN: RowResult = { kind: "unknown", words: "The server did not answer." };

const readFile = async <Item,>(file: File, { readerOf, columnsOf }: Importer<Item>) => {
  const text = new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
  let titles: ReadonlyArray<string> = [];
  const chunks = (async function* () {
    yield text;
  })();
  const rows: Array<FileRow<Item>> = [];
  let read: ReturnType<typeof readerOf> | null = null;
  for await (const some of csvRows(chunks, (found) => {
    titles = found;
  }))
    for (const row of some) {
      read ??= readerOf(titles);
      rows.push({ ...read(row), line: String(row.line) });
    }
  return { rows, ...columnsOf(titles) };
};

/** Forgets the chosen file, so that the same one can be chosen again. */
const forget = ({ currentTarget }: { readonly currentTarget: HTMLInputElement }): void => {
  currentTarget.value = "";
};

const ORDER: ReadonlyArray<Kind> = ["problem", "unknown", "doubt", "left", "new", "stored", "existing"];

const BADGES = {
  problem: ["stopped", "Not possible"],
  unknown: ["waiting", "Not known"],
  doubt: ["waiting", "Can be stored"],
  left: ["open", "Not checked"],
  new: ["done", "New"],
  stored: ["done", "Imported"],
  existing: ["open", "There already"],
} as const;

interface Shown<Item> extends RowResult {
  readonly row: FileRow<Item>;
}

const isGood = ({ kind }: RowResult): boolean => kind === "new" || kind === "doubt";

const Rows = <Item,>({
  shown,
  titles,
}: {
  readonly shown: ReadonlyArray<Shown<Item>>;
  readonly titles: Importer<Item>["titles"];
}) => (
  <>
    <Table
      caption="The rows of the file, those that need attention first"
      rows={shown.slice(0, SHOWN)}
      rowKey={({ row }) => row.line}
      columns={[
        { name: "Line", isNumber: true, isMinor: true, show: ({ row }) => row.line },
        {
          name: titles.name,
          show: ({ row, words }) => (
            <>
              <Clip>{row.name || `Line ${row.line}`}</Clip>
              {words !== "" && <span class="under">{words}</span>}
            </>
          ),
        },
        { name: titles.reference, isMinor: true, show: ({ row }) => <Clip>{row.reference}</Clip> },
        {
          name: "Result",
          show: ({ kind }) => {
            const [family, label] = BADGES[kind];
            return <Badge family={family}>{label}</Badge>;
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

interface Loaded<Item> {
  readonly name: string;
  readonly rows: ReadonlyArray<FileRow<Item>>;
  readonly unknown: ReadonlyArray<string>;
}

type Step = "choosing" | "checking" | "checked" | "importing" | "imported";

/** Reads a file, has its rows checked, and stores them. */
export const useImport = <Item,>() => {
  const { client } = useSession();
  const [step, setStep] = useState<Step>("choosing");
  const [file, setFile] = useState<Loaded<Item> | null>(null);
  const [importer, setImporter] = useState<Importer<Item> | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [checks, setChecks] = useState<RowResults>(new Map());
  const [stored, setStored] = useState<RowResults>(new Map());
  const stop = useRef(new AbortController());
  const send = async (
    by: Send<Item>,
    rows: ReadonlyArray<FileRow<Item>>,
    show: (results: RowResults) => void,
  ): Promise<void> => {
    stop.current = new AbortController();
    const good = rows.flatMap(({ line, item }) => (item === null ? [] : [{ line, item }]));
    const { report, flush } = paced(show, REDRAW);
    try {
      await by(good, { client, show: report, signal: stop.current.signal });
    } finally {
      flush();
    }
  };
  const choose = async (given: File, by: Importer<Item>): Promise<void> => {
    setFile(null);
    setImporter(by);
    setStored(new Map());
    setChecks(new Map());
    setStep("choosing");
    try {
      const { rows, missing, unknown } = await readFile(given, by);
      if (missing.length > 0) return setProblem(`The file has no column ${missing.join(" and none ")}.`);
      setProblem(null);
      setFile({ name: given.name, rows, unknown });
      setStep("checking");
      await send(by.check, rows, setChecks);
      setStep("checked");
      announce("Every row is checked.");
    } catch (failure) {
      setStep("choosing");
      setProblem(
        failure instanceof CsvProblem
          ? `The file${failure.message}.`
          : failure instanceof TypeError
            ? "The file is not UTF-8 text: save it as CSV UTF-8."
            : `Its rows could not be checked, and nothing is stored. ${failureWords(TEAM.failures, failure).text} Then choose the file again.`,
      );
    }
  };
  const results: ReadonlyArray<Shown<Item>> = (file?.rows ?? []).map((row) => ({
    row,
    ...(row.item === null
      ? { kind: "problem", words: row.problem }
      : (stored.get(row.line) ?? checks.get(row.line) ?? { kind: "left", words: "" })),
  }));
  const run = async (): Promise<void> => {
    if (importer === null) return;
    setStep("importing");
    await send(
      importer.store,
      results.filter(isGood).map(({ row }) => row),
      setStored,
    );
    setStep("imported");
    announce("The import has ended.");
  };
  return {
    ...{ step, file, importer, problem, choose, run },
    shown: results.toSorted((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind)),
    done: (step === "importing" ? stored : checks).size,
    isBusy: step === "checking" || step === "importing",
    stop: () => stop.current.abort(),
  };
};

type Importing<Item> = ReturnType<typeof useImport<Item>>;

/** The numbers of rows by what became of them, in sentences. */
const outcomeWords = <Item,>({ shown, step }: Importing<Item>, noun: string): string => {
  const of = (...kinds: ReadonlyArray<Kind>): number =>
    shown.filter(({ kind }) => kinds.includes(kind)).length;
  const rows = (number: number, words: string) =>
    number > 0 && `${countWords(number, "row is", "rows are")} ${words}.`;
  const isOver = step === "imported";
  return [
    isOver
      ? `${countWords(of("stored"), noun)} imported.`
      : `${countWords(of("new", "doubt"), noun)} can be imported.`,
    rows(of("existing"), "there already"),
    rows(of("problem"), "wrong and left out"),
    rows(of("unknown", "left") + (isOver ? of("new", "doubt") : 0), "not done"),
  ]
    .filter((words) => words !== false)
    .join(" ");
};

/** The rows of the chosen file with what becomes of each, and the button that stores them. */
export const ImportProgress = <Item,>({ importing }: { readonly importing: Importing<Item> }) => {
  const { step, file, importer, shown, done, run, stop, isBusy } = importing;
  const good = shown.filter(isGood).length;
  if (file === null || importer === null) return null;
  const { noun, list } = importer;
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
          outcomeWords(importing, noun)
        )}
      </p>
      <div class="row">
        {step === "checked" && good > 0 && (
          <button type="button" class="primary" onClick={run}>
            Import {countWords(good, noun)}
          </button>
        )}
        {isBusy && (
          <button type="button" onClick={stop}>
            Stop
          </button>
        )}
        {step === "imported" && (
          <a class="button" href={list.link}>
            {list.words}
          </a>
        )}
      </div>
      <Rows shown={shown} titles={importer.titles} />
    </section>
  );
};

/** The field for the file. */
export const ImportFile = ({
  problem,
  isDisabled,
  choose,
}: {
  readonly problem: string | null;
  readonly isDisabled: boolean;
  readonly choose: (file: File) => void;
}) => (
  <Field label="CSV file" hint="Drop it here or choose it." problem={problem}>
    <input
      type="file"
      accept=".csv,text/csv"
      disabled={isDisabled}
      onClick={forget}
      onDrop={forget}
      onChange={({ currentTarget: { files } }) => {
        const [file] = files ?? [];
        if (file !== undefined) choose(file);
      }}
    />
  </Field>
);

/** The columns that a file may have, on request. */
export const Columns = ({
  names,
  children,
}: {
  readonly names: ReadonlyArray<string>;
  readonly children: ComponentChildren;
}) => (
  <details>
    <summary>All columns</summary>
    <p>{names.join(", ")}</p>
    {children}
  </details>
);

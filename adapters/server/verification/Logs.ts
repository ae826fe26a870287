/**
 * Every record is the fold of its log, and every commission's books balance: the invariants of the test kit on a few hundred
 * records at a time.
 */
import { Chunk, Stream } from "effect";
import { type Event, Ledger, type Settlement, type Storage } from "quittance";
import { replayDifference } from "quittance/testing";
import { ENTRY, entryFrom, type LogRow } from "../../sql/records/LogEntry.ts";
import { record } from "../../sql/records/RowMapping.ts";
import { tableName } from "../../sql/records/Tables.ts";
import type { Reader } from "../Snapshot.ts";
import type { Check, Finding } from "./Check.ts";
import { attempt, brokenIn, type Problem, type Slice } from "./Invariants.ts";

/** A record with its log, and for a commission the lines that hold it. */
interface Row {
  readonly id: string;
  readonly record: object;
  readonly log: ReadonlyArray<LogRow & { readonly sequence: number }>;
  readonly beside: ReadonlyArray<Beside>;
}

/** A line of a settlement, seen from its commission or from its settlement. */
interface Beside {
  readonly settlementId: string;
  readonly commissionId: string;
  readonly amount: number;
  readonly status: string;
}

const lines = (column: string): string => `(
  select coalesce(json_agg(json_build_object(
    'settlementId', l.settlement_id, 'commissionId', l.commission_id, 'amount', l.amount, 'status', s.status)
    order by l.position), '[]')
  from quittance.settlement_lines l
  join quittance.settlements s on s.customer_id = $1::uuid and s.id = l.settlement_id
  where l.customer_id = $1::uuid and l.${column} = t.id)`;

const page = (kind: keyof Storage.Logged, beside: string): string => `
select t.id, ${record(kind, "t")} as record, ${beside} as beside, (
  select coalesce(json_agg(json_build_object(
    ${ENTRY}, 'stored', e.stored, 'sequence', e.sequence) order by e.sequence), '[]')
  from quittance.events e where e.customer_id = $1::uuid and e.record_id = t.id and e.kind = '${kind}') as log
from ${tableName(kind)} t where t.customer_id = $1::uuid and t.id > $2::uuid order by t.id limit $3::integer`;

const logOf = ({ log }: Row): ReadonlyArray<Event.Entry<never>> => log.map((item) => entryFrom<never>(item));

const findGap = ({ log }: Row): string | null => {
  const index = log.findIndex(({ sequence }, index) => sequence !== index + 1);
  return index < 0 ? null : `its log has entry ${log[index]?.sequence} at position ${index + 1}`;
};

/** Rows of a page as the slice that invariants read. */
type Fill = (rows: ReadonlyArray<Row>) => Partial<Slice>;

const withLogs = (rows: ReadonlyArray<Row>): ReadonlyArray<never> =>
  rows.map((row) => ({ row: row.record, log: logOf(row) }) as never);

const fillCommissions: Fill = (rows) => {
  const found = rows.map(({ record: row }) => row as Storage.Rows["commission"]);
  const statistics = found.map((row) => ({
    bucket: 0,
    settlementStatus: Ledger.settlementStatus(row),
    currency: row.currency,
    count: 1,
    settledAmount: BigInt(Ledger.settledAmount(row)),
    unsettledAmount: BigInt(Ledger.unsettledAmount(row)),
  }));
  return {
    commissions: withLogs(rows),
    linesByCommission: new Map(
      rows.map(({ id, beside }) => [
        id,
        beside.map(({ commissionId, amount, settlementId, status }) => ({
          line: { commissionId, amount } as Settlement.Line,
          // The invariants of commissions read id and status alone.
          settlement: { id: settlementId, status: { type: status } } as Storage.Listed["settlement"],
        })),
      ]),
    ),
    statistics: { attributions: [], commissions: statistics, bucketed: statistics },
  };
};

const fillSettlements: Fill = (rows) => ({
  settlements: rows.map(
    (row) =>
      ({
        row: {
          ...row.record,
          lines: row.beside.map(({ commissionId, amount }) => ({ commissionId, amount })),
        },
        log: logOf(row),
      }) as never,
  ),
});

interface Kind {
  readonly kind: keyof Storage.Logged;
  /** In sentences; the kind by default. */
  readonly name?: string;
  /** Records at a time. */
  readonly size: number;
  readonly beside: string;
  /** The invariants of the test kit that a slice of this kind can show. */
  readonly names: ReadonlyArray<string>;
  readonly fill: Fill;
}

const NOTHING = "'[]'::json";

const KINDS: ReadonlyArray<Kind> = [
  { kind: "attribution", size: 500, beside: NOTHING, names: [], fill: () => ({}) },
  { kind: "formula", size: 50, beside: NOTHING, names: [], fill: () => ({}) },
  { kind: "plan", size: 50, beside: NOTHING, names: [], fill: () => ({}) },
  {
    kind: "commission",
    size: 500,
    beside: lines("commission_id"),
    names: ["M1", "M2", "M3", "M4", "M6", "M7", "M9", "M13", "S2"],
    fill: fillCommissions,
  },
  // A settlement has up to 10,000 lines, in its log once more.
  {
    kind: "settlement",
    size: 20,
    beside: lines("settlement_id"),
    names: ["M3", "M17", "S1", "S3"],
    fill: fillSettlements,
  },
  { kind: "partner", size: 500, beside: NOTHING, names: [], fill: () => ({}) },
  { kind: "apiKey", name: "API key", size: 500, beside: NOTHING, names: [], fill: () => ({}) },
  // A profile may have a logo.
  { kind: "billingProfile", name: "billing profile", size: 20, beside: NOTHING, names: [], fill: () => ({}) },
  { kind: "books", size: 20, beside: NOTHING, names: [], fill: () => ({}) },
  { kind: "workspace", size: 500, beside: NOTHING, names: [], fill: () => ({}) },
  {
    kind: "planAcceptance",
    name: "plan acceptance",
    size: 500,
    beside: NOTHING,
    names: [],
    fill: () => ({}),
  },
  { kind: "partnerLink", name: "partner link", size: 500, beside: NOTHING, names: [], fill: () => ({}) },
  {
    kind: "settlementPolicy",
    name: "settlement policy",
    size: 100,
    beside: NOTHING,
    names: [],
    fill: () => ({}),
  },
];

const problemsOf = ({ kind, name = kind }: Kind, row: Row): ReadonlyArray<Problem> => {
  const what = `${name} ${row.id}`;
  if (row.log.length === 0) return [["L2", `${what}: has no log`]];
  const missing = findGap(row);
  const log = logOf(row);
  const isBackwards = log.some(({ at }, index) => at < (log[index - 1]?.at ?? at));
  const differences = attempt(
    () => {
      const difference = replayDifference(kind, row.record as never, log);
      return difference === null ? [] : [`${what}: ${difference}`];
    },
    what,
    "its log cannot be read",
  );
  return [
    ...(missing === null ? [] : [["L2", `${what}: ${missing}`] as const]),
    ...(isBackwards
      ? [["L2", `${what}: an entry of its log is earlier than the one before it`] as const]
      : []),
    ...differences.map((problem) => ["L1", problem] as const),
  ];
};

const findIn = (reader: Reader, kind: Kind, rows: ReadonlyArray<Row>): ReadonlyArray<Finding> => {
  const { customerId } = reader;
  const checkedRows = rows.map((row) => ({ row, problems: problemsOf(kind, row) }));
  // The sums of a record whose log is broken would only repeat the finding.
  const sound = checkedRows.flatMap(({ row, problems }) => (problems.length === 0 ? [row] : []));
  const broken = brokenIn(kind.fill(sound), kind.names, `${kind.kind}s`);
  return [...checkedRows.flatMap(({ problems }) => problems), ...broken].map(([check, problem]) => ({
    check,
    customerId,
    problem,
  }));
};

/** Every record is the fold of its log; books and lines of every commission agree. */
export const logs: Check = {
  name: "logs and books",
  statement:
    "Every record is the fold of its log; every commission's books balance and agree with its settlement lines.",
  find: (reader, counter) =>
    Stream.flatMap(Stream.fromIterable(KINDS), (kind) =>
      reader.pages<Row>(page(kind.kind, kind.beside), kind.size).pipe(
        Stream.chunks,
        Stream.flatMap((chunk) => {
          const rows = Chunk.toReadonlyArray(chunk);
          counter(kind.name ?? kind.kind, rows.length);
          return Stream.fromIterable(findIn(reader, kind, rows));
        }),
      ),
    ),
};

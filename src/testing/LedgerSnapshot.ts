/** A snapshot of a customer's ledger: every record with its stored log, for the invariants to check. */
import { Effect } from "effect";
import { arrivalOrderId } from "../domain/Accumulation.ts";
import * as Books from "../domain/Books.ts";
import type { Entry } from "../domain/Event.ts";
import type { CustomerId } from "../domain/Ids.ts";
import { FILE_PAYMENTS_MAX } from "../domain/Limits.ts";
import type { BankPayment } from "../domain/PaymentFile.ts";
import type { Line } from "../domain/Settlement.ts";
import { policyId } from "../domain/SettlementPolicy.ts";
import type { Reversal, TaxOrigin } from "../domain/Tax.ts";
import * as Workspace from "../domain/Workspace.ts";
import {
  type AttributionStatistic,
  type CommissionStatistic,
  type Listed,
  type ListedKind,
  type Logged,
  recordIdOf,
  Storage,
  type StorageError,
  type Versioned,
} from "../ports/Storage.ts";
import { type Accumulated, recounts } from "./Recounts.ts";
import { listAll } from "./StateDump.ts";
import { type PartnerReadings, readStatements } from "./StatementReadings.ts";

/** A record as a list shows it, with its log as stored. */
export interface RecordWithLog<Kind extends keyof Logged & ListedKind> {
  readonly row: Listed[Kind];
  readonly log: ReadonlyArray<Entry<Logged[Kind]["event"]>>;
}

/** The records that decide who may do what, and where money goes. */
export type ControlKind =
  | "partner"
  | "partnerLink"
  | "apiKey"
  | "billingProfile"
  | "books"
  | "settlementPolicy"
  | "workspace";

/** One of them with its log. */
export type ControlRecord = {
  readonly [Kind in ControlKind]: {
    readonly kind: Kind;
    readonly row: Versioned<Logged[Kind]["record"]>;
    readonly log: ReadonlyArray<Entry<Logged[Kind]["event"]>>;
  };
}[ControlKind];

/** The records of one customer. */
export interface LedgerSnapshot {
  readonly attributions: ReadonlyArray<RecordWithLog<"attribution">>;
  readonly formulas: ReadonlyArray<RecordWithLog<"formula">>;
  readonly plans: ReadonlyArray<RecordWithLog<"plan">>;
  readonly commissions: ReadonlyArray<RecordWithLog<"commission">>;
  readonly settlements: ReadonlyArray<RecordWithLog<"settlement">>;
  /** Partners and their links, keys, billing profile, settlement policies and workspaces. */
  readonly controls: ReadonlyArray<ControlRecord>;
  /** The settlement lines that hold each commission, with the settlement. */
  readonly linesByCommission: ReadonlyMap<
    string,
    ReadonlyArray<{ readonly line: Line; readonly settlement: Listed["settlement"] }>
  >;
  /** The tax origins: base and tax of each self-billed settlement. */
  readonly origins: ReadonlyArray<TaxOrigin>;
  /** Reversals of earlier amounts, by the settlement whose lines they belong to. */
  readonly reversals: ReadonlyMap<string, ReadonlyArray<Reversal>>;
  /** The running totals of plans that accumulate, and the recount of them. */
  readonly accumulated: Accumulated;
  /** Payment files with their payments, the payments that wait for one, and those of every attempt. */
  readonly bankFiles: {
    readonly files: ReadonlyArray<{
      readonly file: Listed["paymentFile"];
      readonly payments: ReadonlyArray<BankPayment>;
    }>;
    readonly waiting: ReadonlyArray<BankPayment>;
    readonly initiated: ReadonlyArray<BankPayment>;
  };
  /** Balances and statements of the partners at some dates. */
  readonly statements: ReadonlyArray<PartnerReadings>;
  /** Statistics over all time, in one bucket and in several. */
  readonly statistics: {
    readonly attributions: ReadonlyArray<AttributionStatistic>;
    readonly commissions: ReadonlyArray<CommissionStatistic>;
    readonly bucketed: ReadonlyArray<CommissionStatistic>;
  };
}

const READS_AT_ONCE = 8;

const readRecords = <Kind extends keyof Logged & ListedKind>(customerId: CustomerId, kind: Kind) =>
  Effect.gen(function* () {
    const storage = yield* Storage;
    const rows: ReadonlyArray<Listed[Kind]> = yield* listAll(customerId, kind);
    return yield* Effect.forEach(
      rows,
      (row) =>
        Effect.map(storage.log(customerId, kind, row.id), (log): RecordWithLog<Kind> => ({ row, log })),
      { concurrency: READS_AT_ONCE },
    );
  });

/** The settlement policies of partners, and of their workspaces. */
export const readPolicies = (customerId: CustomerId, partners: ReadonlyArray<Listed["partner"]>) => {
  const workspaces = [...new Set(partners.map(({ workspaceId }) => workspaceId))];
  const ids = [
    ...workspaces.map((id) => policyId(customerId, id, null)),
    ...partners.map(({ id, workspaceId }) => policyId(customerId, workspaceId, id)),
  ];
  return Effect.flatMap(Storage, (storage) => storage.find(customerId, "settlementPolicy", ids));
};

/** The workspaces of partners about which something was written. */
const readWorkspaces = (customerId: CustomerId, partners: ReadonlyArray<Listed["partner"]>) => {
  const ids = new Set(partners.map(({ workspaceId }) => Workspace.recordIdOf(customerId, workspaceId)));
  return Effect.flatMap(Storage, (storage) => storage.find(customerId, "workspace", [...ids]));
};

const readControls = (customerId: CustomerId) =>
  Effect.gen(function* () {
    const storage = yield* Storage;
    const withLogs = <Kind extends ControlKind>(
      kind: Kind,
      rows: ReadonlyArray<Versioned<Logged[Kind]["record"]>>,
    ) =>
      Effect.forEach(
        rows,
        (row) =>
          Effect.map(
            storage.log(customerId, kind, recordIdOf(row)),
            (log) => ({ kind, row, log }) as unknown as ControlRecord,
          ),
        { concurrency: READS_AT_ONCE },
      );
    const partners = yield* listAll(customerId, "partner");
    return [
      ...(yield* withLogs("partner", partners)),
      ...(yield* withLogs("partnerLink", yield* listAll(customerId, "partnerLink"))),
      ...(yield* withLogs("apiKey", yield* listAll(customerId, "apiKey"))),
      ...(yield* withLogs("billingProfile", yield* storage.find(customerId, "billingProfile", [customerId]))),
      ...(yield* withLogs("books", yield* storage.find(customerId, "books", [Books.recordIdOf(customerId)]))),
      ...(yield* withLogs("settlementPolicy", yield* readPolicies(customerId, partners))),
      ...(yield* withLogs("workspace", yield* readWorkspaces(customerId, partners))),
    ];
  });

const groupLinesByCommission = (
  settlements: LedgerSnapshot["settlements"],
): LedgerSnapshot["linesByCommission"] => {
  const lines = new Map<string, Array<{ readonly line: Line; readonly settlement: Listed["settlement"] }>>();
  for (const { row: settlement } of settlements) {
    for (const line of settlement.lines) {
      const holding = lines.get(line.commissionId) ?? [];
      holding.push({ line, settlement });
      lines.set(line.commissionId, holding);
    }
  }
  return lines;
};

const readAccumulated = (
  customerId: CustomerId,
  attributions: ReadonlyArray<Listed["attribution"]>,
  formulas: ReadonlyArray<Listed["formula"]>,
  commissions: ReadonlyArray<Listed["commission"]>,
) =>
  Effect.gen(function* () {
    const storage = yield* Storage;
    const schemas = yield* listAll(customerId, "schema");
    const found = recounts(formulas, schemas, attributions, commissions);
    const own = formulas.filter(({ id }) => found.has(id));
    const orders = new Set(own.map(({ partnerId, schemaId }) => arrivalOrderId(partnerId, schemaId)));
    const ids = [...found.values()].flatMap(({ totals }) => [...totals.keys()]);
    return {
      orders: orders.size === 0 ? [] : yield* storage.find(customerId, "arrivalOrder", [...orders]),
      totals: ids.length === 0 ? [] : yield* storage.find(customerId, "runningTotal", ids),
      recounts: found,
    };
  });

const REFERENCES_AT_ONCE = 500;
const WAITING_MAX = 100_000;

const readBankFiles = (customerId: CustomerId, settlements: LedgerSnapshot["settlements"]) =>
  Effect.gen(function* () {
    const storage = yield* Storage;
    const references = settlements.flatMap(({ log }) =>
      log.flatMap(({ event }) => (event.type === "initiate_payment" ? [event.payment_reference] : [])),
    );
    const initiated: Array<BankPayment> = [];
    for (let from = 0; from < references.length; from += REFERENCES_AT_ONCE) {
      const chunk = references.slice(from, from + REFERENCES_AT_ONCE);
      initiated.push(...(yield* storage.find(customerId, "bankPayment", chunk)));
    }
    const files = yield* listAll(customerId, "paymentFile");
    return {
      // One more than fits, so that a file with too many shows.
      files: yield* Effect.forEach(files, (file) =>
        Effect.map(storage.bankPayments(customerId, file.id, FILE_PAYMENTS_MAX + 1), (payments) => ({
          file,
          payments,
        })),
      ),
      waiting: yield* storage.bankPayments(customerId, null, WAITING_MAX),
      initiated,
    };
  });

const BUCKETS = 7;

/** Reads the snapshot. It shows one moment only when nothing else writes meanwhile. */
export const readSnapshot = (customerId: CustomerId): Effect.Effect<LedgerSnapshot, StorageError, Storage> =>
  Effect.gen(function* () {
    const storage = yield* Storage;
    const attributions = yield* readRecords(customerId, "attribution");
    const formulas = yield* readRecords(customerId, "formula");
    const plans = yield* readRecords(customerId, "plan");
    const commissions = yield* readRecords(customerId, "commission");
    const settlements = yield* readRecords(customerId, "settlement");
    const ids = settlements.map(({ row }) => row.id);
    const reversals = yield* Effect.forEach(
      ids,
      (id) => Effect.map(storage.reversals(customerId, id), (parts) => [id, parts] as const),
      { concurrency: READS_AT_ONCE },
    );
    const moments = [...attributions, ...commissions].map(({ row }) => row.occurredAt);
    const to = moments.reduce((most, moment) => Math.max(most, moment), 0) + 1;
    const from = moments.reduce((least, moment) => Math.min(least, moment), to - 1);
    const starts = Array.from(
      { length: BUCKETS },
      (_, index) => from + Math.floor(((to - from) * index) / BUCKETS),
    );
    const whole = { from, to, bucketStarts: [from], where: {} };
    return {
      attributions,
      formulas,
      plans,
      commissions,
      settlements,
      controls: yield* readControls(customerId),
      linesByCommission: groupLinesByCommission(settlements),
      origins: yield* storage.find(customerId, "taxOrigin", ids),
      reversals: new Map(reversals),
      bankFiles: yield* readBankFiles(customerId, settlements),
      accumulated: yield* readAccumulated(
        customerId,
        attributions.map(({ row }) => row),
        formulas.map(({ row }) => row),
        commissions.map(({ row }) => row),
      ),
      statements: yield* readStatements(customerId, commissions),
      statistics: {
        attributions: yield* storage.attributionStatistics(customerId, whole),
        commissions: yield* storage.commissionStatistics(customerId, whole),
        bucketed: yield* storage.commissionStatistics(customerId, {
          ...whole,
          bucketStarts: [...new Set(starts)],
        }),
      },
    };
  });

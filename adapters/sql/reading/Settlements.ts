/** Reads of what belongs to settlements: lines, billed amounts and reversals, documents and their numbers. */
import { Effect, Stream } from "effect";
import type { Document, DocumentNumber, Ids, PaymentFile, Settlement, Storage, Tax } from "quittance";
import { lookUpByKey } from "../planning.ts";
import { ENTRY, entryFrom, type LogRow } from "../records/LogEntry.ts";
import { record } from "../records/RowMapping.ts";
import { firstOr, pages, type Runner, records, runnerForRows, uuids } from "../Statement.ts";
import { forCustomer } from "../TenantScope.ts";

/** Lines read at a time when a settlement is exported. */
const LINES_PER_READ = 1_000;

const LINES = forCustomer(`
select json_build_object('position', l.position, 'line', json_build_object(
  'commissionId', l.commission_id, 'amount', l.amount, 'formulaId', c.formula_id, 'attributionId', a.id,
  'attributionOccurredAt', a.occurred_at, 'attributionOccurredOn', a.occurred_on)) as record
from quittance.settlement_lines l
cross join lateral ${lookUpByKey({
  table: "quittance.commissions",
  columns: "t.attribution_id, t.formula_id",
  customer: "$1",
  id: "l.commission_id",
})} c
cross join lateral ${lookUpByKey({
  table: "quittance.attributions",
  columns: "t.id, t.occurred_at, t.occurred_on",
  customer: "$1",
  id: "c.attribution_id",
})} a
where l.customer_id = $1 and l.settlement_id = $2 and l.position > $3::integer
order by l.position limit $4::bigint`);

interface PlacedLine {
  readonly position: number;
  readonly line: Storage.ExportLine;
}

/** The lines of a settlement in order. Lines never change, so that pages of them are one snapshot. */
export const settlementLines = (sql: Runner, customerId: Ids.CustomerId, settlementId: Ids.SettlementId) =>
  Stream.map(
    pages<PlacedLine>(LINES_PER_READ, (after) =>
      records(sql, LINES, [customerId, settlementId, after?.position ?? -1, LINES_PER_READ]),
    ),
    ({ line }) => line,
  );

const HELD_BY_OTHERS = forCustomer(`
select l.commission_id as record
from (select l.commission_id from quittance.settlement_lines l
  where l.customer_id = $1 and l.settlement_id = $2 order by l.position) l
where $2 <> ${lookUpByKey({
  table: "quittance.reservations",
  columns: "t.settlement_id",
  customer: "$1",
  key: "commission_id",
  id: "l.commission_id",
})}`);

/** The paid lines of the commission of the line `h`, found by its key: no other index returns them in this order. */
const PAID_LINES = `
select l.settlement_id, l.amount from quittance.settlement_lines l
where l.customer_id = $1 and l.commission_id = h.commission_id and l.settlement_id <> $2 and (
  select s.status from quittance.settlements s where s.customer_id = $1 and s.id = l.settlement_id) = 'paid'
order by l.settlement_id`;

/**
 * Each line is looked up by the key of its commission, because a join could be planned over all lines of the customer. A
 * reversal adds to its origin what it subtracts from the line that contains it.
 */
const LINES_WITH_BILLED_PARTS = forCustomer(`
select json_build_object('commissionId', h.commission_id, 'amount', h.amount, 'billed', s.billed) as record
from quittance.settlement_lines h
cross join lateral (
  select json_agg(json_build_object('originId', o.origin_id, 'amount', o.amount)
    order by o.created_at desc, o.origin_id desc) as billed
  from (
    select p.origin_id, sum(p.amount)::bigint as amount, (
      select s.created_at from quittance.settlements s where s.customer_id = $1 and s.id = p.origin_id) as created_at
    from (
      select t.origin_id, t.amount from (${PAID_LINES}) l cross join lateral (
        select l.settlement_id as origin_id, l.amount
        union all
        select v.origin_id, v.amount from quittance.reversals t
        cross join lateral (values (t.origin_id, t.amount), (t.settlement_id, -t.amount)) v(origin_id, amount)
        where t.customer_id = $1 and t.settlement_id = l.settlement_id and t.commission_id = h.commission_id
        offset 0) t
    ) p group by p.origin_id having sum(p.amount) <> 0
  ) o
) s
where h.customer_id = $1 and h.settlement_id = $2 and s.billed is not null`);

const REVERSALS = forCustomer(`select json_build_object(
  'commissionId', t.commission_id, 'originId', t.origin_id, 'amount', t.amount) as record
from quittance.reversals t where t.customer_id = $1 and t.settlement_id = $2`);

const DOCUMENTS = forCustomer(`select ${record("document", "t")} as record from quittance.documents t
where t.customer_id = $1 and t.settlement_id = $2 order by t.kind, t.revision`);

/** Does not read the stored part of the creation, which contains every line: only its currency is needed. */
const LOGS = forCustomer(`
select json_build_object('id', s.id, 'log', (
  select json_agg(json_build_object(${ENTRY}, 'stored', case
      when e.sequence = 1 then json_build_object('currency', s.currency, 'lines', '[]'::json)
      else e.stored end) order by e.sequence)
  from quittance.events e where e.customer_id = $1 and e.record_id = s.id)) as record
from unnest($2::uuid[]) w(id)
cross join lateral ${lookUpByKey({
  table: "quittance.settlements",
  columns: "t.id, t.currency",
  customer: "$1",
  id: "w.id",
})} s`);

const NUMBER_SERIES = forCustomer(`select json_build_object('customerId', t.customer_id, 'name', t.series,
  'lastNumber', t.last_number, 'lastDate', t.last_date) as record
from quittance.document_series t
where t.customer_id = $1 and t.series = $2`);

const IS_STALE = forCustomer("select quittance.is_stale($1, $2) as record");

/** Commissions of a settlement that another open settlement holds. */
export const heldByOtherSettlements = (
  sql: Runner,
  ...parameters: Parameters<Storage.StorageService["heldByOtherSettlements"]>
) => records<Ids.CommissionId>(sql, HELD_BY_OTHERS, parameters);

/** The billed amounts of a settlement's commissions, by line. */
export const linesWithBilledParts = (
  sql: Runner,
  ...parameters: Parameters<Storage.StorageService["linesWithBilledParts"]>
) => records<Tax.LineWithBilledParts>(sql, LINES_WITH_BILLED_PARTS, parameters);

/** The parts of a settlement's lines that reverse amounts of earlier settlements. */
export const reversals = (sql: Runner, ...parameters: Parameters<Storage.StorageService["reversals"]>) =>
  records<Tax.Reversal>(sql, REVERSALS, parameters);

/** The logs of settlements without the lines of their creation. */
export const settlementLogs = (
  sql: Runner,
  ...[customerId, ids]: Parameters<Storage.StorageService["settlementLogs"]>
): Effect.Effect<ReadonlyArray<Storage.SettlementLog>, Storage.StorageError> =>
  ids.length === 0
    ? Effect.succeed([])
    : Effect.map(
        records<{ readonly id: Ids.SettlementId; readonly log: ReadonlyArray<LogRow> }>(
          runnerForRows(sql, ids.length),
          LOGS,
          [customerId, uuids(new Set(ids))],
        ),
        (found) =>
          found.map(({ id, log }) => ({
            id,
            log: log.map((logRow) => entryFrom<Settlement.SettlementEvent>(logRow)),
          })),
      );

/** True if the settlement is a draft with a line that differs from what its commission is due now. */
export const isStale = (sql: Runner, ...parameters: Parameters<Storage.StorageService["isStale"]>) =>
  firstOr(records<boolean>(sql, IS_STALE, parameters), false);

/** The documents of every kind, those that were replaced included. */
export const documentsOf = (sql: Runner, ...parameters: Parameters<Storage.StorageService["documentsOf"]>) =>
  records<Storage.Versioned<Document.Document>>(sql, DOCUMENTS, parameters);

const OF_FILE = forCustomer(`select ${record("bankPayment", "t")} as record from quittance.bank_payments t
where t.customer_id = $1 and t.file_id = $2 order by t.id limit $3::bigint`);

const WAITING = forCustomer(`select ${record("bankPayment", "t")} as record from quittance.bank_payments t
where t.customer_id = $1 and t.is_waiting order by t.id limit $2::bigint`);

/** The payments of a file, or those that wait for one. */
export const bankPayments = (
  sql: Runner,
  ...[customerId, fileId, limit]: Parameters<Storage.StorageService["bankPayments"]>
) =>
  fileId === null
    ? records<Storage.Versioned<PaymentFile.BankPayment>>(sql, WAITING, [customerId, limit])
    : records<Storage.Versioned<PaymentFile.BankPayment>>(sql, OF_FILE, [customerId, fileId, limit]);

/** A series of numbers; null before the first. */
export const numberSeries = (
  sql: Runner,
  ...parameters: Parameters<Storage.StorageService["numberSeries"]>
) => firstOr(records<DocumentNumber.NumberSeries>(sql, NUMBER_SERIES, parameters), null);

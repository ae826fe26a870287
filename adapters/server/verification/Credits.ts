/** Sales that several people earn from: the invariants of the test kit on the credits of some sales at a time. */
import { Chunk, Effect, Stream } from "effect";
import { ENTRY, entryFrom, type LogRow } from "../../sql/records/LogEntry.ts";
import { record } from "../../sql/records/RowMapping.ts";
import type { Check } from "./Check.ts";
import { brokenIn, type Slice } from "./Invariants.ts";

/** Sales at a time; each has up to 100 credits. */
const SIZE = 100;

const NAMES = ["S10", "S11", "S12", "S13", "S14"];

/** Sales with several credits, and whatever is named as the origin of one. */
const PAGE = `
(select t.id from quittance.attributions t
  where t.customer_id = $1::uuid and t.id > $2::uuid and t.origin_id is null and t.credit is not null
  order by t.id limit $3::integer)
union
(select distinct t.origin_id as id from quittance.attributions t
  where t.customer_id = $1::uuid and t.origin_id > $2::uuid order by 1 limit $3::integer)
order by id limit $3::integer`;

/** The entries of the log that say what was taken by a recrediting. */
const LOG = `(
  select coalesce(json_agg(json_build_object(${ENTRY}) order by e.sequence), '[]')
  from quittance.events e
  where e.customer_id = $1::uuid and e.record_id = t.id and e.kind = 'attribution'
    and e.event->>'type' in ('cancel_attribution', 'recredit_attribution'))`;

const CREDITED = `
select ${record("attribution", "t")} as record, ${LOG} as log from quittance.attributions t
where t.customer_id = $1::uuid and t.id = any ($2::uuid[]) and t.origin_id is null
union all
select ${record("attribution", "t")} as record, ${LOG} as log from quittance.attributions t
where t.customer_id = $1::uuid and t.origin_id = any ($2::uuid[])`;

/** As the invariants of credits read it. */
interface Row {
  readonly record: Slice["attributions"][number]["row"];
  readonly log: ReadonlyArray<LogRow>;
}

/** The credits of every sale that has several. */
export const credits: Check = {
  name: "credits of sales",
  statement:
    "The shares of the sellers of a sale add up to 1, an upline has what the sellers below it have together, no partner has a credit twice, none is confirmed once its sale is cancelled, and none is cancelled alone but by recrediting the sale.",
  find: (reader) =>
    reader.pages<{ readonly id: string }>(PAGE, SIZE).pipe(
      Stream.chunks,
      Stream.filter(Chunk.isNonEmpty),
      Stream.mapEffect((chunk) =>
        Effect.map(
          reader.rows<Row>(
            CREDITED,
            `{${Chunk.toReadonlyArray(chunk)
              .map(({ id }) => id)
              .join(",")}}`,
          ),
          (rows) =>
            brokenIn(
              {
                attributions: rows.map(({ record: row, log }) => ({
                  row,
                  log: log.map((entry) => entryFrom<never>(entry)),
                })),
              },
              NAMES,
              "credits of sales",
            ).map(([check, problem]) => ({ check, customerId: reader.customerId, problem })),
        ),
      ),
      Stream.flattenIterables,
    ),
};

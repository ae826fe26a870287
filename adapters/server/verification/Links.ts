/** Links of partners: at every moment one upline of a role, no chain that meets itself, none of more than 16 links. */
import { Chunk, Effect, Stream } from "effect";
import { PartnerLink, type Storage } from "quittance";
import { record } from "../../sql/records/RowMapping.ts";
import type { Reader } from "../Snapshot.ts";
import type { Check } from "./Check.ts";

/** Links at a time. */
const SIZE = 500;

interface Row {
  readonly record: PartnerLink.PartnerLink;
}

const PAGE = `
select t.id, ${record("partnerLink", "t")} as record
from quittance.partner_links t where t.customer_id = $1::uuid and t.id > $2::uuid order by t.id limit $3::integer`;

const ABOVE = `
select ${record("partnerLink", "t")} as record
from quittance.partner_links t where t.customer_id = $1::uuid and t.partner_id = any ($2::uuid[])`;

/** The links in the chains above partners, level by level. */
const readAbove = (
  reader: Reader,
  partnerIds: ReadonlyArray<string>,
): Effect.Effect<ReadonlyArray<PartnerLink.PartnerLink>, Storage.StorageError> =>
  Effect.gen(function* () {
    const found: Array<PartnerLink.PartnerLink> = [];
    const reached = new Set(partnerIds);
    let level = [...reached];
    while (level.length > 0) {
      const rows: ReadonlyArray<Row> = yield* reader.rows<Row>(ABOVE, `{${level.join(",")}}`);
      found.push(...rows.map((row) => row.record));
      level = [...new Set(rows.map((row) => row.record.uplinePartnerId))].filter((id) => !reached.has(id));
      for (const id of level) reached.add(id);
    }
    return found;
  });

const WORDS: Readonly<Record<PartnerLink.Misplaced["type"], string>> = {
  overlap: "its partner has two uplines of the role at a moment",
  loop: "the chain above it meets itself",
  depth: "the chain above it has too many links",
};

/** The place of every link among the links above it. */
export const links: Check = {
  name: "links of partners",
  statement:
    "At every moment a partner has one upline of a role at most, no chain meets itself, and none has more than 16 links.",
  find: (reader) =>
    reader.pages<Row & { readonly id: string }>(PAGE, SIZE).pipe(
      Stream.chunks,
      Stream.mapEffect((chunk) =>
        Effect.gen(function* () {
          const page = Chunk.toReadonlyArray(chunk).map((row) => row.record);
          const above = yield* readAbove(
            reader,
            page.map(({ partnerId }) => partnerId),
          );
          return page.flatMap((link) => {
            const misplaced = PartnerLink.findMisplaced(above, link);
            if (misplaced === null) return [];
            const problem = `partner link ${link.id}: ${WORDS[misplaced.type]}: ${misplaced.chain.join(" → ")}`;
            return [{ check: "links of partners", customerId: reader.customerId, problem }];
          });
        }),
      ),
      Stream.flattenIterables,
    ),
};

/** Compares the commissions of an export with what is stored of them, part by part. */
import { Effect, type Either, Option, Stream } from "effect";
import type { Currency } from "quittance";
import type { CommandFailed } from "../CommandFailed.ts";
import { forEachPage, listAll } from "../importing/KnownPartners.ts";
import type { Row } from "../importing/Rows.ts";
import { expectStatus, type Target } from "../Target.ts";
import { Reconciliation, type Stored } from "./Reconciliation.ts";
import type { Sale } from "./Sale.ts";

/** The number of attributions under filters. */
const countOf = (target: Target, filters: string): Effect.Effect<number, CommandFailed> =>
  Effect.flatMap(target.request("GET", `attributions?page=1&per_page=1${filters}`), (reply) =>
    Effect.map(
      expectStatus<{ readonly total: string | number }>(reply, 200, "attributions cannot be counted"),
      ({ total }) => Number(total),
    ),
  );

interface AttributionRecord {
  readonly id: string;
  readonly partner_id: string;
  readonly metadata: { readonly external_reference?: string };
}

interface CommissionRecord {
  readonly attribution_id: string;
  readonly currency: Currency.Currency;
  readonly view: { readonly computed_amount: number | null; readonly settled_amount: number };
}

/** Commissions that are compared at once, and requests for them that are under way. */
const COMPARED = 50;
const COMPARED_AT_ONCE = 4;

/** What is stored of attributions, by the reference of each commission; `references` are those of partners by their ids. */
const storedOf = (
  target: Target,
  references: ReadonlyMap<string, string>,
  attributions: ReadonlyArray<AttributionRecord>,
): Effect.Effect<ReadonlyMap<string, Stored>, CommandFailed> =>
  Effect.gen(function* () {
    const stored = new Map<string, Stored>();
    for (let from = 0; from < attributions.length; from += COMPARED) {
      const some = new Map(attributions.slice(from, from + COMPARED).map((record) => [record.id, record]));
      const filter = [...some.keys()].map((id) => `&attribution_ids=${id}`).join("");
      const found = yield* listAll<CommissionRecord>(target, "commissions", "commissions", filter);
      for (const { attribution_id, currency, view } of found) {
        const sale = some.get(attribution_id);
        const reference = sale?.metadata.external_reference;
        if (sale === undefined || reference === undefined) continue;
        stored.set(reference, {
          ...{ partner: references.get(sale.partner_id) ?? sale.partner_id, currency },
          ...{ earned: view.computed_amount ?? 0, settled: view.settled_amount },
        });
      }
    }
    return stored;
  });

const ATTRIBUTIONS = { path: "attributions", field: "attributions" } as const;

/** What a file has, and where its commissions are stored. */
interface Subject {
  readonly rows: Stream.Stream<Row, CommandFailed>;
  /** The commission of a row; rows that are wrong are passed over. */
  readonly read: (row: Row) => Either.Either<Sale, string>;
  /** The references of its commissions. */
  readonly lines: ReadonlyMap<string, unknown>;
  /** The ids of partners by their references, and those of the schemas. */
  readonly ids: ReadonlyMap<string, string>;
  readonly schemaIds: ReadonlyArray<string>;
}

/** Compares each commission of the file with what the schemas of the takeover have of it, and finds those that the file lacks. */
export const compareStored = (
  target: Target,
  { rows, read, lines, ids, schemaIds }: Subject,
): Effect.Effect<Reconciliation, CommandFailed> =>
  Effect.gen(function* () {
    const references = new Map([...ids].map(([reference, id]) => [id, reference]));
    const own = schemaIds.map((id) => `&schema_ids=${id}`).join("");
    const find = (filters: string) =>
      Effect.flatMap(
        listAll<AttributionRecord>(target, "attributions", "attributions", `${own}${filters}`),
        (found) => storedOf(target, references, found),
      );
    const compared = new Reconciliation();
    let known = 0;
    yield* rows.pipe(
      Stream.filterMap((row) => Option.getRight(read(row))),
      Stream.grouped(COMPARED),
      Stream.mapEffect(
        (sales) => {
          const named = [...sales].map(
            ({ reference }) => `&external_references=${encodeURIComponent(reference)}`,
          );
          const stored = own === "" ? Effect.succeed(new Map<string, Stored>()) : find(named.join(""));
          return Effect.map(stored, (found) => ({ sales, found }));
        },
        { concurrency: COMPARED_AT_ONCE },
      ),
      Stream.runForEach(({ sales, found }) =>
        Effect.sync(() => {
          known += found.size;
          for (const sale of sales) compared.add(sale, found.get(sale.reference));
        }),
      ),
    );
    if (own === "" || (yield* countOf(target, own)) === known) return compared;
    yield* forEachPage<AttributionRecord>(target, { ...ATTRIBUTIONS, filters: own }, (page) => {
      const others = page.filter(({ metadata }) => !lines.has(metadata.external_reference ?? ""));
      return Effect.map(storedOf(target, references, others), (found) => {
        for (const [reference, stored] of found) compared.addUnknown(reference, stored);
      });
    });
    return compared;
  });

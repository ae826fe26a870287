/**
 * Every amount equals the result of its formula for its attribution, and every running total equals a recount: each formula is
 * evaluated once more on its attributions, in the order in which they arrived.
 */
import { Chunk, Effect, Either, Option, Stream } from "effect";
import {
  Accumulation,
  type Attribution,
  type AttributionSchema,
  type Commission,
  Formula,
  Parameter,
  type Storage,
} from "quittance";
import * as Language from "quittance/formula";
import { record } from "../../sql/records/RowMapping.ts";
import { Evaluation } from "../Evaluation.ts";
import type { Reader } from "../Snapshot.ts";
import type { Check, Finding } from "./Check.ts";
import { readSellers, type Sellers } from "./Sellers.ts";

/** A formula with its schema, and whether a recomputation of it is pending. */
interface FormulaRow {
  readonly id: string;
  readonly formula: Formula.Formula;
  readonly schema: AttributionSchema.AttributionSchema;
  readonly recomputing: boolean;
  /** The recomputation that has built its totals; null where it has none, or they are being built. */
  readonly built: string | null;
}

interface AttributionRow {
  readonly attribution: Attribution.Attribution;
  readonly commission: Commission.Commission | null;
}

const NO_SELLERS: Sellers = () => 0n;

const FORMULAS = `
select t.id, ${record("formula", "t")} as formula, ${record("schema", "s")} as schema, exists (
    select from quittance.recomputations r
    where r.customer_id = $1::uuid and r.formula_id = t.id and r.pending) as recomputing, (
    select f.entry->>'recomputationId' from quittance.arrival_orders o
    cross join lateral jsonb_array_elements(o.view->'formulas') as f(entry)
    where o.customer_id = $1::uuid and o.partner_id = t.partner_id and o.schema_id = t.schema_id
      and f.entry->>'formulaId' = t.id::text and not (f.entry->>'building')::boolean) as built
from quittance.formulas t
join quittance.schemas s on s.customer_id = $1::uuid and s.id = t.schema_id
where t.customer_id = $1::uuid and t.id > $2::uuid and t.status = 'active' order by t.id limit $3::integer`;

const ATTRIBUTIONS = `
select ${record("attribution", "a")} as attribution, (
  select ${record("commission", "c")} from quittance.commissions c
  where c.customer_id = $1::uuid and c.attribution_id = a.id and c.formula_id = $2::uuid) as commission
from quittance.attributions a
where a.customer_id = $1::uuid and a.partner_id = $3::uuid and a.schema_id = $4::uuid and a.workspace_id = $5::uuid
  and (a.created_at, a.id) > ($6::bigint, $7::uuid)
order by a.created_at, a.id limit $8::integer`;

const TOTALS = `
select t.id, t.view->>'recomputationId' as "recomputationId", (t.view->>'rows')::integer as rows, t.view->>'numerator' as numerator
from quittance.running_totals t
where t.customer_id = $1::uuid and t.formula_id = $4::uuid and t.id > $2::uuid order by t.id limit $3::integer`;

const FORMULAS_PER_PAGE = 50;
const ATTRIBUTIONS_PER_PAGE = 500;
const TOTALS_PER_PAGE = 500;
/** A position in the order of arrival. */
interface ArrivalPosition {
  readonly createdAt: number;
  readonly id: string;
}

const BEGINNING: ArrivalPosition = {
  createdAt: Number.MIN_SAFE_INTEGER,
  id: "00000000-0000-0000-0000-000000000000",
};

/** The attributions of a formula in the order of their arrival. */
const attributionsOf = (reader: Reader, formula: Formula.Formula) =>
  Stream.paginateChunkEffect<ArrivalPosition, AttributionRow, Storage.StorageError, never>(
    BEGINNING,
    (after) =>
      Effect.map(
        reader.rows<AttributionRow>(
          ATTRIBUTIONS,
          formula.id,
          formula.partnerId,
          formula.schemaId,
          formula.workspaceId,
          after.createdAt,
          after.id,
          ATTRIBUTIONS_PER_PAGE,
        ),
        (rows) => {
          const last = rows.at(-1)?.attribution;
          return [
            Chunk.unsafeFromArray(rows),
            rows.length < ATTRIBUTIONS_PER_PAGE ? Option.none() : Option.fromNullable(last),
          ];
        },
      ),
  );

const evaluationOf = ({ formula, schema }: FormulaRow): Evaluation =>
  new Evaluation(
    formula.versions.map((version) =>
      Language.compile(
        Either.getOrThrow(Language.check(version.expression, schema.properties, formula.parameters)),
        Formula.appliesShare(version),
      ),
    ),
    (formulaVersion, { path: aggregate }, group, bucket) =>
      Accumulation.runningTotalId({ formulaId: formula.id, formulaVersion, aggregate, group, bucket }),
  );

/** What is wrong with the commission of an attribution under a formula, or null. */
const problemOf = (
  evaluation: Evaluation,
  { formula, recomputing }: FormulaRow,
  { attribution, commission }: AttributionRow,
  sellers: Sellers,
): string | null => {
  if (recomputing || attribution.status !== "confirmed") return null;
  if (!Formula.paysRole(formula, attribution) || !Formula.covers(formula, attribution.occurredAt))
    return null;
  if (commission === null)
    return `attribution ${attribution.id} has no commission under formula ${formula.id}`;
  if (commission.computationError !== null) return null;
  const version = Formula.versionAt(formula, attribution.occurredAt);
  const sellersCommission = evaluation.readsSellers(version) ? sellers(attribution, formula.currency) : 0n;
  const facts = Parameter.withValues(formula, attribution);
  const amount =
    sellersCommission === null
      ? null
      : Either.getOrElse(evaluation.amountOf(version, { ...facts, sellersCommission }), () => null);
  return amount === commission.computedAmount
    ? null
    : `commission ${commission.id} is ${commission.computedAmount}; formula ${formula.id} gives ${amount ?? "an error"}`;
};

interface StoredTotal {
  readonly id: string;
  readonly recomputationId: string;
  readonly rows: number;
  readonly numerator: string | null;
}

const formatTotal = (rows: number, numerator: string | bigint | null): string =>
  `${rows} rows, ${numerator ?? "none"}`;

/** Compares the stored totals of a formula with the recount. */
const totalsOf = (
  reader: Reader,
  { formula, built }: FormulaRow,
  totals: Map<string, Language.RunningTotal>,
): Stream.Stream<string, Storage.StorageError> => {
  const totalName = (id: string) => `running total ${id} of formula ${formula.id}`;
  const stored = Stream.filterMap(
    reader.pages<StoredTotal>(TOTALS, TOTALS_PER_PAGE, formula.id),
    ({ id, rows, numerator, recomputationId }) => {
      if (recomputationId !== built) return Option.none();
      const total = totals.get(id);
      totals.delete(id);
      const recountText =
        total === undefined ? formatTotal(0, null) : formatTotal(total.rows, total.numerator);
      const storedText = formatTotal(rows, numerator);
      const isSame = rows === (total?.rows ?? 0) && (rows === 0 || String(total?.numerator) === numerator);
      return isSame
        ? Option.none()
        : Option.some(`${totalName(id)}: ${storedText}; a recount gives ${recountText}`);
    },
  );
  const missing = Stream.suspend(() =>
    Stream.fromIterable(
      [...totals].flatMap(([id, total]) =>
        total.rows > 0
          ? [`${totalName(id)}: is missing; a recount gives ${formatTotal(total.rows, total.numerator)}`]
          : [],
      ),
    ),
  );
  return Stream.concat(stored, missing);
};

const checkFormula = (reader: Reader, row: FormulaRow): Stream.Stream<Finding, Storage.StorageError> => {
  const makeFinding =
    (check: string) =>
    (problem: string): Finding => ({
      check,
      customerId: reader.customerId,
      problem,
    });
  const compiled = Either.try(() => evaluationOf(row));
  if (Either.isLeft(compiled))
    return Stream.make(
      makeFinding("amounts")(`formula ${row.id}: an expression of it does not fit its schema`),
    );
  const evaluation = compiled.right;
  const withSellers = Stream.mapChunksEffect(attributionsOf(reader, row.formula), (chunk) => {
    const rows = Chunk.toReadonlyArray(chunk);
    const attributions = rows.map(({ attribution }) => attribution);
    const read = evaluation.readsSellers()
      ? readSellers(reader, attributions)
      : Effect.succeed<Sellers>(NO_SELLERS);
    return Effect.map(read, (sellers) => Chunk.map(chunk, (each) => ({ each, sellers })));
  });
  const amounts = Stream.flatMap(withSellers, ({ each, sellers }) => {
    const problem = problemOf(evaluation, row, each, sellers);
    evaluation.add(each.attribution, each.attribution.status === "confirmed");
    return problem === null ? Stream.empty : Stream.make(makeFinding("amounts")(problem));
  });
  const totals =
    evaluation.accumulates && row.built !== null
      ? Stream.map(totalsOf(reader, row, evaluation.totals), makeFinding("M12"))
      : Stream.empty;
  return Stream.concat(amounts, totals);
};

/** Checks that every amount is the result of its formula, and that every running total equals a recount. */
export const amounts: Check = {
  name: "amounts and running totals",
  statement:
    "Every amount equals the result of its formula for its attribution and for what the sellers below it earn, every matching attribution has a commission, every running total is a recount; unless a recomputation is pending.",
  find: (reader) =>
    Stream.flatMap(reader.pages<FormulaRow>(FORMULAS, FORMULAS_PER_PAGE), (row) => checkFormula(reader, row)),
};

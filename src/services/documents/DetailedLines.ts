/** What documents state of the lines of a settlement in addition to their amounts: what was sold, under which terms, what is corrected. */
import { Effect, Either } from "effect";
import type { Attribution } from "../../domain/Attribution.ts";
import type { AttributionSchema } from "../../domain/AttributionSchema.ts";
import { type CalendarDate, dateOf } from "../../domain/CalendarDate.ts";
import * as Commission from "../../domain/Commission.ts";
import { decimals } from "../../domain/Currency.ts";
import * as Document from "../../domain/Document.ts";
import * as Formula from "../../domain/Formula.ts";
import type { CommissionId, CustomerId, SettlementId } from "../../domain/Ids.ts";
import { due, releasedAmount } from "../../domain/Ledger.ts";
import { SHOWN_VALUE_MAX } from "../../domain/Limits.ts";
import type { PropertyValue } from "../../domain/Properties.ts";
import { isSelfBilled, type Settlement } from "../../domain/Settlement.ts";
import { explanationOf, type Terms, termsOf } from "../../explanation/index.ts";
import * as Language from "../../formula/index.ts";
import type {
  CorrectedLine,
  Correction,
  DetailedLine,
  PayablePart,
  ShownProperty,
} from "../../ports/Documents.ts";
import type {
  CommissionWithAttribution,
  Earnings,
  ExportLine,
  Records,
  StorageError,
} from "../../ports/Storage.ts";
import { totalsBefore } from "../accumulation/Recount.ts";
import { accumulatingFormula } from "../attributions/AccumulatingFormulas.ts";
import { type EvaluatorService, factsUnder, type SellersCommission } from "../attributions/Evaluator.ts";
import { namesOf } from "../attributions/References.ts";
import { readSellers } from "../overrides/SellersAmounts.ts";
import * as TimeSlice from "../process/TimeSlice.ts";

/** Commissions that are read at a time. */
const READ_MAX = 1_000;
/** Logs of commissions that are read at a time; a log may be long. */
const LOGS_READ_MAX = 200;

const readInPortions = <Id, Found>(
  ids: ReadonlyArray<Id>,
  size: number,
  read: (ids: ReadonlyArray<Id>) => Effect.Effect<ReadonlyArray<Found>, StorageError>,
): Effect.Effect<ReadonlyArray<Found>, StorageError> =>
  Effect.gen(function* () {
    const found: Array<Found> = [];
    for (let start = 0; start < ids.length; start += size)
      for (const one of yield* read(ids.slice(start, start + size))) found.push(one);
    return found;
  });

/** The earlier lines of a commission that were settled: the amounts by settlement, in the order of settling. */
const settledBefore = (
  events: ReadonlyArray<{ readonly event: Commission.CommissionEvent }>,
  own: SettlementId,
): ReadonlyMap<SettlementId, number> => {
  const lines = new Map<SettlementId, number>();
  for (const { event } of events) {
    if (event.type === "reopen_commission") lines.delete(event.settlement_id);
    if (event.type === "settle_commission" && event.amount !== 0 && event.settlement_id !== own)
      lines.set(event.settlement_id, event.amount);
  }
  return lines;
};

/** The document that states the lines of a settlement: its invoice or credit note, else its report, which has a date. */
const documentOf = ({ id, ...view }: Settlement, date: CalendarDate): Omit<CorrectedLine, "amount"> => {
  const selfBilled = isSelfBilled(view);
  const { invoiceNumber, creditNoteNumber, reportNumber } = view;
  const one = (kind: CorrectedLine["kind"], number: string | null, on: string | null) => ({
    settlementId: id,
    kind,
    isSelfBilled: selfBilled,
    number,
    date: on ?? date,
  });
  if (invoiceNumber !== null) return one("invoice", invoiceNumber, view.invoiceDate);
  return creditNoteNumber === null
    ? one("report", reportNumber, null)
    : one("credit_note", creditNoteNumber, view.creditNoteDate);
};

/** The earlier lines that the lines of a settlement correct, by commission. */
const readCorrectedLines = (
  storage: Records & Earnings,
  settlement: Settlement,
  commissionIds: ReadonlyArray<CommissionId>,
): Effect.Effect<ReadonlyMap<CommissionId, ReadonlyArray<CorrectedLine>>, StorageError> =>
  Effect.gen(function* () {
    const { customerId } = settlement;
    const commissions = yield* readInPortions(commissionIds, LOGS_READ_MAX, (ids) =>
      Effect.map(
        storage.list(customerId, "commission", {
          ...{ where: { ids }, page: 1, perPage: ids.length, order: "asc" },
        }),
        ({ items }) => items.map(({ id, events }) => ({ id, lines: settledBefore(events, settlement.id) })),
      ),
    );
    const ids = [...new Set(commissions.flatMap(({ lines }) => [...lines.keys()]))];
    const settlements = yield* readInPortions(ids, LOGS_READ_MAX, (some) =>
      storage.find(customerId, "settlement", some),
    );
    const reports = yield* readInPortions(
      settlements.flatMap(({ reportReference }) => reportReference ?? []),
      LOGS_READ_MAX,
      (some) => storage.find(customerId, "document", some),
    );
    const dates = new Map(reports.map((report) => [report.settlementId, Document.dateOn(report)]));
    const stated = new Map(
      settlements.map((item) => [
        item.id,
        documentOf(item, dates.get(item.id) ?? dateOf(item.approvedAt ?? item.createdAt)),
      ]),
    );
    return new Map(
      commissions.map(({ id, lines }) => [
        id,
        [...lines].flatMap(([settlementId, amount]) => {
          const document = stated.get(settlementId);
          return document === undefined ? [] : { ...document, amount };
        }),
      ]),
    );
  });

/** Shortens a long text. The result is a string of its own, so that the rest does not stay in memory for each of many lines. */
const shortenValue = (value: PropertyValue): PropertyValue => {
  if (typeof value !== "string" || value.length <= SHOWN_VALUE_MAX) return value;
  const characters = [...value];
  return characters.length <= SHOWN_VALUE_MAX
    ? value
    : `${characters.slice(0, SHOWN_VALUE_MAX - 1).join("")}…`;
};

/** The displayed properties that the attribution has, in the schema's order of display. */
const displayedProperties = (
  { displayProperties }: AttributionSchema,
  { properties }: Attribution,
): ReadonlyArray<ShownProperty> =>
  displayProperties.flatMap((name) => {
    const value = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return value === undefined ? [] : { name, value: shortenValue(value) };
  });

type Before = ReadonlyMap<string, ReadonlyArray<Language.RunningTotal>>;

/** A formula with what its explanations need. */
interface ExplainedFormula {
  readonly formula: Formula.Formula;
  readonly schema: AttributionSchema;
  /** The totals before each attribution, by its id; null when counting them would read all history. */
  readonly before: Before | null;
  /** What the sellers below an attribution earn. */
  readonly sellers: SellersCommission;
}

const NO_TOTALS: Before = new Map();

/** Counts the totals before some attributions, unless a window has no start: that would read the whole history. */
const countTotals = (
  storage: Records & Earnings,
  evaluator: EvaluatorService,
  { formula, schema }: Pick<ExplainedFormula, "formula" | "schema">,
  attributions: ReadonlyArray<Attribution>,
): Effect.Effect<Before | null, StorageError> => {
  const accumulating = accumulatingFormula(evaluator, schema, formula);
  const windows = [...accumulating.versions.values()].flat().map(({ window }) => window);
  if (windows.length === 0) return Effect.succeed(NO_TOTALS);
  return windows.some((window) => Language.Windows.coverOf(window, formula.createdAt).from === null)
    ? Effect.succeed(null)
    : totalsBefore(storage, accumulating, attributions);
};

/** The terms under which the amount of a commission was computed; null when they cannot be derived. */
const termsFor = (
  evaluator: EvaluatorService,
  { formula, schema, before, sellers }: ExplainedFormula,
  { commission, attribution }: CommissionWithAttribution,
): Terms | null => {
  if (before === null || Commission.basis(attribution, formula) !== "evaluated") return null;
  const version = Formula.versionAt(formula, attribution.occurredAt);
  const compiled = evaluator.compile(formula, version, schema);
  const own = factsUnder(formula, attribution);
  const facts = compiled.readsSellers
    ? Either.map(sellers(formula, attribution), (sellersCommission) => ({ ...own, sellersCommission }))
    : Either.right(own);
  if (Either.isLeft(facts)) return null;
  const { result, trace } = Language.explain(compiled, facts.right, before.get(attribution.id));
  return Either.isRight(result) && result.right === commission.computedAmount
    ? termsOf(explanationOf(trace, decimals(commission.currency)))
    : null;
};

const readExplainedFormulas = (
  storage: Records & Earnings,
  evaluator: EvaluatorService,
  customerId: CustomerId,
  found: ReadonlyArray<CommissionWithAttribution>,
): Effect.Effect<ReadonlyMap<string, ExplainedFormula>, StorageError> =>
  Effect.gen(function* () {
    const byFormula = new Map<string, Array<Attribution>>();
    for (const { commission, attribution } of found) {
      const others = byFormula.get(commission.formulaId);
      if (others === undefined) byFormula.set(commission.formulaId, [attribution]);
      else others.push(attribution);
    }
    const formulas = yield* readInPortions([...byFormula.keys()], READ_MAX, (ids) =>
      storage.find(customerId, "formula", ids),
    );
    const schemaIds = [...new Set(formulas.map(({ schemaId }) => schemaId))];
    const schemas = yield* readInPortions(schemaIds, READ_MAX, (ids) =>
      storage.find(customerId, "schema", ids),
    );
    const schemaById = new Map(schemas.map((schema) => [schema.id, schema]));
    const explained = new Map<string, ExplainedFormula>();
    for (const formula of formulas) {
      const schema = schemaById.get(formula.schemaId);
      if (schema === undefined) return yield* Effect.dieMessage("a formula's schema is missing");
      const attributions = byFormula.get(formula.id) ?? [];
      const before = yield* countTotals(storage, evaluator, { formula, schema }, attributions);
      const overrides = attributions.filter((one) => evaluator.readsSellers(formula, one, schema));
      const { sellersAfter } = yield* readSellers(storage, customerId, overrides);
      explained.set(formula.id, { formula, schema, before, sellers: sellersAfter([]) });
    }
    return explained;
  });

/** What the buyer had paid, where that decides over the line: a part of the commission is payable, or was before. */
const partOf = (commission: Commission.Commission, isFurther: boolean): PayablePart | null => {
  const { receipt, waitingAmount, computedAmount } = commission;
  if (receipt === null || receipt.of === null || computedAmount === null || computedAmount <= 0) return null;
  if (waitingAmount === 0 && !isFurther) return null;
  const { received, of } = receipt;
  return { received, of, earned: computedAmount, payable: releasedAmount(commission) };
};

/**
 * What a line corrects: from what counted as settled to the commission of now. Once the commission has changed since the
 * draft its state of then is gone; then from the sum of the corrected lines to what the settlements state together.
 */
const correctionOf = (
  commission: Commission.Commission,
  amount: number,
  corrects: ReadonlyArray<CorrectedLine>,
  isCurrent: boolean,
): Correction | null => {
  if (corrects.length === 0) return null;
  const before = isCurrent
    ? releasedAmount(commission) - amount
    : corrects.reduce((sum, line) => sum + line.amount, 0);
  return { before, after: before + amount };
};

/**
 * The lines with their details. The terms of a line are null when they were not those of its amount: its
 * commission changed after the settlement was created, or it is 0 by a rule.
 */
export const detailedLines = (
  storage: Records & Earnings,
  evaluator: EvaluatorService,
  settlement: Settlement,
  lines: ReadonlyArray<ExportLine>,
): Effect.Effect<ReadonlyArray<DetailedLine>, StorageError> =>
  Effect.gen(function* () {
    const { customerId } = settlement;
    const found = yield* readInPortions(
      lines.map(({ commissionId }) => commissionId),
      READ_MAX,
      (ids) => storage.commissionsWithAttributions(customerId, ids),
    );
    const names = yield* namesOf(
      storage,
      customerId,
      found.map(({ attribution }) => attribution),
    );
    const byId = new Map(found.map((item) => [item.commission.id, item]));
    const formulas = yield* readExplainedFormulas(storage, evaluator, customerId, found);
    const settledIds = found.flatMap(({ commission: { id, settledLineCount } }) =>
      settledLineCount > 0 ? id : [],
    );
    const corrected = yield* readCorrectedLines(storage, settlement, settledIds);
    return yield* TimeSlice.map(lines, (line): DetailedLine => {
      const { commissionId, amount } = line;
      const one = byId.get(commissionId);
      const explained = one && formulas.get(one.commission.formulaId);
      if (one === undefined || explained === undefined) throw new Error("a line's commission is missing");
      const { commission, attribution } = one;
      const { formula, schema } = explained;
      const corrects = corrected.get(commissionId) ?? [];
      const basis = Commission.basis(attribution, formula);
      const isCurrent =
        due(commission) === amount || (corrects.length === 0 && releasedAmount(commission) === amount);
      return {
        ...line,
        externalReference: names.referenceOf(attribution),
        ...names.pairingOf(attribution),
        schemaName: schema.name,
        properties: displayedProperties(schema, attribution),
        basis,
        cancelReason: basis === "attribution_cancelled" ? attribution.cancelReason : null,
        terms: isCurrent ? termsFor(evaluator, explained, one) : null,
        part: isCurrent ? partOf(commission, corrects.length > 0) : null,
        correction: correctionOf(commission, amount, corrects, isCurrent),
        corrects,
      };
    });
  });

/** Simulations: an expression evaluated on sample attributions, each after a history of its own. */
import { Effect, Either, Schema } from "effect";
import { checkDates } from "../../domain/Attribution.ts";
import type { AttributionSchema } from "../../domain/AttributionSchema.ts";
import { CalendarDate } from "../../domain/CalendarDate.ts";
import * as Credit from "../../domain/Credit.ts";
import { Currency } from "../../domain/Currency.ts";
import { key, means, optional, optionalKey } from "../../domain/Field.ts";
import * as Formula from "../../domain/Formula.ts";
import { NIL, SchemaId } from "../../domain/Ids.ts";
import { HISTORIES_MAX, HISTORY_MAX, SAMPLES_MAX } from "../../domain/Limits.ts";
import { StatedAmount } from "../../domain/Money.ts";
import { sellersMissing } from "../../domain/Override.ts";
import * as Parameter from "../../domain/Parameter.ts";
import { conform, PropertyBag } from "../../domain/Properties.ts";
import { type Invalid, within } from "../../domain/Refusal.ts";
import { DateTime, DateTimeSince1970, type Timestamp } from "../../domain/Timestamp.ts";
import { dateIn } from "../../domain/Workspace.ts";
import * as Language from "../../formula/index.ts";
import * as TimeSlice from "../process/TimeSlice.ts";

const fields = (createdAt: string, occurredAt: string) => ({
  properties: PropertyBag,
  createdAt: optionalKey(DateTime, "created_at", createdAt),
  occurredAt: optionalKey(DateTimeSince1970, "occurred_at", occurredAt),
  occurredOn: optionalKey(
    CalendarDate,
    "occurred_on",
    "The calendar day that it counts for; by default that of occurred_at in the time zone of the schema's workspace.",
  ),
  credit: optional(Credit.Sample, "The partner's part of the sale; by default all of it, as its seller."),
});

/** An attribution that arrived before a sample; one that is cancelled does not count. */
const EarlierAttribution = Schema.Struct({
  ...fields(
    "When the earlier attribution was recorded.",
    "When the earlier attribution occurred; by default its created_at.",
  ),
  status: optional(
    Schema.Literal("confirmed", "cancelled"),
    "confirmed (the default), or cancelled, which aggregates do not count.",
  ),
});

/** An attribution to try the expression on, and those that arrived before it, in order of arrival. */
const Sample = Schema.Struct({
  ...fields(
    "When the sample was recorded; by default now.",
    "When the sample occurred, which may be in the future; by default its created_at.",
  ),
  history: optional(
    Schema.Array(EarlierAttribution).pipe(
      Schema.filter(
        ({ length }) => length <= HISTORY_MAX || `must have at most ${HISTORY_MAX} attributions`,
        { jsonSchema: { maxItems: HISTORY_MAX } },
      ),
    ),
    "The attributions that arrived before the sample, in order of arrival, at most 1,000.",
  ),
  sellersCommission: optionalKey(
    StatedAmount,
    "sellers_commission",
    "What the sellers below earn from the sample, in the smallest unit; an expression that reads sellers_commission needs it.",
  ),
});

const historiesProblem = (samples: ReadonlyArray<typeof Sample.Type>): string | null =>
  samples.reduce((sum, { history = [] }) => sum + history.length, 0) > HISTORIES_MAX
    ? `must have at most ${HISTORIES_MAX} attributions in all histories together`
    : null;

/**
 * An expression to try, and up to 100 attributions to try it on. `createdAt` is now by default, or `occurredAt` where that
 * is later; `occurredAt` is `createdAt` by default, and never after it. `occurredOn` is its day in the time zone of the schema's
 * workspace by default.
 */
export const Simulation = Schema.Struct({
  schemaId: key(SchemaId, "schema_id", "The attribution schema, of the same workspace."),
  currency: Currency.pipe(means("The currency of the amounts that the expression gives.")),
  ...Formula.stated,
  applyShare: Formula.applyShare,
  parameters: optional(Parameter.Declarations, "The parameters that the expression may read."),
  values: optional(Parameter.FirstValues, "The values of the parameters by name, for all samples."),
  samples: Schema.Array(Sample).pipe(
    Schema.filter(
      ({ length }) => (length >= 1 && length <= SAMPLES_MAX) || `must have 1 to ${SAMPLES_MAX} samples`,
      { jsonSchema: { minItems: 1, maxItems: SAMPLES_MAX } },
    ),
    Schema.filter((samples) => historiesProblem(samples) ?? true),
    means("The attributions to evaluate the expression for, 1 to 100."),
  ),
});
export type Simulation = typeof Simulation.Type;

type Dated = Pick<typeof Sample.Type, "createdAt" | "occurredAt" | "occurredOn">;
type SampleFacts = Dated & Pick<typeof Sample.Type, "properties" | "credit">;

/** What samples are read for: the schema, the time zone of its workspace, and the present moment. */
interface Surroundings {
  readonly schema: AttributionSchema;
  readonly timeZone: string;
  readonly now: Timestamp;
}

/** The dates of a sample, whose calendar day must be possible. */
const datesOf = ({ createdAt, occurredAt, occurredOn }: Dated, { now, timeZone }: Surroundings) => {
  const created = createdAt ?? Math.max(now, occurredAt ?? now);
  const occurred = Math.min(occurredAt ?? created, created);
  return Either.map(checkDates(occurredOn === undefined ? {} : { occurredOn }, occurred), () => ({
    createdAt: created,
    occurredAt: occurred,
    occurredOn: occurredOn ?? dateIn(timeZone, occurred),
  }));
};

/** What an expression sees of a sample; properties that the schema refuses are named by where they stand. */
const factsOf = (
  sample: SampleFacts,
  path: string,
  surroundings: Surroundings,
): Either.Either<Language.Facts, Invalid> =>
  Either.gen(function* () {
    const { schema } = surroundings;
    const properties = yield* conform(sample.properties, schema.properties);
    return {
      id: NIL,
      partnerId: NIL,
      customerId: schema.customerId,
      workspaceId: NIL,
      schemaId: schema.id,
      agentId: null,
      ...(yield* datesOf(sample, surroundings)),
      credit: Credit.ofSample(sample.credit),
      properties,
    };
  }).pipe(Either.mapLeft((refusal) => within(path, refusal)));

/** What the sellers of a sample earn, where the expression reads it. */
const ofSellers = (
  { readsSellers }: Language.Compiled,
  { sellersCommission }: typeof Sample.Type,
  path: string,
): Either.Either<Pick<Language.Facts, "sellersCommission">, Invalid> => {
  if (!readsSellers) return Either.right({});
  return sellersCommission === undefined
    ? Either.left(sellersMissing(path))
    : Either.right({ sellersCommission: BigInt(sellersCommission) });
};

/** A sample as an expression sees it, with the totals of its history. */
interface Prepared {
  readonly facts: Language.Facts;
  readonly totals: ReadonlyArray<Language.RunningTotal>;
}

/** An expression to try, what it was written for, and the values of its parameters. */
interface Tried extends Pick<Simulation, "samples" | "parameters" | "values">, Surroundings {
  readonly compiled: Language.Compiled;
}

/**
 * Evaluates a compiled expression on samples, in their order, and puts each result into a form. Fails for the first attribution
 * whose properties the schema refuses. The totals of a history are added up attribution by attribution, in slices of time.
 */
export const simulateSamples = <Form>(
  { compiled, samples, parameters = [], values, ...surroundings }: Tried,
  form: (explanation: Language.Explanation) => Form,
): Effect.Effect<ReadonlyArray<Form>, Invalid> => {
  const { aggregates } = compiled;
  const declared = { parameters, parameterValues: Parameter.firstStatements(values) };
  const prepare = (sample: Simulation["samples"][number], index: number): Effect.Effect<Prepared, Invalid> =>
    Effect.gen(function* () {
      const path = `samples.${index}`;
      const own = yield* factsOf(sample, path, surroundings);
      const facts = { ...Parameter.withValues(declared, own), ...(yield* ofSellers(compiled, sample, path)) };
      let totals = Language.emptyTotals(aggregates);
      yield* TimeSlice.mapEither(sample.history ?? [], (earlier, historyIndex) =>
        Either.map(factsOf(earlier, `${path}.history.${historyIndex}`, surroundings), (row) => {
          if (earlier.status !== "cancelled") totals = Language.addArrival(aggregates, facts, totals, row);
        }),
      );
      return { facts, totals };
    });
  return Effect.flatMap(Effect.forEach(samples, prepare), (prepared) =>
    TimeSlice.map(prepared, ({ facts, totals }) => form(Language.explain(compiled, facts, totals))),
  );
};

import { describe, it } from "@effect/vitest";
import { Effect, Either } from "effect";
import { type AttributionSchema, AttributionSchemas, CommissionFormulas, Currency } from "quittance";
import { decode, type Facts } from "quittance/formula";
import { expect } from "vitest";
import { type Arrival, arrivals, readAccumulating, type Sequence } from "../../examples/formulas/Plan.ts";
import { rule, scene } from "../services/Given.ts";

const dated = ({ createdAt, occurredAt, properties }: Facts) => ({ createdAt, occurredAt, properties });

/** The last sale of every step. */
const lastOfSteps = (sequence: Sequence): ReadonlyArray<Arrival> => {
  const all = arrivals(sequence);
  return all.filter(({ step }, index) => all[index + 1]?.step !== step);
};

describe("a simulation of the cookbook, each sale after its history", () => {
  it.effect.each([...readAccumulating()])("%s", ([, plan]) =>
    rule(
      Effect.gen(function* () {
        const { owner, workspaceId } = yield* scene();
        const schema = yield* (yield* AttributionSchemas.AttributionSchemas).create(owner, {
          name: plan.title,
          workspaceId,
          properties: plan.schema.properties as AttributionSchema.Create["properties"],
        });
        const { simulate } = yield* CommissionFormulas.CommissionFormulas;
        for (const sequence of plan.sequences) {
          const shown = lastOfSteps(sequence);
          const results = yield* simulate(owner, {
            schemaId: schema.id,
            currency: Currency.Currency.make(plan.currency),
            expression: Either.getOrThrow(decode(plan.expression)),
            ...(plan.parameters === undefined ? {} : { parameters: plan.parameters }),
            ...(sequence.parameters === undefined ? {} : { values: sequence.parameters }),
            samples: shown.map(({ facts, history }) => ({ ...dated(facts), history: history.map(dated) })),
          });
          expect(results.map(({ result }) => result)).toEqual(
            shown.map(({ step }) => Either.right(step.expected)),
          );
        }
      }),
    ),
  );
});

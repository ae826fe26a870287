/** Asks what a new formula for a schema pays for: the property, its unit and the currency. */
import { useState } from "preact/hooks";
import type { Plan, Schema } from "../api/Records.ts";
import { useMay, useSession } from "../api/Session.ts";
import { useLoad } from "../data/Load.ts";
import { decimalsOf, money, plain } from "../format/Money.ts";
import { Field, type Submit } from "../parts/Basics.tsx";
import { Choices, text } from "../parts/Forms.tsx";
import { type Basis, type Trial, trialOfSchema } from "./Sources.ts";

/** The latest sales whose values are shown. */
const LATEST = 5;

const EXAMPLE = 1250;

/** The currency of the schema's plans, if they have one in common. */
const currencyOf = ({ id }: Schema, plans: ReadonlyArray<Plan>): string => {
  const [only, another] = new Set(plans.filter((one) => one.schemaId === id).map((one) => one.currency));
  return another === undefined ? (only ?? "") : "";
};

/** What the latest sales have in a property: cents and whole units are often told apart by that. */
const Latest = ({ schema, property }: { readonly schema: Schema; readonly property: string }) => {
  const { client } = useSession();
  const latest = useLoad(`latest/${schema.id}`, (signal) =>
    client.list("attributions", { schemaIds: [schema.id], order: "desc", perPage: LATEST }, signal),
  );
  const values = (latest.value?.items ?? [])
    .map(({ properties }) => properties[property])
    .filter((value) => typeof value === "number");
  return values.length === 0 ? null : (
    <p class="note">
      {property} of the latest sales: {values.map(plain).join(" · ")}
    </p>
  );
};

export const NewFormula = ({
  schema,
  plans,
  choose,
  close,
}: {
  readonly schema: Schema;
  readonly plans: ReadonlyArray<Plan>;
  readonly choose: (trial: Trial) => void;
  readonly close: () => void;
}) => {
  const may = useMay();
  const numbers = schema.properties.filter(({ type }) => type === "number").map(({ name }) => name);
  const [property, setProperty] = useState(numbers[0] ?? "");
  const [typed, setTyped] = useState(currencyOf(schema, plans));
  const currency = /^[a-z]{3}$/i.test(typed.trim()) ? typed.trim().toUpperCase() : null;
  const asksUnit = property !== "" && currency !== null && decimalsOf(currency) > 0;
  const begin: Submit = (event) => {
    event.preventDefault();
    if (currency === null) return;
    const unit = text(new FormData(event.currentTarget), "unit") === "whole" ? "whole" : "smallest";
    choose(trialOfSchema(schema, { property, unit, currency } satisfies Basis));
  };
  return (
    <section class="panel">
      <h2>A new formula for {schema.name}</h2>
      <form onSubmit={begin}>
        <Field label="Currency" hint="What partners are paid in. Three letters, such as EUR.">
          <input
            name="currency"
            required
            pattern="\s*[A-Za-z]{3}\s*"
            value={typed}
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
        </Field>
        {numbers.length > 1 && (
          <Field label="Property that partners are paid a share of">
            <select value={property} onChange={(event) => setProperty(event.currentTarget.value)}>
              {numbers.map((name) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          </Field>
        )}
        {asksUnit && (
          <>
            <Choices
              name="unit"
              legend={`Unit in which ${property} is recorded`}
              options={[
                {
                  value: "smallest",
                  words: "The smallest unit.",
                  meaning: `${plain(EXAMPLE)} means ${money(EXAMPLE, currency)}.`,
                },
                {
                  value: "whole",
                  words: "Whole units.",
                  meaning: `${plain(EXAMPLE)} means ${money(EXAMPLE * 10 ** decimalsOf(currency), currency)}.`,
                },
              ]}
            />
            {may("attributions:read") && <Latest schema={schema} property={property} />}
          </>
        )}
        <div class="row">
          <button type="submit" class="primary">
            Begin
          </button>
          <button type="button" onClick={close}>
            Go back
          </button>
        </div>
      </form>
    </section>
  );
};

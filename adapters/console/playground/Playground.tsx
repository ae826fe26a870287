/** Tries a formula: from the cookbook or as JSON, on sample sales, with derivation and curve; computed in the page. */
import { useEffect, useMemo, useState } from "preact/hooks";
import { explainText, languageOf } from "quittance/explanation";
import type { Schema } from "../api/Records.ts";
import { useMay, useSession } from "../api/Session.ts";
import { type Loaded, useLoad } from "../data/Load.ts";
import type { Route } from "../data/Route.ts";
import { decimalsOf, money, plain, shortMoney } from "../format/Money.ts";
import { Failure, Field, Heading, Skeleton } from "../parts/Basics.tsx";
import { Chart, type ChartProps } from "../parts/Chart.tsx";
import { Editor } from "./Editor.tsx";
import { curveOf, evaluateAll, type Outcome, type ParsedFormula, readFormula } from "./Evaluation.ts";
import { NewFormula } from "./NewFormula.tsx";
import { Samples } from "./Samples.tsx";
import { SavePlan } from "./SavePlan.tsx";
import { Simulate } from "./Simulate.tsx";
import {
  type CustomerRecords,
  type Example,
  readCustomerRecords,
  readExamples,
  storedTrial,
  storeTrial,
  type Trial,
  trialOfExample,
  trialOfPlan,
} from "./Sources.ts";

const Picker = ({
  examples,
  customerRecords,
  choose,
  begin,
}: {
  readonly examples: ReadonlyArray<Example>;
  readonly customerRecords: CustomerRecords;
  readonly choose: (trial: Trial) => void;
  /** Begins a new formula for a schema. */
  readonly begin: (schema: Schema) => void;
}) => {
  const pick = (value: string): void => {
    const [kind = "", id = ""] = value.split("/");
    const example = examples.find((one) => one.id === id);
    const plan = customerRecords.plans.find((one) => one.id === id);
    const schema = customerRecords.schemas.find((one) => one.id === (plan?.schemaId ?? id));
    if (kind === "example" && example !== undefined) choose(trialOfExample(example));
    if (kind === "plan" && plan !== undefined && schema !== undefined) choose(trialOfPlan(plan, schema));
    if (kind === "schema" && schema !== undefined) begin(schema);
  };
  const group = (label: string, found: ReadonlyArray<Example>) => (
    <optgroup label={label}>
      {found.map(({ id, title }) => (
        <option key={id} value={`example/${id}`}>
          {title}
        </option>
      ))}
    </optgroup>
  );
  return (
    <Field label="Begin with">
      <select value="" onChange={(event) => pick(event.currentTarget.value)}>
        <option value="">Choose a plan…</option>
        {customerRecords.plans.length > 0 && (
          <optgroup label="Your plans">
            {customerRecords.plans.map(({ id, name }) => (
              <option key={id} value={`plan/${id}`}>
                {name}
              </option>
            ))}
          </optgroup>
        )}
        {customerRecords.schemas.length > 0 && (
          <optgroup label="A new formula for your schema">
            {customerRecords.schemas.map(({ id, name }) => (
              <option key={id} value={`schema/${id}`}>
                {name}
              </option>
            ))}
          </optgroup>
        )}
        {group(
          "Cookbook: each sale by itself",
          examples.filter(({ accumulates }) => !accumulates),
        )}
        {group(
          "Cookbook: plans that look at earlier sales",
          examples.filter(({ accumulates }) => accumulates),
        )}
      </select>
    </Field>
  );
};

const Derivation = ({
  outcome,
  currency,
  index,
}: {
  readonly outcome: Outcome | undefined;
  readonly currency: string;
  readonly index: number;
}) => (
  <section class="panel">
    <h2>Why sale {index + 1} earns that</h2>
    {outcome === undefined || "problem" in outcome ? (
      <p class="note">
        There is no amount: {outcome === undefined ? "the formula has a problem" : outcome.problem}.
      </p>
    ) : (
      <pre class="derivation">
        {explainText(
          outcome.explanation,
          { currency, decimals: decimalsOf(currency) },
          languageOf(navigator.languages),
        )}
      </pre>
    )}
  </section>
);

const Curve = ({
  trial,
  formula,
  chosen,
}: {
  readonly trial: Trial;
  readonly formula: ParsedFormula;
  readonly chosen: number;
}) => {
  const numbers = trial.properties.filter(({ type }) => type === "number").map(({ name }) => name);
  const [selected, setSelected] = useState<string | null>(null);
  const varied = selected !== null && numbers.includes(selected) ? selected : (numbers[0] ?? "");
  const props = useMemo((): ChartProps | null => {
    if (formula.type !== "ready" || varied === "") return null;
    const { positions, amounts } = curveOf(formula.compiled, trial.samples, chosen, trial.properties, varied);
    if (positions.length < 2) return null;
    return {
      title: `Commission of sale ${chosen + 1} against ${varied}, in ${trial.currency}`,
      axis: varied,
      labels: positions.map((at) => `${varied} ${plain(at)}`),
      positions,
      series: [{ name: "Commission", colour: "chart-1", values: amounts }],
      format: (value) => money(value, trial.currency),
      tick: (value) => shortMoney(value, trial.currency),
      shape: "line",
    };
  }, [formula, trial, chosen, varied]);
  return (
    <section class="panel">
      <h2>Curve</h2>
      {numbers.length > 1 && (
        <Field label="Vary">
          <select value={varied} onChange={(event) => setSelected(event.currentTarget.value)}>
            {numbers.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </Field>
      )}
      {props === null ? (
        <p class="note">There is no curve: the formula has a problem, or no property is a number.</p>
      ) : (
        <Chart props={props} />
      )}
    </section>
  );
};

const Bench = ({ trial, change }: { readonly trial: Trial; readonly change: (trial: Trial) => void }) => {
  const may = useMay();
  const [chosen, setChosen] = useState(0);
  const formula = useMemo(() => readFormula(trial.text, trial.properties), [trial.text, trial.properties]);
  const outcomes = useMemo(
    () => (formula.type === "ready" ? evaluateAll(formula.compiled, trial.samples, trial.properties) : []),
    [formula, trial.samples, trial.properties],
  );
  const at = Math.min(chosen, trial.samples.length - 1);
  return (
    <>
      <p class="sentence">
        <strong>{trial.title}.</strong> {trial.summary}
      </p>
      <div class="playground">
        <section class="panel">
          <h2>Formula</h2>
          <Editor
            text={trial.text}
            formula={formula}
            properties={trial.properties}
            change={(text) => change({ ...trial, text })}
          />
          {formula.type === "ready" && trial.schema !== null && may("formulas:write") && (
            <SavePlan trial={trial} expression={formula.expression} />
          )}
          {trial.schema === null && (
            <p class="note">
              To create a plan from it, begin with one of your schemas and paste the formula.
            </p>
          )}
        </section>
        <div>
          <Derivation outcome={outcomes[at]} currency={trial.currency} index={at} />
          <Curve trial={trial} formula={formula} chosen={at} />
        </div>
      </div>
      <section class="panel">
        <h2>Sample sales</h2>
        <p class="note">In order of arrival: each sale has the sales above it as its history.</p>
        <Samples
          samples={trial.samples}
          properties={trial.properties}
          outcomes={outcomes}
          currency={trial.currency}
          chosen={at}
          choose={setChosen}
          change={(samples) => change({ ...trial, samples })}
        />
      </section>
      {trial.schema !== null && formula.type === "ready" && may("attributions:read") && (
        <Simulate trial={trial} expression={formula.expression} />
      )}
    </>
  );
};

/** The trial to begin with: the plan in the address, the last trial of this tab, or the first plan of the cookbook. */
const useTrial = (
  route: Route,
  examples: Loaded<ReadonlyArray<Example>>,
  customerRecords: Loaded<CustomerRecords>,
) => {
  const [trial, setTrial] = useState<Trial | null>(storedTrial);
  const planId = route.query.get("plan");
  useEffect(() => {
    const plan = customerRecords.value?.plans.find(({ id }) => id === planId);
    const schema = customerRecords.value?.schemas.find(({ id }) => id === plan?.schemaId);
    if (plan !== undefined && schema !== undefined) setTrial(trialOfPlan(plan, schema));
  }, [planId, customerRecords.value]);
  useEffect(() => {
    const first = examples.value?.find(({ id }) => id === "graduated-sales-tiers") ?? examples.value?.[0];
    if (trial === null && first !== undefined && planId === null) setTrial(trialOfExample(first));
  }, [examples.value, trial, planId]);
  useEffect(() => {
    if (trial !== null) storeTrial(trial);
  }, [trial]);
  return [trial, setTrial] as const;
};

export const Playground = ({ route }: { readonly route: Route }) => {
  const { client, principal } = useSession();
  const examples = useLoad("examples", readExamples);
  const customerRecords = useLoad("own", (signal) => readCustomerRecords(client, principal.scopes, signal));
  const [trial, setTrial] = useTrial(route, examples, customerRecords);
  const [begun, setBegun] = useState<Schema | null>(null);
  const choose = (chosen: Trial): void => {
    setBegun(null);
    setTrial(chosen);
  };
  return (
    <>
      <Heading title="Playground" />
      <p>
        Nothing here is stored until you create a plan from it. The formula is computed in this page by the
        same language as on the server.
      </p>
      {examples.failure !== null && <Failure failure={examples.failure} retry={examples.reload} />}
      {customerRecords.failure !== null && (
        <Failure failure={customerRecords.failure} retry={customerRecords.reload} />
      )}
      <Picker
        examples={examples.value ?? []}
        customerRecords={customerRecords.value ?? { plans: [], schemas: [] }}
        choose={choose}
        begin={setBegun}
      />
      {begun !== null ? (
        <NewFormula
          key={begun.id}
          schema={begun}
          plans={customerRecords.value?.plans ?? []}
          choose={choose}
          close={() => setBegun(null)}
        />
      ) : trial === null ? (
        <Skeleton what="Reading the cookbook" />
      ) : (
        <Bench key={`${trial.title}${trial.planId}`} trial={trial} change={setTrial} />
      )}
    </>
  );
};

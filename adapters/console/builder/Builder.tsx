/** The plan builder: writes a plan as a form, text or JSON, and shows at every keystroke what it says and what it pays. */
import { useEffect, useMemo, useState } from "preact/hooks";
import { useMay, useSession } from "../api/Session.ts";
import { type Loaded, useLoad } from "../data/Load.ts";
import type { Route } from "../data/Route.ts";
import { Failure, Heading, Skeleton } from "../parts/Basics.tsx";
import { Dialog } from "../parts/Dialog.tsx";
import { Begin } from "./Begin.tsx";
import { Curve } from "./Curve.tsx";
import { Derivation } from "./Derivation.tsx";
import { hasCurrency, type Reading, readContent } from "./Draft.ts";
import { Editing } from "./Editing.tsx";
import { evaluateAll } from "./Evaluation.ts";
import { InWords } from "./InWords.tsx";
import { inForce, triedOf } from "./Parameters.ts";
import { RecentSales } from "./RecentSales.tsx";
import { Samples } from "./Samples.tsx";
import { SavePlan } from "./SavePlan.tsx";
import {
  type CustomerRecords,
  type Draft,
  draftOfExample,
  draftOfPlan,
  draftOfSchema,
  type Example,
  isChanged,
  isComplete,
  readCustomerRecords,
  readExamples,
  storeDraft,
  storedDraft,
} from "./Sources.ts";

interface Props {
  readonly draft: Draft;
  readonly reading: Reading;
  readonly change: (draft: Draft) => void;
}

/** Sales that did not happen: typed in, each with those above it as its history. */
const OwnSales = ({ draft, reading, change }: Props) => {
  const [chosen, setChosen] = useState(0);
  const { properties, parameters, currency } = draft;
  const readsSellers = reading.type === "ready" && reading.compiled.readsSellers;
  const tried = useMemo(
    () => ({
      ...{ properties, tried: inForce(triedOf(parameters, currency)) },
      sellersIn: readsSellers ? currency : null,
    }),
    [properties, parameters, currency, readsSellers],
  );
  const outcomes = useMemo(
    () => (reading.type === "ready" ? evaluateAll(reading.compiled, draft.samples, tried) : []),
    [reading, draft.samples, tried],
  );
  const at = Math.min(chosen, draft.samples.length - 1);
  const outcome = outcomes[at];
  return (
    <section class="panel">
      <h2>Sales to try</h2>
      <p class="note">
        In order of arrival: each sale has the sales above it as its history. Nothing is stored.
      </p>
      <Samples
        samples={draft.samples}
        properties={draft.properties}
        outcomes={outcomes}
        readsSellers={readsSellers}
        currency={draft.currency}
        chosen={at}
        choose={setChosen}
        change={(samples) => change({ ...draft, samples })}
      />
      {reading.type === "ready" && (
        <div class="builder">
          <div>
            <h3>Why sale {at + 1} earns that</h3>
            {outcome === undefined || "problem" in outcome ? (
              <p class="note">There is no amount: {outcome?.problem}.</p>
            ) : (
              <Derivation explanation={outcome.explanation} currency={draft.currency} />
            )}
          </div>
          <div>
            <h3>Curve</h3>
            <Curve draft={draft} tried={tried} compiled={reading.compiled} chosen={at} />
          </div>
        </div>
      )}
    </section>
  );
};

const Consequences = ({ draft, reading }: Omit<Props, "change">) => {
  const may = useMay();
  return (
    <div>
      <section class="panel">
        <h2>In words</h2>
        {reading.type === "ready" ? (
          <InWords expression={reading.expression} basis={draft} />
        ) : (
          <p class="note">
            The plan is not complete yet{hasCurrency(draft) ? "." : ": in which currency does it pay?"}
          </p>
        )}
        {reading.type === "ready" && draft.schema !== null && may("formulas:write") && (
          <SavePlan draft={draft} expression={reading.expression} />
        )}
        {draft.schema === null && (
          <p class="note">
            This is a plan of the cookbook. To create one of your own, begin with a schema and copy the text.
          </p>
        )}
      </section>
      {reading.type === "ready" && draft.schema !== null && may("attributions:read") && (
        <RecentSales draft={draft} expression={reading.expression} compiled={reading.compiled} />
      )}
    </div>
  );
};

const Workbench = ({ draft, change }: Omit<Props, "reading">) => {
  const { content, currency, properties, units, parameters, roles, applyShare } = draft;
  const reading = useMemo(
    () => readContent(content, draft),
    [content, currency, properties, units, parameters, roles, applyShare],
  );
  return (
    <>
      <p class="sentence">
        <strong>{draft.title}.</strong> {draft.summary}
      </p>
      <div class="builder">
        <Editing {...{ draft, reading, change }} />
        <Consequences draft={draft} reading={reading} />
      </div>
      {hasCurrency(draft) && <OwnSales {...{ draft, reading, change }} />}
    </>
  );
};

const planIn = (records: CustomerRecords | null, planId: string | null): Draft | null => {
  const plan = records?.plans.find(({ id }) => id === planId);
  const schema = records?.schemas.find(({ id }) => id === plan?.schemaId);
  return plan === undefined || schema === undefined ? null : draftOfPlan(plan, schema);
};

/** The draft to begin with: the plan or schema in the address, the last draft of this tab, or a new plan for the first schema. */
const useDraft = (
  route: Route,
  examples: Loaded<ReadonlyArray<Example>>,
  customerRecords: Loaded<CustomerRecords>,
) => {
  const [draft, setDraft] = useState<Draft | null>(storedDraft);
  const planId = route.query.get("plan");
  const records = customerRecords.value;
  useEffect(() => {
    const asked = planIn(records, planId);
    // The draft of the same plan, with what was changed in it, is the one to go on with.
    if (asked !== null) setDraft((before) => (before?.planId === planId ? before : asked));
  }, [planId, records]);
  useEffect(() => {
    if (draft !== null || planId !== null || records === null) return;
    const [schema] = records.schemas;
    const example = examples.value?.find(isComplete);
    if (schema !== undefined) setDraft(draftOfSchema(schema, records));
    else if (example !== undefined) setDraft(draftOfExample(example));
  }, [examples.value, draft, planId, records]);
  useEffect(() => {
    if (draft !== null) storeDraft(draft);
  }, [draft]);
  return [draft, setDraft] as const;
};

const Discard = ({
  title,
  discard,
  close,
}: {
  readonly title: string;
  readonly discard: () => void;
  readonly close: () => void;
}) => (
  <Dialog title="Discard your changes?" close={close}>
    <p>{title} was changed and is not stored as a plan.</p>
    <div class="row end">
      <button type="button" class="back" onClick={close}>
        Go on with it
      </button>
      <button type="button" class="danger" onClick={discard}>
        Discard the changes
      </button>
    </div>
  </Dialog>
);

export const Builder = ({ route }: { readonly route: Route }) => {
  const { client, principal } = useSession();
  const examples = useLoad("examples", readExamples);
  const customerRecords = useLoad("own", (signal) => readCustomerRecords(client, principal, signal));
  const [draft, setDraft] = useDraft(route, examples, customerRecords);
  const [next, setNext] = useState<Draft | null>(null);
  const choose = (chosen: Draft): void => {
    if (draft !== null && isChanged(draft)) setNext(chosen);
    else setDraft(chosen);
  };
  return (
    <>
      <Heading title="Plan builder" />
      <p>
        Nothing here is stored until you create a plan from it. Amounts are computed in this page by the same
        rules as on the server.
      </p>
      {examples.failure !== null && <Failure failure={examples.failure} retry={examples.reload} />}
      {customerRecords.failure !== null && (
        <Failure failure={customerRecords.failure} retry={customerRecords.reload} />
      )}
      <Begin
        examples={examples.value ?? []}
        customerRecords={customerRecords.value ?? { plans: [], schemas: [], firstCurrency: "" }}
        choose={choose}
      />
      {draft === null ? (
        <Skeleton what="Reading plans" />
      ) : (
        <Workbench key={`${draft.title}${draft.planId}`} draft={draft} change={setDraft} />
      )}
      {next !== null && (
        <Discard
          title={draft?.title ?? ""}
          close={() => setNext(null)}
          discard={() => {
            setDraft(next);
            setNext(null);
          }}
        />
      )}
    </>
  );
};

/** Where a plan is written: as a form, as text, or as JSON. */
import { useMemo, useState } from "preact/hooks";
import { type Expression, print } from "quittance/formula";
import { Editor } from "../editor/Editor.tsx";
import { piecesOfJson, piecesOfText } from "../editor/Highlight.ts";
import { vocabularyOf } from "../editor/Vocabulary.ts";
import { Field } from "../parts/Basics.tsx";
import {
  type Basis,
  type Content,
  contextOf,
  formIn,
  hasCurrency,
  jsonOf,
  type Reading,
  readContent,
  type StatedUnit,
  textOf,
  unitsOf,
} from "./Draft.ts";
import { SurroundingsContext, spoken } from "./Fields.tsx";
import { isMoney, type Part } from "./Form.ts";
import { ParameterFields } from "./ParameterFields.tsx";
import { PartFields } from "./PartFields.tsx";
import { SharedFields } from "./SharedFields.tsx";
import type { Draft } from "./Sources.ts";
import { asksFor, UnitQuestions } from "./Units.tsx";

interface Props {
  readonly draft: Draft;
  readonly reading: Reading;
  readonly change: (draft: Draft) => void;
}

const VIEWS: ReadonlyArray<readonly [Content["type"], string]> = [
  ["form", "Form"],
  ["text", "Text"],
  ["json", "JSON"],
];

const Currency = ({ draft, change }: Omit<Props, "reading">) => (
  <Field
    label="Currency"
    hint="What partners are paid in. Three letters, such as EUR."
    problem={hasCurrency(draft) || draft.currency.length < 3 ? null : "Three letters, such as EUR."}
  >
    <input
      name="currency"
      class="currency"
      maxLength={3}
      value={draft.currency}
      onInput={(event) => change({ ...draft, currency: event.currentTarget.value.trim().toUpperCase() })}
    />
  </Field>
);

const FormEditor = ({ draft, reading, form, change }: Props & { readonly form: Part }) => {
  const asked = hasCurrency(draft) ? asksFor(form, draft) : [];
  const problems = reading.type === "wrong" ? reading.problems : [];
  const surroundings = {
    ...contextOf(draft),
    currency: draft.currency,
    problems: new Map(problems.map(({ path, message }) => [path, message])),
  };
  const whole = surroundings.problems.get("$");
  return (
    <SurroundingsContext.Provider value={surroundings}>
      {asked.length > 0 && (
        <UnitQuestions
          draft={draft}
          properties={asked}
          change={(property, unit) => change({ ...draft, units: { ...draft.units, [property]: unit } })}
        />
      )}
      <PartFields
        part={form}
        path="$"
        title="Each sale earns"
        change={(changed) => change({ ...draft, content: { type: "form", form: changed } })}
      />
      {problems.length > 0 && (
        <p class="problem" role="status">
          {whole !== undefined
            ? `The plan ${whole}.`
            : hasCurrency(draft)
              ? "Nothing is computed until the marked fields are filled in."
              : "Nothing is computed until the currency is filled in."}
        </p>
      )}
      {reading.type === "ready" && (
        <>
          <h3>The same as text</h3>
          <pre class="derivation formula">{print(reading.expression)}</pre>
        </>
      )}
    </SurroundingsContext.Provider>
  );
};

const NoForm = ({ reading, open }: { readonly reading: Reading; readonly open: () => void }) => (
  <div class="notice wait">
    <strong>{reading.type === "ready" ? "The form cannot show this plan" : "The text has a mistake"}</strong>
    <p>
      {reading.type === "ready"
        ? "It contains something that no template of the form has. Edit it as text; the words and amounts beside it follow."
        : "The form shows the plan again when the mistake is gone."}
    </p>
    <div class="row">
      <button type="button" onClick={open}>
        Edit the text
      </button>
    </div>
  </div>
);

/** The properties whose declared unit a formula contradicts: it would pay a hundredth, or a hundred times as much. */
const contradicted = (expression: Expression, draft: Draft): ReadonlyArray<string> => {
  const properties = draft.properties.map(({ format, ...property }) =>
    format === "money_minor" || format === "money_major"
      ? property
      : { ...property, ...(format && { format }) },
  );
  const taken: Basis["units"] = unitsOf(expression, { ...draft, properties });
  return draft.properties
    .filter(
      (property) =>
        isMoney(property) && taken[property.name] !== undefined && taken[property.name] !== property.format,
    )
    .map(({ name }) => name);
};

const Contradiction = ({ expression, draft }: { readonly expression: Expression; readonly draft: Draft }) => {
  const names = useMemo(() => contradicted(expression, draft), [expression, draft]);
  return names.length === 0 ? null : (
    <div class="notice stop" role="alert">
      <strong>The plan takes {names.map(spoken).join(", ")} for another unit than the schema declares</strong>
      <p>Amounts are a hundredth of what is meant, or a hundred times as much. Look at the latest sales.</p>
    </div>
  );
};

/** The three ways to edit the expression of a draft. */
export const Editing = ({ draft, reading, change }: Props) => {
  const { content } = draft;
  const form = formIn(content, reading, draft);
  const [view, setView] = useState<Content["type"]>(
    content.type === "json" ? "json" : form === null ? "text" : "form",
  );
  const entries = useMemo(
    () => vocabularyOf(contextOf(draft)),
    [draft.properties, draft.units, draft.parameters, draft.currency],
  );
  const whereRight =
    reading.type === "ready" ? "The formula fits the sales." : "The plan is not complete yet.";
  const mistakesIn = (type: "text" | "json") => (text: string) => {
    const read = readContent({ type, text }, draft);
    return read.type === "wrong" ? read.mistakes : [];
  };
  const edit = (type: "text" | "json") => (text: string) => {
    const changed: Content = { type, text };
    const read = readContent(changed, draft);
    const found = read.type === "ready" ? unitsOf(read.expression, draft) : {};
    change({ ...draft, content: changed, units: { ...draft.units, ...found } as Record<string, StatedUnit> });
  };
  return (
    <section class="panel">
      <div class="heading">
        <h2>What it pays</h2>
        {/* biome-ignore lint/a11y/useSemanticElements: three buttons of which one is pressed */}
        <div class="views" role="group" aria-label="Edit as">
          {VIEWS.map(([type, words]) => (
            <button key={type} type="button" aria-pressed={view === type} onClick={() => setView(type)}>
              {words}
            </button>
          ))}
        </div>
      </div>
      {draft.planId === null && draft.schema !== null && <Currency draft={draft} change={change} />}
      {hasCurrency(draft) && (draft.schema !== null || draft.parameters.length > 0) && (
        <ParameterFields
          parameters={draft.parameters}
          currency={draft.currency}
          isNew={draft.planId === null}
          change={(parameters) => change({ ...draft, parameters })}
        />
      )}
      {draft.schema !== null && <SharedFields {...{ draft, reading, change }} />}
      {reading.type === "ready" && <Contradiction expression={reading.expression} draft={draft} />}
      {view === "form" &&
        (form === null ? (
          <NoForm reading={reading} open={() => setView(content.type === "json" ? "json" : "text")} />
        ) : (
          <FormEditor {...{ draft, reading, form, change }} />
        ))}
      {view === "text" && (
        <Editor
          label="Formula as text"
          text={textOf(content, reading) ?? ""}
          change={edit("text")}
          mistakes={mistakesIn("text")}
          pieces={(text) => piecesOfText(text, entries)}
          entries={entries}
          right={whereRight}
        />
      )}
      {view === "json" && (
        <Editor
          label="Formula as JSON"
          text={jsonOf(content, reading) ?? ""}
          change={edit("json")}
          mistakes={mistakesIn("json")}
          pieces={piecesOfJson}
          entries={[]}
          right={whereRight}
        />
      )}
    </section>
  );
};

/** The fields of a webhook endpoint. */
import { useState } from "preact/hooks";
import type { CreateWebhookEndpoint } from "quittance/client";
import type { WebhookEndpoint } from "../api/Records.ts";
import { FormProblem } from "../api/Refusal.ts";
import { EVENT_FAMILIES } from "../words/EventNames.ts";
import { Field } from "./Basics.tsx";
import { text } from "./Forms.tsx";

/** The types of one family, all of which can be chosen at once. */
const Types = ({
  words,
  types,
  chosen,
}: {
  readonly words: string;
  readonly types: Readonly<Record<string, string>>;
  readonly chosen: ReadonlyArray<string>;
}) => {
  const names = Object.keys(types);
  const [picked, setPicked] = useState<ReadonlyArray<string>>(() =>
    names.filter((name) => chosen.includes(name)),
  );
  const toggle = (name: string): void =>
    setPicked(picked.includes(name) ? picked.filter((candidate) => candidate !== name) : [...picked, name]);
  return (
    <details class="types" open={picked.length > 0 && picked.length < names.length}>
      <summary>
        {words}: {picked.length === names.length ? "all" : picked.length === 0 ? "none" : picked.length}
      </summary>
      <button
        type="button"
        class="link left"
        onClick={() => setPicked(picked.length === names.length ? [] : names)}
      >
        {picked.length === names.length ? "None" : "All"}
        <span class="visually-hidden"> of {words}</span>
      </button>
      {Object.entries(types).map(([name, one]) => (
        <label class="check" key={name}>
          <input
            type="checkbox"
            name="type"
            value={name}
            checked={picked.includes(name)}
            onChange={() => toggle(name)}
          />
          <span>{one}</span>
        </label>
      ))}
    </details>
  );
};

export const EndpointFields = ({ endpoint }: { readonly endpoint: WebhookEndpoint | null }) => {
  const [isAll, setAll] = useState((endpoint?.types ?? null) === null);
  return (
    <>
      <Field label="Address" hint="Begins with https:// and can be reached from the internet.">
        <input
          name="url"
          type="url"
          required
          maxLength={2000}
          placeholder="https://example.com/quittance"
          defaultValue={endpoint?.url ?? ""}
        />
      </Field>
      <Field label="What it is for (optional)">
        <input name="description" maxLength={1000} defaultValue={endpoint?.description ?? ""} />
      </Field>
      <fieldset class="choices">
        <legend>What is sent</legend>
        <label>
          <input type="radio" name="events" value="all" checked={isAll} onChange={() => setAll(true)} />
          <span>
            <strong>Every event,</strong> including types of later versions.
          </span>
        </label>
        <label>
          <input type="radio" name="events" value="some" checked={!isAll} onChange={() => setAll(false)} />
          <span>
            <strong>Only some types.</strong>
          </span>
        </label>
      </fieldset>
      {!isAll &&
        EVENT_FAMILIES.map(({ id, words, types }) => (
          <Types key={id} words={words} types={types} chosen={endpoint?.types ?? []} />
        ))}
    </>
  );
};

type EventTypes = NonNullable<CreateWebhookEndpoint["types"]>;

/** What the form states; throws with the words of what is missing. */
export const endpointOf = (
  fields: FormData,
): {
  readonly url: string;
  readonly types: EventTypes | null;
  readonly description: string | null;
} => {
  const types = fields.getAll("type").map(String) as unknown as EventTypes;
  const isAll = fields.get("events") === "all";
  if (!isAll && types.length === 0)
    throw new FormProblem("No event is chosen. Choose at least one type, or every event.");
  return {
    url: text(fields, "url"),
    types: isAll ? null : types,
    description: text(fields, "description") || null,
  };
};

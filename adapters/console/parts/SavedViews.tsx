/** Named filters of a list, which this browser keeps for each person. */
import { useState } from "preact/hooks";
import { useSession } from "../api/Session.ts";
import { go, linkTo, type Route } from "../data/Route.ts";
import { Field, type Submit } from "./Basics.tsx";
import { Consequences, Dialog } from "./Dialog.tsx";
import { NO_FILTERS } from "./Filters.tsx";
import { announce } from "./Focus.ts";
import { text } from "./Forms.tsx";

/** Filters with their name. */
interface View {
  readonly name: string;
  /** As in the address, without the page and the order of the list. */
  readonly query: string;
}

/** The most views of a list. */
const VIEWS_MAX = 20;

const isView = (value: unknown): value is View =>
  typeof value === "object" &&
  value !== null &&
  "name" in value &&
  "query" in value &&
  typeof value.name === "string" &&
  typeof value.query === "string";

/** The views under a name of the browser's storage; none where they are not what this page has stored. */
const readViews = (key: string): ReadonlyArray<View> => {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(key) ?? "[]");
    return Array.isArray(found) ? found.filter(isView) : [];
  } catch {
    return [];
  }
};

/** The filters of an address in one order, so that the same filters are the same text. */
const filtersOf = ({ query }: Route): string => {
  const filters = new URLSearchParams(query);
  for (const name of NO_FILTERS) filters.delete(name);
  filters.sort();
  return filters.toString();
};

const SaveView = ({
  names,
  save,
  close,
}: {
  readonly names: ReadonlyArray<string>;
  readonly save: (name: string) => void;
  readonly close: () => void;
}) => {
  const [name, setName] = useState("");
  const submit: Submit = (event) => {
    event.preventDefault();
    const stated = text(new FormData(event.currentTarget as HTMLFormElement), "name");
    if (stated !== "") save(stated);
  };
  return (
    <Dialog title="Save these filters" close={close}>
      <form onSubmit={submit}>
        <Consequences
          sentences={[
            "This browser keeps them for you, under their name above the list. Nobody else sees them.",
          ]}
        />
        <Field
          label="Name"
          hint={names.includes(name.trim()) ? "The filters that have this name are replaced." : undefined}
        >
          <input
            name="name"
            required
            maxLength={60}
            autocomplete="off"
            value={name}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </Field>
        <div class="row end">
          <button type="button" class="back" onClick={close}>
            Go back
          </button>
          <button type="submit" class="primary">
            Save the filters
          </button>
        </div>
      </form>
    </Dialog>
  );
};

/** The saved views of the list of an address: to choose one, to save the present filters, and to remove the one that is chosen. */
export const SavedViews = ({ route }: { readonly route: Route }) => {
  const { principal } = useSession();
  const list = route.path.join("/");
  const key = `quittance.views.${list}.${principal.customerId}.${principal.person}`;
  const [views, setViews] = useState(() => readViews(key));
  const [isSaving, setSaving] = useState(false);
  const filters = filtersOf(route);
  const chosen = views.find(({ query }) => query === filters);
  /** Changes what is stored now, which another tab may have changed. */
  const store = (change: (views: ReadonlyArray<View>) => ReadonlyArray<View>): void => {
    const next = change(readViews(key)).slice(-VIEWS_MAX);
    localStorage.setItem(key, JSON.stringify(next));
    setViews(next);
  };
  const save = (name: string): void => {
    store((before) => [...before.filter((view) => view.name !== name), { name, query: filters }]);
    setSaving(false);
    announce(`The view ${name} is saved.`);
  };
  const remove = ({ name }: View): void => {
    store((before) => before.filter((view) => view.name !== name));
    announce(`The view ${name} is removed.`);
  };
  if (views.length === 0 && filters === "") return null;
  return (
    <>
      <fieldset class="chips saved-views">
        <legend>Views</legend>
        {views.map((view) => (
          <button
            key={view.name}
            type="button"
            class="chip"
            aria-pressed={view === chosen}
            onClick={() => go(view === chosen ? linkTo(list) : `${linkTo(list)}?${view.query}`)}
          >
            {view.name}
          </button>
        ))}
        {filters !== "" &&
          (chosen === undefined ? (
            <button type="button" class="link" onClick={() => setSaving(true)}>
              Save these filters
            </button>
          ) : (
            <button type="button" class="link" onClick={() => remove(chosen)}>
              Remove this view
            </button>
          ))}
      </fieldset>
      {isSaving && (
        <SaveView names={views.map(({ name }) => name)} save={save} close={() => setSaving(false)} />
      )}
    </>
  );
};

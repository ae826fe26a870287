/** The columns of a list that a user wants to see, kept in this browser. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Column } from "./Table.tsx";

const keyOf = (list: string): string => `quittance.columns.${list}`;

const hiddenOf = (list: string): ReadonlyArray<string> => {
  const stored = localStorage.getItem(keyOf(list));
  return stored === null || stored === "" ? [] : stored.split("\n");
};

/** The columns of a list without those that are hidden, and the menu that shows and hides them. The first one stays. */
export const useColumns = <Row,>(
  list: string,
  all: ReadonlyArray<Column<Row>>,
): { readonly columns: ReadonlyArray<Column<Row>>; readonly menu: ComponentChildren } => {
  const [hidden, setHidden] = useState(() => hiddenOf(list));
  const show = (name: string, isShown: boolean): void => {
    const names = isShown ? hidden.filter((other) => other !== name) : [...hidden, name];
    localStorage.setItem(keyOf(list), names.join("\n"));
    setHidden(names);
  };
  return {
    columns: all.filter(({ name }, index) => index === 0 || !hidden.includes(name)),
    menu: (
      <details class="column-menu">
        <summary>Columns</summary>
        <fieldset aria-label="Columns of the list">
          {all.slice(1).map(({ name, isMinor }) => (
            <label key={name} class={isMinor ? "check minor" : "check"}>
              <input
                type="checkbox"
                checked={!hidden.includes(name)}
                onChange={(event) => show(name, event.currentTarget.checked)}
              />
              {name}
            </label>
          ))}
        </fieldset>
      </details>
    ),
  };
};

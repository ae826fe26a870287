/** The fields of the plan builder's form. Each knows its path, at which the problems of the form are reported. */
import { type ComponentChildren, createContext } from "preact";
import { useContext, useId } from "preact/hooks";
import { type FormContext, isGrouping, type Span } from "./Form.ts";
import { daysOf } from "./Nodes.ts";
import { PERIODS } from "./Templates.ts";

/** What the fields of one form share. */
export interface Surroundings extends FormContext {
  readonly currency: string;
  /** What is wrong, by the path of the field. */
  readonly problems: ReadonlyMap<string, string>;
}

export const SurroundingsContext = createContext<Surroundings | null>(null);

export const useSurroundings = (): Surroundings => {
  const found = useContext(SurroundingsContext);
  if (found === null) throw new Error("there is no form");
  return found;
};

/** A label above a control, and below it what is wrong. */
const Labelled = ({
  label,
  path,
  children,
}: {
  readonly label: string;
  readonly path: string;
  readonly children: (attributes: {
    readonly id: string;
    readonly "aria-invalid": boolean;
    readonly "aria-describedby": string | undefined;
  }) => ComponentChildren;
}) => {
  const id = useId();
  const problem = useSurroundings().problems.get(path);
  return (
    <div class={`entry${problem === undefined ? "" : " wrong"}`}>
      <label for={id}>{label}</label>
      {children({
        id,
        "aria-invalid": problem !== undefined,
        "aria-describedby": problem === undefined ? undefined : `${id}-problem`,
      })}
      {problem !== undefined && (
        <span class="problem" id={`${id}-problem`}>
          {label} {problem}
        </span>
      )}
    </div>
  );
};

interface FieldProps {
  readonly label: string;
  readonly path: string;
  readonly value: string;
  readonly change: (value: string) => void;
}

/** A number with its unit behind it: `%`, a currency, or none. */
export const NumberField = ({
  label,
  path,
  value,
  change,
  unit,
}: FieldProps & { readonly unit?: string }) => {
  const { parameters = [] } = useSurroundings();
  const names = parameters.filter(({ type }) => type === "number").map(({ name }) => `plan.${name}`);
  return (
    <Labelled label={label} path={path}>
      {(attributes) => (
        <span class={`measured${value.startsWith("plan.") ? " named" : ""}`}>
          <input
            {...attributes}
            value={value}
            type="text"
            inputMode={names.length === 0 ? "decimal" : "text"}
            autocomplete="off"
            {...(names.length === 0 ? {} : { list: `${attributes.id}-values` })}
            onInput={(event) => change(event.currentTarget.value)}
          />
          {names.length > 0 && (
            <datalist id={`${attributes.id}-values`}>
              {names.map((name) => (
                <option key={name} value={name} />
              ))}
            </datalist>
          )}
          {unit !== undefined && !value.startsWith("plan.") && <span class="unit">{unit}</span>}
        </span>
      )}
    </Labelled>
  );
};

export const PercentField = (props: FieldProps) => <NumberField {...props} unit="%" />;

/** An amount that is paid, in the plan's currency. */
export const MoneyField = (props: FieldProps) => {
  const { currency } = useSurroundings();
  return <NumberField {...props} unit={currency} />;
};

/** The unit in which a number of a property is typed. */
export const unitOf = (name: string, { properties, currency }: Surroundings): string | undefined => {
  const format = properties.find((property) => property.name === name)?.format ?? "plain";
  if (format === "percent") return "%";
  return format === "money_minor" || format === "money_major" ? currency : undefined;
};

export const TextField = ({ label, path, value, change }: FieldProps) => (
  <Labelled label={label} path={path}>
    {(attributes) => (
      <input
        {...attributes}
        value={value}
        autocomplete="off"
        onInput={(event) => change(event.currentTarget.value)}
      />
    )}
  </Labelled>
);

export const DayField = ({ label, path, value, change }: FieldProps) => (
  <Labelled label={label} path={path}>
    {(attributes) => (
      <input
        {...attributes}
        type="date"
        value={value}
        onInput={(event) => change(event.currentTarget.value)}
      />
    )}
  </Labelled>
);

/** A choice of one of several values, each with its words. */
export const ChoiceField = <Value extends string>({
  label,
  path,
  value,
  options,
  change,
}: {
  readonly label: string;
  readonly path: string;
  readonly value: Value;
  readonly options: ReadonlyArray<readonly [value: Value, words: string]>;
  readonly change: (value: Value) => void;
}) => (
  <Labelled label={label} path={path}>
    {(attributes) => (
      <select
        {...attributes}
        value={value}
        onChange={(event) => {
          const chosen = options.find(([one]) => one === event.currentTarget.value);
          if (chosen !== undefined) change(chosen[0]);
        }}
      >
        {options.every(([one]) => one !== value) && <option value={value}>Choose…</option>}
        {options.map(([one, words]) => (
          <option key={one} value={one}>
            {words}
          </option>
        ))}
      </select>
    )}
  </Labelled>
);

/** The name of a property as people say it. */
export const spoken = (name: string): string => name.replaceAll("_", " ");

/** A property of a type. */
export const PropertyField = ({
  type,
  isMoney = false,
  ...props
}: FieldProps & { readonly type: "number" | "string" | "boolean"; readonly isMoney?: boolean }) => {
  const { properties } = useSurroundings();
  const fitting = properties.filter(
    (property) =>
      property.type === type && !(isMoney && (property.format === "count" || property.format === "percent")),
  );
  return <ChoiceField {...props} options={fitting.map(({ name }) => [name, spoken(name)] as const)} />;
};

/** A span of the last days begins with this number. */
const DAYS = "30";

/**
 * Since when sales are counted, and for each value of which property. A year may begin on a date of the partner.
 */
export const SpanFields = <Name extends keyof typeof PERIODS, Period extends Span | "sale">({
  label,
  path,
  span,
  names,
  isRolling = false,
  change,
}: {
  readonly label: string;
  readonly path: string;
  readonly span: { readonly period: Period; readonly by?: string };
  readonly names: ReadonlyArray<Name & Period>;
  /** True if the last days are offered, in which no total begins at 0. */
  readonly isRolling?: boolean;
  readonly change: (span: { readonly period: Period; readonly by?: string }) => void;
}) => {
  const { properties, parameters = [] } = useSurroundings();
  const { period, by = "" } = span;
  const days = daysOf(period);
  const grouping = period === "sale" ? [] : properties.filter(isGrouping);
  const options: ReadonlyArray<readonly [string, string]> = [
    ...names.map((name) => [name, PERIODS[name]] as const),
    ...parameters
      .filter(({ type }) => type === "date")
      .map(({ name }) => [`since ${name}`, `a year since ${spoken(name)}`] as const),
    ...(isRolling ? [[`last ${days ?? DAYS}`, "the last days"] as const] : []),
  ];
  return (
    <>
      <ChoiceField
        label={label}
        path={`${path}.period`}
        value={period as string}
        options={options}
        // Every option is one of the names, or a span of the kinds that are offered.
        change={(chosen) => change({ ...span, period: chosen as Period })}
      />
      {days !== null && (
        <NumberField
          label="Days, the sale's own included"
          path={`${path}.days`}
          value={days}
          change={(changed) => change({ ...span, period: `last ${changed}` as Period })}
        />
      )}
      {grouping.length > 0 && (
        <ChoiceField
          label="Counted for each"
          path={`${path}.by`}
          value={by}
          options={[["", "partner"], ...grouping.map(({ name }) => [name, spoken(name)] as const)]}
          change={(changed) => change({ ...span, by: changed })}
        />
      )}
    </>
  );
};

/** Rows of a table in a form, each with a button that removes it. */
export const Rows = <Row,>({
  rows,
  name,
  children,
  remove,
  add,
}: {
  readonly rows: ReadonlyArray<Row>;
  /** What one row is called. */
  readonly name: string;
  readonly children: (row: Row, index: number) => ComponentChildren;
  /** Undefined where no row can be removed. */
  readonly remove: (index: number) => void;
  readonly add: () => void;
}) => (
  <div class="entry-rows">
    {rows.map((row, index) => (
      <div key={index} class="entry-row">
        {children(row, index)}
        {rows.length > 1 && (
          <button
            type="button"
            class="close"
            aria-label={`Remove ${name} ${index + 1}`}
            onClick={() => remove(index)}
          >
            ×
          </button>
        )}
      </div>
    ))}
    <button type="button" class="link" onClick={add}>
      Add a {name}
    </button>
  </div>
);

/** A list with one item replaced. */
export const replaced = <A,>(list: ReadonlyArray<A>, index: number, item: A): ReadonlyArray<A> =>
  list.map((each, at) => (at === index ? item : each));

/** A list without one item. */
export const without = <A,>(list: ReadonlyArray<A>, index: number): ReadonlyArray<A> =>
  list.filter((_, at) => at !== index);

/** The fields for the facts of a sale that has changed, and what is wrong with what is typed. */
import type { Attribution, Property, PropertyValue } from "../api/Records.ts";
import { DAY, dayStart, utcDay } from "../format/Dates.ts";
import { decimalsOf } from "../format/Money.ts";
import { readNumber, writeNumber } from "../format/Numbers.ts";
import { Field, propertyName, propertyWords } from "../parts/Basics.tsx";

/** What is typed for each property, and the date; `date` is written `2026-01-31`. */
export interface TypedSale {
  readonly values: Readonly<Record<string, string>>;
  readonly date: string;
}

const textOf = (value: PropertyValue | undefined): string => {
  if (value === undefined) return "";
  return typeof value === "number" ? writeNumber(value) : String(value);
};

/** The facts of a sale as they are typed. */
export const typedOf = (
  { properties, occurredOn }: Attribution,
  definitions: ReadonlyArray<Property>,
): TypedSale => ({
  values: Object.fromEntries(definitions.map(({ name }) => [name, textOf(properties[name])])),
  date: occurredOn,
});

type Read = PropertyValue | undefined | { readonly problem: string };

/** The value of a typed property; a value that was not touched stays as it was recorded. */
const readProperty = (definition: Property, text: string, recorded: PropertyValue | undefined): Read => {
  if (text === textOf(recorded)) return recorded;
  if (text.trim() === "") return definition.required ? { problem: "is required" } : undefined;
  if (definition.type === "boolean") return text === "true";
  return definition.type === "number" ? readNumber(text) : text;
};

/** The fields of a request that replaces a sale. */
export interface Change {
  readonly properties?: Readonly<Record<string, PropertyValue>>;
  readonly occurredAt?: string;
  readonly occurredOn?: string;
}

/** The change of the date: the sale keeps its time of day, but is not later than now. */
const dateChange = (
  { occurredAt, occurredOn }: Pick<Attribution, "occurredAt" | "occurredOn">,
  date: string,
): Change => {
  const days = (Date.parse(dayStart(date)) - Date.parse(dayStart(occurredOn))) / DAY;
  const moment = Math.min(Date.parse(occurredAt) + days * DAY, Date.now());
  return { occurredAt: new Date(moment).toISOString(), occurredOn: date };
};

const isProblem = (read: Read): read is { readonly problem: string } => typeof read === "object";

/** What is typed, as a request; and the problem of each field that has one, by its name. */
export const readChange = (
  sale: Pick<Attribution, "properties" | "occurredAt" | "occurredOn">,
  definitions: ReadonlyArray<Property>,
  { values, date }: TypedSale,
): { readonly change: Change; readonly problems: ReadonlyMap<string, string> } => {
  const read = definitions.map(
    (definition) =>
      [
        definition.name,
        readProperty(definition, values[definition.name] ?? "", sale.properties[definition.name]),
      ] as const,
  );
  const problems = new Map(
    read.flatMap(([name, value]) => (isProblem(value) ? [[name, value.problem] as const] : [])),
  );
  if (date === "") problems.set("date", "is required");
  else if (date > utcDay(Date.now() + DAY)) problems.set("date", "is in the future");
  const properties = Object.fromEntries(
    read.flatMap(([name, value]) =>
      value === undefined || isProblem(value) ? [] : [[name, value] as const],
    ),
  );
  const isChanged = definitions.some(({ name }) => properties[name] !== sale.properties[name]);
  return {
    problems,
    change: {
      ...(isChanged ? { properties } : {}),
      ...(date === sale.occurredOn || problems.has("date") ? {} : dateChange(sale, date)),
    },
  };
};

/** An amount in the smallest unit, as an example. */
const EXAMPLE = 9_911;

/** What a number of a property is in, where that is not plain. */
const hintOf = (definition: Property, currency: string | null): string | undefined => {
  if (definition.type !== "number") return undefined;
  const whole = writeNumber(EXAMPLE / 10 ** decimalsOf(currency ?? ""));
  const of = currency ?? "the currency of the plan";
  switch (definition.format) {
    case "money_minor":
      return `In the smallest unit of ${of}: ${EXAMPLE} for ${whole}.`;
    case "money_major":
      return `In ${of}, such as ${whole}.`;
    case "percent":
      return "In percent.";
    default:
      return undefined;
  }
};

/** What stands in a list of yes and no where neither is stated. */
const notStated = ({ required, default: value }: Property): string => {
  if (required) return "";
  return value === undefined ? "not stated" : `not stated, counts as ${propertyWords(value)}`;
};

/** One field for each property, and the date. */
export const SaleFields = ({
  definitions,
  typed: { values, date },
  problems,
  currency = null,
  change,
}: {
  /** Of what the sale earns; null where it is not known. */
  readonly currency?: string | null;
  readonly definitions: ReadonlyArray<Property>;
  readonly typed: TypedSale;
  readonly problems: ReadonlyMap<string, string>;
  readonly change: (typed: TypedSale) => void;
}) => {
  const problemOf = (name: string): string | null => problems.get(name) ?? null;
  return (
    <>
      {definitions.map((definition) => {
        const { name, type, required } = definition;
        const value = values[name] ?? "";
        const set = (text: string): void => change({ values: { ...values, [name]: text }, date });
        return (
          <Field
            key={name}
            label={`${propertyName(name)}${required ? "" : " (optional)"}`}
            hint={hintOf(definition, currency)}
            problem={problemOf(name)}
          >
            {type === "boolean" ? (
              <select value={value} onChange={(event) => set(event.currentTarget.value)}>
                <option value="">{notStated(definition)}</option>
                <option value="true">yes</option>
                <option value="false">no</option>
              </select>
            ) : (
              <input
                inputMode={type === "number" ? "decimal" : "text"}
                autocomplete="off"
                placeholder={definition.default === undefined ? "" : propertyWords(definition.default)}
                value={value}
                onInput={(event) => set(event.currentTarget.value)}
              />
            )}
          </Field>
        );
      })}
      <Field label="Date of the sale" problem={problemOf("date")}>
        <input
          type="date"
          value={date}
          onInput={(event) => change({ values, date: event.currentTarget.value })}
        />
      </Field>
    </>
  );
};

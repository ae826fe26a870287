/** Reads sales from the rows of a CSV file, for the interface. */
import type { Row } from "./Csv.ts";

/** A property of a sale, as its schema defines it. */
export interface SaleProperty {
  readonly name: string;
  readonly type: "string" | "number" | "boolean";
  readonly required: boolean;
  readonly default?: unknown;
}

/** A sale of a row, without its workspace and schema. */
export interface SaleOfRow {
  readonly externalReference: string;
  readonly partnerId: string;
  readonly properties: Readonly<Record<string, string | number | boolean>>;
  /** Noon of the day, or the moment that the row states; absent for now. */
  readonly occurredAt?: string;
  readonly occurredOn?: string;
}

/** A row's sale, or what is wrong with the row; and its order number and partner as they are written. */
export interface ReadSale {
  readonly reference: string;
  readonly partner: string;
  readonly sale: SaleOfRow | null;
  readonly problem: string;
}

/** The id of a partner by its name, reference or id; or what is wrong. */
export type FindPartner = (text: string) => { readonly id: string } | { readonly problem: string };

/** Other names of columns. */
const ALSO: Readonly<Record<string, string>> = {
  order: "external_reference",
  order_number: "external_reference",
  reference: "external_reference",
  partner_id: "partner",
  occurred_on: "date",
  occurred_at: "date",
};

/** Columns without which rows cannot be read, or would be stored twice. */
const NEEDED = ["external_reference", "partner"];

const PROPERTY = "properties.";

/** What the columns of a file are by their titles: a field, or a property of the schema. */
const columnsOf = (titles: ReadonlyArray<string>, properties: ReadonlyArray<SaleProperty>) => {
  const names = new Set(properties.map(({ name }) => name));
  const fields = new Map<string, string>();
  const values = new Map<string, string>();
  const unknown: Array<string> = [];
  for (const title of titles) {
    const trimmed = title.trim();
    const written = trimmed.toLowerCase().replace(/[\s-]+/g, "_");
    const field = ALSO[written] ?? written;
    const name = trimmed.startsWith(PROPERTY) ? trimmed.slice(PROPERTY.length) : trimmed;
    const property = names.has(name) ? name : written;
    if (trimmed !== name && names.has(name)) values.set(name, title);
    else if ((NEEDED.includes(field) || field === "date") && !fields.has(field)) fields.set(field, title);
    else if (names.has(property) && !values.has(property)) values.set(property, title);
    else unknown.push(title);
  }
  return { fields, values, unknown };
};

/** The columns of a file: those that are missing, and those that are not read. */
export const checkSaleColumns = (titles: ReadonlyArray<string>, properties: ReadonlyArray<SaleProperty>) => {
  const { fields, values, unknown } = columnsOf(titles, properties);
  const isNeeded = ({ name, required, default: value }: SaleProperty): boolean =>
    required && value === undefined && !values.has(name);
  return {
    missing: [
      ...NEEDED.filter((name) => !fields.has(name)),
      ...properties.filter(isNeeded).map(({ name }) => name),
    ],
    unknown,
  };
};

/** The most digits that are stored exactly. */
const DIGITS_MAX = 15;

const BOOLEANS: Readonly<Record<string, boolean>> = {
  ...{ true: true, yes: true, "1": true },
  ...{ false: false, no: false, "0": false },
};

type Value = string | number | boolean | { readonly problem: string };

const readValue = (text: string, type: SaleProperty["type"]): Value => {
  if (type === "string") return text;
  if (type === "boolean")
    return BOOLEANS[text.toLowerCase()] ?? { problem: `must be yes or no, not "${text}"` };
  if (!/^-?\d+(?:\.\d+)?$/.test(text))
    return { problem: `must be a number with a decimal point, such as 1234.5, not "${text}"` };
  return text.replace(/\D/g, "").replace(/^0+/, "").length > DIGITS_MAX
    ? { problem: `has too many digits: "${text}"` }
    : Number(text) + 0;
};

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2})$/;

const WRONG_DATE = "must be a day such as 2026-01-31, or a moment such as 2026-01-31T12:00:00Z";

/** True for a day that exists. */
const exists = (day: string): boolean => {
  const at = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(day);
};

/** When a sale was made: a day counts from its noon, which lies in it in nearly every zone, but not from a moment that is to come. */
const dateOf = (text: string, now: number) => {
  if (text === "") return {};
  if (DAY.test(text) && exists(text)) {
    const noon = Date.parse(`${text}T12:00:00Z`);
    const isToday = noon > now && noon - now < 43_200_000;
    const occurredAt = isToday ? `${text}T00:00:00.000Z` : `${text}T12:00:00.000Z`;
    return { occurredAt, occurredOn: text };
  }
  return MOMENT.test(text) && exists(text.slice(0, 10))
    ? { occurredAt: new Date(text).toISOString() }
    : { problem: `${WRONG_DATE}, not "${text}"` };
};

/**
 * The reader of a file's sales: of a row it takes one sale of a schema. Empty cells are properties that the sale lacks. The second
 * row with a reference is wrong.
 */
export const saleReader = (
  titles: ReadonlyArray<string>,
  properties: ReadonlyArray<SaleProperty>,
  findPartner: FindPartner,
  now: number,
) => {
  const { fields, values } = columnsOf(titles, properties);
  const lines = new Map<string, number>();
  return (row: Row): ReadSale => {
    const cell = (title: string | undefined): string => String(row.cell(title ?? "") ?? "").trim();
    const reference = cell(fields.get("external_reference"));
    const partner = cell(fields.get("partner"));
    const wrong = (problem: string): ReadSale => ({ reference, partner, sale: null, problem });
    if (row.problem !== null) return { ...wrong(row.problem), reference: "", partner: "" };
    if (reference === "") return wrong("external_reference: is empty");
    const before = lines.get(reference);
    if (before !== undefined) return wrong(`external_reference: is that of line ${before}`);
    lines.set(reference, row.line);
    const found = findPartner(partner);
    if ("problem" in found) return wrong(`partner: ${found.problem}`);
    const date = dateOf(cell(fields.get("date")), now);
    if (date.problem !== undefined) return wrong(`date: ${date.problem}`);
    const read: Record<string, string | number | boolean> = {};
    for (const { name, type, required, default: value } of properties) {
      const text = cell(values.get(name));
      if (text === "") {
        if (required && value === undefined) return wrong(`${name}: is empty`);
        continue;
      }
      const one = readValue(text, type);
      if (typeof one === "object") return wrong(`${name}: ${one.problem}`);
      read[name] = one;
    }
    return {
      ...{ reference, partner, problem: "" },
      sale: { externalReference: reference, partnerId: found.id, properties: read, ...date },
    };
  };
};

/** The starting points of a trial: a plan of the cookbook, or a plan or schema of the customer. */
import type { Client } from "../api/Client.ts";
import type { Plan, Property, PropertyValue, Schema } from "../api/Records.ts";
import { decimalsOf } from "../format/Money.ts";
import type { Sample } from "./Evaluation.ts";

/** A plan of the cookbook, as the build writes it. */
export interface Example {
  readonly id: string;
  readonly title: string;
  readonly summary: string;
  readonly currency: string;
  readonly schema: { readonly properties: ReadonlyArray<Property> };
  readonly expression: unknown;
  readonly samples: ReadonlyArray<{
    readonly properties: Readonly<Record<string, PropertyValue>>;
    readonly date?: string;
  }>;
  /** Whether it looks at earlier sales. */
  readonly accumulates: boolean;
}

/** A formula under trial, with its samples. */
export interface Trial {
  readonly title: string;
  readonly summary: string;
  readonly text: string;
  readonly currency: string;
  readonly properties: ReadonlyArray<Property>;
  readonly samples: ReadonlyArray<Sample>;
  /** The schema and workspace of the customer, where the trial is of one. */
  readonly schema: { readonly id: string; readonly workspaceId: string } | null;
  /** The plan that is being changed. */
  readonly planId: string | null;
}

export const readExamples = async (signal: AbortSignal): Promise<ReadonlyArray<Example>> => {
  const response = await fetch(new URL(COOKBOOK, document.baseURI), { signal });
  if (!response.ok) throw new Error("The cookbook cannot be read.");
  return (await response.json()) as ReadonlyArray<Example>;
};

/** The plans and schemas of the customer. */
export interface CustomerRecords {
  readonly plans: ReadonlyArray<Plan>;
  readonly schemas: ReadonlyArray<Schema>;
}

export const readCustomerRecords = async (
  client: Client,
  scopes: ReadonlyArray<string>,
  signal: AbortSignal,
): Promise<CustomerRecords> => {
  const [plans, schemas] = await Promise.all([
    scopes.includes("formulas:read")
      ? client.list("commissionPlans", { perPage: 100, order: "desc" }, signal)
      : null,
    scopes.includes("schemas:read") ? client.list("attributionSchemas", { perPage: 100 }, signal) : null,
  ]);
  return { plans: plans?.items ?? [], schemas: schemas?.items ?? [] };
};

const today = (): string => new Date().toISOString().slice(0, 10);

/** Characters of a line; what fits is written on one. */
const LINE_LENGTH = 64;

const inline = (value: unknown): string =>
  Array.isArray(value)
    ? `[${value.map(inline).join(", ")}]`
    : typeof value === "object" && value !== null
      ? `{ ${Object.entries(value)
          .map(([key, one]) => `${JSON.stringify(key)}: ${inline(one)}`)
          .join(", ")} }`
      : JSON.stringify(value);

/** JSON text in which a part that fits on a line is on one line. */
export const pretty = (value: unknown, indent = "", used = 0): string => {
  const short = inline(value);
  if (typeof value !== "object" || value === null || indent.length + used + short.length <= LINE_LENGTH)
    return short;
  const deeper = `${indent}  `;
  const parts = Array.isArray(value)
    ? value.map((one) => `${deeper}${pretty(one, deeper)}`)
    : Object.entries(value).map(
        ([key, one]) => `${deeper}${JSON.stringify(key)}: ${pretty(one, deeper, key.length + 4)}`,
      );
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  return `${open}\n${parts.join(",\n")}\n${indent}${close}`;
};

export const trialOfExample = (example: Example): Trial => ({
  title: example.title,
  summary: example.summary,
  text: pretty(example.expression),
  currency: example.currency,
  properties: example.schema.properties,
  samples: example.samples.map(({ properties, date }) => ({
    date: (date ?? "2026-01-15").slice(0, 10),
    values: Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, String(value)])),
  })),
  schema: null,
  planId: null,
});

const INVENTED: Readonly<Record<Property["type"], string>> = { number: "100", string: "", boolean: "" };

const sampleOf = (properties: ReadonlyArray<Property>): Sample => ({
  date: today(),
  values: Object.fromEntries(
    properties.map(({ name, type, required }) => [
      name,
      required && type === "string" ? "basic" : required && type === "boolean" ? "true" : INVENTED[type],
    ]),
  ),
});

/** What a new formula needs to know before it can pay a share of a property. */
export interface Basis {
  readonly property: string;
  /** The unit that the property is recorded in: cents, or whole euros. */
  readonly unit: "smallest" | "whole";
  readonly currency: string;
}

const number = (value: number): unknown => ({ type: "literal", value: { type: "number", value } });

/** Ten percent of a property, in the smallest unit of the currency. */
const tenPercentOf = ({ property, unit, currency }: Basis): unknown => ({
  type: "multiply",
  operands: [
    { type: "property", name: property },
    { type: "literal", value: { type: "percent", value: 10 } },
    ...(unit === "whole" && decimalsOf(currency) > 0 ? [number(10 ** decimalsOf(currency))] : []),
  ],
});

const ownSchema = ({ id, workspaceId }: Schema): Trial["schema"] => ({ id, workspaceId: workspaceId });

/** Ten percent of a property; without a property a fixed amount. */
export const trialOfSchema = (schema: Schema, basis: Basis): Trial => ({
  title: `A new formula for ${schema.name}`,
  summary:
    basis.property === ""
      ? "A fixed amount for each sale: no property is a number."
      : `Ten percent of ${basis.property}, to begin with.`,
  text: pretty(basis.property === "" ? number(0) : tenPercentOf(basis)),
  currency: basis.currency,
  properties: schema.properties,
  samples: [sampleOf(schema.properties)],
  schema: ownSchema(schema),
  planId: null,
});

export const trialOfPlan = (plan: Plan, schema: Schema): Trial => ({
  title: plan.name,
  summary: plan.description ?? "A plan of yours.",
  text: pretty(plan.expression),
  currency: plan.currency,
  properties: schema.properties,
  samples: [sampleOf(schema.properties)],
  schema: ownSchema(schema),
  planId: plan.id,
});

const STORED = "quittance.playground";

/** The trial of this tab, so that a reload loses nothing. */
export const storedTrial = (): Trial | null => {
  try {
    return JSON.parse(sessionStorage.getItem(STORED) ?? "null") as Trial | null;
  } catch {
    return null;
  }
};

export const storeTrial = (trial: Trial): void => sessionStorage.setItem(STORED, JSON.stringify(trial));

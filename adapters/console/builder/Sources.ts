/** The starting points of a plan: a plan of the cookbook, or a plan or schema of the customer. */
import { type Expression, type ParameterDefinition, print, readsShare } from "quittance/formula";
import type { Client } from "../api/Client.ts";
import type { Plan, Principal, Property, PropertyValue, Schema } from "../api/Records.ts";
import { draftName } from "../data/StoredDraft.ts";
import { writeValue } from "../plans/Values.ts";
import { type Basis, type Content, unitsOf } from "./Draft.ts";
import type { Sample } from "./Evaluation.ts";
import { readFirstCurrency } from "./FirstCurrency.ts";
import { isMoney } from "./Form.ts";
import type { DraftParameter } from "./Parameters.ts";
import { blankPart } from "./Templates.ts";

/** A plan of the cookbook, as the build writes it. */
export interface Example {
  readonly id: string;
  readonly title: string;
  readonly summary: string;
  readonly currency: string;
  readonly schema: { readonly properties: ReadonlyArray<Property> };
  readonly parameters?: ReadonlyArray<ParameterDefinition>;
  readonly expression: unknown;
  readonly samples: ReadonlyArray<{
    readonly properties: Readonly<Record<string, PropertyValue>>;
    readonly date?: string;
  }>;
  /** True if it looks at earlier sales. */
  readonly accumulates: boolean;
}

/** A plan that is written or changed, with sales to try it on. */
export interface Draft extends Basis {
  readonly title: string;
  readonly summary: string;
  readonly content: Content;
  /** The content at the beginning. */
  readonly begun: Content;
  /** What a plan states apart from its content, as {@link termsOf} writes it; absent where there is no plan yet. */
  readonly begunTerms?: string;
  readonly samples: ReadonlyArray<Sample>;
  /** The schema and workspace of the customer, where the plan is for one. */
  readonly schema: { readonly id: string; readonly workspaceId: string } | null;
  /** The plan that is being changed. */
  readonly planId: string | null;
}

export const readExamples = async (signal: AbortSignal): Promise<ReadonlyArray<Example>> => {
  const response = await fetch(new URL(COOKBOOK, document.baseURI), { signal });
  if (!response.ok) throw new Error("The cookbook cannot be read.");
  return (await response.json()) as ReadonlyArray<Example>;
};

/** True if a plan pays at once: it looks at no earlier sale, and has no parameter whose value is asked for. */
export const isComplete = ({ accumulates, parameters = [] }: Example): boolean =>
  !accumulates && parameters.every((parameter) => parameter.default !== undefined);

/** The plans and schemas of the customer. */
export interface CustomerRecords {
  readonly plans: ReadonlyArray<Plan>;
  readonly schemas: ReadonlyArray<Schema>;
  /** The currency of the first plan; empty where there are plans. */
  readonly firstCurrency: string;
}

export const readCustomerRecords = async (
  client: Client,
  principal: Principal,
  signal: AbortSignal,
): Promise<CustomerRecords> => {
  const { scopes } = principal;
  const [plans, schemas] = await Promise.all([
    scopes.includes("formulas:read")
      ? client.list("commissionPlans", { perPage: 100, order: "desc" }, signal)
      : null,
    scopes.includes("schemas:read") ? client.list("attributionSchemas", { perPage: 100 }, signal) : null,
  ]);
  const isFirst = plans?.total === 0 && schemas !== null && schemas.total > 0;
  return {
    plans: plans?.items ?? [],
    schemas: schemas?.items ?? [],
    firstCurrency: isFirst ? await readFirstCurrency(client, principal, signal) : "",
  };
};

const today = (): string => new Date().toISOString().slice(0, 10);

const written = (expression: unknown): Content => ({ type: "text", text: print(expression as Expression) });

/** Declared parameters with their defaults as the values to try. */
const parametersOf = (
  declared: ReadonlyArray<ParameterDefinition> = [],
  currency: string,
  isStored: boolean,
): ReadonlyArray<DraftParameter> =>
  declared.map((definition) => {
    const { default: standard } = definition;
    const value = standard === undefined ? "" : writeValue(definition, standard, currency);
    return { definition, value, isDefault: standard !== undefined, isStored };
  });

export const draftOfExample = (example: Example): Draft => {
  const content = written(example.expression);
  const parameters = parametersOf(example.parameters, example.currency, false);
  return {
    title: example.title,
    summary: example.summary,
    ...{ content, begun: content },
    currency: example.currency,
    properties: example.schema.properties,
    units: unitsOf(example.expression as Expression, {
      currency: example.currency,
      properties: example.schema.properties,
      parameters,
    }),
    parameters,
    samples: example.samples.map(({ properties, date }) => ({
      date: (date ?? "2026-01-15").slice(0, 10),
      values: Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, String(value)])),
    })),
    schema: null,
    planId: null,
  };
};

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

const ownSchema = ({ id, workspaceId }: Schema): Draft["schema"] => ({ id, workspaceId });

type Existing = Pick<CustomerRecords, "plans" | "firstCurrency">;

/** The currency that most plans of the schema have, or of all plans where it has none. */
const currencyOf = ({ id }: Schema, { plans, firstCurrency }: Existing): string => {
  const own = plans.filter(({ schemaId }) => schemaId === id);
  const currencies = (own.length > 0 ? own : plans).map(({ currency }) => currency);
  const count = (one: string): number => currencies.filter((currency) => currency === one).length;
  return currencies.toSorted((a, b) => count(b) - count(a))[0] ?? firstCurrency;
};

/** A plan that is whole: a share of the first property that is money, else a fixed amount, which asks for no unit. */
export const draftOfSchema = (schema: Schema, existing: Existing): Draft => {
  const { properties } = schema;
  const form = blankPart(properties.some(isMoney) ? "share" : "fixed", { properties, decimals: 2 });
  const content: Content = { type: "form", form };
  return {
    title: `A new plan for ${schema.name}`,
    summary: "",
    ...{ content, begun: content, properties, units: {}, parameters: [] },
    currency: currencyOf(schema, existing),
    samples: [sampleOf(properties)],
    schema: ownSchema(schema),
    planId: null,
  };
};

/** What a plan states of shares, where its expression implies the opposite. */
const statedShare = ({ expression, versions }: Plan): Pick<Draft, "applyShare"> => {
  const implied = !readsShare(expression as unknown as Expression);
  const applyShare = versions.findLast(({ status }) => status === "reached")?.applyShare ?? implied;
  return applyShare === implied ? {} : { applyShare };
};

/** What a draft states apart from its content, to tell whether it was changed. */
const termsOf = ({ parameters, applyShare }: Pick<Draft, "parameters" | "applyShare">): string =>
  JSON.stringify([parameters.map(({ definition }) => definition), applyShare ?? null]);

export const draftOfPlan = (plan: Plan, schema: Schema): Draft => {
  const content = written(plan.expression);
  const stated = statedShare(plan);
  const { currency } = plan;
  const { properties } = schema;
  const parameters = parametersOf(plan.parameters, currency, true);
  return {
    title: plan.name,
    summary: plan.description ?? "",
    ...{ content, begun: content, currency, properties, parameters },
    units: unitsOf(plan.expression as unknown as Expression, { currency, properties, parameters }),
    samples: [sampleOf(properties)],
    schema: ownSchema(schema),
    planId: plan.id,
    ...stated,
    begunTerms: termsOf({ parameters, ...stated }),
    roles: plan.roles,
  };
};

/** The plan that was written last in this tab, so that a reload loses nothing. */
export const storedDraft = (): Draft | null => {
  try {
    const stored = JSON.parse(sessionStorage.getItem(draftName()) ?? "null") as Draft | null;
    // A draft of the version before had no parameters.
    return stored === null ? null : { ...stored, parameters: stored.parameters ?? [] };
  } catch {
    return null;
  }
};

export const storeDraft = (draft: Draft): void => sessionStorage.setItem(draftName(), JSON.stringify(draft));

/** The payment of a draft as requests state it. */
export const paymentOf = ({ applyShare }: Draft, expression: Expression) => ({
  expression,
  ...(applyShare === undefined ? {} : { applyShare }),
});

/** True if a draft says something else than at its beginning. */
export const isChanged = (draft: Draft): boolean =>
  JSON.stringify(draft.content) !== JSON.stringify(draft.begun) ||
  (draft.begunTerms !== undefined && draft.begunTerms !== termsOf(draft));

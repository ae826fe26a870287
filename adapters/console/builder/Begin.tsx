/** What a plan begins with: a plan of yours, a schema, or the cookbook. */
import { Field } from "../parts/Basics.tsx";
import {
  type CustomerRecords,
  type Draft,
  draftOfExample,
  draftOfPlan,
  draftOfSchema,
  type Example,
} from "./Sources.ts";

export const Begin = ({
  examples,
  customerRecords,
  choose,
}: {
  readonly examples: ReadonlyArray<Example>;
  readonly customerRecords: CustomerRecords;
  readonly choose: (draft: Draft) => void;
}) => {
  const { plans, schemas } = customerRecords;
  const pick = (value: string): void => {
    const [kind = "", id = ""] = value.split("/");
    const example = examples.find((candidate) => candidate.id === id);
    const plan = plans.find((commissionPlan) => commissionPlan.id === id);
    const schema = schemas.find((attributionSchema) => attributionSchema.id === (plan?.schemaId ?? id));
    if (kind === "example" && example !== undefined) choose(draftOfExample(example));
    if (kind === "plan" && plan !== undefined && schema !== undefined) choose(draftOfPlan(plan, schema));
    if (kind === "schema" && schema !== undefined) choose(draftOfSchema(schema, customerRecords));
  };
  const group = (kind: string, label: string, found: ReadonlyArray<readonly [id: string, words: string]>) =>
    found.length > 0 && (
      <optgroup label={label}>
        {found.map(([id, words]) => (
          <option key={id} value={`${kind}/${id}`}>
            {words}
          </option>
        ))}
      </optgroup>
    );
  const named = (list: ReadonlyArray<{ readonly id: string; readonly name: string }>) =>
    list.map(({ id, name }) => [id, name] as const);
  const cookbook = (looksBack: boolean) =>
    examples
      .filter(({ accumulates }) => accumulates === looksBack)
      .map(({ id, title }) => [id, title] as const);
  return (
    <Field label="Begin with">
      <select value="" onChange={(event) => pick(event.currentTarget.value)}>
        <option value="">Choose a plan…</option>
        {group("plan", "Your plans", named(plans))}
        {group("schema", "A new plan for sales of your schema", named(schemas))}
        {group("example", "Cookbook: each sale by itself", cookbook(false))}
        {group("example", "Cookbook: plans that look at earlier sales", cookbook(true))}
      </select>
    </Field>
  );
};

/** The fields of rates, of scales and of what a scale is measured by. */
import { ConditionsFields } from "./ConditionFields.tsx";
import {
  ChoiceField,
  NumberField,
  PercentField,
  PropertyField,
  Rows,
  replaced,
  TextField,
  unitOf,
  useSurroundings,
  without,
} from "./Fields.tsx";
import type { Measure, Period, Rate, Step } from "./Form.ts";
import { blankMeasure, blankRate, firstCondition, PERIODS, RATES } from "./Templates.ts";

/** The periods that a field offers. */
export const periodOptions = <Name extends Period | "ever" | "sale">(...names: ReadonlyArray<Name>) =>
  names.map((name) => [name, PERIODS[name]] as const);

/** The steps of a scale; the last one has no limit. */
export const StepFields = ({
  steps,
  path,
  unit,
  change,
}: {
  readonly steps: ReadonlyArray<Step>;
  readonly path: string;
  readonly unit: string | undefined;
  readonly change: (steps: ReadonlyArray<Step>) => void;
}) => {
  const remove = (index: number): void => {
    const left = without(steps, index);
    change(left.map((step, at) => (at === left.length - 1 ? { ...step, upTo: "" } : step)));
  };
  const add = (): void => {
    const last = steps.at(-1) ?? { upTo: "", percent: "10" };
    const before = Number(steps.at(-2)?.upTo.replace(",", "."));
    const limit = Number.isFinite(before) && before > 0 ? String(before * 2) : "1000";
    change([...steps.slice(0, -1), { ...last, upTo: limit }, last]);
  };
  return (
    <Rows rows={steps} name="step" remove={remove} add={add}>
      {(step, index) => (
        <>
          {index === steps.length - 1 ? (
            <div class="entry">
              <span class="label">{index === 0 ? "All" : "Above"}</span>
              <span class="fixed">
                {index === 0 ? "of it" : `${steps[index - 1]?.upTo ?? ""} ${unit ?? ""}`}
              </span>
            </div>
          ) : (
            <NumberField
              label={`Up to (step ${index + 1})`}
              path={`${path}.${index}.upTo`}
              value={step.upTo}
              change={(upTo) => change(replaced(steps, index, { ...step, upTo }))}
              {...(unit === undefined ? {} : { unit })}
            />
          )}
          <PercentField
            label={`Rate (step ${index + 1})`}
            path={`${path}.${index}.percent`}
            value={step.percent}
            change={(percent) => change(replaced(steps, index, { ...step, percent }))}
          />
        </>
      )}
    </Rows>
  );
};

/** What a total counts: money or sales, and since when. */
export const MeasureFields = ({
  of,
  path,
  change,
}: {
  readonly of: Measure;
  readonly path: string;
  readonly change: (of: Measure) => void;
}) => {
  const surroundings = useSurroundings();
  return (
    <>
      <ChoiceField
        label="Counted is"
        path={path}
        value={of.type}
        options={[
          ["value", "the value of sales"],
          ["count", "the number of sales"],
        ]}
        change={(type) => change({ ...blankMeasure(type, surroundings), period: of.period })}
      />
      {of.type === "value" && (
        <PropertyField
          label="Value"
          path={`${path}.base`}
          type="number"
          isMoney
          value={of.base}
          change={(base) => change({ ...of, base })}
        />
      )}
      <ChoiceField
        label="In"
        path={`${path}.period`}
        value={of.period}
        options={periodOptions("month", "quarter", "year", "ever")}
        change={(period) => change({ ...of, period })}
      />
    </>
  );
};

interface Props<Kind extends Rate["type"] = Rate["type"]> {
  readonly rate: Extract<Rate, { readonly type: Kind }>;
  readonly base: string;
  readonly path: string;
  readonly change: (rate: Rate) => void;
}

const CategoryRate = ({ rate, path, change }: Props<"category">) => (
  <>
    <PropertyField
      label="Category is the property"
      path={`${path}.property`}
      type="string"
      value={rate.property}
      change={(property) => change({ ...rate, property })}
    />
    <Rows
      rows={rate.rows}
      name="category"
      remove={(index) => change({ ...rate, rows: without(rate.rows, index) })}
      add={() => change({ ...rate, rows: [...rate.rows, { value: "", percent: rate.otherwise }] })}
    >
      {(row, index) => (
        <>
          <TextField
            label={`Category ${index + 1}`}
            path={`${path}.rows.${index}.value`}
            value={row.value}
            change={(value) => change({ ...rate, rows: replaced(rate.rows, index, { ...row, value }) })}
          />
          <PercentField
            label={`Rate ${index + 1}`}
            path={`${path}.rows.${index}.percent`}
            value={row.percent}
            change={(percent) => change({ ...rate, rows: replaced(rate.rows, index, { ...row, percent }) })}
          />
        </>
      )}
    </Rows>
    <PercentField
      label="All others"
      path={`${path}.otherwise`}
      value={rate.otherwise}
      change={(otherwise) => change({ ...rate, otherwise })}
    />
  </>
);

const ConditionRate = ({ rate, path, change }: Props<"condition">) => {
  const surroundings = useSurroundings();
  return (
    <>
      <Rows
        rows={rate.rows}
        name="case"
        remove={(index) => change({ ...rate, rows: without(rate.rows, index) })}
        add={() =>
          change({
            ...rate,
            rows: [...rate.rows, { when: [firstCondition(surroundings)], percent: rate.otherwise }],
          })
        }
      >
        {(row, index) => (
          <>
            <ConditionsFields
              conditions={row.when}
              path={`${path}.rows.${index}.when`}
              change={(when) => change({ ...rate, rows: replaced(rate.rows, index, { ...row, when }) })}
            />
            <PercentField
              label="the rate is"
              path={`${path}.rows.${index}.percent`}
              value={row.percent}
              change={(percent) => change({ ...rate, rows: replaced(rate.rows, index, { ...row, percent }) })}
            />
          </>
        )}
      </Rows>
      <PercentField
        label="All others"
        path={`${path}.otherwise`}
        value={rate.otherwise}
        change={(otherwise) => change({ ...rate, otherwise })}
      />
    </>
  );
};

const LevelRate = ({ rate, base, path, change }: Props<"level">) => {
  const surroundings = useSurroundings();
  const { of } = rate;
  const measured = of === "sale" ? base : of.type === "value" ? of.base : "";
  return (
    <>
      <ChoiceField
        label="Decided by"
        path={`${path}.by`}
        value={of === "sale" ? "sale" : "total"}
        options={[
          ["sale", "the value of the sale"],
          ["total", "a total with this sale"],
        ]}
        change={(by) => change({ ...rate, of: by === "sale" ? by : blankMeasure("value", surroundings) })}
      />
      {of !== "sale" && (
        <MeasureFields of={of} path={`${path}.of`} change={(changed) => change({ ...rate, of: changed })} />
      )}
      <StepFields
        steps={rate.steps}
        path={`${path}.steps`}
        unit={measured === "" ? "sales" : unitOf(measured, surroundings)}
        change={(steps) => change({ ...rate, steps })}
      />
    </>
  );
};

const KindOfRate = ({ rate, base, path, change }: Props) => {
  switch (rate.type) {
    case "fixed":
      return (
        <PercentField
          label="Rate"
          path={`${path}.percent`}
          value={rate.percent}
          change={(percent) => change({ ...rate, percent })}
        />
      );
    case "category":
      return <CategoryRate {...{ rate, base, path, change }} />;
    case "condition":
      return <ConditionRate {...{ rate, base, path, change }} />;
    case "level":
      return <LevelRate {...{ rate, base, path, change }} />;
  }
};

/** A rate, and how it is found. */
export const RateFields = (props: Props) => {
  const surroundings = useSurroundings();
  const { rate, path, change } = props;
  const hasTexts = surroundings.properties.some(({ type }) => type === "string");
  const percentOf = (): string =>
    rate.type === "fixed" ? rate.percent : "otherwise" in rate ? rate.otherwise : "10";
  const options = (Object.keys(RATES) as ReadonlyArray<Rate["type"]>).filter(
    (type) => hasTexts || type !== "category",
  );
  return (
    <>
      <ChoiceField
        label="The rate is"
        path={path}
        value={rate.type}
        options={options.map((type) => [type, RATES[type]] as const)}
        change={(type) => change(blankRate(type, percentOf(), surroundings))}
      />
      <KindOfRate {...props} />
    </>
  );
};

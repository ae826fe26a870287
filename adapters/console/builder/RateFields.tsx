/** The fields of rates, of scales and of what a scale is measured by. */
import { ConditionsFields } from "./ConditionFields.tsx";
import {
  ChoiceField,
  NumberField,
  PercentField,
  PropertyField,
  Rows,
  replaced,
  SpanFields,
  TextField,
  unitOf,
  useSurroundings,
  without,
} from "./Fields.tsx";
import type { Measure, Rate, Scale, Step } from "./Form.ts";
import { blankMeasure, blankRate, firstCondition, RATES } from "./Templates.ts";

/** The steps of a scale; the last one has no limit. */
export const StepFields = ({
  steps,
  isBelow = false,
  path,
  unit,
  change,
}: Scale & {
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
              <span class="label">{index === 0 ? "All" : isBelow ? "From" : "Above"}</span>
              <span class="fixed">
                {index === 0 ? "of it" : `${steps[index - 1]?.upTo ?? ""} ${unit ?? ""}`}
              </span>
            </div>
          ) : (
            <NumberField
              label={`${isBelow ? "Below" : "Up to"} (step ${index + 1})`}
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

/** Which step a limit itself belongs to, and the steps. */
export const ScaleFields = ({
  scale,
  path,
  unit,
  change,
}: {
  readonly scale: Scale;
  readonly path: string;
  readonly unit: string | undefined;
  readonly change: (scale: Scale) => void;
}) => (
  <>
    <ChoiceField
      label="A limit itself has"
      path={`${path}.isBelow`}
      value={scale.isBelow === true ? "next" : "own"}
      options={[
        ["own", "the rate up to it"],
        ["next", "the rate beyond it"],
      ]}
      change={(which) => change({ ...scale, isBelow: which === "next" })}
    />
    <StepFields {...scale} path={path} unit={unit} change={(steps) => change({ ...scale, steps })} />
  </>
);

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
          ["value", "a value of the sales"],
          ["count", "the number of sales"],
        ]}
        change={(type) => change({ ...blankMeasure(type, surroundings), period: of.period })}
      />
      {of.type === "value" && (
        <PropertyField
          label="Value"
          path={`${path}.base`}
          type="number"
          value={of.base}
          change={(base) => change({ ...of, base })}
        />
      )}
      <SpanFields
        label="In"
        path={path}
        span={of}
        names={["month", "quarter", "year", "ever"]}
        isRolling
        change={(span) => change({ ...of, ...span })}
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
        value={of === "sale" ? "sale" : rate.isBefore === true ? "before" : "total"}
        options={[
          ["sale", "the value of the sale"],
          ["total", "a total with this sale"],
          ["before", "a total before this sale"],
        ]}
        change={(by) =>
          change({
            ...{ type: "level", steps: rate.steps, isBelow: rate.isBelow === true },
            of: by === "sale" ? by : of === "sale" ? blankMeasure("value", surroundings) : of,
            ...(by === "before" ? { isBefore: true } : {}),
          })
        }
      />
      {of !== "sale" && (
        <MeasureFields of={of} path={`${path}.of`} change={(changed) => change({ ...rate, of: changed })} />
      )}
      <ScaleFields
        scale={rate}
        path={`${path}.steps`}
        unit={measured === "" ? "sales" : unitOf(measured, surroundings)}
        change={(scale) => change({ ...rate, ...scale })}
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

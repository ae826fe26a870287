/** The fields of conditions. */
import {
  ChoiceField,
  DayField,
  NumberField,
  PropertyField,
  Rows,
  replaced,
  SpanFields,
  spoken,
  TextField,
  unitOf,
  useSurroundings,
  without,
} from "./Fields.tsx";
import type { Condition, Conditions, DATE_PARTS } from "./Form.ts";
import { blankCondition, conditionTypes, datesOf, firstCondition } from "./Templates.ts";

const KINDS: Readonly<Record<Condition["type"], string>> = {
  text: "a text",
  number: "a number",
  flag: "a yes or no",
  date: "the date of the sale",
  first: "one of the first sales",
  season: "the month, quarter or weekday",
  elapsed: "the time since a date",
  any: "any of several conditions",
};

const COMPARISONS = [
  ["at_least", "at least"],
  ["more_than", "more than"],
  ["at_most", "at most"],
  ["less_than", "less than"],
  ["equal", "exactly"],
] as const;

const TEXT_COMPARISONS = [
  ["is", "is"],
  ["is_not", "is not"],
  ["starts_with", "starts with"],
  ["ends_with", "ends with"],
  ["contains", "contains"],
] as const;

const PARTS = [
  ["month", "its month"],
  ["quarter", "its quarter"],
  ["day_of_week", "its weekday"],
] as const;

const NUMBERED: Readonly<Record<(typeof DATE_PARTS)[number], string>> = {
  month: "Months from 1 to 12, separated by commas",
  quarter: "Quarters from 1 to 4, separated by commas",
  day_of_week: "Weekdays, Monday is 1, separated by commas",
};

const UNITS = [
  ["days", "days"],
  ["months", "months"],
  ["years", "years"],
] as const;

interface Props<Kind extends Condition> {
  readonly condition: Kind;
  readonly path: string;
  readonly change: (condition: Condition) => void;
}

type Of<Type extends Condition["type"]> = Props<Extract<Condition, { readonly type: Type }>>;

const TextCondition = ({ condition, path, change }: Of<"text">) => (
  <>
    <PropertyField
      label="Property"
      path={`${path}.property`}
      type="string"
      value={condition.property}
      change={(property) => change({ ...condition, property })}
    />
    <ChoiceField
      label="Comparison"
      path={`${path}.operator`}
      value={condition.operator}
      options={TEXT_COMPARISONS}
      change={(operator) => change({ ...condition, operator })}
    />
    <TextField
      label="Values, separated by commas"
      path={`${path}.values`}
      value={condition.values}
      change={(values) => change({ ...condition, values })}
    />
  </>
);

const NumberCondition = ({ condition, path, change }: Of<"number">) => {
  const unit = unitOf(condition.property, useSurroundings());
  return (
    <>
      <PropertyField
        label="Property"
        path={`${path}.property`}
        type="number"
        value={condition.property}
        change={(property) => change({ ...condition, property })}
      />
      <ChoiceField
        label="Comparison"
        path={`${path}.operator`}
        value={condition.operator}
        options={COMPARISONS}
        change={(operator) => change({ ...condition, operator })}
      />
      <NumberField
        label={unit === undefined ? "Number, as it is recorded" : "Value"}
        path={`${path}.value`}
        value={condition.value}
        change={(value) => change({ ...condition, value })}
        {...(unit === undefined ? {} : { unit })}
      />
    </>
  );
};

const FirstCondition = ({ condition, path, change }: Of<"first">) => (
  <>
    <NumberField
      label="First sales"
      path={`${path}.sales`}
      value={condition.sales}
      change={(sales) => change({ ...condition, sales })}
    />
    <SpanFields
      label="Of"
      path={path}
      span={condition}
      names={["ever", "month", "quarter", "year"]}
      isRolling
      change={(span) => change({ ...condition, by: "", ...span })}
    />
  </>
);

const SeasonCondition = ({ condition, path, change }: Of<"season">) => (
  <>
    <ChoiceField
      label="Looked at is"
      path={`${path}.part`}
      value={condition.part}
      options={PARTS}
      change={(part) => change({ ...condition, part })}
    />
    <TextField
      label={NUMBERED[condition.part]}
      path={`${path}.values`}
      value={condition.values}
      change={(values) => change({ ...condition, values })}
    />
  </>
);

const ElapsedCondition = ({ condition, path, change }: Of<"elapsed">) => (
  <>
    <ChoiceField
      label="Since"
      path={`${path}.from`}
      value={condition.from}
      options={datesOf(useSurroundings()).map((name) => [name, spoken(name)] as const)}
      change={(from) => change({ ...condition, from })}
    />
    <ChoiceField
      label="Comparison"
      path={`${path}.operator`}
      value={condition.operator}
      options={COMPARISONS}
      change={(operator) => change({ ...condition, operator })}
    />
    <NumberField
      label="Number"
      path={`${path}.value`}
      value={condition.value}
      change={(value) => change({ ...condition, value })}
    />
    <ChoiceField
      label="Complete"
      path={`${path}.unit`}
      value={condition.unit}
      options={UNITS}
      change={(unit) => change({ ...condition, unit })}
    />
  </>
);

const AnyCondition = ({ condition, path, change }: Of<"any">) => (
  <ConditionRows
    conditions={condition.of}
    path={`${path}.of`}
    words={["either", "or"]}
    name="condition of which one is enough"
    types={conditionTypes(useSurroundings())}
    change={(of) => change({ ...condition, of })}
  />
);

const KindOfCondition = ({ condition, path, change }: Props<Condition>) => {
  switch (condition.type) {
    case "text":
      return <TextCondition {...{ condition, path, change }} />;
    case "number":
      return <NumberCondition {...{ condition, path, change }} />;
    case "first":
      return <FirstCondition {...{ condition, path, change }} />;
    case "season":
      return <SeasonCondition {...{ condition, path, change }} />;
    case "elapsed":
      return <ElapsedCondition {...{ condition, path, change }} />;
    case "any":
      return <AnyCondition {...{ condition, path, change }} />;
    case "flag":
      return (
        <>
          <PropertyField
            label="Property"
            path={`${path}.property`}
            type="boolean"
            value={condition.property}
            change={(property) => change({ ...condition, property })}
          />
          <ChoiceField
            label="Is"
            path={`${path}.isTrue`}
            value={condition.isTrue ? "yes" : "no"}
            options={[
              ["yes", "yes"],
              ["no", "no"],
            ]}
            change={(value) => change({ ...condition, isTrue: value === "yes" })}
          />
        </>
      );
    case "date":
      return (
        <>
          <ChoiceField
            label="Is"
            path={`${path}.operator`}
            value={condition.operator}
            options={[
              ["from", "on or after"],
              ["before", "before"],
            ]}
            change={(operator) => change({ ...condition, operator })}
          />
          <DayField
            label="Day (UTC)"
            path={`${path}.day`}
            value={condition.day}
            change={(day) => change({ ...condition, day })}
          />
        </>
      );
  }
};

/** Conditions, one below the other. */
const ConditionRows = ({
  conditions,
  path,
  words,
  name,
  types,
  change,
}: {
  readonly conditions: Conditions;
  readonly path: string;
  /** What stands before the first one, and before each other. */
  readonly words: readonly [first: string, other: string];
  readonly name: string;
  readonly types: ReadonlyArray<Condition["type"]>;
  readonly change: (conditions: Conditions) => void;
}) => {
  const surroundings = useSurroundings();
  return (
    <Rows
      rows={conditions}
      name={name}
      remove={(index) => change(without(conditions, index))}
      add={() => change([...conditions, firstCondition(surroundings)])}
    >
      {(condition, index) => (
        <>
          <ChoiceField
            label={words[index === 0 ? 0 : 1]}
            path={`${path}.${index}`}
            value={condition.type}
            options={types.map((type) => [type, KINDS[type]] as const)}
            change={(type) => change(replaced(conditions, index, blankCondition(type, surroundings)))}
          />
          <KindOfCondition
            condition={condition}
            path={`${path}.${index}`}
            change={(changed) => change(replaced(conditions, index, changed))}
          />
        </>
      )}
    </Rows>
  );
};

/** Conditions of which all have to hold. */
export const ConditionsFields = (props: {
  readonly conditions: Conditions;
  readonly path: string;
  readonly change: (conditions: Conditions) => void;
}) => (
  <ConditionRows
    {...props}
    words={["If", "and"]}
    name="condition that has to hold as well"
    types={[...conditionTypes(useSurroundings()), "any"]}
  />
);

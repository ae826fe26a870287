/** The fields of conditions. */
import {
  ChoiceField,
  DayField,
  NumberField,
  PropertyField,
  Rows,
  replaced,
  spoken,
  TextField,
  unitOf,
  useSurroundings,
  without,
} from "./Fields.tsx";
import { type Condition, type Conditions, isGrouping } from "./Form.ts";
import { blankCondition, conditionTypes, firstCondition, PERIODS } from "./Templates.ts";

const KINDS: Readonly<Record<Condition["type"], string>> = {
  text: "a text",
  number: "a number",
  flag: "a yes or no",
  date: "the date of the sale",
  first: "one of the first sales",
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
  ["contains", "contains"],
] as const;

const PERIOD_OPTIONS = [
  ["ever", PERIODS.ever],
  ["month", PERIODS.month],
  ["quarter", PERIODS.quarter],
  ["year", PERIODS.year],
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

const FirstCondition = ({ condition, path, change }: Of<"first">) => {
  const { properties } = useSurroundings();
  const grouping = properties.filter(isGrouping);
  return (
    <>
      <NumberField
        label="First sales"
        path={`${path}.sales`}
        value={condition.sales}
        change={(sales) => change({ ...condition, sales })}
      />
      <ChoiceField
        label="Of"
        path={`${path}.period`}
        value={condition.period}
        options={PERIOD_OPTIONS}
        change={(period) => change({ ...condition, period })}
      />
      <ChoiceField
        label="Counted for each"
        path={`${path}.by`}
        value={condition.by}
        options={[["", "partner"], ...grouping.map(({ name }) => [name, spoken(name)] as const)]}
        change={(by) => change({ ...condition, by })}
      />
    </>
  );
};

const KindOfCondition = ({ condition, path, change }: Props<Condition>) => {
  switch (condition.type) {
    case "text":
      return <TextCondition {...{ condition, path, change }} />;
    case "number":
      return <NumberCondition {...{ condition, path, change }} />;
    case "first":
      return <FirstCondition {...{ condition, path, change }} />;
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

/** Conditions of which all have to hold. */
export const ConditionsFields = ({
  conditions,
  path,
  change,
}: {
  readonly conditions: Conditions;
  readonly path: string;
  readonly change: (conditions: Conditions) => void;
}) => {
  const surroundings = useSurroundings();
  return (
    <Rows
      rows={conditions}
      name="condition that has to hold as well"
      remove={(index) => change(without(conditions, index))}
      add={() => change([...conditions, firstCondition(surroundings)])}
    >
      {(condition, index) => (
        <>
          <ChoiceField
            label={index === 0 ? "If" : "and"}
            path={`${path}.${index}`}
            value={condition.type}
            options={conditionTypes(surroundings).map((type) => [type, KINDS[type]] as const)}
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

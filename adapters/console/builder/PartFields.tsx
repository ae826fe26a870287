/** The fields of what a plan pays: one part, or parts around parts. */
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { propertyName } from "../parts/Basics.tsx";
import { ConditionsFields } from "./ConditionFields.tsx";
import {
  ChoiceField,
  MoneyField,
  NumberField,
  PercentField,
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
import type { Part } from "./Form.ts";
import { MeasureFields, RateFields, ScaleFields, StepFields } from "./RateFields.tsx";
import { blankPart, firstCondition, type Simple, TEMPLATES, WRAPPERS, wrap } from "./Templates.ts";

interface Props<Kind extends Part = Part> {
  readonly part: Kind;
  readonly path: string;
  readonly change: (part: Part) => void;
}

type Of<Type extends Part["type"]> = Props<Extract<Part, { readonly type: Type }>>;

/** The property that money is a share of. */
const Base = ({ part, path, change }: Props<Extract<Part, { readonly base: string }>>) => (
  <PropertyField
    label="Of"
    path={`${path}.base`}
    type="number"
    isMoney
    value={part.base}
    change={(base) => change({ ...part, base })}
  />
);

/** The span of time whose sales count together. */
const CountedIn = ({ part, path, change }: Of<"whole" | "quota">) => (
  <SpanFields
    label="Counted in"
    path={path}
    span={part}
    names={["month", "quarter", "year"]}
    change={(span) => change({ ...part, ...span })}
  />
);

const Tiers = ({ part, path, change }: Of<"tiers">) => (
  <>
    <Base {...{ part, path, change }} />
    <SpanFields
      label="Counted in"
      path={path}
      span={part}
      names={["sale", "month", "quarter", "year", "ever"]}
      change={(span) => change({ ...part, ...span })}
    />
    <StepFields
      steps={part.steps}
      path={`${path}.steps`}
      unit={unitOf(part.base, useSurroundings())}
      change={(steps) => change({ ...part, steps })}
    />
  </>
);

const WholePeriod = ({ part, path, change }: Of<"whole">) => (
  <>
    <Base {...{ part, path, change }} />
    <CountedIn {...{ part, path, change }} />
    <ScaleFields
      scale={part}
      path={`${path}.steps`}
      unit={unitOf(part.base, useSurroundings())}
      change={(scale) => change({ ...part, ...scale })}
    />
  </>
);

const Quota = ({ part, path, change }: Of<"quota">) => {
  const { base, quota, below, above } = part;
  const unit = unitOf(base, useSurroundings());
  return (
    <>
      <Base {...{ part, path, change }} />
      <CountedIn {...{ part, path, change }} />
      <NumberField
        label="Quota"
        path={`${path}.quota`}
        value={quota}
        change={(changed) => change({ ...part, quota: changed })}
        {...(unit === undefined ? {} : { unit })}
      />
      <PercentField
        label="Up to the quota"
        path={`${path}.below`}
        value={below}
        change={(changed) => change({ ...part, below: changed })}
      />
      <PercentField
        label="Beyond it"
        path={`${path}.above`}
        value={above}
        change={(changed) => change({ ...part, above: changed })}
      />
    </>
  );
};

const Bonus = ({ part, path, change }: Of<"bonus">) => {
  const surroundings = useSurroundings();
  const { of, threshold, amount } = part;
  const unit = of.type === "count" ? "sales" : unitOf(of.base, surroundings);
  return (
    <>
      <MoneyField
        label="Bonus"
        path={`${path}.amount`}
        value={amount}
        change={(changed) => change({ ...part, amount: changed })}
      />
      <MeasureFields of={of} path={`${path}.of`} change={(changed) => change({ ...part, of: changed })} />
      <NumberField
        label="Paid when it reaches"
        path={`${path}.threshold`}
        value={threshold}
        change={(changed) => change({ ...part, threshold: changed })}
        {...(unit === undefined ? {} : { unit })}
      />
    </>
  );
};

const SimpleFields = ({ part, path, change }: Props) => {
  switch (part.type) {
    case "fixed":
      return (
        <MoneyField
          label="Amount for each sale"
          path={`${path}.amount`}
          value={part.amount}
          change={(amount) => change({ ...part, amount })}
        />
      );
    case "unit":
      return (
        <>
          <MoneyField
            label="Amount"
            path={`${path}.amount`}
            value={part.amount}
            change={(amount) => change({ ...part, amount })}
          />
          <PropertyField
            label="For each unit of"
            path={`${path}.property`}
            type="number"
            value={part.property}
            change={(property) => change({ ...part, property })}
          />
        </>
      );
    case "share":
      return (
        <>
          <Base {...{ part, path, change }} />
          <RateFields
            rate={part.rate}
            base={part.base}
            path={`${path}.rate`}
            change={(rate) => change({ ...part, rate })}
          />
        </>
      );
    case "tiers":
      return <Tiers {...{ part, path, change }} />;
    case "whole":
      return <WholePeriod {...{ part, path, change }} />;
    case "quota":
      return <Quota {...{ part, path, change }} />;
    case "bonus":
      return <Bonus {...{ part, path, change }} />;
    default:
      return null;
  }
};

/** A part with a name, so that parts within parts can be told apart. */
const Group = ({
  title,
  children,
  actions,
}: {
  readonly title: string;
  readonly children: ComponentChildren;
  readonly actions?: ComponentChildren;
}) => {
  const id = useId();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a grid in every browser
    <div class="part" role="group" aria-labelledby={id}>
      <div class="part-head">
        <strong id={id}>{title}</strong>
        {actions}
      </div>
      {children}
    </div>
  );
};

const SimplePart = ({ part, path, change, title }: Props & { readonly title: string }) => {
  const surroundings = useSurroundings();
  const type = part.type as Simple;
  return (
    <Group title={title}>
      <div class="entries">
        <ChoiceField
          label="Pays"
          path={path}
          value={type}
          options={(Object.keys(TEMPLATES) as ReadonlyArray<Simple>).map(
            (key) => [key, TEMPLATES[key][0]] as const,
          )}
          change={(chosen) => change(blankPart(chosen, surroundings))}
        />
        <SimpleFields {...{ part, path, change }} />
      </div>
      {type !== "nothing" && <p class="note">For example: {TEMPLATES[type][1]}.</p>}
      <Wrappers part={part} change={change} />
    </Group>
  );
};

const Limit = ({ part, path, change }: Of<"limit">) => (
  <Group
    title="Cap and floor"
    actions={
      <button type="button" class="link" onClick={() => change(part.of)}>
        Remove the cap or floor
      </button>
    }
  >
    <div class="entries">
      <SpanFields
        label="Of what is paid for"
        path={path}
        span={part}
        names={["sale", "month", "quarter", "year"]}
        change={(span) => change({ ...part, ...span, least: span.period === "sale" ? part.least : "" })}
      />
      {part.period === "sale" && (
        <MoneyField
          label="At least (optional)"
          path={`${path}.least`}
          value={part.least}
          change={(least) => change({ ...part, least })}
        />
      )}
      <MoneyField
        label={part.period === "sale" ? "At most (optional)" : "At most"}
        path={`${path}.most`}
        value={part.most}
        change={(most) => change({ ...part, most })}
      />
    </div>
    <PartFields part={part.of} path={`${path}.of`} title="Of this" change={(of) => change({ ...part, of })} />
    <Wrappers part={part} change={change} />
  </Group>
);

const Sum = ({ part, path, change }: Of<"sum">) => {
  const surroundings = useSurroundings();
  const remove = (index: number): void => {
    const left = without(part.parts, index);
    const [only] = left;
    change(left.length === 1 && only !== undefined ? only : { ...part, parts: left });
  };
  return (
    <Group title="All of these together">
      <Rows
        rows={part.parts}
        name="part"
        remove={remove}
        add={() => change({ ...part, parts: [...part.parts, blankPart("fixed", surroundings)] })}
      >
        {(item, index) => (
          <PartFields
            part={item}
            path={`${path}.parts.${index}`}
            title={`Part ${index + 1}`}
            change={(changed) => change({ ...part, parts: replaced(part.parts, index, changed) })}
          />
        )}
      </Rows>
      <Wrappers part={part} change={change} />
    </Group>
  );
};

const Cases = ({ part, path, change }: Of<"cases">) => {
  const surroundings = useSurroundings();
  const blank = () => ({ when: [firstCondition(surroundings)], pays: blankPart("share", surroundings) });
  return (
    <Group
      title="On a condition"
      actions={
        <button type="button" class="link" onClick={() => change(part.rows[0]?.pays ?? part.otherwise)}>
          Remove the condition
        </button>
      }
    >
      <Rows
        rows={part.rows}
        name="case"
        remove={(index) => change({ ...part, rows: without(part.rows, index) })}
        add={() => change({ ...part, rows: [...part.rows, blank()] })}
      >
        {(row, index) => (
          <div>
            <ConditionsFields
              conditions={row.when}
              path={`${path}.rows.${index}.when`}
              change={(when) => change({ ...part, rows: replaced(part.rows, index, { ...row, when }) })}
            />
            <PartFields
              part={row.pays}
              path={`${path}.rows.${index}.pays`}
              title="then the sale earns"
              change={(pays) => change({ ...part, rows: replaced(part.rows, index, { ...row, pays }) })}
            />
          </div>
        )}
      </Rows>
      <PartFields
        part={part.otherwise}
        path={`${path}.otherwise`}
        title="All other sales earn"
        change={(otherwise) => change({ ...part, otherwise })}
      />
      <Wrappers part={part} change={change} />
    </Group>
  );
};

const Products = ({ part, path, change }: Of<"products">) => {
  const surroundings = useSurroundings();
  const name = spoken(part.property) || "product";
  return (
    <Group
      title={`By ${name}`}
      actions={
        <button type="button" class="link" onClick={() => change(part.otherwise)}>
          Remove the table
        </button>
      }
    >
      <PropertyField
        label="By the property"
        path={`${path}.property`}
        type="string"
        value={part.property}
        change={(property) => change({ ...part, property })}
      />
      <Rows
        rows={part.rows}
        name="value"
        remove={(index) => change({ ...part, rows: without(part.rows, index) })}
        add={() =>
          change({ ...part, rows: [...part.rows, { value: "", pays: blankPart("share", surroundings) }] })
        }
      >
        {(row, index) => (
          <div>
            <TextField
              label={`${propertyName(name)} ${index + 1}`}
              path={`${path}.rows.${index}.value`}
              value={row.value}
              change={(value) => change({ ...part, rows: replaced(part.rows, index, { ...row, value }) })}
            />
            <PartFields
              part={row.pays}
              path={`${path}.rows.${index}.pays`}
              title="earns"
              change={(pays) => change({ ...part, rows: replaced(part.rows, index, { ...row, pays }) })}
            />
          </div>
        )}
      </Rows>
      <PartFields
        part={part.otherwise}
        path={`${path}.otherwise`}
        title="All other sales earn"
        change={(otherwise) => change({ ...part, otherwise })}
      />
      <Wrappers part={part} change={change} />
    </Group>
  );
};

/** A part with its fields, and with what can be put around it. */
export const PartFields = ({ part, path, change, title }: Props & { readonly title: string }) => {
  switch (part.type) {
    case "limit":
      return <Limit {...{ part, path, change }} />;
    case "sum":
      return <Sum {...{ part, path, change }} />;
    case "cases":
      return <Cases {...{ part, path, change }} />;
    case "products":
      return <Products {...{ part, path, change }} />;
    default:
      return <SimplePart {...{ part, path, change, title }} />;
  }
};

/** What can be put around a part, or around all parts of one that consists of several. */
const Wrappers = ({ part, change }: Pick<Props, "part" | "change">) => {
  const surroundings = useSurroundings();
  const hasTexts = surroundings.properties.some(({ type }) => type === "string");
  const types = (Object.keys(WRAPPERS) as ReadonlyArray<keyof typeof WRAPPERS>).filter(
    (type) => type !== part.type && (hasTexts || type !== "products"),
  );
  const isGroup = part.type in WRAPPERS;
  return (
    <div class="row wrappers">
      {types.map((type) => (
        <button key={type} type="button" class="link" onClick={() => change(wrap(part, type, surroundings))}>
          {WRAPPERS[type][isGroup ? 1 : 0]}
        </button>
      ))}
    </div>
  );
};

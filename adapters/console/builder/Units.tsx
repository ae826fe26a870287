/** Asks for the unit of a property whose schema declares none, before anything is computed from it. */
import type { Attribution } from "../api/Records.ts";
import { useMay, useSession } from "../api/Session.ts";
import { useLoad } from "../data/Load.ts";
import { decimalsOf, money, plain } from "../format/Money.ts";
import type { Basis, StatedUnit } from "./Draft.ts";
import { spoken } from "./Fields.tsx";
import { isUndeclared, type Part } from "./Form.ts";
import type { Draft } from "./Sources.ts";

/** The latest sales whose values are shown. */
const LATEST = 5;

const EXAMPLE = 1250;

/** The properties that a form takes shares or totals of, although nobody has said in which unit they are. */
export const asksFor = (form: Part, { currency, properties }: Basis): ReadonlyArray<string> => {
  const text = JSON.stringify(form);
  return properties
    .filter(
      (property) =>
        isUndeclared(property) &&
        decimalsOf(currency) > 0 &&
        text.includes(`"base":${JSON.stringify(property.name)}`),
    )
    .map(({ name }) => name);
};

/** What the latest sales have in a property: cents and whole units are often told apart by that. */
const Latest = ({
  sales,
  property,
}: {
  readonly sales: ReadonlyArray<Attribution>;
  readonly property: string;
}) => {
  const values = sales
    .map(({ properties }) => properties[property])
    .filter((value) => typeof value === "number");
  return values.length === 0 ? null : (
    <p class="note">
      {spoken(property)} of the latest sales: {values.map(plain).join(" · ")}
    </p>
  );
};

/** The question for one property. */
const UnitQuestion = ({
  draft,
  property,
  sales,
  change,
}: {
  readonly draft: Draft;
  readonly property: string;
  readonly sales: ReadonlyArray<Attribution>;
  readonly change: (unit: StatedUnit) => void;
}) => {
  const { currency, units } = draft;
  const means = (amount: number): string => `${plain(EXAMPLE)} means ${money(amount, currency)}.`;
  const options: ReadonlyArray<readonly [StatedUnit, string, string]> = [
    ["money_major", "Whole units.", means(EXAMPLE * 10 ** decimalsOf(currency))],
    ["money_minor", "The smallest unit.", means(EXAMPLE)],
    ["count", "It is no money.", `${plain(EXAMPLE)} are ${plain(EXAMPLE)} things, points or hours.`],
  ];
  return (
    <fieldset class="choices">
      <legend>In which unit is {spoken(property)} recorded? The schema does not say.</legend>
      {options.map(([unit, words, meaning]) => (
        <label key={unit}>
          <input
            type="radio"
            name={`unit of ${property}`}
            value={unit}
            checked={units[property] === unit}
            onChange={() => change(unit)}
          />
          <span>
            <strong>{words}</strong> {meaning}
          </span>
        </label>
      ))}
      <Latest sales={sales} property={property} />
    </fieldset>
  );
};

/** The questions for these properties; the latest sales are read once for all of them. */
export const UnitQuestions = ({
  draft,
  properties,
  change,
}: {
  readonly draft: Draft;
  readonly properties: ReadonlyArray<string>;
  readonly change: (property: string, unit: StatedUnit) => void;
}) => {
  const { client } = useSession();
  const may = useMay();
  const schemaId = may("attributions:read") ? (draft.schema?.id ?? null) : null;
  const latest = useLoad(`latest/${schemaId}`, async (signal) => {
    if (schemaId === null) return [];
    const query = { schemaIds: [schemaId], order: "desc", perPage: LATEST };
    return (await client.list("attributions", query, signal)).items;
  });
  return (
    <>
      {properties.map((property) => (
        <UnitQuestion
          key={property}
          draft={draft}
          property={property}
          sales={latest.value ?? []}
          change={(unit) => change(property, unit)}
        />
      ))}
    </>
  );
};

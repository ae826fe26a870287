/** Asks for the unit of a property whose schema declares none, before anything is computed from it. */
import { useSession } from "../api/Session.ts";
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
      (one) =>
        isUndeclared(one) && decimalsOf(currency) > 0 && text.includes(`"base":${JSON.stringify(one.name)}`),
    )
    .map(({ name }) => name);
};

/** What the latest sales have in a property: cents and whole units are often told apart by that. */
const Latest = ({ schemaId, property }: { readonly schemaId: string; readonly property: string }) => {
  const { client } = useSession();
  const latest = useLoad(`latest/${schemaId}`, (signal) =>
    client.list("attributions", { schemaIds: [schemaId], order: "desc", perPage: LATEST }, signal),
  );
  const values = (latest.value?.items ?? [])
    .map(({ properties }) => properties[property])
    .filter((value) => typeof value === "number");
  return values.length === 0 ? null : (
    <p class="note">
      {spoken(property)} of the latest sales: {values.map(plain).join(" · ")}
    </p>
  );
};

/** The question for one property. */
export const UnitQuestion = ({
  draft,
  property,
  maySeeSales,
  change,
}: {
  readonly draft: Draft;
  readonly property: string;
  readonly maySeeSales: boolean;
  readonly change: (unit: StatedUnit) => void;
}) => {
  const { currency, units, schema } = draft;
  const options: ReadonlyArray<readonly [StatedUnit, string, number]> = [
    ["money_major", "Whole units.", EXAMPLE * 10 ** decimalsOf(currency)],
    ["money_minor", "The smallest unit.", EXAMPLE],
  ];
  return (
    <fieldset class="choices">
      <legend>In which unit is {spoken(property)} recorded? The schema does not say.</legend>
      {options.map(([unit, words, amount]) => (
        <label key={unit}>
          <input
            type="radio"
            name={`unit of ${property}`}
            value={unit}
            checked={units[property] === unit}
            onChange={() => change(unit)}
          />
          <span>
            <strong>{words}</strong> {plain(EXAMPLE)} means {money(amount, currency)}.
          </span>
        </label>
      ))}
      {schema !== null && maySeeSales && <Latest schemaId={schema.id} property={property} />}
    </fieldset>
  );
};

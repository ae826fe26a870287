/** What a sale earns while one of its numbers grows. */
import { useMemo, useState } from "preact/hooks";
import type { Compiled } from "quittance/formula";
import { money, plain, shortMoney } from "../format/Money.ts";
import { Field } from "../parts/Basics.tsx";
import { Chart, type ChartProps } from "../parts/Chart.tsx";
import { curveOf, type Tried } from "./Evaluation.ts";
import { spoken } from "./Fields.tsx";
import type { Draft } from "./Sources.ts";

export const Curve = ({
  draft: { samples, currency },
  tried,
  compiled,
  chosen,
}: {
  readonly draft: Draft;
  readonly tried: Tried;
  readonly compiled: Compiled;
  readonly chosen: number;
}) => {
  const numbers = tried.properties.filter(({ type }) => type === "number").map(({ name }) => name);
  const [selected, setSelected] = useState<string | null>(null);
  const varied = selected !== null && numbers.includes(selected) ? selected : (numbers[0] ?? "");
  const props = useMemo((): ChartProps | null => {
    if (varied === "") return null;
    const { positions, amounts } = curveOf(compiled, { samples, chosen, basis: tried }, varied);
    if (positions.length < 2) return null;
    return {
      title: `Commission of sale ${chosen + 1} against ${spoken(varied)}, in ${currency}`,
      axis: spoken(varied),
      labels: positions.map((at) => `${spoken(varied)} ${plain(at)}`),
      positions,
      series: [{ name: "Commission", colour: "chart-1", values: amounts }],
      format: (value) => money(value, currency),
      tick: (value) => shortMoney(value, currency),
      shape: "line",
    };
  }, [compiled, samples, tried, currency, chosen, varied]);
  if (props === null) return <p class="note">There is no curve: no property is a number.</p>;
  return (
    <>
      {numbers.length > 1 && (
        <Field label="Vary">
          <select value={varied} onChange={(event) => setSelected(event.currentTarget.value)}>
            {numbers.map((name) => (
              <option key={name} value={name}>
                {spoken(name)}
              </option>
            ))}
          </select>
        </Field>
      )}
      <Chart props={props} />
    </>
  );
};

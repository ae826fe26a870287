/** Sample sales as a grid that can be edited: earlier rows are the history of later ones. */
import type { PropertyDefinition } from "quittance/formula";
import { money } from "../format/Money.ts";
import { amountOf, type Outcome, type Sample } from "./Evaluation.ts";

const Cell = ({
  property,
  value,
  label,
  change,
}: {
  readonly property: PropertyDefinition;
  readonly value: string;
  readonly label: string;
  readonly change: (value: string) => void;
}) =>
  property.type === "boolean" ? (
    <select aria-label={label} value={value} onChange={(event) => change(event.currentTarget.value)}>
      <option value="">–</option>
      <option value="true">yes</option>
      <option value="false">no</option>
    </select>
  ) : (
    <input
      aria-label={label}
      value={value}
      placeholder={property.default === undefined ? "" : String(property.default)}
      inputMode={property.type === "number" ? "decimal" : "text"}
      onInput={(event) => change(event.currentTarget.value)}
    />
  );

export const Samples = ({
  samples,
  properties,
  outcomes,
  readsSellers,
  currency,
  chosen,
  choose,
  change,
}: {
  readonly samples: ReadonlyArray<Sample>;
  readonly properties: ReadonlyArray<PropertyDefinition>;
  readonly outcomes: ReadonlyArray<Outcome>;
  /** True if the formula reads what the sellers below earn, which is then typed. */
  readonly readsSellers: boolean;
  readonly currency: string;
  readonly chosen: number;
  readonly choose: (index: number) => void;
  readonly change: (samples: ReadonlyArray<Sample>) => void;
}) => {
  const set = (index: number, sample: Sample): void =>
    change(samples.map((item, at) => (at === index ? sample : item)));
  const remove = (index: number, button: HTMLElement): void => {
    if (samples.length === 1) return;
    // The row of the last sale disappears: the focus goes to the row above it.
    if (index === samples.length - 1)
      button.closest("tr")?.previousElementSibling?.querySelector("button")?.focus();
    change(samples.filter((_, at) => at !== index));
  };
  const amounts = samples.map((_, index) => amountOf(outcomes[index]));
  // A sum that leaves out what has no amount would be taken for all of it.
  const total = amounts.includes(null)
    ? null
    : amounts.reduce<bigint>((sum, amount) => sum + BigInt(amount ?? 0), 0n);
  return (
    <>
      <div class="table-frame grid">
        <table>
          <caption class="visually-hidden">Sample sales in the order in which they arrive</caption>
          <thead>
            <tr>
              <th scope="col">Sale</th>
              <th scope="col">Date</th>
              {properties.map(({ name, required }) => (
                <th key={name} scope="col">
                  {name}
                  {required ? "" : " (optional)"}
                </th>
              ))}
              {readsSellers && <th scope="col">Sellers earn ({currency})</th>}
              <th scope="col" class="number">
                Commission
              </th>
              <th scope="col">
                <span class="visually-hidden">Remove</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {samples.map((sample, index) => {
              const outcome = outcomes[index];
              const amount = amountOf(outcome);
              const row = `sale ${index + 1}`;
              return (
                <tr key={index} class={index === chosen ? "chosen" : ""}>
                  <td data-name="Sale">
                    <label>
                      <input
                        type="radio"
                        name="sample"
                        checked={index === chosen}
                        aria-label={`Explain ${row}`}
                        onChange={() => choose(index)}
                      />{" "}
                      {index + 1}
                    </label>
                  </td>
                  <td data-name="Date">
                    <input
                      type="date"
                      aria-label={`Date of ${row}`}
                      value={sample.date.slice(0, 10)}
                      onInput={(event) => set(index, { ...sample, date: event.currentTarget.value })}
                    />
                  </td>
                  {properties.map((property) => (
                    <td key={property.name} data-name={property.name}>
                      <Cell
                        property={property}
                        label={`${property.name} of ${row}`}
                        value={sample.values[property.name] ?? ""}
                        change={(value) =>
                          set(index, { ...sample, values: { ...sample.values, [property.name]: value } })
                        }
                      />
                    </td>
                  ))}
                  {readsSellers && (
                    <td data-name="Sellers earn">
                      <input
                        aria-label={`What the sellers of ${row} earn`}
                        value={sample.sellers ?? ""}
                        inputMode="decimal"
                        onInput={(event) => set(index, { ...sample, sellers: event.currentTarget.value })}
                      />
                    </td>
                  )}
                  <td data-name="Commission" class="number">
                    {amount === null ? (
                      <span class="problem">
                        {outcome !== undefined && "problem" in outcome ? outcome.problem : "no amount"}
                      </span>
                    ) : (
                      money(amount, currency)
                    )}
                  </td>
                  <td data-name="">
                    <button
                      type="button"
                      class="close"
                      aria-label={`Remove ${row}`}
                      aria-disabled={samples.length === 1}
                      onClick={(event) => remove(index, event.currentTarget)}
                    >
                      ×
                    </button>
                  </td>
                </tr>
              );
            })}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row" colSpan={2 + properties.length + Number(readsSellers)}>
                Together
              </th>
              <td class="number">{total === null ? "–" : money(total, currency)}</td>
              <td />
            </tr>
          </tfoot>
        </table>
      </div>
      <button
        type="button"
        disabled={samples.length >= 100}
        onClick={() =>
          change([...samples, samples.at(-1) ?? { date: new Date().toISOString().slice(0, 10), values: {} }])
        }
      >
        Add a sale after these
      </button>
    </>
  );
};

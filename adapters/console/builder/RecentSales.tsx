/** What the plan pays for the latest sales that are recorded, at every keystroke. */
import { useMemo, useState } from "preact/hooks";
import type { Compiled, Explanation, Expression, PropertyDefinition } from "quittance/formula";
import type { Attribution } from "../api/Records.ts";
import { useSession } from "../api/Session.ts";
import { useLoad } from "../data/Load.ts";
import { decimalsOf, money, plain } from "../format/Money.ts";
import { Amount, Clip, Empty, LoadResult, propertyWords, When } from "../parts/Basics.tsx";
import { Derivation } from "./Derivation.tsx";
import { contextOf } from "./Draft.ts";
import { spoken } from "./Fields.tsx";
import { explainRecent, type Recent, readRecent, windowsOf } from "./Recent.ts";
import type { Draft } from "./Sources.ts";

/** The most properties that are shown of a sale. */
const SHOWN_MAX = 4;

/** A value as its format says. */
const valueWords = ({ format }: PropertyDefinition, value: unknown, currency: string): string => {
  if (value === undefined) return "–";
  if (typeof value !== "number") return propertyWords(value);
  if (format === "money_minor" && Number.isInteger(value)) return money(value, currency);
  const units = value * 10 ** decimalsOf(currency);
  if (
    format === "money_major" &&
    Math.abs(units - Math.round(units)) < 1e-6 &&
    Number.isSafeInteger(Math.round(units))
  )
    return money(Math.round(units), currency);
  return format === "percent" ? `${plain(value)} %` : plain(value);
};

/** The properties that the formula reads, or all where it reads none. */
const readProperties = (draft: Draft, expression: Expression): ReadonlyArray<PropertyDefinition> => {
  const text = JSON.stringify(expression);
  const { properties } = contextOf(draft);
  const read = properties.filter(({ name }) => text.includes(`"property","name":${JSON.stringify(name)}`));
  return (read.length === 0 ? properties : read).slice(0, SHOWN_MAX);
};

const paid = ({ result }: Explanation): number | null => (result._tag === "Right" ? result.right : null);

interface Row {
  readonly sale: Attribution;
  readonly explanation: Explanation;
}

const SalesTable = ({
  draft,
  recent,
  rows,
  properties,
  chosen,
  choose,
}: {
  readonly draft: Draft;
  readonly recent: Recent;
  readonly rows: ReadonlyArray<Row>;
  readonly properties: ReadonlyArray<PropertyDefinition>;
  readonly chosen: number;
  readonly choose: (index: number) => void;
}) => {
  const { currency } = draft;
  const isChanging = draft.planId !== null;
  return (
    <div class="table-frame">
      <table>
        <caption class="visually-hidden">What the plan pays for the latest sales</caption>
        <thead>
          <tr>
            <th scope="col">Sale</th>
            {isChanging && (
              <th scope="col" class="number">
                Pays now
              </th>
            )}
            <th scope="col" class="number">
              {isChanging ? "Would pay" : "Pays"}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ sale, explanation }, index) => {
            const amount = paid(explanation);
            const now = recent.paidNow.get(sale.id);
            return (
              <tr key={sale.id} class={index === chosen ? "chosen" : ""}>
                <td data-name="Sale">
                  <Clip>{recent.partners.get(sale.partnerId)?.name ?? "…"}</Clip>
                  <span class="note">
                    <When at={sale.occurredAt} />
                    {properties.map((property) => (
                      <span key={property.name}>
                        {" · "}
                        {spoken(property.name)}{" "}
                        {valueWords(property, sale.properties[property.name] ?? property.default, currency)}
                      </span>
                    ))}
                  </span>
                </td>
                {isChanging && (
                  <td data-name="Pays now" class="number">
                    {now === undefined ? "–" : <Amount amount={now} currency={currency} />}
                  </td>
                )}
                <td data-name={isChanging ? "Would pay" : "Pays"} class="number">
                  <button
                    type="button"
                    class="why"
                    aria-pressed={index === chosen}
                    onClick={() => choose(index)}
                  >
                    {amount === null ? "no amount" : <Amount amount={amount} currency={currency} />}
                    <span class="visually-hidden"> why?</span>
                  </button>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
};

interface Tried {
  readonly draft: Draft;
  readonly expression: Expression;
  readonly compiled: Compiled;
}

const Shown = ({
  draft,
  expression,
  compiled,
  recent,
}: Tried & {
  readonly recent: Recent;
}) => {
  const [chosen, setChosen] = useState(0);
  const rows = useMemo(
    () => recent.sales.map((sale) => ({ sale, explanation: explainRecent(compiled, sale, recent.history) })),
    [recent, compiled],
  );
  const at = Math.min(chosen, rows.length - 1);
  const row = rows[at];
  if (row === undefined)
    return (
      <Empty
        title={
          draft.planId === null ? "No sale is recorded yet" : "The partners of the plan have no sales yet"
        }
      >
        Try the plan on sales of your own, below.
      </Empty>
    );
  return (
    <>
      <SalesTable
        {...{ draft, recent, rows }}
        properties={readProperties(draft, expression)}
        chosen={at}
        choose={setChosen}
      />
      {!recent.isComplete && (
        <div class="notice wait">
          The plan looks at more earlier sales than were read: amounts that depend on totals are not final.
        </div>
      )}
      <h3>Why the sale of {recent.partners.get(row.sale.partnerId)?.name ?? "this partner"} earns that</h3>
      <Derivation explanation={row.explanation} currency={draft.currency} />
    </>
  );
};

/** The latest sales of the schema. They are read again where the plan looks at other earlier sales. */
export const RecentSales = ({ draft, expression, compiled }: Tried) => {
  const { client } = useSession();
  const key = `recent/${draft.schema?.id}/${draft.planId}/${windowsOf(compiled)}`;
  const loaded = useLoad(key, (signal) => readRecent(client, draft, compiled, signal));
  return (
    <section class="panel">
      <h2>What it pays for the latest sales</h2>
      <LoadResult loaded={loaded} what="Reading sales">
        {(recent) => <Shown {...{ draft, expression, compiled, recent }} />}
      </LoadResult>
    </section>
  );
};

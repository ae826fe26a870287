/** What the plan pays for the latest sales that are recorded, at every keystroke. */
import { useMemo, useState } from "preact/hooks";
import { type Compiled, type Expression, explain, type PropertyDefinition } from "quittance/formula";
import { useSession } from "../api/Session.ts";
import { useLoad } from "../data/Load.ts";
import { Amount, Clip, Empty, LoadResult, SoldOn, valueWords } from "../parts/Basics.tsx";
import type { Values } from "../plans/Values.ts";
import { Derivation } from "./Derivation.tsx";
import { contextOf, rolesOf } from "./Draft.ts";
import { amountAfter, lacksSellers } from "./Evaluation.ts";
import { spoken } from "./Fields.tsx";
import { inForce, triedOf } from "./Parameters.ts";
import { type Recent, type RecentSale, readRecent, windowsOf } from "./Recent.ts";
import type { Draft } from "./Sources.ts";

/** The most properties that are shown of a sale. */
const SHOWN_MAX = 4;

/** The properties that the formula reads, or all where it reads none. */
const readProperties = (draft: Draft, expression: Expression): ReadonlyArray<PropertyDefinition> => {
  const text = JSON.stringify(expression);
  const { properties } = contextOf(draft);
  const read = properties.filter(({ name }) => text.includes(`"property","name":${JSON.stringify(name)}`));
  return (read.length === 0 ? properties : read).slice(0, SHOWN_MAX);
};

const SalesTable = ({
  draft,
  recent,
  amounts,
  properties,
  chosen,
  choose,
}: {
  readonly draft: Draft;
  readonly recent: Recent;
  /** What the plan pays for the sales; null where it has no amount. */
  readonly amounts: ReadonlyArray<number | null>;
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
          {recent.sales.map(({ sale }, index) => {
            const amount = amounts[index] ?? null;
            const now = recent.paidNow.get(sale.id);
            return (
              <tr key={sale.id} class={index === chosen ? "chosen" : ""}>
                <td data-name="Sale">
                  <Clip>{recent.partners.get(sale.partnerId)?.name ?? "…"}</Clip>
                  <span class="note">
                    <SoldOn sale={sale} />
                    {properties.map((property) => (
                      <span key={property.name}>
                        {" · "}
                        {spoken(property.name)}{" "}
                        {valueWords(
                          sale.properties[property.name] ?? property.default ?? "–",
                          property.format,
                          currency,
                        )}
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

const Why = ({
  recent: { facts, history },
  name,
  compiled,
  currency,
}: {
  readonly recent: RecentSale;
  readonly name: string;
  readonly compiled: Compiled;
  readonly currency: string;
}) => {
  const explanation = useMemo(
    () => (lacksSellers(compiled, facts) ? null : explain(compiled, facts, { history })),
    [compiled, facts, history],
  );
  return (
    <>
      <h3>Why the sale of {name} earns that</h3>
      {explanation === null ? (
        <p class="note">
          What the sellers below earn from it is not known here. Try the plan on past sales instead.
        </p>
      ) : (
        <Derivation explanation={explanation} currency={currency} />
      )}
    </>
  );
};

/** Sales with values for the parameters that their partners have no value of. */
const withTried = (sales: ReadonlyArray<RecentSale>, tried: Values): ReadonlyArray<RecentSale> => {
  const values = inForce(tried);
  return sales.map((sale) => ({
    ...sale,
    facts: { ...sale.facts, parameters: new Map([...values, ...(sale.facts.parameters ?? [])]) },
  }));
};

const Shown = ({
  draft,
  expression,
  compiled,
  recent,
}: Tried & {
  readonly recent: Recent;
}) => {
  const [chosen, setChosen] = useState(0);
  const { partners, isComplete } = recent;
  const { parameters, currency } = draft;
  const sales = useMemo(
    () => withTried(recent.sales, triedOf(parameters, currency)),
    [recent.sales, parameters, currency],
  );
  const amounts = useMemo(
    () => sales.map(({ facts, history }) => amountAfter(compiled, history, facts)),
    [sales, compiled],
  );
  const at = Math.min(chosen, sales.length - 1);
  const shown = sales[at];
  if (shown === undefined)
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
        {...{ draft, recent, amounts }}
        properties={readProperties(draft, expression)}
        chosen={at}
        choose={setChosen}
      />
      {!isComplete && (
        <div class="notice wait">
          The plan looks at more earlier sales than were read: amounts that depend on totals are not final.
        </div>
      )}
      <Why
        recent={shown}
        name={partners.get(shown.sale.partnerId)?.name ?? "this partner"}
        {...{ compiled, currency: draft.currency }}
      />
    </>
  );
};

/** The latest sales of the schema. They are read again where the plan looks at other earlier sales. */
export const RecentSales = ({ draft, expression, compiled }: Tried) => {
  const { client } = useSession();
  const { schema, planId, currency } = draft;
  const key = `recent/${schema?.id}/${planId}/${currency}/${rolesOf(draft)}/${windowsOf(compiled)}`;
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

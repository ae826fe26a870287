/** What partners are owed and what was settled with them, from their balances. */
import type { Client } from "../api/Client.ts";
import { decimalText } from "../format/Money.ts";
import { Amount } from "../parts/Basics.tsx";

/** The amounts of a partner in one currency, net of tax. */
export interface PartnerMoney {
  readonly currency: string;
  /** Due, and in no settlement yet. */
  readonly due: bigint;
  readonly pending: bigint;
  /** What was settled since the year began in UTC. */
  readonly settled: bigint;
}

/** The amounts of partners by their ids, each with the currencies in which something is not 0. */
export const readMoney = async (
  client: Client,
  ids: ReadonlyArray<string>,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, ReadonlyArray<PartnerMoney>>> => {
  const at = new Date(Date.UTC(new Date().getUTCFullYear(), 0, 1)).toISOString();
  if (ids.length === 0) return new Map();
  const [now = [], before = []] = await Promise.all(
    [{}, { at }].map(async (when) => {
      const found = await client.remote.partners.balances({ ...when, partnerIds: ids }, { signal });
      return found.balances;
    }),
  );
  const moneyOf = (id: string): ReadonlyArray<PartnerMoney> => {
    const own = before.filter(({ partnerId }) => partnerId === id);
    return now
      .filter(({ partnerId }) => partnerId === id)
      .map(({ currency, due, pending, settled }) => ({
        ...{ currency, pending, due: due - pending },
        settled: settled - (own.find((one) => one.currency === currency)?.settled ?? 0n),
      }))
      .filter((one) => one.due !== 0n || one.pending !== 0n || one.settled !== 0n);
  };
  return new Map(ids.map((id) => [id, moneyOf(id)]));
};

type Part = "due" | "pending" | "settled";

/** One amount of a partner in each currency in which it is not 0; null while or because it is not read. */
export const Amounts = ({
  money,
  part,
  failed,
}: {
  readonly money: ReadonlyArray<PartnerMoney> | null;
  readonly part: Part;
  readonly failed: boolean;
}) => {
  if (money === null) return <>{failed ? "not read" : "…"}</>;
  const some = money.filter((one) => one[part] !== 0n);
  return some.length === 0 ? (
    <span class="none">–</span>
  ) : (
    some.map((one) => (
      <div key={one.currency}>
        <Amount amount={one[part]} currency={one.currency} />
      </div>
    ))
  );
};

/** The same for a file. */
export const amountsText = (money: ReadonlyArray<PartnerMoney>, part: Part): string =>
  money
    .filter((one) => one[part] !== 0n)
    .map((one) => `${decimalText(one[part], one.currency)} ${one.currency}`)
    .join(", ");

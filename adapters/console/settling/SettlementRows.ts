/** Settlements with their partners. */
import type { Client, Query } from "../api/Client.ts";
import type { Partner, Settlement } from "../api/Records.ts";
import { sumByCurrency, sumsWords } from "../format/Money.ts";
import { accountWords } from "../words/AccountWords.ts";

export interface SettlementRow {
  readonly settlement: Settlement;
  readonly partner: Partner | undefined;
}

/** Where the money of a settlement goes, masked; empty where no account is known. */
export const accountOf = ({ settlement: { payoutAccount }, partner }: SettlementRow): string => {
  if (payoutAccount != null) return accountWords(payoutAccount.details);
  const iban = payoutAccount === null ? undefined : partner?.selfBillingData?.bankAccount.iban;
  return iban === undefined ? "" : `…${iban.slice(-4)}`;
};

/** The settlements with their partners, in the same order. */
export const withPartners = async (
  client: Client,
  settlements: ReadonlyArray<Settlement>,
  signal?: AbortSignal,
): Promise<ReadonlyArray<SettlementRow>> => {
  const partners = await client.byIds(
    "partners",
    settlements.map(({ partnerId }) => partnerId),
    signal,
  );
  return settlements.map((settlement) => ({ settlement, partner: partners.get(settlement.partnerId) }));
};

/** The settlements that match the filters with their partners, in pages; stops after `limit`. */
export async function* settlementPages(
  client: Client,
  filters: Query,
  signal: AbortSignal,
  limit: number,
): AsyncGenerator<ReadonlyArray<SettlementRow>> {
  for await (const { items } of client.walk("settlements", filters, limit, signal))
    yield await withPartners(client, items, signal);
}

/** The settlements of all these pages. */
export const everySettlement = async (
  ...given: Parameters<typeof settlementPages>
): Promise<ReadonlyArray<SettlementRow>> => {
  const found: Array<SettlementRow> = [];
  for await (const rows of settlementPages(...given)) found.push(...rows);
  return found;
};

/** The amounts that an action is about, by currency, in one sentence. */
export const totalWords = (
  rows: ReadonlyArray<SettlementRow>,
  { amount }: { readonly amount: (settlement: Settlement) => number },
): string =>
  sumsWords(
    sumByCurrency(
      rows.map(({ settlement }) => ({ currency: settlement.currency, amount: amount(settlement) })),
    ),
  );

/** Settlements with their partners. */
import type { Client } from "../api/Client.ts";
import type { Partner, Settlement } from "../api/Records.ts";
import { sumByCurrency, sumsWords } from "../format/Money.ts";

export interface SettlementRow {
  readonly settlement: Settlement;
  readonly partner: Partner | undefined;
}

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

/** The amounts of drafts by currency, in one sentence. */
export const totalWords = (rows: ReadonlyArray<SettlementRow>): string =>
  sumsWords(
    sumByCurrency(
      rows.map(({ settlement }) => ({ currency: settlement.currency, amount: settlement.total })),
    ),
  );

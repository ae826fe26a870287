/** A sale with everything that its page shows: its credits, their partners, and the sales that it replaced or that replaced it. */

import type { Client } from "../api/Client.ts";
import type { Attribution, Partner } from "../api/Records.ts";
import { Absent } from "../api/Refusal.ts";
import { compareCredits } from "../format/Credits.ts";
import { t } from "../words/Language.ts";
import { declaredFormats, type Formats } from "./Formats.ts";

/** Credits of a sale at most. */
const CREDITS_MAX = 100;

export interface SaleData {
  readonly sale: Attribution;
  /** The credits that the reader sees, of which one is the sale: the origin first. */
  readonly credits: ReadonlyArray<Attribution>;
  /** Those that the reader sees. */
  readonly replaces: Attribution | undefined;
  readonly replacedBy: Attribution | undefined;
  readonly names: ReadonlyMap<string, string>;
  /** What its numbers mean; null where the reader sees no schemas. */
  readonly declared: Formats | null;
  /** What the buyer has paid; undefined where nothing is stated, or where the reader does not see the origin. */
  readonly receipt: Attribution["receipt"];
}

export const readSale = async (
  client: Client,
  id: string,
  seesSchemas: boolean,
  signal: AbortSignal,
): Promise<SaleData> => {
  const sale = (await client.byIds("attributions", [id], signal)).get(id);
  if (sale === undefined) throw new Absent(t("This sale does not exist, or you have no access to it."));
  const { replaces, replacedBy, originId = id } = sale;
  const pairIds = [replaces, replacedBy].filter((other) => other !== undefined);
  const [found, pair, schemas] = await Promise.all([
    client.list("attributions", { originIds: [originId], perPage: CREDITS_MAX }, signal),
    client.byIds("attributions", pairIds, signal),
    client.byIds("attributionSchemas", seesSchemas ? [sale.schemaId] : [], signal),
  ]);
  const credits = found.items.toSorted(compareCredits);
  const partners = await client
    .byIds(
      "partners",
      [...credits, ...pair.values()].map(({ partnerId }) => partnerId),
      signal,
    )
    .catch(() => new Map<string, Partner>());
  return {
    sale,
    credits,
    receipt: credits.find(({ id: other }) => other === originId)?.receipt,
    replaces: pair.get(replaces ?? ""),
    replacedBy: pair.get(replacedBy ?? ""),
    declared: seesSchemas ? declaredFormats(schemas.get(sale.schemaId)) : null,
    names: new Map([...partners.values()].map((partner) => [partner.id, partner.name])),
  };
};

/** True if the sale was recorded for its partner, so that changing it changes all credits. */
export const isOrigin = ({ originId }: Attribution): boolean => originId === undefined;

export const saleState = ({ status, replacedBy }: Attribution): "Confirmed" | "Cancelled" | "Replaced" => {
  if (status === "confirmed") return "Confirmed";
  return replacedBy === undefined ? "Cancelled" : "Replaced";
};

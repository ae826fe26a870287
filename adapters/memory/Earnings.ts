/** The room of earnings: what computing commissions reads. */
import { Effect } from "effect";
import type { Accumulation, Formula, Recomputation, Storage } from "quittance";
import { compare, idsOf, indexAt, indexOf } from "./Order.ts";
import { existingRows } from "./Rows.ts";
import { join, type Partition, partitionsOf, type Store, view } from "./Store.ts";

type Span = Parameters<Storage.Earnings["attributionsForFormula"]>[1];

const comparePositions = (a: Recomputation.Position, b: Recomputation.Position): number =>
  compare({ moment: a.occurredAt, id: a.id }, { moment: b.occurredAt, id: b.id });

const salesOf = (
  { rows }: Partition,
  { workspaceId, partnerIds, from, to, after, limit }: Parameters<Storage.Earnings["salesOf"]>[1],
): ReadonlyArray<Recomputation.Position> => {
  const partners = partnerIds === null ? null : new Set(partnerIds);
  const sales = new Map<string, Recomputation.Position>();
  for (const row of rows.attribution.values()) {
    const { id, originId, occurredAt } = row;
    if (row.workspaceId !== workspaceId || occurredAt < from || occurredAt >= to) continue;
    const sale = { occurredAt, id: originId ?? id };
    if ((partners?.has(row.partnerId) ?? true) && (after === null || comparePositions(sale, after) > 0))
      sales.set(sale.id, sale);
  }
  return [...sales.values()].sort(comparePositions).slice(0, limit);
};

const attributionsForFormula = (
  partition: Partition,
  formula: Formula.Formula,
  { from, to, after, limit }: Span,
): ReadonlyArray<Storage.AttributionForFormula> => {
  const { partnerId, schemaId, workspaceId } = formula;
  const order = partition.attributions.get(join(partnerId, schemaId, workspaceId)) ?? [];
  const following = after === null ? 0 : indexOf(order, { moment: after.occurredAt, id: `${after.id}~` });
  const start = Math.max(indexAt(order, from), following);
  const end = to === null ? order.length : indexAt(order, to);
  return existingRows(
    partition.rows.attribution,
    idsOf(order.slice(start, Math.min(end, start + limit))),
  ).map((attribution) => ({
    attribution,
    commission:
      partition.rows.commission.get(partition.pairs.get(join(attribution.id, formula.id)) ?? "") ?? null,
  }));
};

const arrivalsForFormula = (
  partition: Partition,
  { id, partnerId, schemaId, workspaceId }: Formula.Formula,
  { from, to, after, limit }: Parameters<Storage.Earnings["arrivalsForFormula"]>[1],
): ReadonlyArray<Storage.AttributionForFormula> => {
  const order = partition.arrivals.get(join(partnerId, schemaId)) ?? [];
  const found: Array<Storage.AttributionForFormula> = [];
  const following = after === null ? 0 : indexOf(order, { moment: after.createdAt, id: `${after.id}~` });
  // No attribution occurs after it arrives.
  const first = from === null ? following : Math.max(following, indexAt(order, from));
  for (let index = first; index < order.length && found.length < limit; index++) {
    const attribution = partition.rows.attribution.get(order[index]?.id ?? "");
    if (attribution === undefined || attribution.workspaceId !== workspaceId) continue;
    if (from !== null && attribution.occurredAt < from) continue;
    if (to !== null && attribution.occurredAt >= to) continue;
    const commissionId = partition.pairs.get(join(attribution.id, id)) ?? "";
    found.push({ attribution, commission: partition.rows.commission.get(commissionId) ?? null });
  }
  return found;
};

const commissionsWithAttributions = (
  partition: Partition,
  commissionIds: ReadonlyArray<string>,
): ReadonlyArray<Storage.CommissionWithAttribution> =>
  existingRows(partition.rows.commission, new Set(commissionIds)).flatMap((commission) => {
    const attribution = partition.rows.attribution.get(commission.attributionId);
    return attribution === undefined ? [] : [{ commission, attribution }];
  });

/** The reads of earnings over a store. */
export const earnings = (store: Store): Storage.Earnings => ({
  formulaSet: (customerId, partnerId, schemaId) =>
    Effect.sync(() => {
      const partition = view(store, customerId);
      const key = join(partnerId, schemaId);
      return {
        version: partition.formulaSets.get(key) ?? 0,
        formulas: existingRows(partition.rows.formula, idsOf(partition.formulas.get(key))),
      };
    }),
  formulaSets: (customerId, schemaId, partnerIds) =>
    Effect.sync(() => {
      const partition = view(store, customerId);
      return [...new Set(partnerIds)].map((partnerId) => {
        const key = join(partnerId, schemaId);
        return {
          partnerId,
          version: partition.formulaSets.get(key) ?? 0,
          formulas: existingRows(partition.rows.formula, idsOf(partition.formulas.get(key))),
        };
      });
    }),
  linksOf: (customerId, { end, partnerIds, role }) =>
    Effect.sync(() => {
      const { rows, uplines, downlines } = view(store, customerId);
      const index = end === "partnerId" ? uplines : downlines;
      const ids = [...new Set(partnerIds)].flatMap((id) => index.get(id) ?? []);
      return existingRows(rows.partnerLink, ids).filter((link) => role === null || link.role === role);
    }),
  formulasBehindPlan: (customerId, planId, revision, limit) =>
    Effect.sync(() => {
      const { planFormulas, rows } = view(store, customerId);
      return existingRows(rows.formula, (planFormulas.get(planId) ?? []).toSorted())
        .filter(({ assignment }) => assignment !== null && assignment.planRevision < revision)
        .slice(0, limit);
    }),
  findByExternalReferences: (customerId, references) =>
    Effect.sync(() => {
      const partition = view(store, customerId);
      const ids = references.map(
        ({ schemaId, externalReference }) =>
          partition.references.get(join(schemaId, externalReference)) ?? "",
      );
      return existingRows(partition.rows.attribution, new Set(ids));
    }),
  creditedAttributions: (customerId, originIds) =>
    Effect.sync(() => {
      const { credited, rows } = view(store, customerId);
      return existingRows(
        rows.attribution,
        [...new Set(originIds)].flatMap((originId) => credited.get(originId) ?? []),
      );
    }),
  salesOf: (customerId, span) => Effect.sync(() => salesOf(view(store, customerId), span)),
  attributionsForFormula: (formula, span) =>
    Effect.sync(() => attributionsForFormula(view(store, formula.customerId), formula, span)),
  arrivalsForFormula: (formula, span) =>
    Effect.sync(() => arrivalsForFormula(view(store, formula.customerId), formula, span)),
  lastArrival: (customerId, partnerId, schemaId) =>
    Effect.sync(() => {
      const last = view(store, customerId).arrivals.get(join(partnerId, schemaId))?.at(-1);
      return last === undefined
        ? null
        : { createdAt: last.moment, id: last.id as Accumulation.Arrival["id"] };
    }),
  commissionsWithAttributions: (tenant, commissionIds) =>
    Effect.sync(() =>
      partitionsOf(store, tenant).flatMap((partition) =>
        commissionsWithAttributions(partition, commissionIds),
      ),
    ),
  commissionsOf: (customerId, attributionIds) =>
    Effect.sync(() => {
      const { commissions, rows } = view(store, customerId);
      const ids = [...new Set(attributionIds)].flatMap((id) => commissions.get(id) ?? []);
      return existingRows(rows.commission, ids.toSorted());
    }),
});

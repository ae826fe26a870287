/** The room of settling: what creating, approving and paying settlements reads. */
import { Effect, Stream } from "effect";
import { type Ids, Ledger, type SettlementRun, type Storage } from "quittance";
import { linesWithBilledParts } from "./BilledParts.ts";
import { isStale } from "./Freshness.ts";
import { indexOf } from "./Order.ts";
import { existingRows } from "./Rows.ts";
import { join, type Partition, type Store, view } from "./Store.ts";

/** The kinds of documents, ascending. */
const DOCUMENT_KINDS = ["attachment", "credit_note", "invoice", "report"] as const;

function* exportLines(partition: Partition, settlementId: string): Generator<Storage.ExportLine> {
  for (const line of partition.lines.get(settlementId) ?? []) {
    const commission = partition.rows.commission.get(line.commissionId);
    if (commission === undefined) continue;
    const { formulaId, attributionId } = commission;
    const attribution = partition.rows.attribution.get(attributionId);
    if (attribution === undefined) continue;
    const { occurredAt, occurredOn } = attribution;
    yield {
      ...line,
      ...{ formulaId, attributionId },
      ...{ attributionOccurredAt: occurredAt, attributionOccurredOn: occurredOn },
    };
  }
}

const heldByOtherSettlements = (
  partition: Partition,
  settlementId: string,
): ReadonlyArray<Ids.CommissionId> =>
  (partition.lines.get(settlementId) ?? []).flatMap(({ commissionId }) => {
    const holder = partition.rows.commission.get(commissionId)?.openSettlementId ?? null;
    return holder === null || holder === settlementId ? [] : [commissionId];
  });

/** True if something has settled of an attribution that this one replaced, directly or not. */
const replacesSettled = ({ rows, commissions }: Partition, attributionId: Ids.AttributionId): boolean => {
  let id = rows.attribution.get(attributionId)?.replaces ?? null;
  for (; id !== null; id = rows.attribution.get(id)?.replaces ?? null)
    if (
      (commissions.get(id) ?? []).some((earned) => (rows.commission.get(earned)?.settledLineCount ?? 0) > 0)
    )
      return true;
  return false;
};

const dueCommissions = (
  partition: Partition,
  { partnerIds, until, after, limit }: Parameters<Storage.Settling["dueCommissions"]>[1],
): ReadonlyArray<SettlementRun.DueCommission> => {
  const { partnerCommissions, rows } = partition;
  return [...new Set(partnerIds)].flatMap((partnerId) => {
    const order = partnerCommissions.get(partnerId) ?? [];
    const found: Array<SettlementRun.DueCommission> = [];
    let index = after === null ? 0 : indexOf(order, { moment: after.createdAt, id: `${after.id}~` });
    for (; index < order.length && found.length < limit; index++) {
      const commission = rows.commission.get(order[index]?.id ?? "");
      if (commission === undefined || commission.occurredAt >= until) continue;
      const { id, createdAt, formulaId, currency, occurredAt, computationError, openSettlementId } =
        commission;
      const dueAmount = Ledger.due(commission);
      if (dueAmount === 0 && computationError === null && !(commission.waitingAmount ?? 0)) continue;
      found.push({
        ...{ id, createdAt, partnerId, formulaId, currency, dueAmount, occurredAt },
        isComputable: computationError === null,
        isInOpenSettlement: openSettlementId !== null,
        isCorrection: commission.settledLineCount > 0 || replacesSettled(partition, commission.attributionId),
      });
    }
    return found;
  });
};

/** The reads of settling over a store. */
export const settling = (store: Store): Storage.Settling => ({
  settlementLines: (customerId, settlementId) =>
    Stream.suspend(() => Stream.fromIterable(exportLines(view(store, customerId), settlementId))),
  heldByOtherSettlements: (customerId, settlementId) =>
    Effect.sync(() => heldByOtherSettlements(view(store, customerId), settlementId)),
  isStale: (customerId, settlementId) => Effect.sync(() => isStale(view(store, customerId), settlementId)),
  linesWithBilledParts: (customerId, settlementId) =>
    Effect.sync(() => linesWithBilledParts(view(store, customerId), settlementId)),
  reversals: (customerId, settlementId) =>
    Effect.sync(() => view(store, customerId).reversals.get(settlementId) ?? []),
  documentsOf: (customerId, settlementId) =>
    Effect.sync(() => {
      const { documents, rows } = view(store, customerId);
      return DOCUMENT_KINDS.flatMap((kind) => {
        const found: Array<Ids.DocumentId> = [];
        for (let revision = 1; ; revision++) {
          const id = documents.get(join(settlementId, kind, String(revision)));
          if (id === undefined) return existingRows(rows.document, found);
          found.push(id);
        }
      });
    }),
  bankPayments: (customerId, fileId, limit) =>
    Effect.sync(() => {
      const { bankPayments, rows } = view(store, customerId);
      return existingRows(rows.bankPayment, (bankPayments.get(fileId ?? "") ?? []).toSorted()).slice(
        0,
        limit,
      );
    }),
  dueCommissions: (customerId, query) => Effect.sync(() => dueCommissions(view(store, customerId), query)),
  numberSeries: (customerId, name) => Effect.sync(() => view(store, customerId).series.get(name) ?? null),
});

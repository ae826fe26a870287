/** The indexes of the store, updated with the records that a commit saves. */
import type { Storage } from "quittance";
import { type CommitWork, claim, type SaveChange } from "./CommitWork.ts";
import { join } from "./Store.ts";

/** The position of a record by the date that it counts for. If it counts for the time of its creation, as most do, all lists share one object. */
const occurrenceOf = <Position extends { readonly moment: number; readonly id: string }>(
  created: Position,
  occurredAt: number,
): Position => (occurredAt === created.moment ? created : { ...created, moment: occurredAt });

const addAttribution = (work: CommitWork, row: Storage.SaveLogged<"attribution">["row"]): void => {
  const { partition, journal } = work;
  const { id, partnerId, schemaId, workspaceId, externalReference, originId, createdAt, occurredAt } = row;
  const created = { moment: createdAt, id };
  const occurred = occurrenceOf(created, occurredAt);
  journal.insert(partition.attributions, join(partnerId, schemaId, workspaceId), occurred);
  journal.insert(partition.arrivals, join(partnerId, schemaId), created);
  journal.insert(partition.occurrences, "attribution", occurred);
  journal.insert(partition.order, "attribution", created);
  if (externalReference !== null) {
    claim(work, partition.references, join(schemaId, externalReference), id, "external_reference");
  }
  if (originId !== null) journal.append(partition.credited, originId, [id]);
};

const addCommission = (work: CommitWork, row: Storage.SaveLogged<"commission">["row"]): void => {
  const { partition, journal } = work;
  const { id, attributionId, formulaId, occurredAt, partnerId, createdAt } = row;
  claim(work, partition.pairs, join(attributionId, formulaId), id, "attribution and formula");
  journal.append(partition.commissions, attributionId, [id]);
  const created = { moment: createdAt, id };
  const occurred = occurrenceOf(created, occurredAt);
  journal.insert(partition.occurrences, "commission", occurred);
  journal.insert(partition.partnerCommissions, partnerId, created);
  journal.insert(partition.order, "commission", created);
};

const addLink = (
  { partition, journal }: CommitWork,
  { id, partnerId, uplinePartnerId }: Storage.SaveLogged<"partnerLink">["row"],
): void => {
  journal.append(partition.uplines, partnerId, [id]);
  journal.append(partition.downlines, uplinePartnerId, [id]);
};

/** Adds a new record to the indexes by which it is found other than by its id. */
export const addToIndexes = (work: CommitWork, change: SaveChange): void => {
  const { partition, journal } = work;
  switch (change.kind) {
    case "attribution":
      addAttribution(work, change.row);
      return;
    case "formula": {
      const { id, partnerId, schemaId, createdAt, assignment } = change.row;
      journal.insert(partition.formulas, join(partnerId, schemaId), { moment: createdAt, id });
      if (assignment !== null) journal.append(partition.planFormulas, assignment.planId, [id]);
      break;
    }
    case "commission":
      addCommission(work, change.row);
      return;
    case "document":
      claim(
        work,
        partition.documents,
        join(change.row.settlementId, change.row.kind, String(change.row.revision)),
        change.row.id,
        "document",
      );
      return;
    case "recomputation":
      journal.append(partition.recomputations, change.row.formulaId, [change.row.id]);
      return;
    case "apiKey": {
      const key = { customerId: work.customerId, id: change.row.id };
      claim(work, work.store.apiKeys, change.row.keyId, key, "api_key");
      break;
    }
    case "billingProfile":
    case "books":
    case "taxOrigin":
    case "arrivalOrder":
    case "attributionHistory":
    case "runningTotal":
    case "bankPayment":
    case "settlementPolicy":
    case "workspace":
    case "linkSet":
      return;
    case "partnerLink":
      addLink(work, change.row);
      break;
    case "settlementRunResult":
    case "recreditRunResult":
      journal.append(partition.runResults, change.row.runId, [change.row.id]);
      break;
    case "planTrialResult":
      journal.append(partition.trialResults, change.row.trialId, [change.row.id]);
      break;
    case "settlement":
    case "schema":
    case "partner":
    case "plan":
    case "planAcceptance":
    case "paymentFile":
    case "webhookEndpoint":
    case "webhookDelivery":
    case "settlementRun":
    case "planTrial":
    case "recreditRun":
      break;
  }
  journal.insert(partition.order, change.kind, { moment: change.row.createdAt, id: change.row.id });
};

/** Adds the references of initiated payments to the directory of payments. */
export const routePayments = (work: CommitWork, { row, entries }: Storage.SaveLogged<"settlement">): void => {
  for (const { event } of entries) {
    if (event.type !== "initiate_payment") continue;
    const route = { customerId: work.customerId, settlementId: row.id };
    claim(work, work.store.payments, event.payment_reference, route, "payment_reference");
  }
};

/** The list that a payment is in: of its file, or of those that wait; null for neither. */
const listOfPayment = (payment: Storage.Rows["bankPayment"] | undefined): string | null =>
  payment === undefined ? null : (payment.fileId ?? (payment.isWaiting ? "" : null));

/** Moves a payment to its list after a save. */
export const movePayment = (
  { partition, journal }: CommitWork,
  before: Storage.Rows["bankPayment"] | undefined,
  after: Storage.Rows["bankPayment"],
): void => {
  const [from, to] = [listOfPayment(before), listOfPayment(after)];
  if (from === to) return;
  if (from !== null) {
    const rest = (partition.bankPayments.get(from) ?? []).filter((id) => id !== after.id);
    journal.set(partition.bankPayments, from, rest);
  }
  if (to !== null) journal.append(partition.bankPayments, to, [after.id]);
};

/** Releases the external reference of an attribution that a save takes from it. */
export const releaseReference = (
  { partition, journal }: CommitWork,
  before: Storage.Rows["attribution"] | undefined,
  after: Storage.Rows["attribution"],
): void => {
  const reference = before?.externalReference ?? null;
  if (reference !== null && after.externalReference === null)
    journal.delete(partition.references, join(after.schemaId, reference));
};

/** Gives a partner the external reference of a save, and releases the one that it had. */
export const moveReference = (
  work: CommitWork,
  before: Storage.Rows["partner"] | undefined,
  { id, workspaceId, externalReference }: Storage.Rows["partner"],
): void => {
  const { partition, journal } = work;
  const earlier = before?.externalReference ?? null;
  if (earlier === externalReference) return;
  if (earlier !== null) journal.delete(partition.partnerReferences, join(workspaceId, earlier));
  if (externalReference !== null)
    claim(work, partition.partnerReferences, join(workspaceId, externalReference), id, "external_reference");
};

/** Moves a delivery between those of its endpoint that have ended and the others. */
export const moveDelivery = (
  { partition, journal }: CommitWork,
  before: Storage.Rows["webhookDelivery"] | undefined,
  { id, endpointId, endedAt }: Storage.Rows["webhookDelivery"],
): void => {
  const wasOpen = before !== undefined && before.endedAt === null;
  if (wasOpen === (endedAt === null)) return;
  const others = (partition.openDeliveries.get(endpointId) ?? []).filter((open) => open !== id);
  journal.set(partition.openDeliveries, endpointId, endedAt === null ? [...others, id] : others);
};

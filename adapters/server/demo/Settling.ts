/** Settles what partners of the demo are due at the end of a period, and carries most settlements to their payment. */
import { Effect } from "effect";
import type { Commissions, Ids, Principal, SettlementDocuments, Settlements, Worker } from "quittance";
import type { PastClock } from "./PastClock.ts";
import type { Random } from "./Random.ts";

const DAY = 24 * 3_600_000;
const LINES_PER_PAGE = 100;

export interface Settling {
  readonly principal: Principal.Principal;
  readonly clock: PastClock;
  readonly random: Random;
  readonly customerId: Ids.CustomerId;
  readonly workspaceId: Ids.WorkspaceId;
  readonly commissions: Commissions.Commissions;
  readonly settlements: Settlements.Settlements;
  readonly documents: SettlementDocuments.SettlementDocuments;
  readonly worker: Worker.Worker;
}

/** The commissions of a partner that are due and in no settlement. */
const dueOf = ({ commissions, principal }: Settling, partnerId: Ids.PartnerId) =>
  Effect.gen(function* () {
    const ids: Array<Ids.CommissionId> = [];
    for (let page = 1; ; page++) {
      const { items } = yield* commissions.list(principal, {
        partnerIds: [partnerId],
        settlementStatus: "unsettled",
        due: "nonzero",
        page,
        perPage: LINES_PER_PAGE,
      });
      for (const { id } of items) ids.push(id);
      if (items.length < LINES_PER_PAGE) return ids;
    }
  });

/** A PDF of one empty page, as a partner's invoice. */
const PDF = new TextEncoder().encode(
  "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n",
);

const DISPUTES = [
  "Two orders of the last week are missing.",
  "Order NH-4711 was not returned; the customer only exchanged the size.",
  "The tier of 7.5 % should apply from the twentieth on.",
];

/** Where the settlements of the newest period stop, so that something is in progress. */
const UNFINISHED = ["draft", "draft", "disputed", "approved", "approved", "approved", "paid"] as const;

interface Asked {
  readonly id: Ids.SettlementId;
  readonly until: (typeof UNFINISHED)[number];
}

/** Drafts and approves; then the worker makes the documents of all of them. */
const draftAll = (
  settling: Settling,
  partners: ReadonlyArray<{ readonly id: Ids.PartnerId }>,
  isNewest: boolean,
) =>
  Effect.gen(function* () {
    const { settlements, principal, customerId, workspaceId, random } = settling;
    const asked: Array<Asked> = [];
    for (const partner of partners) {
      const commissionIds = yield* dueOf(settling, partner.id);
      if (commissionIds.length === 0) continue;
      const { id } = yield* settlements.create(principal, {
        customerId,
        workspaceId,
        partnerId: partner.id,
        commissionIds,
      });
      const until = isNewest ? random.pick(UNFINISHED) : "paid";
      if (until !== "draft") yield* settlements.approve(principal, id);
      asked.push({ id, until });
    }
    yield* settling.worker.drain;
    return asked;
  });

/** Uploads what partners write themselves, and decides what is negative. */
const bill = (settling: Settling, asked: ReadonlyArray<Asked>, isNewest: boolean) =>
  Effect.gen(function* () {
    const { settlements, documents, principal, random } = settling;
    for (const { id } of asked) {
      const [settlement] = (yield* settlements.list(principal, { ids: [id] })).items;
      if (settlement?.status.type === "awaiting_invoice" && !(isNewest && random.chance(0.6)))
        yield* documents.upload(principal, id, "invoice", { fileName: "invoice.pdf", bytes: PDF });
      if (settlement?.status.type === "negative_review" && !isNewest)
        yield* settlements.review(principal, id, { decision: "carry_forward", note: "netted next time" });
    }
  });

/** Pays what is ready, and now and then writes a small one off. */
const pay = (settling: Settling, asked: ReadonlyArray<Asked>, period: string) =>
  Effect.gen(function* () {
    const { settlements, principal, random } = settling;
    for (const [index, { id, until }] of asked.entries()) {
      const [settlement] = (yield* settlements.list(principal, { ids: [id] })).items;
      if (settlement?.status.type !== "awaiting_payment") continue;
      if (until === "disputed") yield* settlements.dispute(principal, id, { reason: random.pick(DISPUTES) });
      if (until !== "paid") continue;
      yield* settlements.markAsPaid(principal, id, {
        bankReference: `${period}-${String(index + 1).padStart(3, "0")}`,
      });
      if (random.chance(0.7)) yield* settlements.reconcile(principal, id, { reconciled: true });
    }
  });

/** Settles a period that ended at `end`; of the newest one, some settlements stay where they are. */
export const closePeriod = (
  settling: Settling,
  partners: ReadonlyArray<{ readonly id: Ids.PartnerId }>,
  end: number,
  now: number,
  isNewest: boolean,
) =>
  Effect.gen(function* () {
    const { clock } = settling;
    const at = (days: number): void => clock.set(Math.min(end + days * DAY, now - 3_600_000));
    at(2);
    const asked = yield* draftAll(settling, partners, isNewest);
    at(6);
    yield* bill(settling, asked, isNewest);
    at(14);
    yield* pay(settling, asked, new Date(end - DAY).toISOString().slice(0, 7));
  });

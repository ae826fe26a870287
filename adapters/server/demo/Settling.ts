/** Settles what partners of the demo are due at the end of a period, and pays most of the settlements. */
import { Effect } from "effect";
import {
  type Commissions,
  type Ids,
  type Principal,
  type SettlementDocuments,
  type Settlements,
  Timestamp,
  type Worker,
} from "quittance";
import * as PastClock from "./PastClock.ts";
import * as Random from "./Random.ts";

const { DAY, HOUR } = Timestamp;
const LINES_PER_PAGE = 100;

export interface Settling {
  readonly principal: Principal.Principal;
  /** A principal other than the one that drafts, because the policy requires two people for large amounts. */
  readonly approver: Principal.Principal;
  readonly clock: PastClock.PastClock;
  readonly random: Random.Random;
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
const UNFINISHED = [
  ...(["draft", "draft", "disputed", "approved", "approved", "approved"] as const),
  ...(["paid", "paid", "paid", "paid", "paid"] as const),
];

interface Created {
  readonly id: Ids.SettlementId;
  readonly until: (typeof UNFINISHED)[number];
}

/** Drafts and approves. The reports of earlier periods were written elsewhere and are uploaded: drawing them takes longer than all the rest. */
const draftAll = (
  settling: Settling,
  partners: ReadonlyArray<{ readonly id: Ids.PartnerId }>,
  { isEarlier, isNewest }: Pick<Period, "isEarlier" | "isNewest">,
) =>
  Effect.gen(function* () {
    const { settlements, documents, principal, approver, customerId, workspaceId, random } = settling;
    const created: Array<Created> = [];
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
      if (until !== "draft") yield* settlements.approve(approver, id);
      if (isEarlier) yield* documents.upload(principal, id, "report", { fileName: "report.pdf", bytes: PDF });
      created.push({ id, until });
    }
    return created;
  });

/** The present states of settlements, with those of whom they are. */
const readAll = ({ settlements, principal }: Settling, created: ReadonlyArray<Created>) =>
  Effect.map(
    settlements.list(principal, { ids: created.map(({ id }) => id), perPage: LINES_PER_PAGE }),
    ({ items }) => {
      const states = new Map(items.map(({ id, status }) => [id, status.type]));
      return created.map((item) => ({ ...item, state: states.get(item.id) }));
    },
  );

/** Uploads what partners write themselves, and decides what is negative. */
const bill = (settling: Settling, created: ReadonlyArray<Created>, isNewest: boolean) =>
  Effect.gen(function* () {
    const { settlements, documents, principal, random } = settling;
    for (const { id, state } of yield* readAll(settling, created)) {
      if (state === "awaiting_invoice" && !(isNewest && random.chance(0.6)))
        yield* documents.upload(principal, id, "invoice", { fileName: "invoice.pdf", bytes: PDF });
      if (state === "negative_review" && !isNewest)
        yield* settlements.review(principal, id, { decision: "carry_forward", note: "netted next time" });
    }
  });

/** Pays what is ready, and now and then writes a small one off. */
const pay = (settling: Settling, created: ReadonlyArray<Created>, period: string) =>
  Effect.gen(function* () {
    const { settlements, principal, random } = settling;
    for (const [index, { id, until, state }] of (yield* readAll(settling, created)).entries()) {
      if (state !== "awaiting_payment") continue;
      if (until === "disputed") yield* settlements.dispute(principal, id, { reason: random.pick(DISPUTES) });
      if (until !== "paid") continue;
      yield* settlements.markAsPaid(principal, id, {
        bankReference: `${period}-${String(index + 1).padStart(3, "0")}`,
      });
      if (random.chance(0.4)) yield* settlements.reconcile(principal, id, { reconciled: true });
    }
  });

/** A period that is settled. */
interface Period {
  readonly partners: ReadonlyArray<{ readonly id: Ids.PartnerId }>;
  /** Its last instant, exclusive. */
  readonly end: number;
  readonly isEarlier: boolean;
  /** Of the newest one, some settlements stay where they are. */
  readonly isNewest: boolean;
  /** Decides the steps after the approvals. */
  readonly seed: number;
}

/** Days after the end of a period at which its settlements are paid. */
export const PAID_DAYS = 14;

/**
 * Drafts and approves what a period has brought, and returns the rest of its history: documents, invoices, payments. That has
 * a clock of its own and may run during later sales, because drawing documents takes another thread.
 */
export const closePeriod = (settling: Settling, period: Period, now: number) => {
  const { partners, end, isNewest, seed } = period;
  const at = (days: number): number => Math.min(end + days * DAY, now - HOUR);
  return Effect.map(
    Effect.zipRight(
      Effect.sync(() => settling.clock.set(at(2))),
      draftAll(settling, partners, period),
    ),
    (created) => {
      const clock = PastClock.make();
      const withOwnClock = { ...settling, clock, random: Random.make(seed) };
      const rest = Effect.gen(function* () {
        clock.set(at(2));
        yield* withOwnClock.worker.drain;
        clock.set(at(6));
        yield* bill(withOwnClock, created, isNewest);
        yield* withOwnClock.worker.drain;
        clock.set(at(PAID_DAYS));
        yield* pay(withOwnClock, created, new Date(end - DAY).toISOString().slice(0, 7));
      });
      return clock.run(rest);
    },
  );
};

/**
 * Settles what partners of the demo are due at the end of a period, by the run that the policy starts then, and pays most of the
 * settlements.
 */
import { Effect } from "effect";
import {
  CalendarDate,
  type Ids,
  Money,
  type Principal,
  type SettlementDocuments,
  type Settlements,
  Timestamp,
  type Worker,
} from "quittance";
import type { PARTNERS } from "./Company.ts";
import * as PastClock from "./PastClock.ts";
import * as Random from "./Random.ts";

const { DAY, HOUR } = Timestamp;
const LISTED_MAX = 100;
/** The hour in UTC at which people work. */
const MORNING = 8 * HOUR;
/** The days in which the company pays the invoices of partners. */
const TERM_DAYS = 30;

export interface Settling {
  readonly principal: Principal.Principal;
  /** A principal other than the one that drafts, because the policy requires two people for large amounts. */
  readonly approver: Principal.Principal;
  readonly clock: PastClock.PastClock;
  readonly settlements: Settlements.Settlements;
  readonly documents: SettlementDocuments.SettlementDocuments;
  readonly worker: Worker.Worker;
}

/** A PDF of one empty page, as a partner's invoice. */
const PDF = new TextEncoder().encode(
  "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n",
);

const DISPUTES = [
  "Two orders of the last week are missing.",
  "Order NH-4711 was not returned; the customer only exchanged the size.",
  "The tier of 7.5 % should apply from the twentieth on.",
];

type Until = "draft" | "approved" | "disputed" | "paid";

/**
 * Where the settlements of the newest period stop, so that something is in progress: in turn of those whose invoices the company
 * writes, and of those whose invoices it awaits once they are approved.
 */
const UNFINISHED: Readonly<Record<Billing["billingMode"], ReadonlyArray<Until>>> = {
  self_billing: ["paid", "approved", "disputed", "paid", "draft", "approved"],
  partner_billing: ["approved", "paid", "approved", "draft", "paid"],
};

/** Who writes the invoices of a partner, and the tax that it writes. */
type Billing = Pick<(typeof PARTNERS)[number], "billingMode" | "invoiceTaxBps">;

interface Created {
  readonly id: Ids.SettlementId;
  readonly until: Until;
  readonly partnerId: Ids.PartnerId;
  /** Net of tax. */
  readonly total: Money.Amount;
}

/**
 * Approves the drafts of the run. The reports of earlier periods were written elsewhere and are uploaded: drawing them takes longer than
 * all the rest.
 */
const approveAll = (
  { settlements, documents, principal, approver }: Settling,
  { isEarlier, isNewest, partners }: Pick<Period, "isEarlier" | "isNewest" | "partners">,
) =>
  Effect.gen(function* () {
    const drafts = yield* settlements.list(principal, {
      ...{ statuses: ["draft"], order: "asc", perPage: LISTED_MAX },
    });
    const created: Array<Created> = [];
    const seen = { self_billing: 0, partner_billing: 0 };
    for (const { id, partnerId, total } of drafts.items) {
      const { billingMode = "self_billing" } = partners.get(partnerId) ?? {};
      const states = UNFINISHED[billingMode];
      const next = states[seen[billingMode]++ % states.length] ?? "paid";
      const until = !isNewest ? "paid" : total < 0 ? "approved" : next;
      if (until !== "draft") yield* settlements.approve(approver, id);
      if (isEarlier) yield* documents.upload(principal, id, "report", { fileName: "report.pdf", bytes: PDF });
      created.push({ ...{ id, partnerId, total }, until });
    }
    return created;
  });

/** The present states of settlements, with those of whom they are. */
const readAll = ({ settlements, principal }: Settling, created: ReadonlyArray<Created>) =>
  Effect.map(
    settlements.list(principal, { ids: created.map(({ id }) => id), perPage: LISTED_MAX }),
    ({ items }) => {
      const states = new Map(items.map(({ id, status }) => [id, status.type]));
      return created.map((item) => ({ ...item, state: states.get(item.id) }));
    },
  );

/** Uploads what partners write themselves, accepts the tax on it, and decides what is negative. */
const bill = (settling: Settling, created: ReadonlyArray<Created>, { isNewest, partners, at }: Rest) =>
  Effect.gen(function* () {
    const { settlements, documents, principal, approver } = settling;
    const date = CalendarDate.dateOf(at);
    for (const [index, { id, state, until, partnerId, total }] of (yield* readAll(
      settling,
      created,
    )).entries()) {
      if (state === "awaiting_invoice" && until !== "approved") {
        const { invoiceTaxBps } = partners.get(partnerId) ?? { invoiceTaxBps: 0 };
        const taxAmount = Number(Money.basisPoints(total, invoiceTaxBps));
        yield* documents.upload(principal, id, "invoice", {
          ...{ fileName: "invoice.pdf", bytes: PDF, taxAmount },
          number: `${date.slice(0, 4)}-${String(140 + 3 * index)}`,
          ...{ date, dueDate: CalendarDate.dateOf(at, TERM_DAYS) },
        });
        if (taxAmount > 0)
          yield* settlements.review(approver, id, { decision: "accept_tax", note: "the rate of Germany" });
      }
      if (state === "negative_review" && !isNewest)
        yield* settlements.review(principal, id, { decision: "carry_forward", note: "netted next time" });
    }
  });

/** Pays what is ready. */
const pay = (settling: Settling, created: ReadonlyArray<Created>, period: string, random: Random.Random) =>
  Effect.gen(function* () {
    const { settlements, principal } = settling;
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
  readonly partners: ReadonlyMap<Ids.PartnerId, Billing>;
  /** Its last instant, exclusive. */
  readonly end: number;
  readonly isEarlier: boolean;
  /** Of the newest one, some settlements stay where they are. */
  readonly isNewest: boolean;
  /** Decides the steps after the approvals. */
  readonly seed: number;
}

interface Rest extends Pick<Period, "isNewest" | "partners"> {
  readonly at: number;
}

/** How long after the end of a period its settlements are paid. */
export const PAID_AFTER = 14 * DAY + MORNING;

/**
 * Has the policy start the run of what a period has brought, approves its drafts, and returns the rest of its history: documents,
 * invoices, payments. That has a clock of its own and may run during later sales, because drawing documents takes another thread.
 */
export const closePeriod = (settling: Settling, period: Period, now: number) => {
  const { end, isNewest, partners, seed } = period;
  const at = (milliseconds: number): number => Math.min(end + milliseconds, now - HOUR);
  return Effect.gen(function* () {
    const { clock, worker } = settling;
    clock.set(end);
    yield* worker.startDueRuns;
    yield* worker.drain;
    clock.set(at(2 * DAY + MORNING));
    const created = yield* approveAll(settling, period);
    const own = PastClock.make(at(2 * DAY + MORNING));
    const withOwnClock = { ...settling, clock: own };
    const rest = Effect.gen(function* () {
      yield* worker.drain;
      const billedAt = at(6 * DAY + MORNING);
      own.set(billedAt);
      yield* bill(withOwnClock, created, { isNewest, partners, at: billedAt });
      yield* worker.drain;
      own.set(at(PAID_AFTER));
      yield* pay(withOwnClock, created, new Date(end - DAY).toISOString().slice(0, 7), Random.make(seed));
    });
    return own.run(rest);
  });
};

/** Settles everything that is due after the last crash, so that an amount lost or paid twice shows in the sums. */
import { Clock, Effect } from "effect";
import {
  Ledger,
  Principal,
  type Settlement,
  SettlementDocuments,
  Settlements,
  type Storage,
  Worker,
} from "quittance";
import { listAll } from "quittance/testing";
import { deriveJournal, journalProblems } from "../support/journalLaws.ts";
import { engineOver } from "./Engine.ts";
import type { World } from "./World.ts";

/** More than the number of steps from a draft to the longest end. */
const ROUNDS_MAX = 12;

const ENDED: ReadonlySet<Settlement.StatusType> = new Set(["paid", "written_off", "cancelled"]);

const bytes = new TextEncoder().encode("%PDF-1.7 uploaded at the closing");

/** Moves an open settlement one step towards payment; does nothing where a worker has the next step. */
const advance = (principal: Principal.Principal, { id, status }: Storage.Listed["settlement"]) =>
  Effect.gen(function* () {
    const settlements = yield* Settlements.Settlements;
    const documents = yield* SettlementDocuments.SettlementDocuments;
    const upload = (kind: "invoice" | "credit_note") =>
      documents.upload(principal, id, kind, { fileName: `${kind}.pdf`, bytes });
    switch (status.type) {
      case "draft":
        return yield* settlements.approve(principal, id);
      case "negative_review":
        return yield* settlements.review(principal, id, { decision: "issue_credit_note" });
      case "awaiting_invoice":
        return yield* upload("invoice");
      case "awaiting_credit_note":
        return yield* upload("credit_note");
      case "awaiting_payment":
        return yield* settlements.markAsPaid(principal, id);
      case "disputed":
        return yield* settlements.resolveDispute(principal, id, { resolution: "rejected" });
      default:
        return null;
    }
  });

const settleOpen = (world: World, principal: Principal.Principal) =>
  Effect.gen(function* () {
    const worker = yield* Worker.Worker;
    for (let round = 0; round < ROUNDS_MAX; round++) {
      yield* worker.drain;
      const open = (yield* listAll(world.customerId, "settlement")).filter(
        ({ status }) => !ENDED.has(status.type),
      );
      if (open.length === 0) return;
      yield* Effect.forEach(open, (settlement) => advance(principal, settlement), { discard: true });
    }
  });

const settleDue = (world: World, principal: Principal.Principal) =>
  Effect.gen(function* () {
    const settlements = yield* Settlements.Settlements;
    const due = (yield* listAll(world.customerId, "commission")).filter((row) => Ledger.due(row) !== 0);
    for (const partnerId of new Set(due.map((row) => row.partnerId))) {
      const partnerCommissions = due.filter((row) => row.partnerId === partnerId);
      yield* settlements.create(principal, {
        customerId: world.customerId,
        workspaceId: world.workspaceId,
        partnerId,
        commissionIds: partnerCommissions.map(({ id }) => id),
      });
    }
    return due.length;
  });

/**
 * Settles everything due, twice; returns the commissions with an amount still due, or with a paid amount other than the released one,
 * and what breaks the laws of the journal.
 */
export const close = (world: World) =>
  engineOver(
    Effect.gen(function* () {
      const principal = Principal.customer(world.customerId, "closing");
      for (let round = 0; round < 2; round++) {
        yield* settleOpen(world, principal);
        yield* settleDue(world, principal);
      }
      yield* settleOpen(world, principal);
      const commissions = yield* listAll(world.customerId, "commission");
      const now = (yield* Clock.currentTimeMillis) + 1;
      const books = yield* journalProblems(principal, yield* deriveJournal(principal), [now]);
      const unsettled = commissions.flatMap((row) => {
        const released = Ledger.releasedAmount(row);
        if (Ledger.due(row) !== 0) return [`commission ${row.id}: ${Ledger.due(row)} still due`];
        return row.writtenOffPositive === 0 && row.writtenOffNegative === 0 && row.paidAmount !== released
          ? [`commission ${row.id}: released ${released}, paid ${row.paidAmount}`]
          : [];
      });
      return [...unsettled, ...books];
    }),
  );

/** What partners have due, by currency: the basis of a run and of a dry run. */
import { Effect } from "effect";
import type { CustomerId, PartnerId } from "../../domain/Ids.ts";
import { RUN_READ_MAX, SETTLEMENT_LINES_MAX } from "../../domain/Limits.ts";
import { hasOwnCadence } from "../../domain/SettlementPolicy.ts";
import {
  type Criteria,
  type DueCommission,
  type DuePosition,
  DueTotals,
  type Payee,
} from "../../domain/SettlementRun.ts";
import type { Records, Requirement, Settling, StorageError } from "../../ports/Storage.ts";
import { type PartnerTerms, readTerms } from "../settlements/PoliciesInForce.ts";
import { readAcceptedTerms } from "./AcceptedTerms.ts";

/** What one partner has due, and the terms by which it is settled. */
export interface Due extends Omit<PartnerTerms, "terms">, Payee {
  readonly dueTotals: DueTotals;
}

/** Reads which of some partners are suspended, and the requirements that the partners stay as they were read. */
const readSuspended = (storage: Records, customerId: CustomerId, partnerIds: ReadonlyArray<PartnerId>) =>
  Effect.map(storage.find(customerId, "partner", partnerIds), (found) => {
    const byId = new Map(found.map((partner) => [partner.id, partner]));
    return {
      isSuspended: (id: PartnerId): boolean => byId.get(id)?.status === "suspended",
      requires: (id: PartnerId): ReadonlyArray<Requirement> => [
        { type: "record", kind: "partner", id, version: byId.get(id)?.version ?? 0 },
      ],
    };
  });

/** Whose runs these are, and what they settle. */
export interface Scope extends Criteria {
  readonly customerId: CustomerId;
}

/** Adds the due commissions of a partner after a position, page by page, until `isEnough`. */
const readRemaining = (
  storage: Records & Settling,
  { customerId, until }: Scope,
  { partnerId, dueTotals, after }: Pick<Due, "partnerId" | "dueTotals"> & { readonly after: DuePosition },
  isEnough: () => boolean = () => false,
): Effect.Effect<void, StorageError> =>
  Effect.gen(function* () {
    let position: DuePosition = after;
    for (;;) {
      const query = { partnerIds: [partnerId], until, after: position, limit: RUN_READ_MAX };
      const found: ReadonlyArray<DueCommission> = yield* storage.dueCommissions(customerId, query);
      for (const due of found) dueTotals.add(due);
      const last = found[found.length - 1];
      if (last === undefined || found.length < RUN_READ_MAX || isEnough()) return;
      position = { createdAt: last.createdAt, id: last.id };
    }
  });

/** What each of the partners has due. */
export const readDue = (
  storage: Records & Settling,
  scope: Scope,
  partnerIds: ReadonlyArray<PartnerId>,
): Effect.Effect<ReadonlyArray<Due>, StorageError> =>
  Effect.gen(function* () {
    const { customerId, workspaceId, until } = scope;
    const [termsOf, suspended, found] = yield* Effect.all(
      [
        readTerms(storage, customerId, workspaceId, partnerIds),
        readSuspended(storage, customerId, partnerIds),
        storage.dueCommissions(customerId, { partnerIds, until, after: null, limit: RUN_READ_MAX }),
      ],
      { concurrency: "unbounded" },
    );
    const asked = partnerIds.filter((id) => termsOf(id).terms.requireAcceptance);
    const accepted = yield* readAcceptedTerms(storage, customerId, asked);
    const byPartner = new Map<PartnerId, Array<DueCommission>>();
    for (const due of found) {
      const rows = byPartner.get(due.partnerId);
      if (rows === undefined) byPartner.set(due.partnerId, [due]);
      else rows.push(due);
    }
    return yield* Effect.forEach(partnerIds, (partnerId) =>
      Effect.gen(function* () {
        const inForce = termsOf(partnerId);
        const { requireAcceptance } = inForce.terms;
        const dueTotals = new DueTotals(
          inForce.terms,
          scope,
          requireAcceptance ? accepted.isAccepted : undefined,
        );
        const rows = byPartner.get(partnerId) ?? [];
        for (const due of rows) dueTotals.add(due);
        const last = rows[rows.length - 1];
        if (last !== undefined && rows.length === RUN_READ_MAX)
          yield* readRemaining(storage, scope, {
            ...{ partnerId, dueTotals },
            after: { createdAt: last.createdAt, id: last.id },
          });
        return {
          ...{ partnerId, dueTotals, ...inForce, isSuspended: suspended.isSuspended(partnerId) },
          requires: [...inForce.requires, ...accepted.requires(partnerId), ...suspended.requires(partnerId)],
        };
      }),
    );
  });

/** What a partner has due in a currency after a position: at least what one draft holds, or all of it. */
export const readDueAfter = (
  storage: Records & Settling,
  scope: Scope,
  partnerId: PartnerId,
  after: DuePosition,
): Effect.Effect<Due, StorageError> =>
  Effect.gen(function* () {
    const { customerId, workspaceId } = scope;
    const [termsOf, suspended] = yield* Effect.all(
      [
        readTerms(storage, customerId, workspaceId, [partnerId]),
        readSuspended(storage, customerId, [partnerId]),
      ],
      { concurrency: "unbounded" },
    );
    const inForce = termsOf(partnerId);
    const asked = inForce.terms.requireAcceptance ? [partnerId] : [];
    const accepted = yield* readAcceptedTerms(storage, customerId, asked);
    const dueTotals = new DueTotals(inForce.terms, scope, accepted.isAccepted);
    const isEnough = () => dueTotals.entries().every(([, { lineCount }]) => lineCount > SETTLEMENT_LINES_MAX);
    yield* readRemaining(storage, scope, { partnerId, dueTotals, after }, isEnough);
    return {
      ...{ partnerId, dueTotals, ...inForce, isSuspended: suspended.isSuspended(partnerId) },
      requires: [...inForce.requires, ...accepted.requires(partnerId), ...suspended.requires(partnerId)],
    };
  });

/** True if a run of its workspace's cadence leaves the partner to the partner's own. */
export const isLeftToOwnCadence = (
  run: { readonly policyId: string | null; readonly partnerIds: Scope["partnerIds"] },
  { own }: PartnerTerms,
): boolean => run.policyId !== null && run.partnerIds === null && own !== null && hasOwnCadence(own);

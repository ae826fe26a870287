/** Erasing personal data: that of a partner, as far as nothing has to be kept, and single entries of the event feed. */
import { Effect, Schema } from "effect";
import type { ApiKey } from "../domain/ApiKey.ts";
import { key, means, optional, optionalKey } from "../domain/Field.ts";
import { CustomerId, type PartnerId } from "../domain/Ids.ts";
import { CURSOR_MAX, ERASED_ENTRIES_MAX, ERASED_SETTLEMENTS_MAX, PAGE_MAX } from "../domain/Limits.ts";
import * as Partner from "../domain/Partner.ts";
import { accountsOf } from "../domain/PartnerAccounts.ts";
import * as PersonalData from "../domain/PersonalData.ts";
import { authorize, type Principal } from "../domain/Principal.ts";
import { Invalid, invalid } from "../domain/Refusal.ts";
import { OPEN } from "../domain/SettlementView.ts";
import { Text } from "../domain/Text.ts";
import { LATEST } from "../domain/Timestamp.ts";
import { Digest } from "../ports/Digest.ts";
import { DocumentStore } from "../ports/Documents.ts";
import { Storage, type Versioned } from "../ports/Storage.ts";
import { type Failure, requireVisible, validate } from "./commands/Access.ts";
import { collect, countOf } from "./commands/Listing.ts";
import { type CommandOptions, noEffect, Pipeline, type Replayed } from "./commands/Pipeline.ts";
import { Policies } from "./commands/Policies.ts";
import { eraseEntries } from "./erasure/EntryErasure.ts";
import type { Erasure, Task, Tools } from "./erasure/Erasure.ts";
import { readPlaces } from "./erasure/FeedPlaces.ts";
import { eraseAcceptances, eraseFormulas, eraseKeys } from "./erasure/NamedErasure.ts";
import { eraseRecord } from "./erasure/Redaction.ts";
import { eraseSettlements } from "./erasure/SettlementErasure.ts";
import { positionOf } from "./feed/Cursor.ts";
import { Relay } from "./feed/Relay.ts";

export { REASONS } from "../domain/PersonalData.ts";
export { CONTENTS, type Erasure, RECORD_TYPES } from "./erasure/Erasure.ts";

/** What erasing a partner takes. */
export const ErasePartner = Schema.Struct({
  dryRun: optionalKey(
    Schema.Boolean,
    "dry_run",
    "With true, lists what would be erased, and erases nothing.",
  ),
  page: optional(
    Schema.Int.pipe(
      Schema.between(1, PAGE_MAX, { jsonSchema: { type: "integer", minimum: 1, maximum: PAGE_MAX } }),
    ),
    "The page of the partner's settlements, 100 at a time; 1 by default.",
  ),
});
export type ErasePartner = typeof ErasePartner.Type;

/** What was erased of a partner's records, and what is kept. */
export interface PartnerErasure {
  readonly dryRun: boolean;
  readonly records: ReadonlyArray<Erasure>;
  /** The page to continue with; null at the end. */
  readonly nextPage: number | null;
}

/** What erasing entries of the feed takes. */
export const EraseEvents = Schema.Struct({
  customerId: key(CustomerId, "customer_id", "The customer whose feed it is."),
  cursors: Schema.Array(Text(1, CURSOR_MAX)).pipe(
    Schema.filter(
      ({ length }) =>
        (length >= 1 && length <= ERASED_ENTRIES_MAX) || `must have 1 to ${ERASED_ENTRIES_MAX} cursors`,
      { jsonSchema: { minItems: 1, maxItems: ERASED_ENTRIES_MAX } },
    ),
    means("The cursors of the entries, 1 to 100."),
  ),
});
export type EraseEvents = typeof EraseEvents.Type;

const CURSOR = "must be the cursor of an entry of the customer's feed";

const make = Effect.gen(function* () {
  const storage: Tools["storage"] = yield* Storage;
  const pipeline = yield* Pipeline;
  const { feed, retentionYears } = yield* Policies;
  const relay = yield* Relay;
  const tools: Tools = {
    storage,
    bytes: yield* DocumentStore,
    digest: yield* Digest,
    pipeline,
    relay: feed ? relay : null,
    retentionYears,
  };

  const settlementsOf = (customerId: CustomerId, id: PartnerId, page: number) =>
    storage.list(customerId, "settlement", {
      where: { partnerIds: [id] },
      ...{ page, perPage: ERASED_SETTLEMENTS_MAX, order: "asc", linesMax: 0 },
    });

  /** The keys that reach this partner alone: its own. */
  const keysOf = (customerId: CustomerId, id: PartnerId) =>
    Effect.map(
      collect(storage, customerId, "apiKey", {
        within: { workspaceIds: "*", partnerIds: [id], agentId: null },
      }),
      (keys) => keys.filter(({ kind }) => kind === "partner"),
    );

  /** Why the record of a partner is kept; null when it is not. */
  const keptOfPartner = ({ customerId, id }: Partner.Partner) =>
    Effect.gen(function* () {
      const open = yield* countOf(storage, customerId, "settlement", { partnerIds: [id], statuses: OPEN });
      if (open > 0) return { reason: "settlement_open", until: null } as const;
      const query = { partnerIds: [id], until: LATEST, after: null, limit: 1 };
      const due = yield* storage.dueCommissions(customerId, query);
      return due.length > 0 ? ({ reason: "commissions_due", until: null } as const) : null;
    });

  const subjectOf = (found: Partner.Partner, keys: ReadonlyArray<ApiKey>) => {
    const { name, selfBillingData: data } = found;
    const ids = new Set(keys.map(({ id }) => id));
    const holders = accountsOf(found).flatMap(({ details }) => details.holder ?? []);
    const names = [
      name,
      ...(data === null ? [] : [data.legalName, data.bankAccount.beneficiaryName]),
      ...holders,
    ];
    return { names: PersonalData.namesOf(names), isOwn: (actor: string) => ids.has(actor) };
  };

  /** Erases the record of a partner, unless it is kept or was erased before. */
  const erasePartner = (task: Task, id: PartnerId): Effect.Effect<ReadonlyArray<Erasure>, Failure> => {
    const { customerId, caller, isDryRun } = task;
    return Effect.gen(function* () {
      const find = yield* readPlaces(storage, tools.relay, customerId, isDryRun ? [] : [id]);
      const { erasures } = yield* pipeline.run(customerId, caller, {}, (execution) =>
        Effect.gen(function* () {
          const [found] = yield* storage.find(customerId, "partner", [id]);
          const change =
            found &&
            (yield* Partner.update(
              { ...found, payoutAccounts: null },
              PersonalData.ERASED_PARTNER,
              execution,
            ));
          if (found === undefined || change === undefined || change.events.length === 0)
            return noEffect({ erasures: [] });
          const kept = yield* keptOfPartner(found);
          const erasures = [
            { recordType: "partner", recordId: id, contents: ["partner_data"], kept } as const,
          ];
          if (isDryRun || kept !== null) return noEffect({ erasures });
          const { data, events } = change;
          const log = yield* storage.log(customerId, "partner", id);
          const row = { ...found, ...data };
          const changes = yield* eraseRecord(
            { tools, task, find },
            execution,
            { kind: "partner", row, log },
            events,
          );
          return { result: { erasures }, requires: [], changes };
        }),
      );
      return erasures;
    });
  };

  /** Erases a page of a partner's settlements, after the last one also everything else. */
  const erasePage = (
    caller: Task["caller"],
    partner: Versioned<Partner.Partner>,
    { dryRun = false, page = 1 }: ErasePartner,
  ): Effect.Effect<PartnerErasure, Failure> =>
    Effect.gen(function* () {
      const { customerId, id } = partner;
      const keys = yield* keysOf(customerId, id);
      const task: Task = { customerId, subject: subjectOf(partner, keys), caller, isDryRun: dryRun };
      const { items, total } = yield* settlementsOf(customerId, id, page);
      const settlements = yield* eraseSettlements(tools, task, items);
      if (total > page * ERASED_SETTLEMENTS_MAX) return { dryRun, records: settlements, nextPage: page + 1 };
      const formulas = yield* collect(storage, customerId, "formula", { partnerIds: [id] });
      const acceptances = yield* collect(storage, customerId, "planAcceptance", { partnerIds: [id] });
      const records = [
        ...settlements,
        ...(yield* eraseFormulas(tools, task, formulas)),
        ...(yield* eraseAcceptances(tools, task, acceptances)),
        ...(yield* eraseKeys(tools, task, keys)),
        ...(yield* erasePartner(task, id)),
      ];
      return { dryRun, records, nextPage: null };
    });

  const partner = (
    principal: Principal,
    id: PartnerId,
    input: ErasePartner = {},
    options: CommandOptions = {},
  ): Effect.Effect<PartnerErasure & Replayed, Failure> =>
    Effect.gen(function* () {
      yield* authorize(principal, "erase partner");
      const request = yield* validate(ErasePartner)(input);
      const found = yield* requireVisible(storage, principal, "partner", id);
      // Each record is erased by a commit of its own; the one around them stores the result alone.
      return yield* pipeline.run(found.customerId, principal, options, () =>
        Effect.map(erasePage(principal, found, request), noEffect),
      );
    });

  const events = (
    principal: Principal,
    input: EraseEvents,
    options: CommandOptions = {},
  ): Effect.Effect<{ readonly erased: number } & Replayed, Failure> =>
    Effect.gen(function* () {
      yield* authorize(principal, "erase events");
      const { customerId, cursors } = yield* validate(EraseEvents)(input);
      const positions = yield* Effect.forEach(cursors, (cursor, index) =>
        Effect.mapError(positionOf(storage, tools.digest, customerId, cursor), (refusal) =>
          refusal instanceof Invalid ? invalid(`cursors.${index}`, CURSOR) : refusal,
        ),
      );
      return yield* pipeline.run(customerId, principal, options, () =>
        Effect.map(eraseEntries(tools, customerId, principal, positions), (erased) => noEffect({ erased })),
      );
    });

  return {
    /**
     * Erases the personal data of a partner: of its settlements, 100 at a time, then of its formulas, its acceptances, its keys and its record. What
     * has to be kept is listed with the reason; a later call erases it. A dry run lists the same and erases nothing.
     */
    partner,
    /** Takes entries out of the event feed for good, and has their records say so. The chain of hashes still holds. */
    events,
  };
});

/** The service that erases personal data, for the platform alone. */
export class Erasures extends Effect.Service<Erasures>()("quittance/services/Erasures", { effect: make }) {}

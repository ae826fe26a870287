/** Settlement policies: which of what is due runs settle, for a workspace and for single partners of it. */
import { Effect } from "effect";
import * as Cadence from "../domain/Cadence.ts";
import type { CustomerId, PartnerId, WorkspaceId } from "../domain/Ids.ts";
import { authorize, type Principal } from "../domain/Principal.ts";
import { missing } from "../domain/Refusal.ts";
import * as SettlementPolicy from "../domain/SettlementPolicy.ts";
import * as Workspace from "../domain/Workspace.ts";
import { type Records, Storage, type Versioned } from "../ports/Storage.ts";
import {
  authorizeCustomer,
  type Failure,
  findVisible,
  requireVisible,
  requireWorkspace,
  validate,
} from "./commands/Access.ts";
import {
  type CommandOptions,
  type Decision,
  type Execution,
  noEffect,
  Pipeline,
  type Replayed,
} from "./commands/Pipeline.ts";
import * as Save from "./commands/Save.ts";
import { readTerms } from "./settlements/PoliciesInForce.ts";

type Stored = Versioned<SettlementPolicy.SettlementPolicy>;

/** Terms whose cadence may have no time zone. */
type StatedTerms = Omit<SettlementPolicy.OwnTerms, "cadence"> & { readonly cadence: Cadence.Stated | null };

/** The policy of a workspace: its terms, and when its cadence starts the next run. */
export interface WorkspacePolicy extends SettlementPolicy.Terms {
  readonly workspaceId: WorkspaceId;
  readonly nextRun: SettlementPolicy.SettlementPolicy["next"];
  /** Null where no policy was written: the terms are the defaults. */
  readonly updatedAt: number | null;
}

/** The fields that a partner has of its own, null where it follows the workspace, and the terms that follow. */
export interface PartnerPolicy extends SettlementPolicy.OwnTerms {
  readonly workspaceId: WorkspaceId;
  readonly partnerId: PartnerId;
  readonly inForce: SettlementPolicy.Terms;
  /** Of the partner's own cadence. */
  readonly nextRun: SettlementPolicy.SettlementPolicy["next"];
  /** Null where the partner never had a field of its own. */
  readonly updatedAt: number | null;
}

/** The terms in force that a partner may read: when runs settle what it has earned, and what they leave out. */
export interface Schedule
  extends Pick<SettlementPolicy.Terms, "cadence" | "holdDays" | "minimum" | "requireAcceptance"> {
  /** The next period of the cadence that holds for the partner; null without a cadence. */
  readonly nextRun: SettlementPolicy.SettlementPolicy["next"];
}

const make = Effect.gen(function* () {
  const storage: Records = yield* Storage;
  const pipeline = yield* Pipeline;

  /** Succeeds when the principal sees the partner in the workspace. */
  const partnerOf = (principal: Principal, workspaceId: WorkspaceId, partnerId: PartnerId) =>
    Effect.flatMap(findVisible(storage, principal, "partner", partnerId), (partner) =>
      partner?.workspaceId === workspaceId ? Effect.succeed(partner) : Effect.fail(missing("partner")),
    );

  const read = (principal: Principal, workspaceId: WorkspaceId): Effect.Effect<WorkspacePolicy, Failure> =>
    Effect.gen(function* () {
      const customerId = yield* authorizeCustomer(principal, "read settlement policy");
      yield* requireWorkspace(principal, workspaceId);
      const id = SettlementPolicy.policyId(customerId, workspaceId, null);
      const [stored] = yield* storage.find(customerId, "settlementPolicy", [id]);
      return {
        workspaceId,
        ...SettlementPolicy.inForce(stored ?? null, null),
        nextRun: stored?.next ?? null,
        updatedAt: stored?.lastAt ?? null,
      };
    });

  const readOverride = (
    principal: Principal,
    workspaceId: WorkspaceId,
    partnerId: PartnerId,
  ): Effect.Effect<PartnerPolicy, Failure> =>
    Effect.gen(function* () {
      const customerId = yield* authorizeCustomer(principal, "read settlement policy");
      yield* partnerOf(principal, workspaceId, partnerId);
      const termsOf = yield* readTerms(storage, customerId, workspaceId, [partnerId]);
      const { terms, own } = termsOf(partnerId);
      return {
        workspaceId,
        partnerId,
        ...(own?.terms ?? SettlementPolicy.NO_OVERRIDE),
        inForce: terms,
        nextRun: own?.next ?? null,
        updatedAt: own?.lastAt ?? null,
      };
    });

  const settlementSchedule = (principal: Principal, partnerId: PartnerId): Effect.Effect<Schedule, Failure> =>
    Effect.gen(function* () {
      yield* authorize(principal, "read balance");
      const { customerId, workspaceId } = yield* requireVisible(storage, principal, "partner", partnerId);
      const { terms, general, own } = (yield* readTerms(storage, customerId, workspaceId, [partnerId]))(
        partnerId,
      );
      const scheduled = own !== null && SettlementPolicy.hasOwnCadence(own) ? own : general;
      const { cadence, holdDays, minimum, requireAcceptance } = terms;
      return { cadence, holdDays, minimum, requireAcceptance, nextRun: scheduled?.next ?? null };
    });

  /** The decision that stores terms, or none where they are stored already. */
  const saveTerms = (
    execution: Execution,
    identity: SettlementPolicy.Identity,
    stored: Stored | null,
    terms: SettlementPolicy.OwnTerms,
  ): Decision<Record<never, never>> => {
    const events = SettlementPolicy.write(identity, stored, terms, execution);
    if (events.length === 0) return noEffect({});
    const saved = Save.appendEvents("settlementPolicy", execution, stored ?? identity, events);
    return { result: {}, requires: [], changes: [saved] };
  };

  /** The cadence that is stated, in the workspace's time zone where it states none. */
  const cadenceOf = (customerId: CustomerId, workspaceId: WorkspaceId, stated: StatedTerms["cadence"]) => {
    if (stated === null || stated === "manual") return Effect.succeed(stated);
    if (stated.timeZone !== undefined) return Effect.succeed(Cadence.inZone(stated, stated.timeZone));
    return Effect.map(
      storage.find(customerId, "workspace", [Workspace.recordIdOf(customerId, workspaceId)]),
      ([workspace = Workspace.DEFAULT]) => Cadence.inZone(stated, workspace.timeZone),
    );
  };

  const put = (
    principal: Principal,
    { workspaceId, partnerId }: Pick<SettlementPolicy.SettlementPolicy, "workspaceId" | "partnerId">,
    stated: StatedTerms,
    options: CommandOptions,
  ): Effect.Effect<Replayed, Failure> =>
    Effect.gen(function* () {
      const customerId = yield* authorizeCustomer(principal, "write settlement policy");
      return yield* pipeline.run(customerId, principal, options, (execution) =>
        Effect.gen(function* () {
          if (partnerId === null) yield* requireWorkspace(principal, workspaceId);
          else yield* partnerOf(principal, workspaceId, partnerId);
          const id = SettlementPolicy.policyId(customerId, workspaceId, partnerId);
          const [stored = null] = yield* storage.find(customerId, "settlementPolicy", [id]);
          const terms = { ...stated, cadence: yield* cadenceOf(customerId, workspaceId, stated.cadence) };
          return saveTerms(execution, { id, customerId, workspaceId, partnerId }, stored, terms);
        }),
      );
    });

  const write = (
    principal: Principal,
    workspaceId: WorkspaceId,
    input: SettlementPolicy.Write,
    options: CommandOptions = {},
  ): Effect.Effect<Replayed, Failure> =>
    Effect.gen(function* () {
      yield* authorizeCustomer(principal, "write settlement policy");
      const request = yield* validate(SettlementPolicy.Write)(input);
      return yield* put(
        principal,
        { workspaceId, partnerId: null },
        { ...SettlementPolicy.DEFAULT, ...request },
        options,
      );
    });

  const writeOverride = (
    principal: Principal,
    workspaceId: WorkspaceId,
    partnerId: PartnerId,
    input: SettlementPolicy.WriteOverride,
    options: CommandOptions = {},
  ): Effect.Effect<Replayed, Failure> =>
    Effect.gen(function* () {
      yield* authorizeCustomer(principal, "write settlement policy");
      const request = yield* validate(SettlementPolicy.WriteOverride)(input);
      const terms = { ...SettlementPolicy.NO_OVERRIDE, ...request };
      return yield* put(principal, { workspaceId, partnerId }, terms, options);
    });

  const removeOverride = (
    principal: Principal,
    workspaceId: WorkspaceId,
    partnerId: PartnerId,
    options: CommandOptions = {},
  ): Effect.Effect<Replayed, Failure> =>
    put(principal, { workspaceId, partnerId }, SettlementPolicy.NO_OVERRIDE, options);

  return {
    /** The policy of a workspace: the defaults where none was written. */
    read,
    /** Replaces the policy of a workspace as a whole; an absent field gets its default. */
    write,
    /** What a partner has of its own, and the terms in force for it. */
    readOverride,
    /** Replaces what a partner has of its own; an absent or null field follows the workspace. */
    writeOverride,
    /** Lets a partner follow the workspace in everything. */
    removeOverride,
    /** When runs settle what a partner has earned: the terms in force that the partner itself may read. */
    settlementSchedule,
  };
});

/** The service of settlement policies. */
export class SettlementPolicies extends Effect.Service<SettlementPolicies>()(
  "quittance/services/SettlementPolicies",
  { effect: make },
) {}

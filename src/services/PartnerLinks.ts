/** Links of partners to their uplines: who is above whom in which role, from when to when. */
import { Effect } from "effect";
import { type CustomerId, type PartnerId, PartnerLinkId, type WorkspaceId } from "../domain/Ids.ts";
import * as PartnerLink from "../domain/PartnerLink.ts";
import { canSee, type Principal } from "../domain/Principal.ts";
import { invalid, missing } from "../domain/Refusal.ts";
import { IdSource } from "../ports/IdSource.ts";
import { type Earnings, type Listed, type Records, Storage } from "../ports/Storage.ts";
import {
  authorizeCustomer,
  authorizeRequest,
  type Failure,
  requireVisible,
  validate,
} from "./commands/Access.ts";
import { type ListInput, type Listing, listOf } from "./commands/Listing.ts";
import {
  type CommandOptions,
  type Execution,
  noEffect,
  Pipeline,
  type Replayed,
} from "./commands/Pipeline.ts";
import * as Save from "./commands/Save.ts";
import { readChains } from "./links/Chains.ts";
import * as Serialized from "./process/Serialized.ts";

/** How long a command waits for an earlier one of its customer in this process; then the store decides. */
const TURN_MILLISECONDS = 10_000;

const make = Effect.gen(function* () {
  const storage: Records & Earnings = yield* Storage;
  const ids = yield* IdSource;
  const pipeline = yield* Pipeline;
  const oneByOne = Serialized.make(TURN_MILLISECONDS);

  /** The workspace of two partners that the principal sees. */
  const workspaceOf = (
    principal: Principal,
    customerId: CustomerId,
    { partnerId, uplinePartnerId }: Pick<PartnerLink.Link, "partnerId" | "uplinePartnerId">,
  ) =>
    Effect.gen(function* () {
      const found = yield* storage.find(customerId, "partner", [partnerId, uplinePartnerId]);
      const seen = found.filter((row) => canSee(principal, { ...row, partnerId: row.id }));
      const workspaceIdOf = (id: PartnerId): WorkspaceId | undefined =>
        seen.find((row) => row.id === id)?.workspaceId;
      const workspaceId = workspaceIdOf(partnerId);
      if (workspaceId === undefined) return yield* invalid("partner_id", "must be the id of a partner");
      return workspaceIdOf(uplinePartnerId) === workspaceId
        ? workspaceId
        : yield* invalid("upline_partner_id", "must be the id of a partner of the same workspace");
    });

  /** Reads the version of the links of a workspace, then checks a link among them. Returns the change that raises the version. */
  const place = (
    principal: Principal,
    execution: Execution,
    { customerId, workspaceId }: Pick<PartnerLink.PartnerLink, "customerId" | "workspaceId">,
    link: PartnerLink.Link,
  ) =>
    Effect.gen(function* () {
      const id = PartnerLink.linkSetId(customerId, workspaceId);
      // Read before the links: if these are newer, the commit conflicts.
      const [set] = yield* storage.find(customerId, "linkSet", [id]);
      const { partnerId, uplinePartnerId, role } = link;
      const [above, below] = yield* Effect.all(
        [
          readChains(storage, customerId, { direction: "up", from: [partnerId, uplinePartnerId], role }),
          readChains(storage, customerId, { direction: "down", from: [partnerId], role }),
        ],
        { concurrency: "unbounded" },
      );
      // A chain that closes at another time is both above and below.
      const others = new Map([...above, ...below].map((one) => [one.id, one]));
      const found = PartnerLink.findMisplaced([...others.values()], link);
      if (found !== null) {
        const isGranted = (partner: PartnerId): boolean =>
          principal.partnerIds === "*" || principal.partnerIds.includes(partner);
        return yield* PartnerLink.misplaced(found, role, (partner) =>
          isGranted(partner) ? partner : "another partner",
        );
      }
      return Save.flat("linkSet", execution, set ?? { id, customerId, workspaceId });
    });

  const create = (
    principal: Principal,
    input: PartnerLink.Create,
    options: CommandOptions = {},
  ): Effect.Effect<{ readonly id: PartnerLinkId } & Replayed, Failure> =>
    Effect.gen(function* () {
      const { customerId, request } = yield* authorizeRequest(
        principal,
        "create partner link",
        validate(PartnerLink.Create)(input),
        ({ partnerId, uplinePartnerId }) => ({
          partnerIds: [partnerId],
          uplinePartnerIds: [uplinePartnerId],
        }),
      );
      const { partnerId, uplinePartnerId, role } = request;
      const attempt = (execution: Execution) =>
        Effect.gen(function* () {
          const id = yield* ids.next(PartnerLinkId);
          const startDatetime = request.startDatetime ?? execution.at;
          const endDatetime = request.endDatetime ?? null;
          yield* PartnerLink.checkDates(startDatetime, endDatetime);
          const workspaceId = yield* workspaceOf(principal, customerId, request);
          const identity = { id, customerId, workspaceId, partnerId, uplinePartnerId, role };
          const link = { ...identity, startDatetime, endDatetime };
          const raised = yield* place(principal, execution, identity, link);
          const saved = Save.appendEvents("partnerLink", execution, identity, [
            PartnerLink.create(link, execution),
          ]);
          return { result: { id }, requires: [], changes: [raised, saved] };
        });
      return yield* oneByOne(customerId, pipeline.run(customerId, principal, options, attempt));
    });

  const update = (
    principal: Principal,
    id: PartnerLinkId,
    input: PartnerLink.Update,
    options: CommandOptions = {},
  ): Effect.Effect<Replayed, Failure> =>
    Effect.gen(function* () {
      const customerId = yield* authorizeCustomer(principal, "update partner link");
      const { endDatetime } = yield* validate(PartnerLink.Update)(input);
      const attempt = (execution: Execution) =>
        Effect.gen(function* () {
          const link = yield* requireVisible(storage, principal, "partnerLink", id);
          if (!canSee(principal, { ...link, partnerId: link.uplinePartnerId }))
            return yield* missing("partnerLink");
          if (endDatetime === undefined) return noEffect({});
          yield* PartnerLink.checkDates(link.startDatetime, endDatetime);
          const events = PartnerLink.update(link, endDatetime, execution);
          if (events.length === 0) return noEffect({});
          const raised = yield* place(principal, execution, link, { ...link, endDatetime });
          const saved = Save.appendEvents("partnerLink", execution, link, events);
          return { result: {}, requires: [], changes: [raised, saved] };
        });
      return yield* oneByOne(customerId, pipeline.run(customerId, principal, options, attempt));
    });

  const list = (
    principal: Principal,
    input: ListInput<"partnerLink"> = {},
  ): Effect.Effect<Listing<Listed["partnerLink"]>, Failure> =>
    listOf(storage, principal, "partnerLink", input);

  return {
    /**
     * Links a partner to the partner directly above it in a role, from now unless stated. Refused where the partner has another
     * upline of the role at a moment of the link, or a chain of the role would meet itself or have more than 16 links. Recorded
     * sales keep what they have.
     */
    create,
    /** Sets the end of a link, or removes it (null). The start itself withdraws the link. Recorded sales keep what they have. */
    update,
    /** One page of the links the principal sees: those that name a partner of its grant at either end. */
    list,
  };
});

export class PartnerLinks extends Effect.Service<PartnerLinks>()("quittance/services/PartnerLinks", {
  effect: make,
}) {}

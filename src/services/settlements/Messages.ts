/** The messages of a settlement's sides as commands: a dispute, its resolution, a comment. */
import { Effect, Stream } from "effect";
import type { CommissionId } from "../../domain/Ids.ts";
import { type Principal, personOf } from "../../domain/Principal.ts";
import type * as Settlement from "../../domain/Settlement.ts";
import type { SettlementCommand } from "../../domain/SettlementMachine.ts";
import { sideOf } from "../../domain/Side.ts";
import type { Records, Settling, StorageError } from "../../ports/Storage.ts";
import { attachedBy } from "./Attachments.ts";

/** What a principal says about a settlement. */
export interface Message<Input> {
  readonly storage: Records & Settling;
  readonly principal: Principal;
  readonly settlement: Settlement.Settlement;
  readonly input: Input;
}

/** The command of a message, with what it names. */
export type MessageCommand<Input> = (
  message: Message<Input>,
) => Effect.Effect<SettlementCommand, StorageError>;

/** The commissions, of those named, that are no line of a settlement. */
const foreignLines = (
  storage: Settling,
  { customerId, id }: Settlement.Settlement,
  named: ReadonlyArray<CommissionId>,
) =>
  named.length === 0
    ? Effect.succeed([])
    : Effect.map(
        Stream.runFold(storage.settlementLines(customerId, id), new Set(named), (left, { commissionId }) => {
          left.delete(commissionId);
          return left;
        }),
        (left) => [...left],
      );

export const dispute: MessageCommand<Settlement.Dispute> = ({ storage, principal, settlement, input }) =>
  Effect.gen(function* () {
    const { reason, commissionIds = [], attachmentIds } = input;
    const side = sideOf(principal);
    const foreign = yield* foreignLines(storage, settlement, commissionIds);
    const attached = yield* attachedBy(storage, settlement, side, attachmentIds);
    return { type: "dispute", reason, side, commissionIds, foreign, attached };
  });

/** The partner's credentials have the person of the customer who made them, so that none is stored for it. */
export const comment: MessageCommand<Settlement.Comment> = ({ storage, principal, settlement, input }) =>
  Effect.gen(function* () {
    const side = sideOf(principal);
    const attached = yield* attachedBy(storage, settlement, side, input.attachmentIds);
    const person = side === "partner" ? {} : { person: personOf(principal) };
    return { type: "comment", text: input.text, side, attached, ...person };
  });

export const resolveDispute: MessageCommand<Settlement.ResolveDispute> = ({
  storage,
  principal,
  settlement,
  input: { resolution, note = null, attachmentIds },
}) =>
  Effect.map(
    attachedBy(storage, settlement, sideOf(principal), attachmentIds),
    (attached): SettlementCommand => ({ type: "resolve_dispute", resolution, note, attached }),
  );

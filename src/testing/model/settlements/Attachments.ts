/** The model of attachments: files that a side uploads to a settlement, and that its messages name. */
import type { Principal } from "../../../domain/Principal.ts";
import type { CommandOf } from "../Command.ts";
import { accept, applyRules, conflict, type Prediction, refuse } from "../prediction/Prediction.ts";
import { canSee, permissionOf } from "../prediction/Rights.ts";
import { type Attachment, type Settlement, UPLOADS_MAX } from "../world/Settlements.ts";
import { mapWhere, type World } from "../world/World.ts";
import { isAllowedFile } from "./Files.ts";

/** The most attachments of one message. */
const ATTACHMENTS_MAX = 5;

/** The side of a settlement for which a principal acts. */
export const sideOf = (principal: Principal): "partner" | "customer" =>
  principal.kind === "partner" ? "partner" : "customer";

/** True if a message may name these attachments in a request: none, or 1 to 5 different ones. */
export const areAttachments = (ids: ReadonlyArray<string> | undefined): boolean =>
  ids === undefined ||
  (ids.length >= 1 && ids.length <= ATTACHMENTS_MAX && ids.every((id, index) => ids.indexOf(id) === index));

/** The attachments of these ids; null when one is not of this side. */
export const namedBy = (
  { attachments = [] }: Settlement,
  principal: Principal,
  ids: ReadonlyArray<string>,
): ReadonlyArray<Attachment> | null => {
  const found = ids.map((id) =>
    attachments.find((attachment) => attachment.id === id && attachment.side === sideOf(principal)),
  );
  return found.every((attachment) => attachment !== undefined) ? found : null;
};

/** The settlement's attachments after a message has named some, and the field of its event. */
export const named = (
  { attachments = [], namedAttachments = [] }: Settlement,
  files: ReadonlyArray<Attachment>,
) =>
  files.length === 0
    ? { change: {}, fields: {} }
    : {
        change: {
          attachments: attachments.map((attachment) =>
            files.includes(attachment) ? { ...attachment, isNamed: true } : attachment,
          ),
          namedAttachments: [...namedAttachments, ...files.map(({ id }) => id)],
        },
        fields: {
          attachments: files.map(({ id, byteLength }) => ({
            ...{ id, file_name: "document.pdf", byte_length: byteLength },
          })),
        },
      };

/** Uploads a file for a message; the settlement itself does not change. */
export const attach = (world: World, command: CommandOf<"attach">): Prediction =>
  applyRules(world, {
    principal: command.principal,
    permission: permissionOf(command),
    idempotency: command.idempotency,
    valid: isAllowedFile(command.content),
    decide: () => {
      const settlement = world.settlements.find(
        (candidate) => candidate.id === command.id && canSee(command.principal, candidate),
      );
      if (settlement === undefined) return refuse("Missing");
      const side = sideOf(command.principal);
      const { attachments = [] } = settlement;
      if (attachments.filter((attachment) => attachment.side === side).length >= UPLOADS_MAX)
        return conflict("upload_limit");
      const file = { side, byteLength: command.content.length, isNamed: false };
      return accept((id) => ({
        ...world,
        settlements: mapWhere(
          world.settlements,
          (candidate) => candidate.id === settlement.id,
          (before) => ({ ...before, attachments: [...attachments, { ...file, id }] }),
        ),
      }));
    },
  });

/** Attachments: files that one side of a settlement uploads, and that its next message names. */
import { Clock, Effect } from "effect";
import { type Document, nextRevision, safeFileName } from "../../domain/Document.ts";
import type { DocumentId, SettlementId } from "../../domain/Ids.ts";
import { authorize, type Principal } from "../../domain/Principal.ts";
import { conflict, Missing, missing } from "../../domain/Refusal.ts";
import { isNamed, type Settlement, type Side } from "../../domain/Settlement.ts";
import { type Attached, NOTHING_ATTACHED } from "../../domain/SettlementMachine.ts";
import { sideOf } from "../../domain/Side.ts";
import { limitProblem } from "../../domain/Upload.ts";
import type { Records, Settling, StorageError } from "../../ports/Storage.ts";
import { authorizeCustomer, type Failure, requireVisible } from "../commands/Access.ts";
import type { CommandOptions, Decision, PipelineService, Replayed } from "../commands/Pipeline.ts";
import * as Save from "../commands/Save.ts";
import { type FileTools, withFile } from "./StoredFile.ts";

/** What attaching files needs. */
export interface Tools extends FileTools {
  readonly storage: Records & Settling;
  readonly pipeline: PipelineService;
}

/** A file as its sender names it. */
export interface AttachedFile {
  readonly fileName: string;
  readonly bytes: Uint8Array;
}

const isOf =
  (side: Side) =>
  (document: Document): boolean =>
    document.kind === "attachment" && document.side === side;

/** The attachments of these ids that a side has uploaded to a settlement. */
export const attachedBy = (
  storage: Records,
  { customerId, id }: Settlement,
  side: Side,
  ids: ReadonlyArray<DocumentId> = [],
): Effect.Effect<Attached, StorageError> =>
  ids.length === 0
    ? Effect.succeed(NOTHING_ATTACHED)
    : Effect.map(storage.find(customerId, "document", ids), (found) => {
        const own = found.filter((document) => document.settlementId === id && isOf(side)(document));
        const files = ids.flatMap((named) =>
          own
            .filter((document) => document.id === named)
            .map(({ fileName, byteLength }) => ({ id: named, file_name: fileName, byte_length: byteLength })),
        );
        return { ids, files };
      });

/** Stores a file of a side, for a message to name. The settlement itself does not change. */
export const attach = (
  tools: Tools,
  principal: Principal,
  id: SettlementId,
  { fileName, bytes }: AttachedFile,
  options: CommandOptions,
): Effect.Effect<{ readonly id: DocumentId } & Replayed, Failure> =>
  Effect.gen(function* () {
    const { storage, pipeline, policy } = tools;
    const customerId = yield* authorizeCustomer(principal, "attach file");
    return yield* withFile(tools, customerId, bytes, ({ extension, put, ...file }) =>
      pipeline.run(customerId, principal, options, (execution) =>
        Effect.gen(function* () {
          const settlement = yield* requireVisible(storage, principal, "settlement", id);
          const { workspaceId, partnerId, version, erasedAt } = settlement;
          if (erasedAt !== null)
            return yield* conflict(
              "settlement_state",
              "a settlement whose personal data was erased cannot take an attachment",
            );
          const side = sideOf(principal);
          const documents = yield* storage.documentsOf(customerId, id);
          const own = documents.filter(isOf(side));
          const limit = limitProblem(policy, own, file.byteLength, `attachments of the ${side}`);
          if (limit !== null) return yield* limit;
          yield* put;
          const at = yield* Clock.currentTimeMillis;
          const record: Document = {
            ...{ customerId, workspaceId, partnerId, settlementId: id, kind: "attachment", side },
            ...file,
            revision: nextRevision(documents, "attachment"),
            number: null,
            fileName: safeFileName(fileName, `attachment-${id}.${extension}`),
            createdAt: at,
          };
          return {
            result: { id: file.id },
            // An erasure that is faster would not find the file.
            requires: [{ type: "record", kind: "settlement", id, version }],
            changes: [Save.flat("document", { ...execution, at }, record)],
            at,
          } satisfies Decision<{ readonly id: DocumentId }>;
        }),
      ),
    );
  });

/** An attachment that a message of the settlement names, with its bytes. */
export const downloadAttachment = (
  { storage, bytesOf }: Pick<Tools, "storage" | "bytesOf">,
  principal: Principal,
  id: SettlementId,
  attachmentId: DocumentId,
): Effect.Effect<{ readonly document: Document; readonly bytes: Uint8Array }, Failure> =>
  Effect.gen(function* () {
    yield* authorize(principal, "read settlement document");
    const settlement = yield* requireVisible(storage, principal, "settlement", id);
    const { customerId, erasedAt } = settlement;
    if (!isNamed(settlement, attachmentId)) return yield* missing("attachment of the settlement");
    if (erasedAt !== null)
      return yield* new Missing({
        message: "the attachment was erased with the personal data of the settlement",
      });
    const [document] = yield* storage.find(customerId, "document", [attachmentId]);
    const bytes = yield* bytesOf.get(customerId, attachmentId);
    if (document === undefined || bytes === null) return yield* missing("attachment of the settlement");
    return { document, bytes };
  });

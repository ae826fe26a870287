/** Stores the bytes of an uploaded file with the command that refers to them, or leaves nothing. */
import { Effect } from "effect";
import type { Document } from "../../domain/Document.ts";
import { sniff } from "../../domain/FileType.ts";
import { type CustomerId, DocumentId } from "../../domain/Ids.ts";
import type { Policy } from "../../domain/SettlementMachine.ts";
import { fileProblem } from "../../domain/Upload.ts";
import type { DigestService } from "../../ports/Digest.ts";
import type { DocumentStoreService } from "../../ports/Documents.ts";
import type { IdSourceService } from "../../ports/IdSource.ts";
import { mayBeStored, type StorageError } from "../../ports/Storage.ts";
import type { Failure } from "../commands/Access.ts";
import type { Replayed } from "../commands/Pipeline.ts";

/** What storing a file needs. */
export interface FileTools {
  readonly bytesOf: DocumentStoreService;
  readonly ids: IdSourceService;
  readonly digest: DigestService;
  readonly policy: Policy;
}

/** An uploaded file that the policy allows, under the id of its document. */
export interface AllowedFile extends Pick<Document, "id" | "mediaType" | "byteLength" | "sha256"> {
  /** By the first bytes, without the dot. */
  readonly extension: string;
  /** Stores the bytes. A command does so once nothing refuses it any more, and before it refers to them. */
  readonly put: Effect.Effect<void, StorageError>;
}

/** Runs a command that stores a file. The bytes of a refused or repeated command are removed. */
export const withFile = <Result extends Replayed>(
  { bytesOf, ids, digest, policy }: FileTools,
  customerId: CustomerId,
  bytes: Uint8Array,
  command: (file: AllowedFile) => Effect.Effect<Result, Failure>,
): Effect.Effect<Result, Failure> =>
  Effect.gen(function* () {
    const byteLength = bytes.length;
    const { mediaType, extension } = sniff(bytes);
    const problem = fileProblem(policy, { byteLength, mediaType });
    if (problem !== null) return yield* problem;
    const sha256 = yield* digest.sha256Hex(bytes);
    const id = yield* ids.next(DocumentId);
    const forget = Effect.ignore(bytesOf.remove(customerId, id));
    const put = bytesOf.put(customerId, id, bytes);
    const result = yield* Effect.tapError(
      command({ id, mediaType, extension, byteLength, sha256, put }),
      // A command that may be stored refers to the bytes.
      (failure) => (mayBeStored(failure) ? Effect.void : forget),
    );
    if (result.replayed) yield* forget;
    return result;
  });

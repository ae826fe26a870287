/** What the events of a settlement share with its commands and its state. */
import { Schema } from "effect";
import { DocumentKind, DocumentProblemCode } from "./Document.ts";
import { PersonalText } from "./Event.ts";
import { DocumentId } from "./Ids.ts";
import { Count } from "./Money.ts";

export { Side } from "./Side.ts";

/** The three ways to end the review of a negative settlement, and the two to end that of a document's tax. */
export const ReviewDecision = Schema.Literal(
  "issue_credit_note",
  "carry_forward",
  "write_off",
  "accept_tax",
  "refuse_tax",
);
export type ReviewDecision = typeof ReviewDecision.Type;

/** The two ways to end a dispute. */
export const Resolution = Schema.Literal("upheld", "rejected");
export type Resolution = typeof Resolution.Type;

/** Why the document that the settlement waits for cannot be created; the message names the remedy. */
export const DocumentProblem = Schema.Struct({
  kind: DocumentKind,
  code: DocumentProblemCode,
  message: PersonalText,
});
export type DocumentProblem = typeof DocumentProblem.Type;

/** A file of a message: a dispute, its resolution, or a comment. The document store has its bytes under the id. */
export const Attachment = Schema.Struct({ id: DocumentId, file_name: PersonalText, byte_length: Count });
export type Attachment = typeof Attachment.Type;

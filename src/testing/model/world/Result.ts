/** The results of commands as the model states them. */
import type { ConflictToken } from "../../../domain/Refusal.ts";

/** The kinds of refusal. */
export type RefusalTag = "Invalid" | "Forbidden" | "Missing" | "Conflict" | "Unauthorized";

/** A refusal; a conflict has the allowed tokens, several where their order is not specified. */
export interface Refused {
  readonly type: "refused";
  readonly tag: RefusalTag;
  readonly tokens: ReadonlyArray<ConflictToken>;
}

/** The result of one part of a batch: a new record, an existing one, that of an earlier part, or a refusal. */
export type Part =
  | { readonly type: "created" }
  | { readonly type: "existing"; readonly id: string }
  | { readonly type: "repeated"; readonly part: number }
  | Refused;

/** A success; `id` is that of an existing record, or null. */
export interface Success {
  readonly type: "succeeded";
  readonly id: string | null;
  readonly replayed: boolean;
  /** The result of a query; undefined for commands. */
  readonly body?: unknown;
  /** The results of a batch, in its order. */
  readonly parts?: ReadonlyArray<Part> | undefined;
}

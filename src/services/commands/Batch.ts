/** The results of a request for many records: in one commit, all of them or each that is not refused. */
import { Either } from "effect";
import type { AttributionId } from "../../domain/Ids.ts";
import { type ConflictToken, facts, invalid, type Refusal, within } from "../../domain/Refusal.ts";

/** Why one of a batch was refused. */
export interface RefusedResult {
  readonly refusal: Refusal["_tag"];
  readonly message: string;
  /** The path of the field that is wrong, in the names of HTTP, with which the message begins. */
  readonly field: string | null;
  /** The rule that a conflict names. */
  readonly token: ConflictToken | null;
}

/** One attribution of a batch: its id, or why it was refused. */
export type BatchResult = RefusedResult | { readonly id: AttributionId };

/** What a refusal leads to: all are refused (`atomic`), or the one has no effect and its result says why. */
export type Mode = "atomic" | "independent";

/** The decision on one of a batch, under whose path a refusal of all names it. */
export const decided = <Found, Refused>(
  decision: Either.Either<Found, Refusal>,
  {
    mode,
    path,
    refused,
  }: { readonly mode: Mode; readonly path: string; readonly refused: (result: RefusedResult) => Refused },
): Either.Either<Found | Refused, Refusal> =>
  Either.orElse(decision, (refusal): Either.Either<Refused, Refusal> => {
    const { _tag, message } = refusal;
    if (mode === "independent") return Either.right(refused({ refusal: _tag, message, ...facts(refusal) }));
    return Either.left(_tag === "Invalid" ? within(path, refusal) : invalid(path, message));
  });

/** The outcome of a command on the engine, and what the engine generated for it. */
import { Cause, Exit, Option } from "effect";
import type { ConflictToken } from "../../domain/Refusal.ts";
import type { BatchResult } from "../../services/Attributions.ts";
import { type Generated, NOTHING_GENERATED } from "../model/prediction/Prediction.ts";
import type { Harness } from "./Harness.ts";
import type { CallResult, Failure } from "./ServiceCall.ts";

/** The outcome of a command on the engine. */
export type Outcome =
  | {
      readonly type: "succeeded";
      readonly id: string | null;
      readonly replayed: boolean;
      readonly body: unknown;
      /** The results of a batch, in its order. */
      readonly results?: ReadonlyArray<BatchResult>;
      /** The token of a new key. */
      readonly token?: string;
    }
  | {
      readonly type: "refused";
      readonly tag: Failure["_tag"];
      readonly token: ConflictToken | null;
      readonly message: string;
    }
  /** The store failed, or the engine has a defect; never expected. */
  | { readonly type: "failed"; readonly detail: string };

/** The outcome of a finished call. */
export const outcomeOf = (exit: Exit.Exit<CallResult, Failure>): Outcome => {
  if (Exit.isSuccess(exit)) {
    const { id = null, replayed = false, body, results, key } = exit.value;
    return {
      ...{ type: "succeeded", id, replayed, body },
      ...(results === undefined ? {} : { results }),
      ...(key === undefined ? {} : { token: key }),
    };
  }
  const failure = Option.getOrNull(Cause.failureOption(exit.cause));
  if (failure === null || failure._tag === "StorageError") {
    return { type: "failed", detail: Cause.pretty(exit.cause) };
  }
  const token = failure._tag === "Conflict" ? failure.token : null;
  return { type: "refused", tag: failure._tag, token, message: failure.message };
};

/** The settlement runs with their drafts, the other credits of sales, and the documents, that commits have stored. */
const storedBy = (
  commits: Harness["recorded"]["commits"],
): Pick<Generated, "runs" | "drafts" | "credited" | "issued" | "bankAccounts"> => {
  const saved = commits.flatMap(({ changeSet }) => changeSet.changes);
  return {
    runs: saved.flatMap((change) =>
      change.type === "save" && change.kind === "settlementRun" ? [change.row] : [],
    ),
    drafts: saved.flatMap((change) => {
      if (change.type !== "save" || change.kind !== "settlementRunResult") return [];
      const { runId, partnerId, currency, drafts } = change.row;
      return drafts.map(({ settlementId }) => ({ runId, partnerId, currency, settlementId }));
    }),
    credited: saved.flatMap((change) => {
      if (change.type !== "save" || change.kind !== "attribution") return [];
      const { id, originId, partnerId, credit } = change.row;
      return originId === null || credit === null
        ? []
        : [{ id, originId, partnerId, role: credit.role, depth: credit.depth }];
    }),
    bankAccounts: saved.flatMap((change) =>
      change.type === "save" && change.kind === "partner"
        ? (change.row.payoutAccounts ?? []).filter(({ isBankAccount }) => isBankAccount)
        : [],
    ),
    issued: saved.flatMap((change) => {
      if (change.type !== "save" || change.kind !== "document" || change.row.issuedOn === undefined)
        return [];
      const { settlementId, kind, issuedOn: on } = change.row;
      return [{ settlementId, kind, on }];
    }),
  };
};

/** What the engine generated: ids and tokens from an outcome, runs and drafts from the commits that were stored. */
export const generatedBy = (outcome: Outcome, commits: Harness["recorded"]["commits"]): Generated =>
  outcome.type === "succeeded"
    ? {
        id: outcome.id,
        ids: (outcome.results ?? []).map((result) => ("id" in result ? result.id : null)),
        token: outcome.token ?? null,
        ...storedBy(commits),
      }
    : NOTHING_GENERATED;

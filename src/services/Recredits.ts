/** Recredits: derives the uplines of recorded sales again, from the links of now at the dates for which the sales count. */
import { Effect } from "effect";
import type { AttributionId } from "../domain/Ids.ts";
import { authorize, type Principal } from "../domain/Principal.ts";
import * as Recredit from "../domain/Recredit.ts";
import { invalid } from "../domain/Refusal.ts";
import { IdSource } from "../ports/IdSource.ts";
import { Storage } from "../ports/Storage.ts";
import type { Tools } from "./attributions/CreationReads.ts";
import { Evaluator } from "./attributions/Evaluator.ts";
import { FormulaSetCache } from "./attributions/FormulaSetCache.ts";
import { WorkspaceCache } from "./attributions/WorkspaceCache.ts";
import {
  type Command,
  decideRecrediting,
  ordersOf,
  prospectOf,
  type Recredited,
  type RecreditProspect,
  startRecrediting,
} from "./cancellation/Recrediting.ts";
import { makeChangeSale, unchanged } from "./cancellation/SaleChange.ts";
import { authorizeRequest, type Failure, validate } from "./commands/Access.ts";
import { type CommandOptions, type Replayed, unstored } from "./commands/Pipeline.ts";

export type { Recredited, RecreditProspect } from "./cancellation/Recrediting.ts";

const UNCHANGED: RecreditProspect = { credits: [], commissions: [], changesLaterSales: false };

const validateRecredit = validate(Recredit.Recredit);

const make = Effect.gen(function* () {
  const tools: Tools = {
    storage: yield* Storage,
    ids: yield* IdSource,
    formulaSets: yield* FormulaSetCache,
    workspaces: yield* WorkspaceCache,
    evaluator: yield* Evaluator,
  };
  const changeSale = yield* makeChangeSale;

  const authorizeRecredit = (principal: Principal, id: AttributionId, input: Recredit.Recredit) =>
    Effect.map(
      authorizeRequest(principal, "recredit attribution", validateRecredit(input), () => ({})),
      ({ customerId, request }): Command & { readonly dryRun: boolean } => ({
        ...{ principal, customerId, id, reason: request.reason },
        dryRun: request.dryRun === true,
      }),
    );

  const recredit = (
    principal: Principal,
    id: AttributionId,
    input: Recredit.Recredit,
    options: CommandOptions = {},
  ): Effect.Effect<Recredited & Replayed, Failure> =>
    Effect.gen(function* () {
      const command = yield* authorizeRecredit(principal, id, input);
      if (command.dryRun) return yield* invalid("dry_run", "a dry run changes nothing; ask for its result");
      return yield* changeSale(command, options, (execution) =>
        Effect.map(startRecrediting(tools, command, execution), (recrediting) =>
          recrediting === null
            ? unchanged({ added: 0, cancelled: 0 })
            : { orders: ordersOf(recrediting), decided: decideRecrediting(tools, recrediting) },
        ),
      );
    });

  const dryRun = (
    principal: Principal,
    id: AttributionId,
    input: Recredit.Recredit,
  ): Effect.Effect<RecreditProspect, Failure> =>
    Effect.gen(function* () {
      // The result shows what the partners earn.
      yield* authorize(principal, "list commissions");
      const command = yield* authorizeRecredit(principal, id, input);
      const recrediting = yield* startRecrediting(tools, command, yield* unstored(tools.ids, principal));
      if (recrediting === null) return UNCHANGED;
      return yield* prospectOf(tools, command, recrediting, yield* decideRecrediting(tools, recrediting));
    });

  return {
    /**
     * Derives the uplines of a sale again. Credits that are the same stay, others are cancelled with this reason, and missing
     * ones arrive now. Returns how many; where nothing changes, none.
     */
    recredit,
    /** Returns what recrediting would change of credits and commissions, and stores nothing. */
    dryRun,
  };
});

export class Recredits extends Effect.Service<Recredits>()("quittance/services/Recredits", {
  effect: make,
}) {}

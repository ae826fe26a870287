/** Workspaces: the name and the time zone of a part of a customer's business. */
import { Effect } from "effect";
import type { WorkspaceId } from "../domain/Ids.ts";
import type { Principal } from "../domain/Principal.ts";
import * as Workspace from "../domain/Workspace.ts";
import { type Records, Storage } from "../ports/Storage.ts";
import { authorizeCustomer, type Failure, requireWorkspace, validate } from "./commands/Access.ts";
import { type CommandOptions, noEffect, Pipeline, type Replayed } from "./commands/Pipeline.ts";
import * as Save from "./commands/Save.ts";

/** A workspace of a grant. */
export interface GrantedWorkspace extends Workspace.View {
  readonly workspaceId: WorkspaceId;
  /** Null where nothing was written: name and time zone are the defaults. */
  readonly updatedAt: number | null;
}

const validateWrite = validate(Workspace.Write);

const make = Effect.gen(function* () {
  const storage: Records = yield* Storage;
  const pipeline = yield* Pipeline;

  const read = (principal: Principal, workspaceId: WorkspaceId): Effect.Effect<GrantedWorkspace, Failure> =>
    Effect.gen(function* () {
      const customerId = yield* authorizeCustomer(principal, "read workspace");
      yield* requireWorkspace(principal, workspaceId);
      const id = Workspace.recordIdOf(customerId, workspaceId);
      const [stored] = yield* storage.find(customerId, "workspace", [id]);
      const { name, timeZone } = stored ?? Workspace.DEFAULT;
      return { workspaceId, name, timeZone, updatedAt: stored?.lastAt ?? null };
    });

  const write = (
    principal: Principal,
    workspaceId: WorkspaceId,
    input: Workspace.Write,
    options: CommandOptions = {},
  ): Effect.Effect<Replayed, Failure> =>
    Effect.gen(function* () {
      const customerId = yield* authorizeCustomer(principal, "write workspace");
      const request = yield* validateWrite(input);
      return yield* pipeline.run(customerId, principal, options, (execution) =>
        Effect.gen(function* () {
          yield* requireWorkspace(principal, workspaceId);
          const id = Workspace.recordIdOf(customerId, workspaceId);
          const [stored] = yield* storage.find(customerId, "workspace", [id]);
          const identity = { id, customerId, workspaceId };
          const events = Workspace.write(identity, stored ?? null, request, execution);
          if (events.length === 0) return noEffect({});
          const saved = Save.appendEvents("workspace", execution, stored ?? identity, events);
          return { result: {}, requires: [], changes: [saved] };
        }),
      );
    });

  return {
    /** The name and time zone of a workspace of the grant: the defaults where nothing was written. */
    read,
    /** Replaces name and time zone of a workspace; an absent field gets its default. What is recorded keeps its days. */
    write,
  };
});

/** The service of workspaces. */
export class Workspaces extends Effect.Service<Workspaces>()("quittance/services/Workspaces", {
  effect: make,
}) {}

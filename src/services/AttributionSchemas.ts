/** Attribution schemas: created once, never changed. */
import { Effect } from "effect";
import * as AttributionSchema from "../domain/AttributionSchema.ts";
import { SchemaId } from "../domain/Ids.ts";
import type { Principal } from "../domain/Principal.ts";
import { IdSource } from "../ports/IdSource.ts";
import { type Listed, type Records, Storage } from "../ports/Storage.ts";
import { authorizeRequest, type Failure, validate } from "./commands/Access.ts";
import { type ListInput, type Listing, listOf } from "./commands/Listing.ts";
import { type CommandOptions, Pipeline, type Replayed } from "./commands/Pipeline.ts";
import * as Save from "./commands/Save.ts";

const make = Effect.gen(function* () {
  const storage: Records = yield* Storage;
  const ids = yield* IdSource;
  const pipeline = yield* Pipeline;

  const create = (
    principal: Principal,
    input: AttributionSchema.Create,
    options: CommandOptions = {},
  ): Effect.Effect<{ readonly id: SchemaId } & Replayed, Failure> =>
    Effect.gen(function* () {
      const { customerId, request } = yield* authorizeRequest(
        principal,
        "create schema",
        validate(AttributionSchema.Create)(input),
        ({ workspaceId }) => ({ workspaceIds: [workspaceId] }),
      );
      return yield* pipeline.run(customerId, principal, options, (execution) =>
        Effect.map(ids.next(SchemaId), (id) => {
          const schema = AttributionSchema.create(request, { id, customerId, createdAt: execution.at });
          return { result: { id }, requires: [], changes: [Save.flat("schema", execution, schema)] };
        }),
      );
    });

  const list = (
    principal: Principal,
    input: ListInput<"schema"> = {},
  ): Effect.Effect<Listing<Listed["schema"]>, Failure> => listOf(storage, principal, "schema", input);

  return {
    /** Creates a schema in a workspace. */
    create,
    /** One page of the schemas the principal sees; `name` is looked for anywhere in the name, in any letter case. */
    list,
  };
});

export class AttributionSchemas extends Effect.Service<AttributionSchemas>()(
  "quittance/services/AttributionSchemas",
  { effect: make },
) {}

/** Checks that the commands of formulas and of plans have in common. */
import { Effect, Either } from "effect";
import * as Formula from "../../domain/Formula.ts";
import type { Principal } from "../../domain/Principal.ts";
import { invalid } from "../../domain/Refusal.ts";
import type { Records } from "../../ports/Storage.ts";
import { type Failure, findVisible, validate } from "../commands/Access.ts";
import { checkStated, readStated, type StatedExpression } from "./StatedExpression.ts";

/** Checks that a new formula or plan names a schema of its workspace, and its expression against that schema. */
export const checkSchema = (
  storage: Records,
  principal: Principal,
  { schemaId, workspaceId, parameters = [] }: Pick<Formula.Create, "schemaId" | "workspaceId" | "parameters">,
  stated: StatedExpression,
): Effect.Effect<void, Failure> =>
  Effect.gen(function* () {
    const schema = yield* findVisible(storage, principal, "schema", schemaId);
    if (schema === null || schema.workspaceId !== workspaceId) {
      return yield* invalid("schema_id", "must be the id of a schema of the workspace");
    }
    yield* checkStated(stated, schema, parameters);
  });

/** The request of an update, and the expression that it states; null when the expression stays. */
export const validateUpdate = (input: Formula.Update) =>
  Either.gen(function* () {
    const request = yield* validate(Formula.Update)(input);
    const stated = yield* readStated(request);
    yield* Formula.checkUpdate(request);
    return { request, stated };
  });

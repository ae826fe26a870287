/** Files with the properties of an attribution schema. */
import { Effect, Either, Schema } from "effect";
import { AttributionSchema, Refusal } from "quittance";
import type * as Language from "quittance/formula";
import { type CommandFailed, usageError } from "../CommandFailed.ts";
import { readJson } from "../importing/Mapping.ts";

const decodeDefinitions = Schema.decodeUnknownEither(AttributionSchema.PropertyDefinitions);

/** The properties of a schema, from a list of them or the body with which a schema is created. */
export const readDefinitions = (
  file: string,
): Effect.Effect<ReadonlyArray<Language.PropertyDefinition>, CommandFailed> =>
  Effect.flatMap(readJson(file), (value) => {
    const definitions =
      typeof value === "object" && value !== null && "properties" in value ? value.properties : value;
    return Array.isArray(definitions)
      ? Either.mapLeft(decodeDefinitions(definitions), (error) =>
          usageError(`${file}: ${Refusal.fromParseError(error).message}`),
        )
      : usageError(`${file} must be a list of properties, or an object with a list of properties`);
  });

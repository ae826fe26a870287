/** Fields of requests whose names differ between the wire and the code. */
import { Schema } from "effect";

/** A required field under its wire name. The name's literal type keeps `Encoded` types exact. */
export const key = <A, I, R, Name extends string>(schema: Schema.Schema<A, I, R>, name: Name) =>
  Schema.propertySignature(schema).pipe(Schema.fromKey(name));

/** Fields of requests whose names differ between the wire and the code. */
import { Schema } from "effect";

/** A required field under the name it bears on the wire. */
export const key = <A, I, R>(schema: Schema.Schema<A, I, R>, name: string) =>
  Schema.propertySignature(schema).pipe(Schema.fromKey(name));

/**
 * Fingerprints: what a log says of personal data. The data can be overwritten, which removes them; the log still shows whether
 * the present ones are those that its last event left.
 */
import { hex } from "./Ids.ts";
import { canonicalJson } from "./Json.ts";
import { sha256, utf8 } from "./NamedId.ts";

/** SHA-256 of the canonical JSON of a value, in hexadecimal. */
export const fingerprint = (value: object): string => hex(sha256(utf8.encode(canonicalJson(value))));

import { createHash } from "node:crypto";
import { Fingerprint } from "quittance";
import { expect, it } from "vitest";

it("is the SHA-256 of the canonical JSON, whatever the order of the names", () => {
  const expected = createHash("sha256").update('{"a":[1,null],"b":"é","c":{"d":true}}').digest("hex");
  expect(Fingerprint.fingerprint({ c: { d: true }, b: "é", a: [1, null] })).toBe(expected);
  expect(Fingerprint.fingerprint({ b: "é", a: [1, null], c: { d: true, e: undefined } })).toBe(expected);
  expect(Fingerprint.fingerprint({ a: 2 })).not.toBe(expected);
});

import { Schema } from "effect";
import { expect, it } from "vitest";
import { key } from "../../src/domain/Field.ts";

it("a required field is read under its name on the wire", () => {
  const request = Schema.Struct({ partnerId: key(Schema.String, "partner_id", "The partner.") });
  expect(Schema.decodeUnknownSync(request)({ partner_id: "p" })).toEqual({ partnerId: "p" });
  expect(Schema.encodeSync(request)({ partnerId: "p" })).toEqual({ partner_id: "p" });
  expect(() => Schema.decodeUnknownSync(request)({ partnerId: "p" })).toThrow("partner_id");
});

import { Schema } from "effect";
import { Ids } from "quittance";
import { describe, expect, it } from "vitest";

describe("an id", () => {
  it("reads UUIDs in any letter case, as lower case", () => {
    const id = Schema.decodeSync(Ids.PartnerId)("AAAAAAAA-BBBB-4CCC-8DDD-EEEEEEEEEEEE");
    expect(id).toBe("aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee");
    expect(() => Schema.decodeSync(Ids.PartnerId)("aaaaaaaa-bbbb")).toThrow("must be a UUID");
  });

  it("is a UUID of version 7, made of a time and random bits", () => {
    const id = Ids.uuidV7(0x0123456789ab, new Uint8Array(10).fill(0xff));
    expect(id).toBe("01234567-89ab-7fff-bfff-ffffffffffff");
    const counted = Uint8Array.from([0x12, 0x34, 0x56, 0x78, 0x9a, 0xbc, 0xde, 0xf0, 0x0a, 0x0b]);
    expect(Ids.uuidV7(-5, counted)).toBe("00000000-0000-7234-9678-9abcdef00a0b");
  });

  it("writes bytes as two hexadecimal digits each, from one index to another", () => {
    const bytes = Uint8Array.from([0, 10, 255]);
    expect(Ids.hex(bytes)).toBe("000aff");
    expect(Ids.hex(bytes, 1, 2)).toBe("0a");
  });

  it("of all zeros means that there is none", () => {
    expect(Ids.NIL).toBe("00000000-0000-0000-0000-000000000000");
    expect(Schema.is(Ids.Uuid)(Ids.NIL)).toBe(true);
  });
});

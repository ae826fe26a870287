import { Either, Schema } from "effect";
import { RegistrationNumber } from "quittance";
import { describe, expect, it } from "vitest";

const { parse, registrationOf, RegistrationNumberText } = RegistrationNumber;

describe("a number in a public register", () => {
  it.each([
    ["HRB 12345, Amtsgericht Hamburg", null, "HRB 12345, Amtsgericht Hamburg"],
    ["12:34", null, "12:34"],
    ["0002:732829320", "0002", "732829320"],
    ["0009:73282932000074", "0009", "73282932000074"],
    ["0184:DK12345678", "0184", "DK12345678"],
    ["0106:12345678", "0106", "12345678"],
    ["0217:000012345678", "0217", "000012345678"],
    ["0248:any", "0248", "any"],
  ])("%s is of the scheme %s", (text, scheme, identifier) => {
    expect(Either.getOrThrow(parse(text))).toEqual({ scheme, identifier });
    expect(registrationOf({ registrationNumber: text })).toEqual({ scheme, identifier });
    expect(Schema.is(RegistrationNumberText)(text)).toBe(true);
  });

  it.each([
    ["0001:1", /^0001 is not a scheme/],
    ["0092:1", /^0092 is not a scheme/],
    ["0181:1", /^0181 is not a scheme/],
    ["9930:DE123456789", /^9930 is not a scheme/],
    ["0002:732 829 320", /without spaces/],
    ["0002:", /without spaces/],
    ["0002:12345678", /a SIREN of 9 digits/],
    ["0009:732829320", /a SIRET of 14 digits/],
    ["0184:12345678", /DK and the 8 digits of a CVR number/],
    ["0192:974760674", /Norwegian/],
    ["0106:1234567", /a Dutch KVK number of 8 digits/],
    ["0217:12345678", /a Dutch establishment number of 12 digits/],
  ])("%s is refused", (text, words) => {
    expect(Either.getOrThrow(Either.flip(parse(text)))).toMatch(words);
    expect(Schema.is(RegistrationNumberText)(text)).toBe(false);
  });

  it("is absent where none is stated, and has no control characters", () => {
    expect(registrationOf({})).toBeNull();
    expect(Schema.is(RegistrationNumberText)("HRB\n1")).toBe(false);
    expect(Schema.is(RegistrationNumberText)(" ")).toBe(false);
  });
});

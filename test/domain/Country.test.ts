import { Schema } from "effect";
import { Country } from "quittance";
import { expect, it } from "vitest";

it.each(["DK", "US", "GB", "ZW", "AD"])("%s is a country of ISO 3166-1", (code) => {
  expect(Schema.is(Country.Country)(code)).toBe(true);
});

it.each(["dk", "UK", "EU", "XX", "DNK", "", " "])("%j is not", (code) => {
  expect(() => Schema.decodeUnknownSync(Country.Country)(code)).toThrow(
    "must be an ISO 3166-1 alpha-2 country code, such as DK",
  );
});

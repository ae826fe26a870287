/** The plan that the plan builder begins with for sales of a schema: it is whole, and pays something. */
import type { PropertyDefinition } from "quittance/formula";
import { expect, it } from "vitest";
import type { Client } from "../../adapters/console/api/Client.ts";
import type { Plan, Principal, Schema } from "../../adapters/console/api/Records.ts";
import { readContent } from "../../adapters/console/builder/Draft.ts";
import { amountOf, evaluateAll } from "../../adapters/console/builder/Evaluation.ts";
import { readFirstCurrency } from "../../adapters/console/builder/FirstCurrency.ts";
import { draftOfSchema } from "../../adapters/console/builder/Sources.ts";

const schemaOf = (...properties: ReadonlyArray<PropertyDefinition>): Schema =>
  ({ id: "schema", workspaceId: "workspace", name: "Order", properties }) as unknown as Schema;

const number = (name: string, format?: PropertyDefinition["format"]): PropertyDefinition => ({
  ...{ name, type: "number", required: true },
  ...(format === undefined ? {} : { format }),
});

const NONE = { plans: [], firstCurrency: "EUR" };

it.each([
  ["a tenth of money in whole units", schemaOf(number("total", "money_major")), "EUR", 1_000],
  ["a tenth of money in the smallest unit", schemaOf(number("cents", "money_minor")), "EUR", 10],
  [
    "a tenth of the first money",
    schemaOf(number("pieces", "count"), number("yen", "money_major")),
    "JPY",
    10,
  ],
  ["a fixed amount without money", schemaOf(number("pieces", "count")), "EUR", 5_000],
  ["a fixed amount where no unit is declared", schemaOf(number("price")), "EUR", 5_000],
  ["a fixed amount in yen", schemaOf(number("price")), "JPY", 50],
  ["a fixed amount without numbers", schemaOf({ name: "sku", type: "string", required: true }), "EUR", 5_000],
  ["a fixed amount without properties", schemaOf(), "KWD", 50_000],
] as const)("pays %s", (_, schema, firstCurrency, paid) => {
  const draft = draftOfSchema(schema, { plans: [], firstCurrency });
  const reading = readContent(draft.content, draft);
  if (reading.type === "wrong") throw new Error(JSON.stringify(reading.problems));
  const basis = { properties: draft.properties, tried: new Map(), sellersIn: null };
  expect(evaluateAll(reading.compiled, draft.samples, basis).map(amountOf)).toEqual([paid]);
});

it("is in the currency that most of the schema's plans have, else most of all plans", () => {
  const plan = (schemaId: string, currency: string): Plan => ({ schemaId, currency }) as unknown as Plan;
  const currencyAfter = (...plans: ReadonlyArray<Plan>): string =>
    draftOfSchema(schemaOf(), { plans, firstCurrency: "" }).currency;
  expect(draftOfSchema(schemaOf(), NONE).currency).toBe("EUR");
  expect(currencyAfter(plan("other", "USD"), plan("schema", "SEK"))).toBe("SEK");
  expect(currencyAfter(plan("other", "USD"), plan("other", "USD"))).toBe("USD");
  const [dollars, kronor] = [plan("schema", "USD"), plan("schema", "SEK")];
  expect(currencyAfter(dollars, kronor, kronor)).toBe("SEK");
  expect(currencyAfter(plan("other", "USD"), plan("another", "SEK"), plan("another", "USD"))).toBe("USD");
  expect(currencyAfter(dollars, kronor)).toBe("USD");
});

it.each([
  ["DE", "EUR"],
  ["GB", "GBP"],
  ["CH", "CHF"],
  ["LI", "CHF"],
  ["US", "USD"],
  ["AQ", "EUR"],
  [null, "EUR"],
])("is first in the currency of the company's country: %s has %s", async (country, currency) => {
  const asked: Array<string> = [];
  const client = {
    remote: {
      events: { list: async () => ({ items: country === null ? [] : [{}] }) },
      billingProfile: {
        read: async () => {
          asked.push("profile");
          return { address: { country } };
        },
      },
    },
  } as unknown as Client;
  const scopes = ["settlements:read", "events:read"];
  const principal = { scopes, workspaceIds: "*", partnerIds: "*" } as unknown as Principal;
  expect(await readFirstCurrency(client, principal, new AbortController().signal)).toBe(currency);
  // A profile that is not written is not asked for: the browser would log that it is not found.
  expect(asked).toEqual(country === null ? [] : ["profile"]);
});

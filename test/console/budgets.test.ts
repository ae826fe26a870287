/** Every job has a budget of clicks, and a test that counts them. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { BUDGETS } from "./Budgets.ts";

const readTest = (name: string): string => readFileSync(new URL(`${name}.test.ts`, import.meta.url), "utf8");

it.each(Object.entries(BUDGETS))("%s takes no more clicks than its budget, and is counted", (job, row) => {
  expect(row.clicks).toBeLessThanOrEqual(row.budget);
  // What is compared with the table was counted: it is no number in the text of the test.
  expect(readTest(row.test)).toMatch(new RegExp(`expectClicks\\("${job}", (?!\\d)`));
});

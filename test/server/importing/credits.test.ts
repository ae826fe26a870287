/** How the cells of a file state who earns from a sale. */
import { Either } from "effect";
import { expect, it } from "vitest";
import { creditsOf } from "../../../adapters/server/importing/Credits.ts";

it("reads a text, whose shares and roles may be missing", () => {
  expect(creditsOf("Anna:0.6 | Ben : 1/3|Eva::engineer|Ole")).toEqual(
    Either.right([
      { partner: "Anna", stated: { share: "0.6" } },
      { partner: "Ben", stated: { share: "1/3" } },
      { partner: "Eva", stated: { role: "engineer" } },
      { partner: "Ole", stated: {} },
    ]),
  );
});

it("reads a list as the interface takes it, with all of its fields", () => {
  const list = [{ partner_id: "a", share: "0.5", role: "seller" }, { partner_id: "b" }];
  expect(creditsOf(list)).toEqual(
    Either.right([
      { partner: "a", stated: { share: "0.5", role: "seller" } },
      { partner: "b", stated: {} },
    ]),
  );
});

it.each([[undefined], [null], [""]])("reads no credits from %s", (cell) => {
  expect(creditsOf(cell)).toEqual(Either.right(null));
});

it.each([
  ["Anna:0.6|", 'credits: "" must be written as'],
  [":0.6", 'credits: ":0.6" must be written as'],
  ["Anna:0.6:seller:x", 'credits: "Anna:0.6:seller:x" must be written as'],
  [[{ partner: "a" }], "credits.0: must be an object with partner_id"],
  [["a"], "credits.0: must be an object with partner_id"],
  [{ partner_id: "a" }, "credits: must be a list or a text"],
])("refuses %j", (cell, problem) => {
  expect(Either.getOrElse(Either.flip(creditsOf(cell)), () => "")).toContain(problem);
});

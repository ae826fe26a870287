/** The texts of `docs/ten-plans.md`, which were written from descriptions alone, pay what the cookbook worked out by hand. */
import { readFileSync } from "node:fs";
import { Either } from "effect";
import { formatTextProblem, parseFor } from "quittance/formula";
import { describe, expect, it } from "vitest";
import { findPlan, paysAsWorkedOut } from "./WorkedOut.ts";

const page = readFileSync(new URL("../../docs/ten-plans.md", import.meta.url), "utf8");

const texts = page
  .split('<a id="')
  .slice(1)
  .map((part) => {
    const [, name = "", text = ""] = /^([\w-]+)"[^`]*```formula\n([^`]+)\n```/s.exec(part) ?? [];
    return [name, text] as const;
  });

describe("a plan written from its description", () => {
  it("is one of ten", () => {
    expect(new Set(texts.map(([name]) => name)).size).toBe(10);
  });

  it.each(texts)("%s pays what the cookbook worked out", (name, text) => {
    const plan = findPlan(name);
    const read = parseFor(text, plan.schema.properties, plan.parameters);
    if (Either.isLeft(read)) throw new Error(read.left.map(formatTextProblem).join("\n"));
    paysAsWorkedOut(plan, read.right);
  });
});

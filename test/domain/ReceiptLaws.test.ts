import { describe, expect, it } from "vitest";
import { sized } from "../support/profile.ts";
import { playHistories } from "./receiptHistories.ts";

/** Half a million under `npm run verify`. */
const HISTORIES = sized(5_000, 20_000, 500_000);

describe("what is released, in random histories", () => {
  it("equals a recount after every step, and keeps every law", () => {
    const histories = HISTORIES;
    const { histories: played, ...seen } = playHistories(histories, 20_261_128);
    expect(played).toBe(histories);
    for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(histories / 20);
  });
});

/** Each race of a statement of receipts, interrupted at some calls of the store, and in `npm run verify` at every call. */
import { expect, it } from "vitest";
import { sized } from "../support/profile.ts";
import { run } from "./races.ts";
import { RECEIPT_RACES } from "./receiptRaces.ts";

const STRIDE = sized(12, 8, 1);

it.each(RECEIPT_RACES)(
  "finds a sequential order for $name, wherever one of them is interrupted",
  async (race) => {
    expect(await run(race, STRIDE)).toBeGreaterThan(10 / STRIDE);
  },
);

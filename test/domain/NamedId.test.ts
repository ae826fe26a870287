import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { namedId, sha256 } from "../../src/domain/NamedId.ts";

it("computes SHA-256 as the platform does, for texts of every length around a block", () => {
  for (let length = 0; length <= 200; length++) {
    const bytes = Uint8Array.from({ length }, (_, index) => (index * 31 + length) % 256);
    expect(Buffer.from(sha256(bytes)).toString("hex")).toBe(createHash("sha256").update(bytes).digest("hex"));
  }
});

it("gives the same parts the same UUID of version 8, and other parts another one", () => {
  const id = namedId("running_total", "a", 1);
  expect(id).toBe(namedId("running_total", "a", 1));
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  const others = [namedId("running_total", "a1"), namedId("running_total", "a", "1"), namedId("a", 1)];
  expect(new Set([id, ...others]).size).toBe(4);
});

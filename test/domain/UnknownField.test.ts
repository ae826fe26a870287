import { UnknownField } from "quittance";
import { describe, expect, it } from "vitest";

const KNOWN = ["partner_ids", "workspace_id", "dry_run", "until"];

describe("the nearest known field", () => {
  it.each([
    ["partnerIds", "partner_ids"],
    ["partner_id", "partner_ids"],
    ["partner", "partner_ids"],
    ["dryrun", "dry_run"],
    ["untli", "until"],
    ["Workspace-Id", "workspace_id"],
  ])("of %s is %s", (name, near) => {
    expect(UnknownField.nearest(name, KNOWN)).toBe(near);
  });

  it.each(["currency", "un", "", "__proto__", "x".repeat(10_000)])("of %s is none", (name) => {
    expect(UnknownField.nearest(name, KNOWN)).toBeNull();
  });
});

describe("the refusal of an unknown field", () => {
  it("states its path and the nearest field, or all fields where none is near", () => {
    expect(UnknownField.unknownField(["terms", "0"], "dryrun", KNOWN).message).toBe(
      "terms.0.dryrun: is not a known field; did you mean dry_run?",
    );
    expect(UnknownField.unknownField([], "currency", KNOWN, "parameter").message).toBe(
      "currency: is not a known parameter; known are partner_ids, workspace_id, dry_run, until",
    );
  });

  it("lists no long lists, and shows a part of a long name", () => {
    const many = Array.from({ length: 31 }, (_, index) => `field_${index}`);
    expect(UnknownField.unknownField([], "currency", many).message).toBe("currency: is not a known field");
    expect(UnknownField.unknownField([], "x".repeat(200), []).message).toBe(
      `${"x".repeat(100)}: is not a known field`,
    );
  });
});

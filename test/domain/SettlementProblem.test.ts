/** What makes a command on a settlement invalid in every state. */
import { Settlement } from "quittance";
import { describe, expect, it } from "vitest";
import type { CommissionId, DocumentId } from "../../src/domain/Ids.ts";
import { problemOf } from "../../src/domain/SettlementProblem.ts";
import { COMMENT, DISPUTE, HISTORY, resolve, WRITE_OFF } from "./SettlementScene.ts";

const LINE = "00000000-0000-4000-8000-0000000000c1" as CommissionId;

const stateAfter = (state: keyof typeof HISTORY): Settlement.View =>
  HISTORY[state].reduce<Settlement.View | null>(
    (before, event) => Settlement.evolve(before, { at: 0, actor: "a", event }),
    null,
  ) as Settlement.View;

describe("a command on a settlement", () => {
  it.each(["draft", "awaiting_payment", "paid"] as const)("names lines of %s only", (state) => {
    const view = stateAfter(state);
    expect(problemOf(view, { ...DISPUTE, commissionIds: [LINE] })).toBeNull();
    expect(problemOf(view, { ...DISPUTE, commissionIds: [LINE], foreign: [LINE] })).toMatchObject({
      field: "commission_ids.0",
      message: "commission_ids.0: must be a line of the settlement",
    });
  });

  it.each(["draft", "awaiting_payment", "paid"] as const)(
    "names attachments of its own side in %s only",
    (state) => {
      const view = stateAfter(state);
      const ids = ["a", "b"].map((end) => `00000000-0000-4000-8000-0000000000d${end}` as DocumentId);
      const files = ids.map((id) => ({ id, file_name: "a.pdf", byte_length: 8 }));
      for (const command of [COMMENT, DISPUTE, resolve("upheld")]) {
        expect(problemOf(view, { ...command, attached: { ids, files } } as typeof command)).toBeNull();
        expect(
          problemOf(view, { ...command, attached: { ids, files: files.slice(0, 1) } } as typeof command),
        ).toMatchObject({
          field: "attachment_ids.1",
          message:
            "attachment_ids.1: must be an attachment that the same side has uploaded to the settlement",
        });
      }
    },
  );

  it("that has no bounds is valid in every state", () => {
    expect(problemOf(stateAfter("draft"), WRITE_OFF)).toBeNull();
  });
});

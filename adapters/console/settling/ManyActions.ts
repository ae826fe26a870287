/** What can be done to many drafts at once. */
import type { Commands } from "../api/Client.ts";
import type { Scope } from "../api/Records.ts";

/** What is done to each of the chosen drafts. */
export interface ManyAction {
  readonly id: "approve" | "cancel";
  readonly words: string;
  readonly done: string;
  readonly scope: Scope;
  readonly consequence: ReadonlyArray<string>;
  readonly run: (commands: Commands, id: string) => Promise<unknown>;
}

export const APPROVE_MANY: ManyAction = {
  id: "approve",
  words: "Approve",
  done: "Approved",
  scope: "settlements:approve",
  consequence: [
    "The lines, the billing data and the accounts of this moment are fixed. Reports are made, then the invoices, or the partners are asked for theirs.",
    "This cannot be undone: afterwards only a dispute or a write-off stops a payment.",
  ],
  run: (commands, id) => commands.settlements.approve(id),
};

export const MANY_ACTIONS: ReadonlyArray<ManyAction> = [
  APPROVE_MANY,
  {
    id: "cancel",
    words: "Cancel",
    done: "Cancelled",
    scope: "settlements:write",
    consequence: [
      "The drafts end, and their commissions are free for other settlements.",
      "No document is made and no money moves. The drafts stay in the list as cancelled.",
    ],
    run: (commands, id) => commands.settlements.cancel(id),
  },
];

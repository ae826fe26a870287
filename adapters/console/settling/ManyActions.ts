/** What can be done to many settlements at once. */
import { isWithoutAccount } from "../actions/Action.ts";
import type { Commands } from "../api/Client.ts";
import type { Scope, Settlement } from "../api/Records.ts";
import type { SettlementRow } from "./SettlementRows.ts";

/** What is done to each of the chosen settlements. */
export interface ManyAction {
  readonly words: string;
  readonly done: string;
  readonly scope: Scope;
  readonly danger?: boolean;
  /** What the settlements are called: `24 drafts`. */
  readonly noun: string;
  /** The amount that it is about, and how amounts of this kind are called. */
  readonly amount: (settlement: Settlement) => number;
  readonly kind: "net" | "in all";
  readonly consequence: ReadonlyArray<string>;
  /** True if the drafts are compared with the earlier settlements of their partners first. */
  readonly isCompared?: boolean;
  readonly run: (commands: Commands, id: string) => Promise<unknown>;
}

/** The actions on settlements of one state. */
export interface ManyActions {
  readonly actions: ReadonlyArray<ManyAction>;
  /** True for the settlements that can be chosen. */
  readonly applies: (row: SettlementRow) => boolean;
}

const OF_A_DRAFT = {
  noun: "draft",
  amount: ({ total }: Settlement) => total,
  kind: "net",
} as const;

export const APPROVE_MANY: ManyAction = {
  ...OF_A_DRAFT,
  words: "Approve",
  done: "Approved",
  scope: "settlements:approve",
  consequence: [
    "The lines, the billing data and the accounts of this moment are fixed. Reports are made, then the invoices, or the partners are asked for theirs.",
    "This cannot be undone: afterwards only a dispute or a write-off stops a payment.",
  ],
  isCompared: true,
  run: (commands, id) => commands.settlements.approve(id),
};

export const DRAFTS: ManyActions = {
  applies: ({ settlement }) => settlement.status.type === "draft",
  actions: [
    APPROVE_MANY,
    {
      ...OF_A_DRAFT,
      words: "Cancel",
      done: "Cancelled",
      scope: "settlements:write",
      danger: true,
      consequence: [
        "The drafts end, and their commissions are free for other settlements.",
        "No document is made and no money moves. The drafts stay in the list as cancelled.",
      ],
      run: (commands, id) => commands.settlements.cancel(id),
    },
  ],
};

export const TO_PAY: ManyActions = {
  applies: (row) => {
    const { status, total, taxReview } = row.settlement;
    return status.type === "awaiting_payment" && taxReview === null && total > 0 && !isWithoutAccount(row);
  },
  actions: [
    {
      noun: "payment",
      amount: ({ total, payableAmount }) => payableAmount ?? total,
      kind: "in all",
      words: "Initiate",
      done: "Initiated",
      scope: "settlements:pay",
      consequence: [
        "Each payment goes into your next bank file, or to your payment provider now. It is not made twice.",
        "The settlements can no longer be disputed until their payments have ended.",
      ],
      run: (commands, id) => commands.settlements.initiatePayment(id),
    },
  ],
};

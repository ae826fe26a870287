/** Raising a dispute and withdrawing it, as team and partner both do. */

import type { EventOf, Settlement } from "../api/Records.ts";
import { money } from "../format/Money.ts";
import { Reason, text } from "../parts/Forms.tsx";
import { Later } from "../parts/Later.tsx";
import { many, t } from "../words/Language.ts";
import type { Action, Subject } from "./Action.ts";

/** The last dispute of a settlement; undefined before one. */
export const lastDispute = ({ events }: Settlement): EventOf<"dispute_settlement"> | undefined =>
  events
    .map(({ event }) => event)
    .filter((event) => event.type === "dispute_settlement")
    .at(-1);

/** True of settlements whose last dispute a side has raised: only that side withdraws it. */
export const isDisputedBy =
  (side: EventOf<"comment_settlement">["side"]) =>
  ({ settlement }: Subject): boolean =>
    lastDispute(settlement)?.raised_by === side;

/** What a settlement is worth as its page says it: net until what is to be paid is known, and with tax only where one is stated. */
export const worthWords = ({ payableAmount, taxAmount, total, currency }: Settlement): string => {
  const amount = money(payableAmount ?? total, currency);
  if (payableAmount === null) return t("{amount} net", { amount });
  return taxAmount === null ? amount : t("{amount} with tax", { amount });
};

/** What the chosen lines are, in words; nothing where none are chosen. */
export const chosenWords = ({ chosen = [], settlement }: Subject): ReadonlyArray<string> => {
  if (chosen.length === 0) return [];
  const sum = chosen.reduce((total, { amount }) => total + amount, 0);
  return [
    t("It names {lines} of {amount} net.", {
      lines: many(chosen.length, "{n} line", "{n} lines"),
      amount: money(sum, settlement.currency),
    }),
  ];
};

/** What both sides have in common of an action; each says it in its own words. */
type Common = Omit<Action, "words" | "consequence">;

export const DISPUTE: Common = {
  id: "dispute",
  scope: "settlements:write",
  fields: (_subject, problemOf) => (
    <>
      <Reason hint="What is wrong, and what would be right." />
      <Later what="Reading the documents" load={() => import("../parts/Files.tsx")}>
        {({ Files }) => <Files problemOf={problemOf} />}
      </Later>
    </>
  ),
  run: async (commands, { settlement, chosen = [] }, fields) =>
    commands.settlements.dispute(settlement.id, {
      reason: text(fields, "reason"),
      ...(chosen.length === 0 ? {} : { commissionIds: chosen.map(({ commissionId }) => commissionId) }),
      ...(await (await import("../parts/Files.tsx")).sendFiles(commands, settlement, fields)),
    }),
};

export const WITHDRAW: Common = {
  id: "withdraw-dispute",
  scope: "settlements:write",
  run: (commands, { settlement }) => commands.settlements.withdrawDispute(settlement.id),
};

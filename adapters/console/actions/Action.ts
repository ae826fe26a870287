/** An action on a settlement: its button, its consequences, its form and its command. */
import type { ComponentChildren } from "preact";
import type { Commands } from "../api/Client.ts";
import type { EventOf, Line, Partner, PayoutAccount, Scope, Settlement } from "../api/Records.ts";
import { countWords, money } from "../format/Money.ts";

/** A settlement with its partner. */
export interface Subject {
  readonly settlement: Settlement;
  readonly partner: Partner | undefined;
  /** The accounts of the partner; absent where they were not read. */
  readonly accounts?: ReadonlyArray<PayoutAccount>;
  /** The lines that the reader has chosen. */
  readonly chosen?: ReadonlyArray<Line>;
}

export interface Action {
  readonly id: string;
  /** The words of the button. */
  readonly words: string;
  readonly scope: Scope;
  readonly danger?: boolean;
  readonly isMain?: boolean;
  readonly consequence: (subject: Subject) => ReadonlyArray<string>;
  readonly fields?: (subject: Subject) => ComponentChildren;
  readonly run: (commands: Commands, subject: Subject, fields: FormData) => Promise<unknown>;
}

/** True if nothing is paid to the account of the approval any more, or none was confirmed then. */
export const lacksAccount = ({ settlement: { payoutAccount }, accounts }: Subject): boolean =>
  payoutAccount === null ||
  (payoutAccount !== undefined &&
    accounts !== undefined &&
    !accounts.some(({ id, status }) => id === payoutAccount.id && status === "confirmed"));

/** The last dispute of a settlement; undefined before one. */
export const lastDispute = ({ events }: Settlement): EventOf<"dispute_settlement"> | undefined =>
  events
    .map(({ event }) => event)
    .filter((event) => event.type === "dispute_settlement")
    .at(-1);

/** What the chosen lines are, in words, and the input that names them; nothing of a settlement without chosen lines. */
export const chosenWords = ({ chosen = [], settlement }: Subject): ReadonlyArray<string> => {
  if (chosen.length === 0) return [];
  const sum = chosen.reduce((total, { amount }) => total + amount, 0);
  return [`It names ${countWords(chosen.length, "line")} of ${money(sum, settlement.currency)} net.`];
};
export const chosenLines = ({ chosen = [] }: Subject): { readonly commissionIds?: ReadonlyArray<string> } =>
  chosen.length === 0 ? {} : { commissionIds: chosen.map(({ commissionId }) => commissionId) };

/** Everything that a reader may do in the state of a settlement, the main action first. */
export type ActionsOf = (subject: Subject) => ReadonlyArray<Action>;

/** True if the service writes the invoices: as approved, or as the partner is billed now. */
export const isSelfBilled = ({ settlement, partner }: Subject): boolean =>
  (settlement.billingMode ?? partner?.billingMode) === "self_billing";

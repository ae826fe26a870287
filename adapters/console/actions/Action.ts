/** An action on a settlement: its button, its consequences, its form and its command. */
import type { ComponentChildren } from "preact";
import type { Commands } from "../api/Client.ts";
import type { Line, Partner, PayoutAccount, Scope, Settlement } from "../api/Records.ts";
import type { ConfirmProps, ProblemOf } from "../parts/Dialog.tsx";

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
  /** The words of the button, and of the dialog that it opens. */
  readonly words: string;
  /** The words of the button that sends, where they say more than those. */
  readonly send?: string;
  readonly scope: Scope;
  readonly danger?: ConfirmProps<unknown>["danger"];
  readonly isMain?: boolean;
  readonly consequence: (subject: Subject) => ReadonlyArray<string>;
  readonly fields?: (subject: Subject, problemOf: ProblemOf) => ComponentChildren;
  readonly run: (commands: Commands, subject: Subject, fields: FormData) => Promise<unknown>;
}

/** An action that the state of a settlement allows, with further conditions. */
export interface PossibleAction extends Omit<Action, "isMain"> {
  readonly isMain?: boolean | ((subject: Subject) => boolean);
  /** Always true by default. */
  readonly isPossible?: (subject: Subject) => boolean;
}

/** Those of the actions whose conditions hold. */
export const offered = (actions: ReadonlyArray<PossibleAction>, subject: Subject): ReadonlyArray<Action> =>
  actions
    .filter(({ isPossible }) => isPossible?.(subject) ?? true)
    .map(({ isMain = false, ...action }) => ({
      ...action,
      isMain: typeof isMain === "function" ? isMain(subject) : isMain,
    }));

/**
 * True if an approved settlement has no account: none was confirmed at its approval; or, in one that states none, the partner who
 * writes the documents has no billing data with one.
 */
export const isWithoutAccount = ({
  settlement,
  partner,
}: Pick<Subject, "settlement" | "partner">): boolean =>
  settlement.payoutAccount === undefined
    ? settlement.billingMode === "partner_billing" &&
      partner !== undefined &&
      partner.selfBillingData === undefined
    : settlement.payoutAccount === null;

/** True if a settlement has no account, or nothing is paid to it any more. */
export const lacksAccount = ({ accounts, ...subject }: Subject): boolean => {
  const { payoutAccount } = subject.settlement;
  return (
    isWithoutAccount(subject) ||
    (payoutAccount != null &&
      accounts !== undefined &&
      !accounts.some(({ id, status }) => id === payoutAccount.id && status === "confirmed"))
  );
};

/** Everything that a reader may do in the state of a settlement, the main action first. */
export type ActionsOf = (subject: Subject) => ReadonlyArray<Action>;

/** True if the service writes the invoices: as approved, or as the partner is billed now. */
export const isSelfBilled = ({ settlement, partner }: Subject): boolean =>
  (settlement.billingMode ?? partner?.billingMode) === "self_billing";

/** True if the partner writes the documents. */
export const writesDocuments = (subject: Subject): boolean => !isSelfBilled(subject);

/** True if the partner writes the documents and its invoice is there. */
export const writesInvoice = (subject: Subject): boolean =>
  writesDocuments(subject) && subject.settlement.invoiceReference !== null;

/** True if the partner's invoice is there, of a settlement that has ended, and the credit note that takes it back is not. */
export const lacksCounterpart = (subject: Subject): boolean =>
  writesInvoice(subject) && subject.settlement.creditNoteReference === null;

/** Describes a failed request: what happened, and what to do. */
import { QuittanceError } from "quittance/client";

/** A heading, what happened and what to do about it. */
interface Words {
  readonly title: string;
  readonly text: string;
  /** Whether the user needs another key. */
  readonly needsKey: boolean;
  /** Whether the same request may succeed later. */
  readonly mayRetry: boolean;
}

/** What each conflict of the interface means on these pages, and what to do, by token. */
const CONFLICTS: Readonly<Record<string, string>> = {
  settlement_not_draft:
    "The settlement is no longer a draft. Somebody else may have approved or cancelled it. Reload the page.",
  settlement_state: "The settlement is in another state, which does not allow this. Reload the page.",
  settlement_terminal: "The settlement has ended. Differences go into the next settlement.",
  settlement_stale: "An amount has changed since the draft. Cancel the draft and create it again.",
  amount_too_large: "Total and tax are larger than the largest amount. Split the settlement.",
  four_eyes: "The creator of a draft may not approve it. Ask a colleague with another key.",
  commission_in_open_settlement:
    "One of the commissions is in another settlement that is under way. Finish that one first.",
  commission_not_computable:
    "One of the commissions has no amount. Open it to see why, and leave it out until then.",
  billing_mode: "The service issues this document itself; it cannot be uploaded.",
  payout_unavailable:
    "A payment cannot be initiated: there is no payment provider, nothing to pay, or the partner's bank account is not valid.",
  formula_cancelled: "The formula was cancelled and cannot be changed.",
  formula_of_plan: "This formula belongs to a plan. Change the plan, or end the partner's assignment.",
  plan_cancelled: "The plan was cancelled and cannot be changed.",
  plan_assignment: "The partner has this plan already for a part of that time.",
  busy: "Others changed the same records at the same time. Try again.",
};

const sentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;

const refusedWords = ({ status, message, token, requestId }: QuittanceError): Words => {
  const plain = { needsKey: false, mayRetry: false };
  if (status === 401)
    return {
      title: "This key is not accepted",
      text: "It may have been revoked, may have expired, or was not copied in full. Sign in with another key; an administrator can create one.",
      needsKey: true,
      mayRetry: false,
    };
  if (status === 403)
    return {
      ...plain,
      title: "This key may not do that",
      text: `${sentence(message)} Ask an administrator for a key with that right, or sign in with another key.`,
      needsKey: true,
    };
  if (status === 404)
    return {
      ...plain,
      title: "Not found",
      text: "It does not exist, or this key cannot see it.",
    };
  if (status === 409) {
    const rest = message.slice(message.indexOf(":") + 1).trim();
    return {
      title: "The present state does not allow this",
      text: `${CONFLICTS[token ?? ""] ?? "Reload the page."} (${sentence(rest)})`,
      needsKey: false,
      mayRetry: token === "busy",
    };
  }
  if (status === 429)
    return { ...plain, title: "Too many requests", text: "Wait a moment and try again.", mayRetry: true };
  if (status >= 500)
    return {
      ...plain,
      title: "The server failed",
      text: `Nothing that was confirmed is lost. Try again in a moment${requestId === null ? "" : `; the log of the server has the details under ${requestId}`}.`,
      mayRetry: true,
    };
  return { ...plain, title: "The request is not complete", text: sentence(message) };
};

/** The words for a failure. */
export const wordsOf = (failure: unknown): Words => {
  if (failure instanceof QuittanceError && failure.status > 0) return refusedWords(failure);
  if (failure instanceof QuittanceError && failure.code === "INTERNAL_ERROR")
    return {
      title: "The server cannot be reached",
      text: "Check that you are online and that the server runs, then try again. What was confirmed before is stored; nothing else was changed.",
      needsKey: false,
      mayRetry: true,
    };
  return {
    title: "This page has an error",
    text: failure instanceof Error ? failure.message : String(failure),
    needsKey: false,
    mayRetry: true,
  };
};

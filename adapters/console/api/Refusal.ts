/** Describes a failed request: what happened, and what to do. */

import { QuittanceError } from "quittance/client";
import { isEnglish, t } from "../words/Language.ts";
import type { FailureWords, Message } from "../words/Words.ts";
import { offersSignIn, usesBrowserSession } from "./BrowserSession.ts";

/** A form that cannot be sent; the message says what is missing or wrong. */
export class FormProblem extends Error {}

/** The same, where one field of the form is the reason. */
export class FieldProblem extends FormProblem {
  readonly field: string;
  constructor(field: string, message: string) {
    super(message);
    this.field = field;
  }
}

/** A record that a page is about is not there, or its reader cannot see it. */
export class Absent extends Error {}

/** What happened, and what to do about it. */
interface Failed extends Message {
  /** True if the user needs another key. */
  readonly needsKey: boolean;
  /** True if the session of the browser has ended. */
  readonly needsSignIn?: boolean;
  /** True if the same request may succeed later. */
  readonly mayRetry: boolean;
}

/** A text as a sentence. */
export const sentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;

/** What a refusal says of a field, or after its token, as a sentence. */
export const detailsOf = (message: string): string =>
  sentence(message.slice(message.indexOf(":") + 1).trim());

const refusedWords = (words: FailureWords, { status, message, token, requestId }: QuittanceError): Failed => {
  const plain = { needsKey: false, mayRetry: false };
  const inSession = usesBrowserSession();
  if (status === 401 && inSession)
    return { ...words.sessionEnded, needsKey: false, needsSignIn: offersSignIn(), mayRetry: true };
  if (status === 401) return { ...plain, ...words.invalidKey, needsKey: true };
  if (status === 403)
    return {
      title: t("You may not do that"),
      text: words.missingRight(sentence(message)),
      needsKey: !inSession,
      mayRetry: false,
    };
  if (status === 404)
    return { ...plain, title: t("Not found"), text: t("It does not exist, or you have no access to it.") };
  if (status === 409) {
    return {
      title: t("The present state does not allow this"),
      text: words.conflict(token ?? "", detailsOf(message)),
      needsKey: false,
      mayRetry: token === "busy",
    };
  }
  if (status === 429)
    return {
      ...plain,
      title: t("Too many requests"),
      text: t("Wait a moment and try again."),
      mayRetry: true,
    };
  if (status >= 500) return { ...words.failed(requestId), needsKey: false, mayRetry: true };
  return {
    ...plain,
    title: t("The request is not complete"),
    text: isEnglish()
      ? sentence(message)
      : t("This is not as it must be. Compare it with the hint, or ask us."),
  };
};

/** The words for a failure. */
export const failureWords = (words: FailureWords, failure: unknown): Failed => {
  if (failure instanceof QuittanceError && failure.status > 0) return refusedWords(words, failure);
  if (failure instanceof QuittanceError && failure.code === "INTERNAL_ERROR")
    return { ...words.unreachable, needsKey: false, mayRetry: true };
  const isAbsent = failure instanceof Absent;
  const title = failure instanceof FormProblem ? t("The form is not complete") : t("This page has an error");
  return {
    title: isAbsent ? t("Not found") : title,
    text: failure instanceof Error ? failure.message : String(failure),
    needsKey: false,
    mayRetry: !isAbsent,
  };
};

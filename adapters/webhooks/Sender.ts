/** Sends webhook requests: signed, to public addresses only, without redirects, bounded in time and size. */
import { Effect } from "effect";
import { Webhooks } from "quittance";
import {
  DEFAULT_LIMITS,
  type Limits,
  type RequestFailed,
  type Resolve,
  refusalOf,
  sender,
  signatureHeaders,
} from "../outgoing/index.ts";

/** What a host may choose. */
export interface WebhookOptions {
  /** Allows `http://` and addresses that are not public; false by default. */
  readonly allowPrivate?: boolean;
  /** The time limit of one request; 15 seconds by default. */
  readonly timeoutMilliseconds?: number;
  /** More certificate authorities, in PEM, added to those of Node; none by default. */
  readonly certificateAuthorities?: ReadonlyArray<string>;
  /** Replaces the resolver of the system. */
  readonly resolve?: Resolve;
}

/** Why a request has failed, for people who own the endpoint. */
const failureOf = ({ reason, message }: RequestFailed): Webhooks.WebhookFailed =>
  new Webhooks.WebhookFailed({
    message: reason === "unreachable" ? `the receiver could not be reached: ${message}` : message,
  });

/** The sender that a host gives the engine. A response counts by its status; what is read of its body is not kept. */
export const webhookSender = ({
  allowPrivate = false,
  timeoutMilliseconds = DEFAULT_LIMITS.timeoutMilliseconds,
  certificateAuthorities,
  resolve,
}: WebhookOptions = {}): Webhooks.WebhookSenderService => {
  const limits: Limits = {
    ...DEFAULT_LIMITS,
    allowPrivate,
    timeoutMilliseconds,
    ...(certificateAuthorities === undefined ? {} : { certificateAuthorities }),
  };
  const request = sender(limits, resolve);
  return {
    problem: (url) => refusalOf(url, limits),
    send: ({ url, id, at, body, secrets }) => {
      const headers = {
        "content-type": "application/json",
        "user-agent": "Quittance",
        ...signatureHeaders(secrets, { id, at, body }),
      };
      return Effect.mapBoth(request({ url, headers, body }), {
        onFailure: failureOf,
        onSuccess: ({ status }) => status,
      });
    },
  };
};

/** The types of calls that the contract does not state: options, moments and files. */

/** A moment: milliseconds since 1970, an RFC 3339 date-time with an offset or Z, or a date. */
export type Moment = number | string | Date;

/** What every call takes in addition to its input. */
export interface CallOptions {
  /** Stops waiting. The call rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /** 1 to 255 visible ASCII characters: a repeated command returns the first result. A random key by default. */
  readonly idempotencyKey?: string | undefined;
  /** The longest time of an attempt, in milliseconds; that of the client by default. */
  readonly timeout?: number | undefined;
  /** How often the call is repeated at most; by default the number of the client. */
  readonly retries?: number | undefined;
  /** The media type of the response, for operations with several. */
  readonly accept?: string | undefined;
}

/** A file of a response. */
export interface Download {
  readonly document: { readonly fileName: string | null; readonly contentType: string };
  readonly bytes: Uint8Array;
}

/** A file to upload; facts about it are further fields. */
export interface Upload {
  readonly fileName: string;
  readonly bytes: Uint8Array | Blob;
}

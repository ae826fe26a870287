/** A request and its response, independent of the server. */
import type { Stream } from "effect";

/** Receives a body in chunks. */
export interface Sink {
  /** Returns whether to send more; after `false` it is not called again. */
  readonly chunk: (bytes: Uint8Array) => boolean;
  /** Called once after the last chunk, unless `chunk` returned false. `aborted`: the sender closed the connection early. */
  readonly end: (outcome: "complete" | "aborted") => void;
}

/** A request. Header names are in lower case; values of a repeated header are joined by a comma. */
export interface Request {
  readonly method: string;
  /** Path and query as sent, beginning with a slash. */
  readonly target: string;
  readonly header: (name: string) => string | undefined;
  /** Characters of all header names and values. */
  readonly headerLength: number;
  /** True if the whole body has arrived, so that reading it needs neither time nor memory. */
  readonly hasArrived: boolean;
  /** Reads the body, at most once. A sender that waits for `100 Continue` gets it only then (RFC 9110, section 10.1.1). */
  readonly body: (sink: Sink) => void;
}

/** A response. If a stream fails after its first bytes, the connection is closed. */
export interface Response {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The values of its headers `Set-Cookie`, one each; none where absent. */
  readonly cookies?: ReadonlyArray<string>;
  readonly body: string | Uint8Array | Stream.Stream<Uint8Array, unknown> | null;
}

/** Handles a request and calls `respond` once. The returned function cancels the request, which also gets a response. */
export type Handle = (request: Request, respond: (response: Response) => void) => () => void;

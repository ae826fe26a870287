/** One request and its response, as the shell sees them, whichever server carries them. */
import type { Stream } from "effect";

/** Takes a body piece by piece. */
export interface Sink {
  /** Answers whether it wants more; after a no it is called no more. */
  readonly chunk: (bytes: Uint8Array) => boolean;
  /** Called once after the last chunk, unless the sink has said no. `aborted`: the sender went away before the end. */
  readonly end: (outcome: "complete" | "aborted") => void;
}

/** A request. Header names are asked for in lower case; values of a repeated header are joined by a comma. */
export interface Request {
  readonly method: string;
  /** Path and query as sent, beginning with a slash. */
  readonly target: string;
  readonly header: (name: string) => string | undefined;
  /** Characters of all header names and values. */
  readonly headerLength: number;
  /** Whether the whole body is here already, so that reading it takes neither time nor memory. */
  readonly hasArrived: boolean;
  /** Reads the body; at most once. Before that its sender is not asked for it (RFC 9110, section 10.1.1). */
  readonly body: (sink: Sink) => void;
}

/** A response. A stream that fails after its first bytes breaks the connection off. */
export interface Response {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | Stream.Stream<Uint8Array, unknown> | null;
}

/** Answers a request by one call of `respond`. The function it returns gives the request up, which is answered too. */
export type Handle = (request: Request, respond: (response: Response) => void) => () => void;

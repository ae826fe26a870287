/** Limits of requests and connections. Tests check each at its value and beyond it. */
import { Limits } from "quittance";

/** Largest JSON body, in bytes. */
export const JSON_BYTES_MAX = 1024 * 1024;

/** Largest JSON body of a batch, in bytes. */
export const BATCH_BYTES_MAX = 4 * 1024 * 1024;

/** Deepest nesting of a JSON body. */
export const JSON_DEPTH_MAX = 128;

/** Longest path and query, and longest sum of path, query and headers, in characters. */
export const HEAD_LENGTH_MAX = 16 * 1024;

/** Largest multipart body, in bytes: the largest file and the other parts. */
export const MULTIPART_BYTES_MAX = Math.floor(10.1 * 1024 * 1024);

/** The limits that a host may set; the others follow from them. */
export interface Sizes {
  /** Largest JSON body, in bytes; a batch may be four times as large. */
  readonly jsonBytesMax: number;
  /** Largest uploaded file, in bytes. The engine's policy bounds it too. */
  readonly uploadBytesMax: number;
}

/** The default limits. */
export const SIZES: Sizes = { jsonBytesMax: JSON_BYTES_MAX, uploadBytesMax: Limits.UPLOAD_BYTES_MAX };

/** Largest body of an operation whose default limit is `usualBytes`. */
export const jsonBytesMax = ({ jsonBytesMax: chosen }: Sizes, usualBytes: number): number =>
  Math.floor((usualBytes / JSON_BYTES_MAX) * chosen);

/** Largest multipart body around a file of the chosen size, in bytes. */
export const multipartBytesMax = ({ uploadBytesMax }: Sizes): number =>
  uploadBytesMax + (MULTIPART_BYTES_MAX - Limits.UPLOAD_BYTES_MAX);

/** Bytes of request bodies in memory at once, by default; the first 64 KiB of each are not counted. */
export const BODY_MEMORY_BYTES_MAX = 64 * 1024 * 1024;

/** Connections open at once, by default. */
export const CONNECTIONS_MAX = 1_000;

/** Largest headers of one part, in bytes. */
export const PART_HEADER_BYTES_MAX = 8 * 1024;

/** Longest time a request's head may take to arrive, in milliseconds. */
export const HEAD_MILLISECONDS_MAX = 10_000;

/** Longest time a whole request may take to arrive, in milliseconds. */
export const REQUEST_MILLISECONDS_MAX = 60_000;

/**
 * How long a connection without a request stays open, in milliseconds: longer than the 60 seconds of common proxies. If the
 * server closed it first, the proxy might be sending a request on it, which would fail.
 */
export const KEEP_ALIVE_MILLISECONDS = 65_000;

/** How long a connection may stay open on which nothing moves, as when nobody reads the response, in milliseconds. */
export const UNMOVING_MILLISECONDS_MAX = 120_000;

/** Longest time until a response begins, in milliseconds. */
export const RESPONSE_MILLISECONDS_MAX = 30_000;

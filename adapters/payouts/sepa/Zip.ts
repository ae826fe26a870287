/** ZIP archives of statements, as EBICS delivers them. */
import { Effect, Either } from "effect";
import { Unzip, type UnzipFile, UnzipInflate } from "fflate";
import { Refusal, TimeSlice } from "quittance";

/** The most files of an archive, and their bytes together: a statement shrinks to a tenth, not to a thousandth. */
const FILES_MAX = 1_000;
const BYTES_MAX = 32 * 1024 * 1024;
/** Bytes that are unpacked between two checks of the clock; they become a thousand times as many at most. */
const BYTES_AT_ONCE = 2_048;
const NAME_SHOWN_MAX = 100;

const MALFORMED = "is no ZIP archive that can be unpacked";

/** An unpacked file. */
export interface File {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** True if bytes are an archive. */
export const isZip = (bytes: Uint8Array): boolean =>
  bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 0x03 && bytes[3] === 0x04;

const join = (chunks: ReadonlyArray<Uint8Array>): Uint8Array => {
  const bytes = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
};

/** Unpacks an archive, a part at a time. */
class Reader {
  readonly #archive: Uint8Array;
  readonly #files: Array<{ readonly name: string; readonly chunks: Array<Uint8Array>; isWhole: boolean }> =
    [];
  readonly #unzip = new Unzip((file) => this.#begin(file));
  #position = 0;
  #length = 0;
  #problem: string | null = null;

  constructor(archive: Uint8Array) {
    this.#archive = archive;
    this.#unzip.register(UnzipInflate);
  }

  /** Unpacks the next bytes: the files after the last ones, why they cannot be read, else null. */
  advance(): Either.Either<ReadonlyArray<File>, string> | null {
    const end = Math.min(this.#position + BYTES_AT_ONCE, this.#archive.length);
    const isLast = end === this.#archive.length;
    try {
      this.#unzip.push(this.#archive.subarray(this.#position, end), isLast);
    } catch {
      this.#problem ??= MALFORMED;
    }
    this.#position = end;
    if (this.#problem !== null) return Either.left(this.#problem);
    if (!isLast) return null;
    if (this.#files.length === 0) return Either.left("has no file in the ZIP archive");
    return this.#files.every(({ isWhole }) => isWhole)
      ? Either.right(this.#files.map(({ name, chunks }) => ({ name, bytes: join(chunks) })))
      : Either.left(MALFORMED);
  }

  #begin(source: UnzipFile): void {
    // Folders, and what macOS writes next to each file.
    if (source.name.endsWith("/") || source.name.startsWith("__MACOSX/")) return;
    if (this.#files.length >= FILES_MAX) {
      this.#problem ??= `must have at most ${FILES_MAX} files`;
      return;
    }
    const file = {
      name: source.name.replace(/\p{C}/gu, "?").slice(0, NAME_SHOWN_MAX),
      chunks: [] as Array<Uint8Array>,
      isWhole: false,
    };
    this.#files.push(file);
    source.ondata = (error, chunk, isFinal) => {
      this.#length += chunk?.length ?? 0;
      if (error !== null) this.#problem ??= MALFORMED;
      else if (this.#length > BYTES_MAX) {
        this.#problem ??= `must have at most ${BYTES_MAX} bytes when it is unpacked`;
        file.chunks.length = 0;
      } else if (chunk.length > 0) file.chunks.push(chunk);
      file.isWhole ||= isFinal;
    };
    source.start();
  }
}

/** The files of an archive, unpacked in slices of time; at most 1,000 of 32 MiB together. */
export const unpack = (archive: Uint8Array): Effect.Effect<ReadonlyArray<File>, Refusal.Invalid> =>
  Effect.suspend(() => {
    const reader = new Reader(archive);
    return TimeSlice.until(() => {
      const outcome = reader.advance();
      return outcome === null
        ? null
        : Either.mapLeft(outcome, (explanation) => Refusal.invalid("file", explanation));
    });
  });

/** Reads uploads: a multipart form (RFC 7578) with one file in the part `file` and text in other parts, within limits. */
import { Effect } from "effect";
import * as Multipasta from "multipasta";
import { Refusal } from "quittance";
import type { UploadedFile } from "../api/SettlementDocuments.ts";
import { multipartBytesMax, PART_HEADER_BYTES_MAX, type Sizes } from "../api/shared/Limit.ts";
import { type Collector, collector } from "./Body.ts";
import type { Reservation } from "./BodyMemory.ts";
import * as Failure from "./Failure.ts";
import type { Request } from "./HttpMessage.ts";

type Problem = Refusal.Invalid | Failure.Rejected;

/** A form: its file, and its text parts by name. */
interface Form {
  readonly file: UploadedFile;
  readonly texts: Readonly<Record<string, string>>;
}

const invalidFile = (explanation: string): Problem => Refusal.invalid("file", explanation);

const UTF_8 = new TextDecoder("utf-8", { fatal: true });

const textOf = (bytes: Uint8Array): string | null => {
  try {
    return UTF_8.decode(bytes);
  } catch {
    return null;
  }
};

const NAME_SHOWN_MAX = 100;
const NOT_A_FILE =
  'must be a file: the part has no file name (with curl, write -F "file=@invoice.pdf", with the @)';

const malformed: Problem = Refusal.invalid("body", "is not a well-formed multipart form");

const tooLarge = (limitBytes: number): Problem =>
  new Failure.Rejected({ response: Failure.contentTooLarge(limitBytes) });

const headerBytes = (info: Multipasta.PartInfo): number =>
  Object.entries(info.headers).reduce(
    (sum, [name, value]) =>
      sum + name.length + (typeof value === "string" ? value.length : value.join().length),
    0,
  );

const PARAMETER = /;\s*([\w*]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))\s*/gsuy;

/** The name of a part, and its file name if it has one. */
interface Naming {
  readonly name: string;
  readonly fileName: string | undefined;
}

/**
 * The names in a part's disposition. The parser rejects characters beyond U+00FF, which every browser sends unescaped
 * (RFC 7578, section 4.2); for those this function reads the header itself.
 */
const namingOf = ({ name, filename, contentDisposition, headers }: Multipasta.PartInfo): Naming => {
  const header = headers["content-disposition"];
  const TYPE = "form-data";
  if (contentDisposition !== "" || typeof header !== "string" || !header.startsWith(TYPE)) {
    return { name, fileName: filename };
  }
  const parameters = new Map(
    [...header.slice(TYPE.length).matchAll(PARAMETER)].map(([, key = "", quoted, plain = ""]) => [
      key,
      quoted?.replace(/\\(.)/gsu, "$1") ?? plain,
    ]),
  );
  return { name: parameters.get("name") ?? "", fileName: parameters.get("filename") };
};

const problemOf = (error: Multipasta.MultipartError): Problem =>
  error._tag === "ReachedLimit" && error.limit === "MaxFieldSize"
    ? tooLarge(PART_HEADER_BYTES_MAX)
    : malformed;

/** The error of a part that the form does not allow, or null. */
const partProblem = (
  { name, fileName }: Naming,
  parts: ReadonlyArray<string>,
  seen: ReadonlySet<string>,
): Problem | null => {
  if (name === "") return malformed;
  if (!parts.includes(name)) {
    return Refusal.invalid(name.slice(0, NAME_SHOWN_MAX), `is not a part of this form: ${parts.join(", ")}`);
  }
  if (seen.has(name)) return Refusal.invalid(name, "must occur once");
  if (name === "file") return fileName === undefined ? invalidFile(NOT_A_FILE) : null;
  return fileName === undefined ? null : Refusal.invalid(name, "must be text, not a file");
};

/** The parser of one form with these parts; it calls `settle` with each problem, or with the form at its end. */
const parser = (
  contentType: string,
  file: Collector,
  parts: ReadonlyArray<string>,
  settle: (outcome: Problem | Form) => void,
) => {
  const texts: Record<string, string> = {};
  const seen = new Set<string>();
  let fileName: string | null = null;
  const begin = (info: Multipasta.PartInfo): Naming => {
    const naming = namingOf(info);
    const problem = partProblem(naming, parts, seen);
    seen.add(naming.name);
    if (problem !== null) settle(problem);
    else if (headerBytes(info) > PART_HEADER_BYTES_MAX) settle(malformed);
    return naming;
  };
  return Multipasta.make({
    headers: { "content-type": contentType },
    maxFieldSize: PART_HEADER_BYTES_MAX,
    // A rejected part is read as a file and dropped, because it may exceed the limit of a text.
    isFile: (info) => {
      const naming = namingOf(info);
      return naming.fileName !== undefined || partProblem(naming, parts, seen) !== null;
    },
    onField: (info, value) => {
      const { name } = begin(info);
      const text = textOf(value);
      if (text === null) settle(Refusal.invalid(name, "must be UTF-8 text"));
      else texts[name] = text;
    },
    onFile: (info) => {
      const naming = begin(info);
      if (naming.name !== "file") return () => {};
      fileName = naming.fileName ?? "";
      return (chunk) => {
        const problem = chunk === null ? null : file.add(chunk);
        if (problem !== null) settle(new Failure.Rejected({ response: problem }));
      };
    },
    onError: (error) => settle(problemOf(error)),
    onDone: () => {
      const bytes = file.bytes();
      if (fileName === null) settle(invalidFile("is required"));
      else if (bytes.length === 0) settle(invalidFile("must not be empty"));
      else settle({ texts, file: { fileName, bytes } });
    },
  });
};

/** Reads a form with these parts. Fails as soon as the form is known to be wrong, without reading the rest. */
export const readForm = (
  request: Request,
  sizes: Sizes,
  parts: ReadonlyArray<string>,
  reservation: Reservation,
): Effect.Effect<Form, Problem> =>
  Effect.async((resume) => {
    const reading: { outcome: Problem | Form | null; length: number } = { outcome: null, length: 0 };
    const formBytesMax = multipartBytesMax(sizes);
    const file = collector(sizes.uploadBytesMax, reservation);
    const form = parser(request.header("content-type") ?? "", file, parts, (outcome) => {
      reading.outcome ??= outcome;
    });
    const write = (bytes: Uint8Array): void => {
      try {
        form.write(bytes);
      } catch {
        reading.outcome ??= malformed;
      }
    };
    request.body({
      chunk: (bytes) => {
        reading.length += bytes.length;
        if (reading.length > formBytesMax) reading.outcome = tooLarge(formBytesMax);
        else if (reading.outcome === null) write(bytes);
        if (reading.outcome === null || !("_tag" in reading.outcome)) return true;
        resume(Effect.fail(reading.outcome));
        return false;
      },
      end: (how) => {
        const outcome = how === "complete" ? (reading.outcome ?? malformed) : malformed;
        resume("_tag" in outcome ? Effect.fail(outcome) : Effect.succeed(outcome));
      },
    });
  });

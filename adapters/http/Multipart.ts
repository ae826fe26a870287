/** Uploads: one file in the part `file` of a multipart form (RFC 7578), read within limits. */
import { Effect } from "effect";
import * as Multipasta from "multipasta";
import { Refusal } from "quittance";
import type { UploadedFile } from "./api/SettlementDocuments.ts";
import { collector } from "./Body.ts";
import type { Request } from "./Exchange.ts";
import * as Failure from "./Failure.ts";
import { MULTIPART_FIELDS_MAX, multipartBytesMax, PART_HEADER_BYTES_MAX, type Sizes } from "./Limit.ts";

type Problem = Refusal.Invalid | Failure.Rejected;

const invalid = (explanation: string): Problem => Refusal.invalid("file", explanation);

const malformed: Problem = new Failure.Rejected({
  response: Failure.malformed("body: is not a well-formed multipart form"),
});

const tooLarge = (limitBytes: number): Problem =>
  new Failure.Rejected({ response: Failure.contentTooLarge(limitBytes) });

const headerBytes = (info: Multipasta.PartInfo): number =>
  Object.entries(info.headers).reduce(
    (sum, [name, value]) =>
      sum + name.length + (typeof value === "string" ? value.length : value.join().length),
    0,
  );

const PARAMETER = /;\s*([\w*]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))\s*/gsuy;

/** What a part is called, and the file in it. */
interface Naming {
  readonly name: string;
  readonly fileName: string | undefined;
}

/**
 * The names in a part's disposition. The parser gives up on characters beyond U+00FF, which every browser sends as they
 * are (RFC 7578, section 4.2); then the header is read here.
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

/** The parser of one form; `settle` hears the first problem, or the file when the form has ended. */
const parser = (
  contentType: string,
  uploadBytesMax: number,
  settle: (outcome: Problem | UploadedFile) => void,
) => {
  const file = collector(uploadBytesMax);
  let fileName: string | null = null;
  let fields = 0;
  return Multipasta.make({
    headers: { "content-type": contentType },
    maxFieldSize: PART_HEADER_BYTES_MAX,
    isFile: (info) => {
      const { name, fileName: given } = namingOf(info);
      return name === "file" || given !== undefined;
    },
    onField: (info) => {
      fields++;
      if (fields > MULTIPART_FIELDS_MAX)
        settle(invalid(`must be alone but for ${MULTIPART_FIELDS_MAX} fields`));
      else if (headerBytes(info) > PART_HEADER_BYTES_MAX) settle(malformed);
    },
    onFile: (info) => {
      const naming = namingOf(info);
      if (naming.name !== "file") settle(invalid("must be the only file of the form"));
      else if (fileName !== null) settle(invalid("must occur once"));
      else if (headerBytes(info) > PART_HEADER_BYTES_MAX) settle(malformed);
      fileName = naming.fileName ?? "";
      return (chunk) => {
        if (chunk !== null && !file.add(chunk)) settle(tooLarge(uploadBytesMax));
      };
    },
    onError: (error) => settle(problemOf(error)),
    onDone: () => {
      const bytes = file.bytes();
      if (fileName === null) settle(invalid("is required"));
      else settle(bytes.length === 0 ? invalid("must not be empty") : { fileName, bytes });
    },
  });
};

/** The file of a form; whatever is wrong with the form is told as soon as it shows, without reading on. */
export const readFile = (request: Request, sizes: Sizes): Effect.Effect<UploadedFile, Problem> =>
  Effect.async((resume) => {
    const heard: { outcome: Problem | UploadedFile | null; length: number } = { outcome: null, length: 0 };
    const formBytesMax = multipartBytesMax(sizes);
    const form = parser(request.header("content-type") ?? "", sizes.uploadBytesMax, (outcome) => {
      heard.outcome ??= outcome;
    });
    const write = (bytes: Uint8Array): void => {
      try {
        form.write(bytes);
      } catch {
        heard.outcome ??= malformed;
      }
    };
    request.body({
      chunk: (bytes) => {
        heard.length += bytes.length;
        if (heard.length > formBytesMax) heard.outcome = tooLarge(formBytesMax);
        else if (heard.outcome === null) write(bytes);
        if (heard.outcome === null || !("_tag" in heard.outcome)) return true;
        resume(Effect.fail(heard.outcome));
        return false;
      },
      end: (how) => {
        const outcome = how === "complete" ? (heard.outcome ?? malformed) : malformed;
        resume("_tag" in outcome ? Effect.fail(outcome) : Effect.succeed(outcome));
      },
    });
  });

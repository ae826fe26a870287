/** Prints docs/interface.md: its template, the operations of the contract, and examples that a running service returns. */
import { readFileSync } from "node:fs";
import { Limits } from "quittance";
import { Limit } from "quittance/http";
import { FAILURES } from "quittance/http/api";
import { code, filled, table } from "./Markdown.ts";
import { groups, operations } from "./operations.ts";
import { start } from "./Service.ts";
import { tell } from "./story.ts";

/** The path of the page. */
export const file = "docs/interface.md";

const number = (value: number): string => value.toLocaleString("en-US").replaceAll(",", " ");

const size = (bytes: number): string =>
  bytes >= 1024 * 1024 ? `${Math.floor((bytes / (1024 * 1024)) * 10) / 10} MiB` : `${bytes / 1024} KiB`;

const seconds = (milliseconds: number): string => `${milliseconds / 1000} s`;

const limits = (): string =>
  table(
    ["What", "Limit", "Past it"],
    [
      ["JSON body; that of a batch", `${size(Limit.JSON_BYTES_MAX)}; ${size(Limit.BATCH_BYTES_MAX)}`, "413"],
      [
        "attributions of a batch; samples of a simulation",
        `1 to ${number(Limits.BATCH_MAX)}; 1 to ${Limits.SAMPLES_MAX}`,
        "400",
      ],
      ["nesting of a JSON body", `${Limit.JSON_DEPTH_MAX} levels`, "400"],
      [
        "uploaded file; the whole form",
        `${size(Limits.UPLOAD_BYTES_MAX)}; ${size(Limit.MULTIPART_BYTES_MAX)}`,
        "413",
      ],
      [
        "uploaded documents of a settlement, replaced ones included; their bytes",
        `${Limits.UPLOADS_MAX}; ${size(Limits.UPLOADS_BYTES_MAX)}`,
        "409",
      ],
      [
        "attachments of each side of a settlement; their bytes; attachments of a message ✚",
        `${Limits.UPLOADS_MAX}; ${size(Limits.UPLOADS_BYTES_MAX)}; 1 to ${Limits.ATTACHMENTS_MAX}`,
        "409; 409; 400",
      ],
      [
        "text part of a form, and headers of a part; number of a document",
        `${size(Limit.PART_HEADER_BYTES_MAX)}; ${Limits.DOCUMENT_NUMBER_MAX} characters`,
        "400 or 413; 400",
      ],
      ["path and query; with all headers", `${number(Limit.HEAD_LENGTH_MAX)} characters each`, "414; 431"],
      [
        "time for a request's head; for all of it",
        `${seconds(Limit.HEAD_MILLISECONDS_MAX)}; ${seconds(Limit.REQUEST_MILLISECONDS_MAX)}`,
        "408",
      ],
      ["a connection on which nothing moves", seconds(Limit.UNMOVING_MILLISECONDS_MAX), "closed"],
      ["time for an answer", seconds(Limit.RESPONSE_MILLISECONDS_MAX), "503"],
      [
        `${code("commission_ids")} of a settlement, all different`,
        `1 to ${number(Limits.SETTLEMENT_LINES_MAX)}`,
        "400",
      ],
      [`${code("partner_ids")} of an assignment to a plan ✚`, `1 to ${number(Limits.ASSIGNED_MAX)}`, "400"],
      [
        `confirmed sales of a trial ✚; sales that it adds; ${code("partner_ids")}`,
        `${number(Limits.TRIAL_SALES_MAX)}; ${number(Limits.TRIAL_ADDED_MAX)}; 1 to ${number(Limits.TRIAL_PARTNERS_MAX)}`,
        "400",
      ],
      [code("page"), `1 to ${number(Limits.PAGE_MAX)}`, "400"],
      [code("per_page"), `1 to ${Limits.PER_PAGE_MAX}`, "400"],
      ["values of one filter", `${Limits.FILTER_VALUES_MAX}`, "400"],
      ["buckets of a statistic", number(Limits.BUCKETS_MAX), "400"],
      [
        "name; description; reason or note",
        `1 to ${Limits.NAME_MAX}; ${number(Limits.DESCRIPTION_MAX)}; ${number(Limits.REASON_MAX)} characters`,
        "400",
      ],
      [
        "comment on a settlement ✚; comments of each side",
        `1 to ${number(Limits.COMMENT_MAX)} characters; ${Limits.COMMENTS_MAX}`,
        "400; 409",
      ],
      [
        `${code("external_reference")}; ${code("Idempotency-Key")}`,
        `1 to ${Limits.EXTERNAL_REFERENCE_MAX}; 1 to ${Limits.IDEMPOTENCY_KEY_MAX} characters`,
        "400",
      ],
      [
        "properties of a schema; name of a property",
        `${Limits.SCHEMA_PROPERTIES_MAX}; 1 to ${Limits.PROPERTY_NAME_MAX} characters`,
        "400",
      ],
      ["a string among the properties", `${number(Limits.PROPERTY_STRING_MAX)} characters`, "400"],
      [
        "legal name, address line, tax label, beneficiary",
        `1 to ${Limits.LEGAL_TEXT_MAX} characters; the region may be empty`,
        "400",
      ],
      [
        `${code("vat_number")}; ${code("iban")}; ${code("bic")}`,
        `1 to ${Limits.VAT_NUMBER_MAX}; ${Limits.IBAN_MAX}; ${Limits.BIC_MAX} characters`,
        "400",
      ],
      [
        `${code("payment_terms_days")}; ${code("rate_bps")}`,
        `0 to ${number(Limits.PAYMENT_TERMS_DAYS_MAX)}; 0 to ${number(Limits.RATE_BPS_MAX)}`,
        "400",
      ],
      ["expressions", "see [formulas](formulas.md)", "400"],
    ],
  );

const failures = (): string =>
  table(
    ["Status", code("error_code"), "Means"],
    Object.values(FAILURES).map((failure) => [
      code(String(failure.status)),
      code(failure.code),
      failure.description,
    ]),
  );

/** Settlements have two tables: how they move, and their documents. */
const DOCUMENT = /\/(report|invoice|credit-note|export|attachments(\/.*)?)$/;
const MOVE = /^(?!.*\/(report|invoice|credit-note|export|attachments(\/.*)?)$)/;

const tables = (): ReadonlyArray<readonly [string, string]> =>
  groups().flatMap(
    (group): ReadonlyArray<readonly [string, string]> =>
      group === "settlements"
        ? [
            ["operations settlements", operations(group, MOVE)],
            ["operations documents", operations(group, DOCUMENT)],
          ]
        : [[`operations ${group}`, operations(group)]],
  );

/** The whole page. A part that the template does not use is an error. */
export const print = async (): Promise<string> => {
  const service = await start();
  const told = await tell(service).finally(service.stop);
  const parts = new Map([...tables(), ...told, ["limits", limits()], ["failures", failures()]]);
  const unused = new Set(parts.keys());
  const page = filled(readFileSync(new URL("interface.md", import.meta.url), "utf8"), (name) => {
    unused.delete(name);
    return parts.get(name);
  });
  if (unused.size > 0) throw new Error(`the interface page leaves out: ${[...unused].join(", ")}`);
  return page;
};

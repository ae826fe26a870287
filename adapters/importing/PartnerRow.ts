/** Reads partners from the rows of a CSV file, as the interface takes them. */
import type { Row } from "./Csv.ts";

/** A partner as the interface takes it. */
export type PartnerBody = Readonly<Record<string, unknown>> & { readonly external_reference: string };

/** A row's partner, or what is wrong with the row. */
export type ReadPartner = { readonly body: PartnerBody } | { readonly problem: string };

/** The columns that a file may have. */
export const PARTNER_COLUMNS = [
  ...["name", "external_reference", "email", "tags", "status", "workspace_id", "billing_mode"],
  ...["legal_name", "street", "city", "region", "postal_code", "country", "vat_number"],
  ...["payment_terms_days", "beneficiary_name", "iban", "bic", "tax_treatment", "tax_label", "tax_rate"],
  ...["electronic_address", "legal_note", "vat_number_type", "registration_number", "notes"],
];

/** Columns without which rows cannot be read, or would be stored twice. */
const NEEDED = ["name", "external_reference"];

/** Other names of columns. */
const ALSO: Readonly<Record<string, string>> = {
  reference: "external_reference",
  e_mail: "email",
  vat_id: "vat_number",
  postcode: "postal_code",
  zip: "postal_code",
  account_holder: "beneficiary_name",
};

const columnOf = (title: string): string => {
  const name = title
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, "_");
  return ALSO[name] ?? name;
};

/** The columns of a file: those that are missing, and those that are not read. */
export const checkColumns = (titles: ReadonlyArray<string>) => {
  const columns = titles.map(columnOf);
  return {
    missing: NEEDED.filter((name) => !columns.includes(name)),
    unknown: titles.filter((title) => !PARTNER_COLUMNS.includes(columnOf(title))),
  };
};

const filled = (fields: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ""));

/** A whole number where the text is one; else the text, which the interface refuses. */
const whole = (text: string): number | string => (/^\d{1,9}$/.test(text) ? Number(text) : text);

/** Percent in hundredths of a percent, exactly: 25.5 is 2550. Null where the text is no such number. */
export const basisPoints = (text: string): number | null => {
  const [, percent = "", fraction = ""] = /^(\d{1,3})(?:[.,](\d{1,2}))?\s*%?$/.exec(text) ?? [];
  return percent === "" ? null : Number(percent + fraction.padEnd(2, "0"));
};

/** Columns whose fields have other names. */
const FIELDS: Readonly<Record<string, string>> = {
  treatment: "tax_treatment",
  label: "tax_label",
  rate_bps: "tax_rate",
};

/** What the interface says of a partner, with the column instead of the path of the field. */
export const inColumns = (message: string): string =>
  message.replace(
    /^(?:self_billing_data\.)?(?:(?:address|bank_account|tax_config)\.)?(\w+)(?=:)/,
    (_, name: string) => FIELDS[name] ?? name,
  );

/**
 * The reader of a file's partners: of a row it takes one partner, of the workspace that is given where the row names none. A row
 * with legal data is billed by this service unless it states otherwise. The second row with a reference is wrong.
 */
export const partnerReader = (titles: ReadonlyArray<string>, workspaceId: string) => {
  const places = new Map(titles.map((title) => [columnOf(title), title]));
  const lines = new Map<string, number>();
  return (row: Row): ReadPartner => {
    if (row.problem !== null) return { problem: row.problem };
    const cell = (name: string): string => String(row.cell(places.get(name) ?? "") ?? "").trim();
    const reference = cell("external_reference");
    if (reference === "") return { problem: "external_reference: is empty" };
    const workspace = cell("workspace_id").toLowerCase() || workspaceId;
    const key = `${workspace} ${reference}`;
    const before = lines.get(key);
    if (before !== undefined && before !== row.line)
      return { problem: `external_reference: is that of line ${before}` };
    lines.set(key, row.line);
    const rate = basisPoints(cell("tax_rate"));
    if (cell("tax_rate") !== "" && rate === null)
      return { problem: "tax_rate: must be percent with at most two decimals, such as 25.5" };
    const isOurs = (cell("billing_mode") || (cell("legal_name") && "self_billing")) === "self_billing";
    const tags = cell("tags")
      .split(/[|;]/)
      .flatMap((tag) => tag.trim() || []);
    return {
      body: {
        ...filled({
          ...{ workspace_id: workspace, name: cell("name"), email: cell("email"), status: cell("status") },
          notes: cell("notes"),
          billing_mode: isOurs ? "self_billing" : cell("billing_mode"),
        }),
        external_reference: reference,
        ...(tags.length > 0 ? { tags } : {}),
        ...(isOurs ? { self_billing_data: legalData(cell, rate) } : {}),
      },
    };
  };
};

const legalData = (cell: (name: string) => string, rate: number | null) => ({
  legal_name: cell("legal_name"),
  address: {
    ...filled({ street: cell("street"), city: cell("city"), postal_code: cell("postal_code") }),
    ...{ region: cell("region"), country: cell("country").toUpperCase() },
  },
  vat_number: cell("vat_number"),
  payment_terms_days: whole(cell("payment_terms_days") || "30"),
  bank_account: {
    beneficiary_name: cell("beneficiary_name") || cell("legal_name"),
    ...{ iban: cell("iban"), bic: cell("bic") },
  },
  tax_config: {
    treatment: cell("tax_treatment") || (rate === null ? "" : "standard"),
    label: cell("tax_label") || "VAT",
    rate_bps: rate,
  },
  ...filled(
    Object.fromEntries(
      ["electronic_address", "legal_note", "vat_number_type", "registration_number"].map((name) => [
        name,
        cell(name),
      ]),
    ),
  ),
});

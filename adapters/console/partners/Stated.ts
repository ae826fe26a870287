/** What the form of a partner states, and the request that asks the server about what is typed so far. */
import type { CreatePartner } from "quittance/client";
import { basisPoints } from "../../importing/PartnerRow.ts";
import { FormProblem } from "../api/Refusal.ts";
import { optional, text } from "../parts/Forms.tsx";

type Billing = Pick<CreatePartner, "billingMode" | "selfBillingData">;
export type StatedPartner = Omit<CreatePartner, "workspaceId" | "dryRun">;

export const tagsOf = (given: string): ReadonlyArray<string> => [
  ...new Set(given.split("\n").flatMap((tag) => tag.trim() || [])),
];

const rateOf = (typed: string): number => {
  const rate = basisPoints(typed);
  if (rate !== null) return rate;
  throw new FormProblem(`"${typed}" is not percent with at most two decimals, such as 25.5.`);
};

export const addressOf = (fields: FormData) => ({
  ...{ street: text(fields, "street"), postalCode: text(fields, "postalCode"), city: text(fields, "city") },
  ...{ region: text(fields, "region"), country: text(fields, "country") },
});

/** The contact that is typed; none while nothing of it is. */
const contactOf = (fields: FormData): Pick<NonNullable<CreatePartner["selfBillingData"]>, "contact"> => {
  const [name, phone, email] = ["contactName", "contactPhone", "contactEmail"].map((field) =>
    text(fields, field),
  );
  return `${name}${phone}${email}` === ""
    ? {}
    : { contact: { name: name ?? "", phone: phone ?? "", email: email ?? "" } };
};

/** What the number of a business is; nothing for a VAT number. */
export const numberTypeOf = (fields: FormData): { readonly vatNumberType?: "tax" } =>
  text(fields, "vatNumberType") === "tax" ? { vatNumberType: "tax" } : {};

const billingOf = (fields: FormData): Billing => {
  const stated = (name: string): string => text(fields, name);
  if (stated("billingMode") !== "self_billing") return { billingMode: "partner_billing" };
  const treatment = stated("treatment") as NonNullable<
    CreatePartner["selfBillingData"]
  >["taxConfig"]["treatment"];
  return {
    billingMode: "self_billing",
    selfBillingData: {
      ...{ legalName: stated("legalName"), vatNumber: stated("vatNumber") },
      ...numberTypeOf(fields),
      address: addressOf(fields),
      paymentTermsDays: Number(stated("paymentTermsDays")),
      bankAccount: {
        beneficiaryName: stated("beneficiaryName") || stated("legalName"),
        ...{ iban: stated("iban"), bic: stated("bic") },
      },
      taxConfig: {
        ...{ treatment, label: stated("label") },
        ...(treatment === "standard" ? { rateBps: rateOf(stated("rate")) } : {}),
      },
      ...optional(fields, "electronicAddress", "legalNote", "registrationNumber"),
      ...contactOf(fields),
    },
  };
};

/** The partner that the form states; throws with the words of what is wrong. */
export const statedPartner = (fields: FormData): StatedPartner => ({
  name: text(fields, "name"),
  externalReference: text(fields, "reference") || null,
  email: text(fields, "email") || null,
  notes: text(fields, "notes") || null,
  tags: tagsOf(text(fields, "tags")),
  ...billingOf(fields),
});

/** What stands for a field that is not filled yet, so that the server judges the others. */
const NOT_YET: Readonly<Record<string, string>> = {
  ...{ name: "-", legalName: "-", street: "-", postalCode: "-", city: "-", country: "DE", label: "-" },
  ...{ vatNumber: "DE123456789", paymentTermsDays: "30", rate: "0", iban: "DE02120300000000202051" },
};

/** The partner as it is typed so far; null where it cannot be asked about. */
export const typedPartner = (fields: FormData): StatedPartner | null => {
  const whole = new FormData();
  for (const [name, value] of fields) whole.append(name, String(value).trim() || (NOT_YET[name] ?? ""));
  if (text(whole, "bic") === "") whole.set("bic", `AAAA${text(whole, "iban").slice(0, 2).toUpperCase()}AA`);
  try {
    return statedPartner(whole);
  } catch {
    return null;
  }
};

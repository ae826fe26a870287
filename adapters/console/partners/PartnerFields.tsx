/** The fields of a partner: who it is, and for self-billing its legal data, each with what the server says of it. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Partner } from "../api/Records.ts";
import { countries } from "../format/Countries.ts";
import { Field } from "../parts/Basics.tsx";
import type { ProblemOf } from "../parts/Dialog.tsx";
import { Choices } from "../parts/Forms.tsx";
import { TEAM } from "../words/TeamWords.ts";

/** The treatments of tax, in words. */
const TREATMENTS = [
  ["standard", "With tax"],
  ["reverse_charge", "Reverse charge: the buyer accounts for the tax"],
  ["exempt", "Exempt, also as a small business"],
  ["outside_scope", "Not subject to VAT"],
] as const;

type Legal = NonNullable<Partner["selfBillingData"]>;

interface Shown {
  readonly problemOf: ProblemOf;
}

/** A labelled input whose field has a path in the request. */
export const Input = ({
  label,
  hint,
  path,
  problemOf,
  ...input
}: Shown & {
  readonly label: string;
  readonly hint?: string;
  readonly path: string;
  readonly name: string;

  readonly value?: string | undefined;
  readonly required?: boolean;
  readonly inputMode?: "numeric" | "decimal";
}) => {
  const problem = problemOf(path);
  const { value, ...rest } = input;
  return (
    <Field label={label} hint={hint} problem={problem}>
      <input
        {...rest}
        defaultValue={value ?? ""}
        autocomplete="off"
        maxLength={255}
        aria-invalid={problem !== null}
      />
    </Field>
  );
};

const Pick = ({
  label,
  children,
  ...select
}: {
  readonly label: string;
  readonly name: string;
  readonly required?: boolean;
  readonly change?: (value: string) => void;
  readonly problem?: string | null;
  readonly children: ComponentChildren;
}) => (
  <Field label={label} problem={select.problem ?? null}>
    <select
      name={select.name}
      required={select.required}
      onChange={(event) => select.change?.(event.currentTarget.value)}
    >
      {children}
    </select>
  </Field>
);

/** The fields of a postal address. */
export const AddressFields = ({
  address,
  problemOf,
}: Shown & { readonly address?: Legal["address"] | undefined }) => {
  const at = (path: string) => ({ problemOf, path });
  const country = address?.country ?? "";
  return (
    <>
      <Input
        label="Street and number"
        name="street"
        required
        value={address?.street}
        {...at("address.street")}
      />
      <div class="row fields">
        <Input
          label="Postal code"
          name="postalCode"
          required
          value={address?.postalCode}
          {...at("address.postal_code")}
        />
        <Input label="City" name="city" required value={address?.city} {...at("address.city")} />
      </div>
      <Input label="Region (optional)" name="region" value={address?.region} {...at("address.region")} />
      <Pick label="Country" name="country" required problem={problemOf("address.country")}>
        <option value="" />
        {countries().map(([code, name]) => (
          <option key={code} value={code} selected={code === country}>
            {name}
          </option>
        ))}
      </Pick>
    </>
  );
};

/** The VAT number of a business, or its tax number. */
export const NumberFields = ({
  data,
  problemOf,
}: Shown & {
  readonly data?: Pick<Legal, "vatNumber" | "vatNumberType" | "registrationNumber"> | undefined;
}) => (
  <>
    <div class="row fields">
      <Pick label="Registered for VAT?" name="vatNumberType" problem={problemOf("vat_number_type")}>
        <option value="vat">Yes, with a VAT number</option>
        <option value="tax" selected={data?.vatNumberType === "tax"}>
          No, with a tax number
        </option>
      </Pick>
      <Input
        label="VAT or tax number"
        hint="A VAT number with its country, such as DK12345678."
        name="vatNumber"
        required
        value={data?.vatNumber}
        path="vat_number"
        problemOf={problemOf}
      />
    </div>
    <Input
      label="Number in a public register (optional)"
      hint="Such as HRB 12345, or with the code of its scheme before it: 0002:732829320 for a SIREN."
      name="registrationNumber"
      value={data?.registrationNumber}
      path="registration_number"
      problemOf={problemOf}
    />
  </>
);

/** What documents state of a party because the law demands it. */
export const LegalNote = ({
  of,
  value,
  path,
  problemOf,
}: Shown & { readonly of: string; readonly value?: string | undefined; readonly path: string }) => (
  <Field
    label="Legal note on invoices (optional)"
    hint={`What the law demands on invoices of ${of}, such as a register number.`}
    problem={problemOf(path)}
  >
    <textarea name="legalNote" rows={2} maxLength={1000} defaultValue={value ?? ""} />
  </Field>
);

const LegalFields = ({ data, problemOf }: Shown & { readonly data: Legal | undefined }) => {
  const tax = data?.taxConfig;
  const [treatment, setTreatment] = useState<string>(tax?.treatment ?? "standard");
  const at = (path: string) => ({ problemOf, path: `self_billing_data.${path}` });
  return (
    <>
      <Input label="Legal name" name="legalName" required value={data?.legalName} {...at("legal_name")} />
      <AddressFields address={data?.address} problemOf={(path) => problemOf(`self_billing_data.${path}`)} />
      <NumberFields data={data} problemOf={(path) => problemOf(`self_billing_data.${path}`)} />
      <Pick label="Tax on the commissions" name="treatment" change={setTreatment}>
        {TREATMENTS.map(([value, words]) => (
          <option key={value} value={value} selected={value === treatment}>
            {words}
          </option>
        ))}
      </Pick>
      <div class="row fields">
        <Input
          label="Name of the tax"
          name="label"
          required
          value={tax?.label ?? "VAT"}
          {...at("tax_config.label")}
        />
        {treatment === "standard" && (
          <Input
            label="Rate in percent"
            name="rate"
            required
            inputMode="decimal"
            value={tax?.rateBps == null ? "" : String(tax.rateBps / 100)}
            {...at("tax_config.rate_bps")}
          />
        )}
      </div>
      <Input
        label="Days until an invoice is due"
        name="paymentTermsDays"
        required
        inputMode="numeric"
        value={String(data?.paymentTermsDays ?? 30)}
        {...at("payment_terms_days")}
      />
      <Input label="IBAN" name="iban" required value={data?.bankAccount.iban} {...at("bank_account.iban")} />
      <Input label="BIC" name="bic" required value={data?.bankAccount.bic} {...at("bank_account.bic")} />
      <Input
        label="Holder of the account (optional)"
        hint="The legal name, unless the bank knows another."
        name="beneficiaryName"
        value={data?.bankAccount.beneficiaryName}
        {...at("bank_account.beneficiary_name")}
      />
      <Input
        label="Address for e-invoices (optional)"
        hint="A scheme of Peppol and an identifier, such as 0088:7300010000001."
        name="electronicAddress"
        value={data?.electronicAddress}
        {...at("electronic_address")}
      />
      <Input
        label="Contact for questions about invoices (optional)"
        hint="A person or a department; XRechnung requires it, with telephone and e-mail."
        name="contactName"
        value={data?.contact?.name}
        {...at("contact.name")}
      />
      <div class="row fields">
        <Input
          label="Telephone of the contact"
          name="contactPhone"
          value={data?.contact?.phone}
          {...at("contact.phone")}
        />
        <Input
          label="E-mail of the contact"
          name="contactEmail"
          value={data?.contact?.email}
          {...at("contact.email")}
        />
      </div>
      <LegalNote of="the partner" value={data?.legalNote} {...at("legal_note")} />
    </>
  );
};

export const PartnerFields = ({ partner, problemOf }: Shown & { readonly partner?: Partner | undefined }) => {
  const [mode, setMode] = useState<string>(partner?.billingMode ?? "partner_billing");
  return (
    <>
      <Input label="Name" name="name" required value={partner?.name} problemOf={problemOf} path="name" />
      <Input
        label="Reference in your own system (optional)"
        name="reference"
        value={partner?.externalReference}
        problemOf={problemOf}
        path="external_reference"
      />
      <Input
        label="E-mail address (optional)"
        name="email"
        value={partner?.email}
        problemOf={problemOf}
        path="email"
      />
      <Field label="Tags (optional)" hint="One on each line." problem={problemOf("tags")}>
        <textarea name="tags" rows={2} defaultValue={partner?.tags?.join("\n") ?? ""} />
      </Field>
      <Field
        label="Notes (optional)"
        hint="For your team; the partner does not see them."
        problem={problemOf("notes")}
      >
        <textarea name="notes" rows={2} defaultValue={partner?.notes ?? ""} />
      </Field>
      <div
        onChange={({ target }) => {
          const { name, value } = target as HTMLInputElement;
          if (name === "billingMode") setMode(value);
        }}
      >
        <Choices
          name="billingMode"
          legend="Who writes the invoices?"
          value={mode}
          options={[
            {
              value: "partner_billing",
              words: `${TEAM.billing.partner_billing}.`,
              meaning: "We receive it and pay it.",
            },
            {
              value: "self_billing",
              words: `${TEAM.billing.self_billing}.`,
              meaning: "The legal data of the partner is needed.",
            },
          ]}
        />
      </div>
      {mode === "self_billing" && <LegalFields data={partner?.selfBillingData} problemOf={problemOf} />}
    </>
  );
};

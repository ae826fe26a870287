/** The form of the company, in the first steps and later: what documents state of it, and what a change does. */
import { useState } from "preact/hooks";
import type { BillingProfile } from "quittance/client";
import { AddressFields, Input, LegalNote, NumberFields } from "../partners/PartnerFields.tsx";
import { Field } from "../parts/Basics.tsx";
import { Confirm, type ProblemOf } from "../parts/Dialog.tsx";
import { companyChanges, companyToWrite, E_INVOICES, LANGUAGES, rateLines, typedCompany } from "./Stated.ts";

interface Shown {
  readonly profile: BillingProfile | null;
  readonly problemOf: ProblemOf;
}

const LegalFields = ({ profile, problemOf }: Shown) => (
  <>
    <Input
      label="Legal name"
      name="legalName"
      required
      value={profile?.legalName}
      path="legal_name"
      problemOf={problemOf}
    />
    <AddressFields address={profile?.address} problemOf={problemOf} />
    <NumberFields data={profile ?? undefined} problemOf={problemOf} />
    <LegalNote of="your company" value={profile?.legalNote} path="legal_note" problemOf={problemOf} />
  </>
);

const AccountFields = ({ profile, problemOf }: Shown) => {
  const account = profile?.bankAccount;
  // The IBAN and the BIC are checked together, and what is wrong names one of them.
  const whole = problemOf("bank_account");
  const isOfBic = whole?.startsWith("The BIC") === true;
  const at = (path: string) => ({
    path: `bank_account.${path}`,
    problemOf: (field: string) => problemOf(field) ?? (path === (isOfBic ? "bic" : "iban") ? whole : null),
  });
  return (
    <fieldset class="values">
      <legend>Bank account (optional)</legend>
      <p class="note">Bank files pay from it, and credit notes ask for payment to it.</p>
      <Input label="IBAN" name="iban" value={account?.iban} {...at("iban")} />
      <Input label="BIC" name="bic" value={account?.bic} {...at("bic")} />
      <Input
        label="Holder of the account"
        hint="The legal name, unless the bank knows another."
        name="beneficiaryName"
        value={account?.beneficiaryName}
        {...at("beneficiary_name")}
      />
    </fieldset>
  );
};

const CurrencyFields = ({ profile, problemOf }: Shown) => (
  <fieldset class="values">
    <legend>VAT in the national currency (optional)</legend>
    <Input
      label="National currency"
      hint="Such as DKK: documents with VAT in another currency then also state their VAT in it."
      name="taxCurrency"
      value={profile?.taxCurrency}
      path="tax_currency"
      problemOf={problemOf}
    />
    <Field
      label="Rates"
      hint="One on each line: the currency of documents, the first date, what one unit is worth, and who published it, such as EUR 2026-02-02 7.4604 Central bank."
      problem={problemOf("exchange_rates")}
    >
      <textarea name="exchangeRates" rows={3} defaultValue={rateLines(profile).join("\n")} />
    </Field>
  </fieldset>
);

const EInvoiceFields = ({ profile, problemOf }: Shown) => (
  <fieldset class="values">
    <legend>E-invoices (optional)</legend>
    <Input
      label="Address for e-invoices"
      hint="A scheme of Peppol and an identifier, such as 0088:7300010000001."
      name="electronicAddress"
      value={profile?.electronicAddress}
      path="electronic_address"
      problemOf={problemOf}
    />
    <Input
      label="Buyer reference"
      hint="Such as a Leitweg-ID; without one, e-invoices state the settlement."
      name="buyerReference"
      value={profile?.buyerReference}
      path="buyer_reference"
      problemOf={problemOf}
    />
    <Field label="An approval requires a valid e-invoice" problem={problemOf("e_invoice")}>
      <select name="eInvoice">
        {Object.entries(E_INVOICES).map(([value, words]) => (
          <option key={value} value={value} selected={value === (profile?.eInvoice ?? "")}>
            {words}
          </option>
        ))}
      </select>
    </Field>
  </fieldset>
);

const NoticeFields = ({ profile, problemOf }: Shown) => (
  <fieldset class="values">
    <legend>Mail to you (optional)</legend>
    <Input
      label="E-mail for notices"
      hint="When a partner proposes an account. Only where this server sends mail."
      name="noticeEmail"
      value={profile?.noticeEmail}
      path="notice_email"
      problemOf={problemOf}
    />
  </fieldset>
);

const LookFields = ({ profile, problemOf }: Shown) => (
  <fieldset class="values">
    <legend>Look of documents (optional)</legend>
    <Field label="Language" problem={problemOf("language")}>
      <select name="language">
        {Object.entries(LANGUAGES).map(([value, words]) => (
          <option key={value} value={value} selected={value === (profile?.language ?? "en")}>
            {words}
          </option>
        ))}
      </select>
    </Field>
    <div class="row fields">
      <Input
        label="Prefix of document numbers"
        name="invoicePrefix"
        value={profile?.documentNumbers?.prefix ?? profile?.invoicePrefix}
        path="invoice_prefix"
        problemOf={(path) => problemOf(path) ?? problemOf("document_numbers.prefix")}
      />
      <Input
        label="Prefix of corrections"
        hint="Credit notes then have a series of their own, and need the other prefix too, such as HM and HMC."
        name="correctionPrefix"
        value={profile?.documentNumbers?.correctionPrefix}
        path="document_numbers.correction_prefix"
        problemOf={problemOf}
      />
    </div>
    <div class="row fields">
      <Input
        label="Colour of titles and lines"
        hint="Dark enough on white, such as #0b5394."
        name="accentColor"
        value={profile?.accentColor}
        path="accent_color"
        problemOf={problemOf}
      />
      <Input
        label="Background of key facts"
        hint="Light enough under text, such as #f5f5f5."
        name="backgroundColor"
        value={profile?.backgroundColor}
        path="background_color"
        problemOf={problemOf}
      />
    </div>
    <Field
      label={profile?.logo === undefined ? "Logo" : "Another logo"}
      hint="A PNG or JPEG file of at most 256 KiB."
      problem={problemOf("logo")}
    >
      <input type="file" name="logo" accept="image/png,image/jpeg" />
    </Field>
    {profile?.logo !== undefined && (
      <label class="check">
        <input type="checkbox" name="removeLogo" />
        Documents have no logo any more
      </label>
    )}
  </fieldset>
);

const Value = ({ of }: { readonly of: string }) => (of === "" ? <em>nothing</em> : <strong>{of}</strong>);

/** What the form would change of what is stored. */
const Changes = ({
  profile,
  typed,
}: {
  readonly profile: BillingProfile;
  readonly typed: BillingProfile | null;
}) => {
  const changes = typed === null ? [] : companyChanges(profile, typed);
  const effects = new Set(changes.flatMap(({ effect }) => effect ?? []));
  return (
    <section
      class="prospect in-sight"
      aria-live="polite"
      aria-label="What this changes"
      // It scrolls where much is changed, also by keys.
      tabIndex={changes.length > 0 ? 0 : undefined}
    >
      {changes.length > 0 && (
        <>
          <h3>What this changes</h3>
          <ul>
            {changes.map(({ name, before, value }) => (
              <li key={name}>
                {name}: <Value of={before} /> becomes <Value of={value} />.
              </li>
            ))}
            {[...effects].map((effect) => (
              <li key={effect}>{effect}</li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
};

const Fields = ({ profile, problemOf }: Shown) => {
  const [typed, setTyped] = useState<BillingProfile | null>(null);
  return (
    <div
      onInput={({ target }) => {
        const { form } = target as HTMLInputElement;
        if (form !== null) setTyped(typedCompany(new FormData(form), profile));
      }}
    >
      <LegalFields {...{ profile, problemOf }} />
      <AccountFields {...{ profile, problemOf }} />
      <CurrencyFields {...{ profile, problemOf }} />
      <EInvoiceFields {...{ profile, problemOf }} />
      <NoticeFields {...{ profile, problemOf }} />
      <LookFields {...{ profile, problemOf }} />
      {profile !== null && <Changes profile={profile} typed={typed} />}
    </div>
  );
};

/** States the company, or changes what is stored of it. */
export const Company = ({
  profile = null,
  close,
  done,
}: {
  /** What is stored; null before anything is. */
  readonly profile?: BillingProfile | null;
  readonly close: () => void;
  readonly done: () => void;
}) => (
  <Confirm
    title={profile === null ? "Your company" : "Change your company"}
    action={profile === null ? "Save" : "Save the changes"}
    consequence={[
      "Reports and invoices that are made from now on show it. Documents that exist do not change.",
      ...(profile === null ? [] : ["The log of the company shows who has changed it, and what."]),
    ]}
    run={async (commands, fields) =>
      commands.billingProfile.write(
        await companyToWrite(fields, profile, () => commands.billingProfile.read()),
      )
    }
    close={close}
    done={done}
  >
    {(problemOf) => <Fields profile={profile} problemOf={problemOf} />}
  </Confirm>
);

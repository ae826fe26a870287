/** How a partner is billed, and what its documents say of it. */
import type { Partner } from "../api/Records.ts";
import { sentence } from "../api/Refusal.ts";
import { countWords } from "../format/Money.ts";
import { Fact } from "../parts/Basics.tsx";
import { TEAM } from "../words/TeamWords.ts";

export const Billing = ({ partner }: { readonly partner: Partner }) => {
  const data = partner.selfBillingData;
  return (
    <section class="panel">
      <h2>Billing</h2>
      {partner.payoutProblem !== null && (
        <div class="notice wait">
          <strong>Check the account</strong>
          <p>{sentence(partner.payoutProblem)}</p>
        </div>
      )}
      <dl class="facts">
        <Fact name="Who writes the invoice">
          {partner.billingMode === null ? "The partner (not stated)" : TEAM.billing[partner.billingMode]}
        </Fact>
        {data != null && (
          <>
            <Fact name="Legal name">{data.legalName}</Fact>
            <Fact name="Address">
              {[
                data.address.street,
                `${data.address.postalCode} ${data.address.city}`,
                data.address.region,
                data.address.country,
              ]
                .filter((part) => part !== "")
                .join(", ")}
            </Fact>
            <Fact name={data.vatNumberType === "tax" ? "Tax number" : "VAT number"}>{data.vatNumber}</Fact>
            {data.registrationNumber !== undefined && (
              <Fact name="Register number">{data.registrationNumber}</Fact>
            )}
            <Fact name="Tax">
              {data.taxConfig.treatment === "standard"
                ? `${data.taxConfig.label ?? "Tax"} ${Number(data.taxConfig.rateBps) / 100} %`
                : data.taxConfig.treatment.replaceAll("_", " ")}
            </Fact>
            <Fact name="Payment terms">{countWords(Number(data.paymentTermsDays), "day")}</Fact>
            {data.legalNote !== undefined && <Fact name="Legal note">{data.legalNote}</Fact>}
          </>
        )}
      </dl>
    </section>
  );
};

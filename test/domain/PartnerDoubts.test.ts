import { PartnerDoubts } from "quittance";
import { describe, expect, it } from "vitest";
import { SELF_BILLING } from "./SettlementScene.ts";

type Data = Parameters<typeof PartnerDoubts.doubtsOf>[0];

const fieldsOf = (change: object): ReadonlyArray<string> =>
  PartnerDoubts.doubtsOf({ ...SELF_BILLING, ...change } as unknown as Data).map(({ field }) => field);

describe("what is doubtful in a partner's legal data", () => {
  it("is nothing where there is none, or all of it fits", () => {
    expect(PartnerDoubts.doubtsOf(null)).toEqual([]);
    expect(fieldsOf({})).toEqual([]);
  });

  it("is a VAT number without its country, and an account that no bank has", () => {
    expect(fieldsOf({ vatNumber: "12345678" })).toEqual(["self_billing_data.vat_number"]);
    expect(fieldsOf({ vatNumber: "12345678", vatNumberType: "tax" })).toEqual([]);
    const account = (change: object) => ({ bankAccount: { ...SELF_BILLING.bankAccount, ...change } });
    expect(fieldsOf(account({ iban: "DK5000400440116244" }))).toEqual([
      "self_billing_data.bank_account.iban",
    ]);
    expect(fieldsOf(account({ bic: "DNBANOKK" }))).toEqual(["self_billing_data.bank_account.bic"]);
  });
});

/** The rows of a file of partners, as the console and the command line read them. */
import { describe, expect, it } from "vitest";
import { csvRows } from "../../../adapters/importing/Csv.ts";
import {
  basisPoints,
  checkColumns,
  inColumns,
  PARTNER_COLUMNS,
  partnerReader,
} from "../../../adapters/importing/PartnerRow.ts";

const WORKSPACE = "6f1c2d4e-0000-4000-8000-000000000002";

const read = async (...lines: ReadonlyArray<string>) => {
  let columns: ReadonlyArray<string> = [];
  const chunks = (async function* () {
    // In the middle of a line, as a file arrives.
    const text = `${lines.join("\n")}\n`;
    yield text.slice(0, 40);
    yield text.slice(40);
  })();
  let reader: ReturnType<typeof partnerReader> | null = null;
  const found = [];
  for await (const rows of csvRows(chunks, (names) => {
    columns = names;
  }))
    for (const row of rows) {
      reader ??= partnerReader(columns, WORKSPACE);
      found.push(reader(row));
      // Reading a row again is no repetition.
      expect(reader(row)).toEqual(found.at(-1));
    }
  return found;
};

describe("a row of a file of partners", () => {
  it("is a partner with what its cells state, and nothing of empty cells", async () => {
    expect(
      await read(
        "Name,reference,tags,legal name,street,city,ZIP,country,VAT ID,iban,bic,tax_rate,Payment terms days",
        "Otso,crm-8,gold | north;west,Otso Oy,Bulevardi 1,Helsinki,00100,fi,FI12345678,FI21,NDEA,25.5 %,14",
        '"Kallio, Mira",crm-9,,,,,,,,,,,',
      ),
    ).toEqual([
      {
        body: {
          ...{ workspace_id: WORKSPACE, name: "Otso", external_reference: "crm-8" },
          ...{ tags: ["gold", "north", "west"], billing_mode: "self_billing" },
          self_billing_data: {
            ...{ legal_name: "Otso Oy", vat_number: "FI12345678", payment_terms_days: 14 },
            address: {
              street: "Bulevardi 1",
              city: "Helsinki",
              postal_code: "00100",
              region: "",
              country: "FI",
            },
            bank_account: { beneficiary_name: "Otso Oy", iban: "FI21", bic: "NDEA" },
            tax_config: { treatment: "standard", label: "VAT", rate_bps: 2_550 },
          },
        },
      },
      { body: { workspace_id: WORKSPACE, name: "Kallio, Mira", external_reference: "crm-9" } },
    ]);
  });

  it("says what is wrong with it", async () => {
    expect(await read("name,external_reference,tax_rate", "A,,", "B,1,x", "C,2,", "D,2,", "E,3")).toEqual([
      { problem: "external_reference: is empty" },
      { problem: "tax_rate: must be percent with at most two decimals, such as 25.5" },
      expect.objectContaining({ body: expect.objectContaining({ name: "C" }) }),
      { problem: "external_reference: is that of line 4" },
      { problem: "it has 2 cells, the header has 3" },
    ]);
  });

  it("has its columns by their names in any letters", () => {
    expect(checkColumns(["Name", "E-mail", "Postal code", "Colour"])).toEqual({
      missing: ["external_reference"],
      unknown: ["Colour"],
    });
    expect(new Set(PARTNER_COLUMNS).size).toBe(PARTNER_COLUMNS.length);
  });

  it.each([
    ["25", 2_500],
    ["25,5 %", 2_550],
    ["0.07", 7],
    ["100", 10_000],
    ["25.555", null],
    ["-1", null],
    ["", null],
  ])("reads the percent %j as %s hundredths", (text, points) => {
    expect(basisPoints(text)).toBe(points);
  });

  it("names the column of a field that the interface refuses", () => {
    expect(inColumns("self_billing_data.address.country: must be")).toBe("country: must be");
    expect(inColumns("self_billing_data.tax_config.rate_bps: is")).toBe("tax_rate: is");
    expect(inColumns("name: must have")).toBe("name: must have");
    expect(inColumns("no field")).toBe("no field");
  });
});

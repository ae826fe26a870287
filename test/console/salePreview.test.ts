/** What the form that records a sale computes of formulas with versions, values and amounts of others. The browser tests compare it with the server. */
import { type Expression, parseFor } from "quittance/formula";
import { describe, expect, it } from "vitest";
import type { Client, Query } from "../../adapters/console/api/Client.ts";
import type { Formula, Schema } from "../../adapters/console/api/Records.ts";
import { previewSale } from "../../adapters/console/sales/SalePreview.ts";

const SCHEMA = {
  ...{ id: "schema", name: "Order", customerId: "customer", workspaceId: "workspace" },
  properties: [{ name: "cents", type: "number", required: true }],
} as unknown as Schema;

const RATE = { name: "rate", type: "number", default: 5 } as const;

const parsed = (text: string): Expression => {
  const read = parseFor(text, [{ name: "cents", type: "number", required: true }], [RATE]);
  if (read._tag === "Left") throw new Error(JSON.stringify(read.left));
  return read.right.expression;
};

const formulaOf = (
  partnerId: string,
  versions: ReadonlyArray<readonly [since: string | null, text: string, status?: string]>,
  stated: object = {},
): Formula =>
  ({
    ...{ id: `of ${partnerId}`, partnerId, schemaId: SCHEMA.id, name: "Plan", currency: "EUR" },
    ...{ roles: ["seller"], status: "active", startDatetime: "2026-01-01T00:00:00Z", endDatetime: null },
    versions: versions.map(([effectiveDatetime, text, status = "reached"]) => ({
      ...{
        status,
        effectiveDatetime,
        formula: parsed(text),
        applyShare: !text.includes("sellers_commission"),
      },
    })),
    ...stated,
  }) as unknown as Formula;

/** A server with formulas, without sales; links lead from partners to a manager. */
const serverOf = (formulas: ReadonlyArray<Formula>, linked: ReadonlyArray<string> = []): Client => {
  const every = async (name: string, { partnerIds = [] }: Query) => {
    const ids = partnerIds as ReadonlyArray<string>;
    return name === "commissionFormulas"
      ? formulas.filter(({ partnerId }) => ids.includes(partnerId))
      : linked
          .filter((partnerId) => ids.includes(partnerId))
          .map((partnerId) => ({
            ...{ partnerId, role: "manager", startDatetime: "2026-01-01T00:00:00Z", endDatetime: null },
          }));
  };
  const workspaces = { read: async () => ({ timeZone: "Europe/Berlin" }) };
  return { every, remote: { workspaces } } as unknown as Client;
};

const credit = (partnerId: string, share = "1", role = "seller") => ({
  ...{ partnerId, name: partnerId, role, share },
});

const preview = (client: Client, credits: ReadonlyArray<ReturnType<typeof credit>>, day = "2026-06-15") =>
  previewSale(
    client,
    SCHEMA,
    { credits, properties: { cents: 10_000 }, occurredAt: `${day}T12:00:00Z`, occurredOn: day },
    new AbortController().signal,
  );

const amountsOf = async (...given: Parameters<typeof preview>): Promise<ReadonlyArray<number | null>> =>
  (await preview(...given)).earned.map(({ amount }) => amount);

describe("what a sale would earn", () => {
  it("is computed by the version that holds on its day, without those that were withdrawn", async () => {
    const server = serverOf([
      formulaOf("ida", [
        [null, "10 % of cents"],
        ["2026-06-01T00:00:00Z", "20 % of cents"],
        ["2026-06-10T00:00:00Z", "30 % of cents", "withdrawn"],
        ["2026-07-01T00:00:00Z", "40 % of cents", "ahead"],
      ]),
    ]);
    expect(await amountsOf(server, [credit("ida")], "2026-05-31")).toEqual([1_000]);
    expect(await amountsOf(server, [credit("ida")], "2026-06-15")).toEqual([2_000]);
    expect(await amountsOf(server, [credit("ida")], "2026-07-01")).toEqual([4_000]);
  });

  it("uses the value that the partner has on its day, or the default", async () => {
    const values = [{ number: 1, value: 7, effective_datetime: "2026-06-01T00:00:00Z" }];
    const server = serverOf([
      formulaOf("ida", [[null, "plan.rate / 100 * cents"]], { parameters: [{ ...RATE, values }] }),
    ]);
    expect(await amountsOf(server, [credit("ida")], "2026-05-31")).toEqual([500]);
    expect(await amountsOf(server, [credit("ida")], "2026-06-15")).toEqual([700]);
  });

  it("includes what follows from the amounts of the sellers", async () => {
    const server = serverOf([
      formulaOf("head", [[null, "10 % of sale.sellers_commission"]], { roles: ["head"] }),
      formulaOf("ida", [[null, "10 % of cents"]]),
      formulaOf("per", [[null, "20 % of cents"]]),
    ]);
    const found = await preview(server, [
      credit("head", "1", "head"),
      credit("ida", "0.6"),
      credit("per", "0.4"),
    ]);
    expect(found.earned.map(({ credit: { name }, amount }) => [name, amount])).toEqual([
      ["ida", 600],
      ["per", 800],
      ["head", 140],
    ]);
    expect(found.sums).toEqual([{ currency: "EUR", amount: 1_540n }]);
    expect(found.remarks).toEqual([]);
  });

  it("has no amount where one is too large, nor what follows from it", async () => {
    const server = serverOf([
      formulaOf("head", [[null, "10 % of sale.sellers_commission"]], { roles: ["head"] }),
      formulaOf("ida", [[null, "cents * 1000000000000"]]),
    ]);
    const { earned, sums } = await preview(server, [credit("ida"), credit("head", "1", "head")]);
    expect(earned.map(({ amount }) => amount)).toEqual([null, null]);
    expect(earned.every(({ problem }) => problem !== null && problem !== "")).toBe(true);
    expect(sums).toEqual([]);
  });

  it("says which plan does not apply, who has none, and who else gets a part", async () => {
    const server = serverOf(
      [
        formulaOf("ida", [[null, "10 % of cents"]], { endDatetime: "2026-06-01T00:00:00Z" }),
        formulaOf("eva", [[null, "10 % of cents"]], { schemaId: "another" }),
      ],
      ["ida"],
    );
    const { earned, remarks } = await preview(server, [credit("ida", "0.5"), credit("eva", "0.5")]);
    expect(earned).toEqual([]);
    expect(remarks).toEqual([
      expect.stringMatching(/^“Plan” does not apply to ida: it ended on .*2026.*\.$/),
      "ida earns nothing from this sale.",
      "eva has no plan for such sales, and earns nothing from this one.",
      "Partners above ida get a part of the sale too. What they earn is not computed here; the page of the sale shows it.",
    ]);
  });
});

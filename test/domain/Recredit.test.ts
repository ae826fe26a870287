/** Recrediting: which credits of a sale stay, which are taken, and which are new. */
import { Either } from "effect";
import { type Credit, Ids, Recredit } from "quittance";
import { describe, expect, it } from "vitest";

const partner = (number: number) =>
  Ids.PartnerId.make(`00000000-0000-7000-8000-${String(number).padStart(12, "0")}`);
const [ANNA, BEN, MIRA, DAN] = [partner(1), partner(2), partner(3), partner(4)] as const;

const of = (partnerId: Ids.PartnerId, credit: Credit.Credit | null) => ({ partnerId, credit });
const seller = (share = "1"): Credit.Credit => ({ role: "seller", share, depth: 0 });
const manager = (depth = 1, more: Partial<Credit.Credit> = {}): Credit.Credit => ({
  ...{ role: "manager", share: "1", depth },
  ...more,
});
const recruiter = (more: Partial<Credit.Credit> = {}): Credit.Credit =>
  manager(1, { role: "recruiter", ...more });
const above = (partnerId: Ids.PartnerId, credit: Credit.Credit): Credit.OfPartner => ({
  ...credit,
  partnerId,
});

describe("what recrediting a sale changes", () => {
  it("is nothing where the sale has these credits", () => {
    const sale = [of(ANNA, seller()), of(MIRA, manager()), of(DAN, manager(2))];
    expect(Recredit.changeOf(sale, [above(DAN, manager(2)), above(MIRA, manager())])).toBeNull();
    expect(Recredit.changeOf([of(ANNA, null)], [])).toBeNull();
  });

  it("keeps what is the same, takes what is not given any more, and adds what is missing", () => {
    const [anna, mira, dan] = [of(ANNA, seller()), of(MIRA, manager()), of(DAN, manager(2))];
    expect(Recredit.changeOf([anna, mira, dan], [above(BEN, manager()), above(DAN, manager(2))])).toEqual({
      taken: [mira],
      promoted: [],
      added: [above(BEN, manager())],
    });
  });

  it("replaces a credit with another share, and one above other sellers", () => {
    const sale = [of(ANNA, seller("0.5")), of(BEN, seller("0.5"))];
    const half = manager(1, { share: "0.5", sellers: [ANNA] });
    const stored = of(MIRA, half);
    for (const now of [manager(), manager(1, { share: "0.5", sellers: [BEN] })])
      expect(Recredit.changeOf([...sale, stored], [above(MIRA, now)])).toEqual({
        taken: [stored],
        promoted: [],
        added: [above(MIRA, now)],
      });
    const both = manager(1, { sellers: [ANNA, BEN] });
    const turned = manager(1, { sellers: [BEN, ANNA] });
    expect(Recredit.changeOf([...sale, of(MIRA, both)], [above(MIRA, turned)])).toBeNull();
  });

  it("never takes a credit that was given", () => {
    const given = of(MIRA, manager(0));
    expect(Recredit.changeOf([of(ANNA, seller()), given, of(BEN, seller())], [])).toBeNull();
    expect(Recredit.givenCredits([of(ANNA, null), given, of(DAN, manager(2))])).toEqual([
      above(ANNA, seller()),
      above(MIRA, manager(0)),
    ]);
  });

  it("marks one credit of each partner as the first: one that stays before one that is new", () => {
    const sale = [of(ANNA, seller()), of(MIRA, manager()), of(MIRA, recruiter({ further: true }))];
    const [, first, second] = sale;
    expect(Recredit.changeOf(sale, [above(MIRA, recruiter())])).toEqual({
      taken: [first],
      promoted: [{ attribution: second, credit: recruiter() }],
      added: [],
    });
    expect(
      Recredit.changeOf(
        [of(ANNA, seller()), of(MIRA, recruiter())],
        [above(MIRA, manager()), above(MIRA, recruiter()), above(ANNA, manager(2))],
      ),
    ).toEqual({
      taken: [],
      promoted: [],
      added: [above(MIRA, manager(1, { further: true })), above(ANNA, manager(2, { further: true }))],
    });
    expect(
      Recredit.changeOf([of(ANNA, null)], [above(DAN, manager()), above(DAN, recruiter())])?.added,
    ).toEqual([above(DAN, manager()), above(DAN, recruiter({ further: true }))]);
  });
});

describe("the events of a recrediting", () => {
  it("give an origin that was alone its credit", () => {
    expect(Recredit.ofOrigin(of(ANNA, null), "late")).toEqual({
      ...{ type: "recredit_attribution", reason: "late" },
      credit: seller(),
    });
    expect(Recredit.ofOrigin(of(ANNA, seller("0.5")), "late")).toEqual({
      ...{ type: "recredit_attribution", reason: "late" },
    });
    expect(Recredit.recredited("late", manager())).toMatchObject({ credit: manager() });
  });

  it("follow for a confirmed origin alone", () => {
    const tokenOf = (status: "confirmed" | "cancelled", originId: Ids.AttributionId | null) =>
      Either.match(Recredit.checkRecreditable({ status, originId } as never), {
        onLeft: ({ token }) => token,
        onRight: () => null,
      });
    const other = Ids.AttributionId.make(partner(9));
    expect([tokenOf("confirmed", null), tokenOf("confirmed", other), tokenOf("cancelled", null)]).toEqual([
      null,
      "credit_of_sale",
      "attribution_cancelled",
    ]);
  });
});

/** The credits of uplines: whose they are, at which depth and moment, and how much of the sale is theirs. */
import * as fc from "fast-check";
import { type Credit, Ids, type PartnerLink } from "quittance";
import { Rational } from "quittance/formula";
import { describe, expect, it } from "vitest";
import { creditsAbove, partnersAbove, uplinesOf } from "../../src/domain/Upline.ts";

const idOf = (number: number): string => `00000000-0000-7000-8000-${String(number).padStart(12, "0")}`;
const partner = (number: number) => Ids.PartnerId.make(idOf(number));
const numberOf = (id: string): number => Number(id.slice(-12));

type Dates = { readonly start?: number; readonly end?: number | null };

/** A link between numbered partners, from moment 0 and without an end unless it has others. */
const link = (from: number, to: number, role = "manager", { start = 0, end = null }: Dates = {}) =>
  ({
    id: Ids.PartnerLinkId.make(idOf(1_000 * from + to)),
    ...{ partnerId: partner(from), uplinePartnerId: partner(to), role },
    ...{ startDatetime: start, endDatetime: end },
  }) satisfies PartnerLink.Link;

const given = (number: number, share = "1", role = "seller"): Credit.OfPartner => ({
  ...{ partnerId: partner(number), role, share, depth: 0 },
});

/** The credits as partner, role, depth, share, and sellers where these are not all. */
const above = (
  links: ReadonlyArray<PartnerLink.Link>,
  credits: ReadonlyArray<Credit.OfPartner>,
  moment = 10,
) =>
  creditsAbove(uplinesOf(links), credits, moment).map(({ partnerId, role, depth, share, sellers }) => [
    numberOf(partnerId),
    role,
    depth,
    share,
    ...(sellers === undefined ? [] : [sellers.map(numberOf)]),
  ]);

describe("the credits of uplines", () => {
  it("are one for each partner of the chain, with its depth and all of the sale", () => {
    expect(above([link(2, 3), link(1, 2), link(4, 5)], [given(1)])).toEqual([
      [2, "manager", 1, "1"],
      [3, "manager", 2, "1"],
    ]);
    expect(above([], [given(1)])).toEqual([]);
  });

  it("follow the chain of each role for itself, and arrive by depth, then by role", () => {
    const links = [
      link(1, 2),
      link(2, 3),
      link(1, 3, "recruiter"),
      link(3, 4, "manager"),
      link(2, 5, "recruiter"),
    ];
    expect(above(links, [given(1)])).toEqual([
      [2, "manager", 1, "1"],
      [3, "recruiter", 1, "1"],
      [3, "manager", 2, "1"],
      [4, "manager", 3, "1"],
    ]);
  });

  it("add up the shares of the sellers below, exactly, for each depth", () => {
    const links = [link(1, 8), link(2, 8), link(3, 7), link(7, 8), link(8, 9)];
    expect(above(links, [given(1, "1/3"), given(2, "1/7"), given(3, "11/21")])).toEqual([
      [8, "manager", 1, "10/21", [1, 2]],
      [7, "manager", 1, "11/21", [3]],
      [9, "manager", 2, "10/21", [1, 2]],
      [8, "manager", 2, "11/21", [3]],
      [9, "manager", 3, "11/21", [3]],
    ]);
  });

  it("go to the partners of the moment: from the start of a link on, and before its end", () => {
    const links = [
      link(1, 2, "manager", { start: 10, end: 20 }),
      link(1, 3, "manager", { start: 20 }),
      link(3, 4, "manager", { start: 21 }),
    ];
    const at = (moment: number) => above(links, [given(1)], moment).map(([number]) => number);
    expect([9, 10, 19, 20, 21].map(at)).toEqual([[], [2], [2], [3], [3, 4]]);
    expect(above([link(1, 2, "manager", { start: 10, end: 10 })], [given(1)], 10)).toEqual([]);
  });

  it("are of sellers alone, and of no role that is given", () => {
    const links = [link(1, 2), link(2, 3), link(1, 4, "recruiter"), link(5, 6)];
    expect(above(links, [given(1), given(5, "1", "engineer")])).toEqual([
      [2, "manager", 1, "1"],
      [4, "recruiter", 1, "1"],
      [3, "manager", 2, "1"],
    ]);
    expect(above(links, [given(1), given(9, "0.5", "manager")])).toEqual([[4, "recruiter", 1, "1"]]);
  });

  it("go to a seller that stands above another one too", () => {
    expect(above([link(1, 2)], [given(1, "0.25"), given(2, "0.75")])).toEqual([
      [2, "manager", 1, "0.25", [1]],
    ]);
  });

  it("end also in a store that is damaged, where a chain meets itself", () => {
    const loop = [link(1, 2), link(2, 1)];
    expect(above(loop, [given(1)])).toHaveLength(16);
    expect([...partnersAbove(uplinesOf(loop), [partner(1)])].map(numberOf)).toEqual([2, 1]);
  });

  it("are those of following every chain by itself, and of partners above the sellers", () => {
    const arbitraryLink = fc
      .tuple(
        fc.integer({ min: 1, max: 6 }),
        fc.integer({ min: 1, max: 3 }),
        fc.constantFrom("manager", "recruiter"),
        fc.nat(3),
      )
      .map(([from, up, role, start]) => link(from, from + up, role, { start }));
    const oneUplineEach = fc.uniqueArray(arbitraryLink, {
      selector: ({ partnerId, role }) => `${partnerId} ${role}`,
      maxLength: 12,
    });
    fc.assert(
      fc.property(oneUplineEach, fc.integer({ min: 1, max: 4 }), fc.nat(3), (links, count, moment) => {
        const sellers = Array.from({ length: count }, (_, index) => given(index + 1, `1/${count}`));
        const expected = new Map<string, Rational.Rational>();
        for (const { partnerId, share } of sellers)
          for (const role of ["manager", "recruiter"]) {
            let at: string = partnerId;
            for (let depth = 1; ; depth++) {
              const next = links.find(
                (one) => one.partnerId === at && one.role === role && one.startDatetime <= moment,
              );
              if (next === undefined) break;
              at = next.uplinePartnerId;
              const key = `${at} ${role} ${depth}`;
              const sum = expected.get(key) ?? Rational.ZERO;
              expected.set(key, Rational.add(sum, Rational.parse(share) ?? Rational.ZERO));
            }
          }
        const uplines = uplinesOf(links);
        const credits = creditsAbove(uplines, sellers, moment);
        expect(
          new Map(
            credits.map(({ partnerId, role, depth, share }) => [`${partnerId} ${role} ${depth}`, share]),
          ),
        ).toEqual(new Map([...expected].map(([key, sum]) => [key, Rational.format(sum)])));
        expect(credits).toHaveLength(expected.size);
        const reached = partnersAbove(
          uplines,
          sellers.map(({ partnerId }) => partnerId),
        );
        for (const { partnerId } of credits) expect(reached).toContain(partnerId);
      }),
    );
  });
});

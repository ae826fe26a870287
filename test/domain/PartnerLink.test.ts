/** Links of partners: their dates, and their places at every instant. */
import { Either, Schema } from "effect";
import * as fc from "fast-check";
import { Ids, Limits, PartnerLink, Refusal, type Timestamp } from "quittance";
import { Build } from "quittance/testing";
import { describe, expect, it } from "vitest";

const { DAY, EPOCH } = Build;

const idOf = (number: number): string => `00000000-0000-7000-8000-${String(number).padStart(12, "0")}`;
const partner = (number: number) => Ids.PartnerId.make(idOf(number));

/** A link between numbered partners, of whole days; without an end unless one is given. */
const link = (
  number: number,
  from: number,
  to: number,
  {
    start = 0,
    end = null,
    role = "manager",
  }: { readonly start?: number; readonly end?: number | null; readonly role?: string } = {},
): PartnerLink.Link => ({
  id: Ids.PartnerLinkId.make(idOf(number)),
  partnerId: partner(from),
  uplinePartnerId: partner(to),
  role,
  startDatetime: EPOCH + start * DAY,
  endDatetime: end === null ? null : EPOCH + end * DAY,
});

const numberOf = (id: string): number => Number(id.slice(-12));
const found = (others: ReadonlyArray<PartnerLink.Link>, candidate: PartnerLink.Link) => {
  const misplaced = PartnerLink.findMisplaced(others, candidate);
  return misplaced === null ? null : [misplaced.type, ...misplaced.chain.map(numberOf)];
};

/** A chain from partner 1 upwards, with so many links. */
const chain = (links: number): ReadonlyArray<PartnerLink.Link> =>
  Array.from({ length: links }, (_, index) => link(index + 1, index + 1, index + 2));

describe("a link", () => {
  it("is requested with two partners, a role and dates", () => {
    const decode = Schema.decodeUnknownEither(PartnerLink.Create);
    const ids = { partner_id: idOf(1), upline_partner_id: idOf(2) };
    expect(decode({ ...ids, role: "manager", end_datetime: null })).toEqual(
      Either.right({ partnerId: idOf(1), uplinePartnerId: idOf(2), role: "manager", endDatetime: null }),
    );
    for (const role of ["", "r".repeat(Limits.ROLE_MAX + 1), "seller", 1, undefined])
      expect(Either.isLeft(decode({ ...ids, role })), String(role)).toBe(true);
    expect(Either.isRight(decode({ ...ids, role: "r".repeat(Limits.ROLE_MAX) }))).toBe(true);
    expect(Either.isRight(decode({ ...ids, role: "Seller" }))).toBe(true);
  });

  it("has two different partners, and does not end before it begins", () => {
    const { checkDates } = PartnerLink;
    const decode = Schema.decodeUnknownEither(PartnerLink.Create);
    const problem = (fields: object) =>
      Either.match(decode({ partner_id: idOf(1), upline_partner_id: idOf(2), role: "manager", ...fields }), {
        onLeft: (error) => Refusal.fromParseError(error).field,
        onRight: () => null,
      });
    const dates = { start_datetime: "2026-01-02T00:00:00Z", end_datetime: "2026-01-01T00:00:00Z" };
    expect(problem({})).toBeNull();
    expect(problem({ upline_partner_id: idOf(1).toUpperCase() })).toBe("upline_partner_id");
    expect(problem(dates)).toBe("end_datetime");
    expect(problem({ ...dates, end_datetime: dates.start_datetime })).toBeNull();
    expect(Either.flip(checkDates(5, 4)).pipe(Either.getOrThrow).field).toBe("end_datetime");
    expect([checkDates(5, 5), checkDates(5, null)].every(Either.isRight)).toBe(true);
  });

  it("is the fold of its events, and logs nothing where its end stays", () => {
    const one = link(1, 1, 2, { start: 1, end: 3 });
    const by = { actor: "key" };
    const created = PartnerLink.evolve(null, { ...by, at: EPOCH, event: PartnerLink.create(one, by) });
    expect(created).toEqual({
      startDatetime: EPOCH + DAY,
      endDatetime: EPOCH + 3 * DAY,
      createdAt: EPOCH,
    });
    expect(PartnerLink.update(one, one.endDatetime, by)).toEqual([]);
    const [event] = PartnerLink.update(one, null, by);
    if (event === undefined) throw new Error("the end has changed");
    const updated = PartnerLink.evolve(created, { ...by, at: EPOCH + DAY, event });
    expect(updated).toEqual({ ...created, endDatetime: null });
  });

  it("holds from its start on, before its end, and never where both are the same", () => {
    const at = (moment: number, one: PartnerLink.Link) => PartnerLink.covers(one, EPOCH + moment);
    const two = link(1, 1, 2, { end: 1 });
    expect([-1, 0, DAY - 1, DAY].map((moment) => at(moment, two))).toEqual([false, true, true, false]);
    expect(at(0, link(1, 1, 2, { end: 0 }))).toBe(false);
    expect(at(1e15, link(1, 1, 2))).toBe(true);
  });
});

describe("its place", () => {
  it("is free where the partner has another upline at other moments or in another role", () => {
    const others = [link(1, 1, 2, { end: 5 }), link(2, 1, 3, { role: "recruiter" })];
    expect(found(others, link(9, 1, 4, { start: 5 }))).toBeNull();
    expect(found(others, link(9, 1, 4, { start: 4, end: 6 }))).toEqual(["overlap", 1, 2]);
    expect(found(others, link(9, 1, 4, { start: -3, end: 0 }))).toBeNull();
    expect(found(others, link(9, 1, 4, { role: "recruiter", end: 1 }))).toEqual(["overlap", 1, 3]);
    expect(found(others, link(9, 1, 4, { start: 2, end: 2 }))).toBeNull();
  });

  it("is not taken by itself when it gets another end", () => {
    expect(found([link(1, 1, 2, { end: 5 })], link(1, 1, 2))).toBeNull();
  });

  it("closes no loop, of two partners or more, at any moment", () => {
    expect(found([link(1, 1, 2)], link(9, 2, 1))).toEqual(["loop", 2, 1, 2]);
    expect(found(chain(3), link(9, 4, 1))).toEqual(["loop", 4, 1, 2, 3, 4]);
    expect(found(chain(3), link(9, 4, 1, { role: "recruiter" }))).toBeNull();
    expect(found([link(1, 1, 2, { end: 5 })], link(9, 2, 1, { start: 5 }))).toBeNull();
    expect(found([link(1, 1, 2, { end: 5 })], link(9, 2, 1, { start: 4 }))).toEqual(["loop", 2, 1, 2]);
    // The first link and the last of the chain never hold at the same moment.
    const apart = [link(1, 1, 2, { end: 3 }), link(2, 2, 3, { start: 3 })];
    expect(found(apart, link(9, 3, 1))).toBeNull();
  });

  it("makes no chain of more than 16 links, whether it is at an end or in the middle", () => {
    const most = Limits.UPLINE_DEPTH_MAX;
    expect(found(chain(most - 1), link(99, most, most + 1))).toBeNull();
    expect(found(chain(most), link(99, most + 1, most + 2))?.[0]).toBe("depth");
    expect(found(chain(most - 1), link(99, 100, 1))).toBeNull();
    const low = found(chain(most), link(99, 100, 1));
    expect(low).toEqual(["depth", 100, ...Array.from({ length: most + 1 }, (_, index) => index + 1)]);
    const upper = chain(8).map((one, index) =>
      link(50 + index, numberOf(one.partnerId) + 50, numberOf(one.uplinePartnerId) + 50),
    );
    expect(found([...chain(7), ...upper], link(99, 8, 51))).toBeNull();
    expect(found([...chain(8), ...upper], link(99, 9, 51))?.[0]).toBe("depth");
  });

  it("counts the links of a moment alone: a chain whose parts never hold together is short", () => {
    const most = Limits.UPLINE_DEPTH_MAX;
    const early = chain(most).map((one) => ({ ...one, endDatetime: EPOCH + DAY }));
    expect(found(early, link(99, most + 1, most + 2, { start: 1 }))).toBeNull();
    expect(found(early, link(99, most + 1, most + 2, { start: 0, end: 1 }))?.[0]).toBe("depth");
  });

  it("is found wrong also where the chain above it meets itself already", () => {
    const damaged = [link(1, 2, 3), link(2, 3, 2)];
    expect(found(damaged, link(9, 1, 2))?.[0]).toBe("depth");
    expect(found(damaged, link(1, 2, 3))).toEqual(["loop", 2, 3, 2]);
  });

  const names = (kind: "overlap" | "loop" | "depth") =>
    PartnerLink.misplaced(
      { type: kind, chain: [partner(1), partner(2), partner(1)] },
      "manager",
      (id) => `partner ${numberOf(id)}`,
    );

  it("is refused with a token and the chain", () => {
    expect(names("loop").message).toBe(
      "link_loop: the chain of the role manager would meet itself: partner 1 → partner 2 → partner 1",
    );
    expect(names("overlap").message).toMatch(/^link_overlap: the partner has partner 2 as manager/);
    expect(names("depth").message).toMatch(/^link_depth: .* would have 2 links, more than 16: partner 1 → /);
    expect(names("loop")).toBeInstanceOf(Refusal.Conflict);
  });
});

/** What is wrong with links at one instant, found by following every chain step by step. */
const wrongAt = (links: ReadonlyArray<PartnerLink.Link>, moment: Timestamp.Timestamp): string | null => {
  const holding = links.filter((one) => PartnerLink.covers(one, moment));
  const above = new Map<string, PartnerLink.Link>();
  for (const one of holding) {
    if (above.has(one.partnerId)) return "overlap";
    above.set(one.partnerId, one);
  }
  let longest = 0;
  for (const start of above.keys()) {
    let length = 0;
    for (let at = above.get(start); at !== undefined; at = above.get(at.uplinePartnerId)) {
      length++;
      if (length > above.size) return "loop";
    }
    longest = Math.max(longest, length);
  }
  return longest > Limits.UPLINE_DEPTH_MAX ? "depth" : null;
};

it("has the place that every instant leaves to it", () => {
  const anyLink = fc.record({
    ends: fc.oneof(
      fc.tuple(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 20 })),
      // Below and above the long chain that the run begins with.
      fc.constantFrom([17, 1], [18, 17], [16, 19], [19, 20]),
    ),
    start: fc.integer({ min: 0, max: 3 }),
    length: fc.option(fc.integer({ min: 0, max: 3 }), { freq: 2 }),
  });
  const seen = new Set<string | null>();
  fc.assert(
    fc.property(fc.array(anyLink, { maxLength: 60 }), (requests) => {
      const accepted: Array<PartnerLink.Link> = chain(15).map((one) => ({
        ...one,
        endDatetime: EPOCH + 2 * DAY,
      }));
      requests.forEach(({ ends: [from = 0, to = 0], start, length }, index) => {
        if (from === to) return;
        const end = length === null ? null : start + length;
        const candidate = link(100 + index, from, to, { start, end });
        const instants = [0, 1, 2, 3, 4, 5, 6, 7].map((day) => EPOCH + day * DAY);
        const wrong = instants.map((moment) => wrongAt([...accepted, candidate], moment));
        const expected = (["overlap", "loop", "depth"] as const).find((type) => wrong.includes(type)) ?? null;
        const misplaced = PartnerLink.findMisplaced(accepted, candidate)?.type ?? null;
        seen.add(misplaced);
        expect(misplaced === null).toBe(expected === null);
        if (misplaced === null) accepted.push(candidate);
        else expect(wrong).toContain(misplaced);
      });
    }),
    { numRuns: 300 },
  );
  expect([...seen].toSorted()).toEqual(["depth", "loop", "overlap", null].toSorted());
});

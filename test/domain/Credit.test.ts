import { Either, Schema } from "effect";
import { Credit, Ids, Refusal } from "quittance";
import { describe, expect, it } from "vitest";

const id = (number: number): string => `00000000-0000-7000-8000-${String(number).padStart(12, "0")}`;
const [A, B, C] = [1, 2, 3].map((number) => Ids.PartnerId.make(id(number))) as [
  Ids.PartnerId,
  Ids.PartnerId,
  Ids.PartnerId,
];

const decode = Schema.decodeUnknownEither(Credit.GivenCredits);
const problemOf = (input: unknown): string | null =>
  Either.match(decode(input), {
    onLeft: (error) => Refusal.fromParseError(error).message,
    onRight: () => null,
  });

describe("a share", () => {
  it.each([
    ["1", "1"],
    ["1.000000", "1"],
    ["0.60", "0.6"],
    [".25", "0.25"],
    ["0.000001", "0.000001"],
    ["1/3", "1/3"],
    ["2/4", "0.5"],
    ["20/20", "1"],
    ["19/20", "0.95"],
  ])("%s is %s", (text, share) => {
    const stored = (stated: string) =>
      Credit.givenTo(A, [{ partnerId: A }, { partnerId: B, role: "r", share: stated }])[1];
    expect(Schema.is(Credit.Share)(text)).toBe(true);
    expect(stored(text)).toEqual({ partnerId: B, role: "r", share, depth: 0 });
    expect(stored(share)).toEqual(stored(text));
  });

  it.each([
    "",
    "0",
    "0.0",
    "-1",
    "1.1",
    "1.0000001",
    "0.0000001",
    "1e-3",
    "0/1",
    "4/3",
    "1/21",
    "01/3",
    "1 / 3",
    "NaN",
    "½",
  ])("cannot be %j", (text) => {
    expect(Schema.is(Credit.Share)(text)).toBe(false);
  });

  it("is text", () => {
    expect(problemOf([{ partner_id: A, share: 1 }])).toMatch(/^0\.share: /);
  });

  it("is checked where no request is decoded", () => {
    const isGiven = Schema.is(Credit.GivenCredits);
    const overlay = (share: string) => [{ partnerId: A }, { partnerId: B, role: "engineer", share }];
    expect(isGiven(overlay("0.50"))).toBe(true);
    expect(isGiven(overlay("2"))).toBe(false);
    expect(isGiven(overlay("60 %"))).toBe(false);
    expect(
      isGiven([
        { partnerId: A, share: ".5" },
        { partnerId: B, share: "1/2" },
      ]),
    ).toBe(true);
  });
});

describe("the credits of a request", () => {
  const thirds = [A, B, C].map((partner_id) => ({ partner_id, share: "1/3" }));

  it("are one to twenty, whose sellers' shares add up to exactly 1", () => {
    expect(problemOf([{ partner_id: A }])).toBe(null);
    expect(problemOf(thirds)).toBe(null);
    expect(
      problemOf([...thirds, { partner_id: A, role: "engineer" }, { partner_id: B, role: "engineer" }]),
    ).toBe(null);
    expect(problemOf([])).toBe("must have 1 to 20 credits");
    const overlays = Array.from({ length: 20 }, (_, index) => ({ partner_id: id(100 + index), role: "r" }));
    expect(problemOf([{ partner_id: A }, ...overlays.slice(1)])).toBe(null);
    expect(problemOf([{ partner_id: A }, ...overlays])).toBe("must have 1 to 20 credits");
  });

  it("name the sum when it is another", () => {
    const sum = (...shares: ReadonlyArray<string>) =>
      problemOf(shares.map((share, index) => ({ partner_id: id(index), share })));
    const must = "the shares of the sellers must add up to exactly 1; they add up to";
    expect(sum("0.333333", "0.333333", "0.333333")).toBe(`${must} 0.999999`);
    expect(sum("1/3", "1/3", "0.333333")).toBe(`${must} 2999999/3000000`);
    expect(sum("1", "0.000001")).toBe(`${must} 1.000001`);
    expect(problemOf([{ partner_id: A, role: "engineer" }])).toBe(`${must} 0`);
    expect(sum("1/7", "1/11", "1/13", "690/1001")).toMatch(/^3\.share: /);
    expect(sum("1/7", "6/7")).toBe(null);
  });

  it("name no partner twice in a role", () => {
    expect(
      problemOf([
        { partner_id: A, share: "0.5" },
        { partner_id: A, role: "seller", share: "0.5" },
      ]),
    ).toBe(`must not name the partner ${A} twice in the role "seller"`);
    expect(problemOf([{ partner_id: A }, { partner_id: A, role: "Seller" }])).toBe(null);
  });

  it("have roles of 1 to 64 characters", () => {
    const role = (text: string) => problemOf([{ partner_id: A }, { partner_id: B, role: text }]);
    expect(role("r".repeat(64))).toBe(null);
    expect(role("r".repeat(65))).toBe("1.role: must have 1 to 64 characters");
    expect(role("")).toBe("1.role: must not be empty");
  });

  it("have the partner among the sellers", () => {
    const given = Either.getOrThrow(
      decode([
        { partner_id: A, share: "1" },
        { partner_id: B, role: "engineer" },
      ]),
    );
    expect(Credit.partnerProblem(A, given)).toBe(null);
    expect(Credit.partnerProblem(B, given)).toBe("must name the partner of partner_id as a seller");
    expect(Credit.partnerProblem(C, given)).toBe("must name the partner of partner_id as a seller");
  });
});

describe("the credits of a sale", () => {
  const of = (partnerId: Ids.PartnerId, given: ReadonlyArray<unknown> | undefined) =>
    Credit.creditsOf(
      Credit.givenTo(partnerId, given === undefined ? undefined : Either.getOrThrow(decode(given))),
    );

  it("are none where the partner alone earns from it", () => {
    expect(of(A, undefined)).toBe(null);
    expect(of(A, [{ partner_id: A, share: "1" }])).toBe(null);
  });

  it("begin with the partner's, and mark what repeats a partner", () => {
    expect(
      of(B, [
        { partner_id: C, role: "z" },
        { partner_id: A, share: "0.4" },
        { partner_id: C, role: "a" },
        { partner_id: B, share: "0.60" },
        { partner_id: B, role: "engineer" },
      ]),
    ).toEqual([
      { partnerId: B, role: "seller", share: "0.6", depth: 0 },
      { partnerId: C, role: "z", share: "1", depth: 0, further: true },
      { partnerId: A, role: "seller", share: "0.4", depth: 0 },
      { partnerId: C, role: "a", share: "1", depth: 0 },
      { partnerId: B, role: "engineer", share: "1", depth: 0, further: true },
    ]);
  });

  it("are followed by those of uplines, also where the partner alone was given", () => {
    const above = [
      { partnerId: B, role: "manager", share: "1", depth: 1 },
      { partnerId: A, role: "manager", share: "1", depth: 2 },
    ];
    expect(Credit.creditsOf(Credit.givenTo(A), above)).toEqual([
      { partnerId: A, role: "seller", share: "1", depth: 0 },
      { partnerId: B, role: "manager", share: "1", depth: 1 },
      { partnerId: A, role: "manager", share: "1", depth: 2, further: true },
    ]);
    expect(Credit.textOf([...Credit.givenTo(A), ...above])).toBe("");
  });

  it("are the same in any order, and with shares written in another way", () => {
    const text = (given: ReadonlyArray<unknown>) => Credit.textOf(of(A, given) ?? []);
    const one = text([
      { partner_id: A, share: "1/2" },
      { partner_id: B, share: "0.5" },
    ]);
    expect(
      text([
        { partner_id: B, share: "0.50" },
        { partner_id: A, role: "seller", share: "10/20" },
      ]),
    ).toBe(one);
    expect(
      text([
        { partner_id: A, share: "0.4" },
        { partner_id: B, share: "0.6" },
      ]),
    ).not.toBe(one);
  });
});

describe("a credit above sellers", () => {
  it("is above those that it names, and above all where it names none", () => {
    const credit = { role: "manager", share: "0.4", depth: 1 };
    expect([A, B].map((seller) => Credit.isAbove(credit, seller))).toEqual([true, true]);
    expect([A, B].map((seller) => Credit.isAbove({ ...credit, sellers: [A] }, seller))).toEqual([
      true,
      false,
    ]);
  });
});

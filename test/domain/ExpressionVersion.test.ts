import { Either } from "effect";
import { Formula } from "quittance";
import { describe, expect, it } from "vitest";

const expression = (value: number) => ({ type: "literal", value }) as never;
const version = (
  value: number,
  effectiveDatetime: number | null,
  flags: Pick<Formula.ExpressionVersion, "ahead" | "withdrawn"> = {},
): Formula.ExpressionVersion => ({ expression: expression(value), effectiveDatetime, ...flags });

const terms = (...later: ReadonlyArray<Formula.ExpressionVersion>) => ({
  versions: [version(1, null), ...later] as const,
});
const AHEAD = { ahead: true } as const;
const WITHDRAWN = { ahead: true, withdrawn: true } as const;

describe("the versions of an expression", () => {
  const planned = terms(version(2, 10), version(3, 30, AHEAD), version(4, 40, WITHDRAWN));

  it("hold from their dates on, unless they are withdrawn", () => {
    expect([9, 10, 29, 30, 50].map((moment) => Formula.versionAt(planned, moment))).toEqual([1, 2, 2, 3, 3]);
  });

  it("show the last one that is not ahead", () => {
    expect([0, 29, 30, 50].map((now) => Formula.currentExpression(planned, now))).toEqual(
      [2, 2, 3, 3].map(expression),
    );
    expect(Formula.show(planned, 29).versions.map(({ number, status }) => [number, status])).toEqual([
      [1, "reached"],
      [2, "reached"],
      [3, "ahead"],
      [4, "withdrawn"],
    ]);
    expect(Formula.show(planned, 30).versions[2]?.status).toBe("reached");
  });

  it("are in the creation of another formula with their numbers and dates", () => {
    const { versions } = planned;
    expect(Formula.changeVersions([versions[0]], Formula.encodeLater(planned))).toEqual(versions);
    expect(Formula.encodeLater(terms())).toEqual({});
  });
});

describe("a version that is withdrawn", () => {
  it.each([
    [1, 0, "version_not_ahead: version 1 holds from the start"],
    [2, 30, "version_not_ahead: version 2 holds since 1970-01-01T00:00:00.030Z"],
    [0, 0, "version not found"],
    [1.5, 0, "version not found"],
    [4, 0, "version not found"],
  ])("is %s at %s: %s", (number, now, message) => {
    const planned = terms(version(2, 30, AHEAD), version(3, 40, WITHDRAWN));
    const refused = Either.getLeft(Formula.withdrawVersion(planned, number, now));
    expect(refused).toMatchObject({ value: { message: expect.stringContaining(message) } });
  });

  it("is ahead until its date, and stays withdrawn", () => {
    const planned = terms(version(2, 30, AHEAD), version(3, 40, WITHDRAWN));
    expect(Formula.withdrawVersion(planned, 2, 29)).toEqual(Either.right({ withdrawn_versions: [2] }));
    expect(Formula.withdrawVersion(planned, 3, 50)).toEqual(Either.right({}));
  });
});

describe("a stated version", () => {
  const state = (value: number, given: number | null, versionsAhead: "keep" | "withdraw" | null = null) => {
    const planned = terms(version(2, 30, AHEAD), version(3, 40, AHEAD));
    const stated = { expression: expression(value), given, holdsFrom: 20, versionsAhead };
    return Either.match(Formula.stateVersion(planned, stated, 20), {
      onLeft: ({ message }) => message,
      onRight: (changes) =>
        Formula.changeVersions(planned.versions, changes).map(
          ({ effectiveDatetime, ahead, withdrawn }) =>
            `${effectiveDatetime ?? ""}${ahead ? " ahead" : ""}${withdrawn ? " withdrawn" : ""}`,
        ),
    });
  };

  it("replaces those ahead only as the request says", () => {
    expect(state(9, 50)).toEqual(["", "30 ahead", "40 ahead", "50 ahead"]);
    expect(state(9, null)).toContain("version 2 from 1970-01-01T00:00:00.030Z and version 3 from");
    expect(state(9, 35)).toMatch(/^versions_ahead: the expression would replace version 3 from /);
    expect(state(9, 35, "withdraw")).toEqual(["", "30 ahead", "40 ahead withdrawn", "35 ahead"]);
    expect(state(9, 35, "keep")).toEqual(["", "30 ahead", "40 ahead withdrawn", "35 ahead", "40 ahead"]);
    expect(state(9, null, "keep")).toEqual([
      ...["", "30 ahead withdrawn", "40 ahead withdrawn"],
      ...["20", "30 ahead", "40 ahead"],
    ]);
    expect(state(9, 40, "keep")).toContain("would leave the expression without effect");
    expect(state(9, 40, "withdraw")).toEqual(["", "30 ahead", "40 ahead withdrawn", "40 ahead"]);
  });

  it("changes nothing where it repeats the one that holds from its date on", () => {
    const unchanged = ["", "30 ahead", "40 ahead"];
    expect(state(3, 40)).toEqual(unchanged);
    expect(state(3, 50)).toEqual(unchanged);
    expect(state(2, 35, "keep")).toEqual(unchanged);
    expect(state(2, 30, "keep")).toEqual(unchanged);
    expect(state(1, null, "keep")).toEqual(unchanged);
    expect(state(2, 35)).toMatch(/^versions_ahead: /);
    expect(state(2, 35, "withdraw")).toEqual(["", "30 ahead", "40 ahead withdrawn"]);
  });
});

import { Either, JSONSchema, Schema } from "effect";
import { Attribution, Ids, Refusal } from "quittance";
import { Decider } from "quittance/testing";
import { describe, expect, it } from "vitest";

/** `when` cancels with a reason. */
const given = Decider.specify({
  evolve: Attribution.evolve,
  decide: (state: Attribution.View | null, reason: string) => {
    if (state === null) throw new Error("a cancellation needs an attribution");
    return Either.right({ events: Attribution.cancel(state, reason) });
  },
});

const created = { type: "create_attribution", properties: { value: 100 } } as const;
const cancelled = { type: "cancel_attribution", reason: "refund" } as const;

const ID = "00000000-0000-7000-8000-000000000001";
const request = { partner_id: ID, schema_id: ID, workspace_id: ID, properties: {} };
const problemOf = <A, I>(schema: Schema.Schema<A, I>, input: unknown): string | null =>
  Either.match(Schema.decodeUnknownEither(schema)(input), {
    onLeft: (error) => Refusal.fromParseError(error).message,
    onRight: () => null,
  });

describe("an attribution", () => {
  it("is confirmed when it is created", () => {
    given({ at: 5, actor: "a", event: created }).thenState({
      status: "confirmed",
      cancelReason: null,
      properties: { value: 100 },
      createdAt: 5,
      occurredAt: 5,
      occurredAtGiven: null,
      occurredOn: null,
      occurredOnGiven: null,
      credit: null,
      originId: null,
    });
  });

  it("is a part of a sale that others earn from as well", () => {
    const origin_id = Ids.AttributionId.make(ID);
    const credit = { role: "seller", share: "0.4", depth: 0 };
    given({ at: 5, actor: "a", event: { ...created, credit, origin_id } }, cancelled).thenState({
      credit,
      originId: origin_id,
    });
    expect(Attribution.creditOf({ credit })).toBe(credit);
    expect(Attribution.creditOf({ credit: null })).toEqual({ role: "seller", share: "1", depth: 0 });
  });

  it("counts for the stated date, or for its creation if that is earlier", () => {
    const on = (occurred_at: string) => ({ at: 5, actor: "a", event: { ...created, occurred_at } });
    given(on("1970-01-01T00:00:00.004Z")).thenState({ occurredAt: 4, occurredAtGiven: 4 });
    given(on("1970-01-01T00:00:00.005Z")).thenState({ occurredAt: 5, occurredAtGiven: 5 });
    given(on("1970-01-01T00:00:00.006Z")).thenState({ occurredAt: 5, occurredAtGiven: 6 });
    given(on("1970-01-01T00:00:00.004Z"), cancelled).thenState({ occurredAt: 4, occurredAtGiven: 4 });
  });

  it("is dated at most five minutes ahead of the clock", () => {
    const check = (occurredAt?: number) =>
      Either.mapLeft(
        Attribution.checkDates({ ...(occurredAt === undefined ? {} : { occurredAt }) } as never, 1_000),
        ({ message }) => message,
      );
    expect(check()).toEqual(Either.void);
    expect(check(0)).toEqual(Either.void);
    expect(check(301_000)).toEqual(Either.void);
    expect(check(301_001)).toEqual(Either.left("occurred_at: must not be more than 5 minutes in the future"));
  });

  it("counts for the stated calendar day, or for the UTC day of its date", () => {
    const MIDDAY = 12 * 3_600_000;
    const on = (occurred_on: string, at = MIDDAY) => ({ at, actor: "a", event: { ...created, occurred_on } });
    given(on("1970-01-02")).thenState({ occurredOn: "1970-01-02", occurredOnGiven: "1970-01-02" });
    given(on("1969-12-31"), cancelled).thenState({ occurredOn: "1969-12-31" });
    given(on("1970-01-01")).thenState({ occurredOn: null, occurredOnGiven: "1970-01-01" });
    // The clock went back after the check: the nearest day that is possible.
    given(on("1970-01-02", 5 * 86_400_000)).thenState({
      occurredOn: "1970-01-05",
      occurredOnGiven: "1970-01-02",
    });
  });

  it("is of a calendar day at most one day from the UTC day of its date", () => {
    const now = Date.parse("2026-03-31T12:00:00Z");
    const check = (occurredOn: string, occurredAt?: string) =>
      Either.mapLeft(
        Attribution.checkDates(
          { occurredOn, ...(occurredAt === undefined ? {} : { occurredAt: Date.parse(occurredAt) }) },
          now,
        ),
        ({ message }) => message,
      );
    const refused = (day: string) =>
      Either.left(`occurred_on: must be at most one day from ${day}, the UTC day of occurred_at`);
    expect(["2026-03-30", "2026-03-31", "2026-04-01"].map((day) => check(day))).toEqual([
      Either.void,
      Either.void,
      Either.void,
    ]);
    expect(check("2026-03-29")).toEqual(refused("2026-03-31"));
    expect(check("2026-04-02")).toEqual(refused("2026-03-31"));
    expect(check("2025-12-31", "2026-01-01T23:59:59Z")).toEqual(Either.void);
    expect(check("2026-01-03", "2026-01-01T23:59:59Z")).toEqual(refused("2026-01-01"));
    // A date ahead of the clock counts as now.
    expect(check("2026-04-01", "2026-03-31T12:04:00Z")).toEqual(Either.void);
  });

  it("is created with properties that conform to its schema, and refused otherwise", () => {
    const definitions = [{ name: "value", type: "number", required: true }] as const;
    expect(Attribution.create({ properties: { value: 100 } }, definitions)).toEqual(
      Either.right({ type: "create_attribution", properties: { value: 100 } }),
    );
    expect(Attribution.create({ properties: { value: 100 }, occurredAt: 7 }, definitions)).toEqual(
      Either.right({
        type: "create_attribution",
        properties: { value: 100 },
        occurred_at: "1970-01-01T00:00:00.007Z",
      }),
    );
    expect(
      Either.mapLeft(Attribution.create({ properties: {} }, definitions), ({ message }) => message),
    ).toEqual(Either.left("properties.value: is required"));
  });

  it("is cancelled with a reason and keeps its properties", () => {
    given(created)
      .when("refund")
      .then(cancelled)
      .thenState({ status: "cancelled", cancelReason: "refund", properties: { value: 100 }, createdAt: 0 });
  });

  it("that is cancelled again keeps the first reason", () => {
    given(created, cancelled).when("again").then();
  });

  it("has its creation as the first event of its log", () => {
    expect(() => given(cancelled)).toThrow("an attribution's log begins with create_attribution");
  });
});

describe("a repeated external reference", () => {
  const existing = {
    partnerId: "p",
    workspaceId: "w",
    properties: { value: 100, plan: "basic" },
    occurredAt: 3,
    occurredAtGiven: null,
    occurredOnGiven: null,
  } as never;
  const repeats = (
    change: object,
    properties: Attribution.View["properties"] = { plan: "basic", value: 100 },
  ) =>
    Either.mapLeft(
      Attribution.checkRepetition(
        [existing],
        { partnerId: "p", workspaceId: "w", ...change } as never,
        properties,
        () => !("credits" in change),
      ),
      ({ message }) => message,
    );
  const refused = Either.left(
    "external_reference_reuse: an attribution with this reference and other content exists; send the same content or another reference",
  );

  it("is accepted when the whole attribution is the same, in any order of its properties", () => {
    expect(repeats({})).toEqual(Either.void);
  });

  it("is compared by the stated date, not by the date for which the attribution counts", () => {
    const dated = { ...(existing as object), occurredAt: 3, occurredAtGiven: 9 } as never;
    const repeatsOn = (occurredAt?: number) =>
      Attribution.checkRepetition(
        [dated],
        {
          partnerId: "p",
          workspaceId: "w",
          ...(occurredAt === undefined ? {} : { occurredAt }),
        } as never,
        { value: 100, plan: "basic" },
      );
    expect(Either.isRight(repeatsOn(9))).toBe(true);
    expect(Either.isRight(repeatsOn(3))).toBe(false);
    expect(Either.isRight(repeatsOn())).toBe(false);
  });

  it.each([
    ["another partner", { partnerId: "q" }, undefined],
    ["another workspace", { workspaceId: "v" }, undefined],
    ["a date where there was none, even the same", { occurredAt: 3 }, undefined],
    ["a calendar day where there was none, even the same", { occurredOn: "1970-01-01" }, undefined],
    ["other credits", { credits: [] }, undefined],
    ["another value", {}, { plan: "basic", value: 101 }],
    ["one property more", {}, { plan: "basic", value: 100, extra: 1 }],
    ["one property less", {}, { value: 100 }],
    ["another property", {}, { plans: "basic", value: 100 }],
    ["a property of every object", {}, { toString: "basic", value: 100 }],
  ] as const)("is refused with %s", (_name, change, properties) => {
    expect(repeats(change, properties as never)).toEqual(refused);
  });
});

describe("the requests", () => {
  it("accept an external reference of 1 to 255 characters", () => {
    expect(problemOf(Attribution.Create, request)).toBe(null);
    expect(problemOf(Attribution.Create, { ...request, external_reference: "r".repeat(255) })).toBe(null);
    expect(problemOf(Attribution.Create, { ...request, external_reference: "r".repeat(256) })).toBe(
      "external_reference: must have 1 to 255 characters",
    );
    expect(problemOf(Attribution.Create, { ...request, external_reference: "" })).toBe(
      "external_reference: must not be empty",
    );
    expect(problemOf(Attribution.Create, { ...request, external_reference: undefined })).toMatch(
      "external_reference",
    );
  });

  it("accept a date that is not before 1970", () => {
    const dated = (occurred_at: unknown) => problemOf(Attribution.Create, { ...request, occurred_at });
    const notADate = "occurred_at: must be an RFC 3339 date-time with an offset or Z";
    expect(dated("1970-01-01T00:00:00Z")).toBe(null);
    expect(dated("2023-02-03T04:05:06.789+02:00")).toBe(null);
    expect(dated("1970-01-01T00:30:00+01:00")).toMatch(/^occurred_at: .*1970/);
    expect(dated("2023-02-30T00:00:00Z")).toBe(notADate);
    expect(dated("2023-02-03")).toBe(notADate);
    for (const wrong of [null, 0, {}, true]) expect(dated(wrong)).toMatch(/^occurred_at: /);
  });

  it.each(["partner_id", "schema_id", "workspace_id"])("name a %s that is a UUID", (field) => {
    expect(problemOf(Attribution.Create, { ...request, [field]: "x" })).toBe(`${field}: must be a UUID`);
  });

  it("accept 1 to 1000 attributions in a batch, atomic unless they are declared independent", () => {
    const batch = (length: number) => ({ attributions: Array.from({ length }, () => request) });
    expect(problemOf(Attribution.CreateBatch, batch(1))).toBe(null);
    expect(problemOf(Attribution.CreateBatch, batch(1_000))).toBe(null);
    expect(problemOf(Attribution.CreateBatch, batch(0))).toBe(
      "attributions: must have 1 to 1000 attributions",
    );
    expect(problemOf(Attribution.CreateBatch, batch(1_001))).toBe(
      "attributions: must have 1 to 1000 attributions",
    );
    const decode = Schema.decodeUnknownSync(Attribution.CreateBatch);
    expect(decode(batch(1)).mode).toBe("atomic");
    expect(decode({ ...batch(1), mode: "independent" }).mode).toBe("independent");
    expect(decode({ ...batch(1), mode: "atomic" }).mode).toBe("atomic");
    expect(problemOf(Attribution.CreateBatch, { ...batch(1), mode: "both" })).toMatch(/^mode: /);
  });

  it("describe a batch for OpenAPI with its limits", () => {
    expect(JSONSchema.make(Attribution.CreateBatch)).toMatchObject({
      properties: { attributions: { type: "array", minItems: 1, maxItems: 1_000 } },
    });
  });

  it("cancel with a reason of 1 to 1000 characters", () => {
    expect(problemOf(Attribution.Cancel, { reason: "r".repeat(1_000) })).toBe(null);
    expect(problemOf(Attribution.Cancel, { reason: "r".repeat(1_001) })).toBe(
      "reason: must have 1 to 1000 characters",
    );
    expect(problemOf(Attribution.Cancel, { reason: "" })).toBe("reason: must not be empty");
  });
});

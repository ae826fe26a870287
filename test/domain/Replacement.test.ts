import { describe, expect, it } from "@effect/vitest";
import { Either } from "effect";
import { Attribution, Replacement } from "quittance";

const DAY = 86_400_000;
const sold: Attribution.Attribution = {
  ...({ id: "a", customerId: "c", workspaceId: "w", partnerId: "p", schemaId: "s" } as never as Pick<
    Attribution.Attribution,
    "id" | "customerId" | "workspaceId" | "partnerId" | "schemaId"
  >),
  agentId: null,
  externalReference: "order-1",
  status: "confirmed",
  cancelReason: null,
  properties: { value: 100 },
  createdAt: 10 * DAY,
  occurredAt: 10 * DAY,
  occurredAtGiven: null,
  occurredOn: null,
  occurredOnGiven: null,
  credit: null,
  originId: null,
  replaces: null,
  replacedBy: null,
  receipt: null,
  settledElsewhere: null,
};
const facts = {
  partnerId: "p",
  schemaId: "s",
  workspaceId: "w",
  properties: { value: 100 },
  externalReference: "order-1",
};

const requestOf = (origin: Attribution.Attribution, change: Omit<Replacement.Replace, "reason">) =>
  Either.getOrThrow(Replacement.replacement({ origin, credited: [] }, change));
const replacing = (event: Attribution.CreateEvent, origin: Attribution.Attribution) =>
  Replacement.replacing(event, { origin, credited: [] }, null);

describe("the other sale of a replacement", () => {
  it("is named where both are the same partner's, with the day that it counts for", () => {
    const other = { ...sold, id: "b" as never, occurredOn: "1970-01-12" as const };
    expect(Replacement.otherSale(sold, other)).toEqual({ attributionId: "b", occurredOn: "1970-01-12" });
    expect(Replacement.otherSale(sold, { ...other, partnerId: "q" as never })).toBeNull();
    expect(Replacement.otherSale(sold, undefined)).toBeNull();
  });
});

describe("the request that records an attribution anew", () => {
  it("has the facts as they were given, and what changes", () => {
    expect(requestOf(sold, { properties: { value: 90 } })).toEqual({
      ...facts,
      properties: { value: 90 },
    });
    expect(requestOf(sold, { partnerId: "q" as never })).toEqual({ ...facts, partnerId: "q" });
    expect(requestOf({ ...sold, externalReference: null }, { properties: {} })).not.toHaveProperty(
      "externalReference",
    );
  });

  it("has the day that was given, unless the date changes without one", () => {
    const dated = {
      ...sold,
      occurredAtGiven: 10 * DAY,
      occurredOnGiven: "1970-01-12",
      occurredOn: "1970-01-12",
    };
    const given = { occurredAt: 10 * DAY, occurredOn: "1970-01-12" };
    expect(requestOf(dated, { properties: {} })).toEqual({
      ...facts,
      ...given,
      properties: {},
    });
    expect(requestOf(dated, { occurredAt: 9 * DAY })).toEqual({
      ...facts,
      occurredAt: 9 * DAY,
    });
    expect(requestOf(dated, { occurredAt: 9 * DAY, occurredOn: "1970-01-09" })).toEqual({
      ...facts,
      occurredAt: 9 * DAY,
      occurredOn: "1970-01-09",
    });
    expect(requestOf(dated, { occurredOn: "1970-01-11" })).toEqual({
      ...facts,
      occurredAt: 10 * DAY,
      occurredOn: "1970-01-11",
    });
  });

  it.each([
    [{}],
    [{ properties: { value: 100 } }],
    [{ partnerId: "p" as never }],
    [{ occurredAt: 10 * DAY }],
    [{ occurredOn: "1970-01-11" }],
  ])("is none where nothing changes: %j", (change) => {
    expect(requestOf(sold, change)).toBeNull();
  });

  it("compares a date ahead of its recording as it was given and as it counts", () => {
    const ahead = { ...sold, occurredAtGiven: 10 * DAY + 60_000 };
    expect(requestOf(ahead, { occurredAt: 10 * DAY + 60_000 })).toBeNull();
    expect(requestOf(ahead, { occurredAt: 10 * DAY })).toBeNull();
    expect(requestOf(ahead, { occurredAt: 10 * DAY + 1 })).not.toBeNull();
  });
});

describe("the events of a replacement", () => {
  const created = { type: "create_attribution", properties: { value: 90 } } as const;

  it("name the other attribution", () => {
    const event = replacing(created, sold);
    expect(event).toEqual({ ...created, replaces: "a", recorded_at: "1970-01-11T00:00:00.000Z" });
    const view = Attribution.evolve(null, { at: 20 * DAY, actor: "t", event });
    expect(view).toMatchObject({ replaces: "a", occurredAt: 10 * DAY, occurredAtGiven: null });
    const cancelled = Attribution.evolve(view, {
      at: 21 * DAY,
      actor: "t",
      event: Replacement.replacedBy("b" as never, "corrected"),
    });
    expect(cancelled).toMatchObject({ status: "cancelled", cancelReason: "corrected", replacedBy: "b" });
  });

  it("count for a date that was given, and for no later date than the new recording", () => {
    const dated = { ...created, occurred_at: "1970-01-05T00:00:00.000Z" };
    const event = replacing(dated, sold);
    expect(event).toEqual({ ...dated, replaces: "a" });
    expect(Attribution.evolve(null, { at: 20 * DAY, actor: "t", event }).occurredAt).toBe(4 * DAY);
    expect(Replacement.dates({}, sold)).toEqual({ occurredAt: 10 * DAY });
    expect(Replacement.dates({ occurredAt: 3, occurredOn: "1970-01-01" }, sold)).toEqual({
      occurredAt: 3,
      occurredOn: "1970-01-01",
    });
  });

  it("take the day from the time zone at the date that the sale counts for", () => {
    const event = replacing(created, sold);
    const day = Attribution.withDayIn(event, "America/New_York", 20 * DAY);
    expect(day).toMatchObject({ occurred_on: "1970-01-10", time_zone: "America/New_York" });
  });
});

describe("an attribution that is cancelled", () => {
  it("is not replaced", () => {
    expect(Replacement.checkReplaceable(sold)._tag).toBe("Right");
    expect(Replacement.checkReplaceable({ ...sold, status: "cancelled", cancelReason: "no" })).toMatchObject({
      left: { token: "attribution_cancelled" },
    });
  });
});

import { Either, Schema } from "effect";
import { Ids, Workspace } from "quittance";
import { expect, it } from "vitest";

const workspaceId = Ids.WorkspaceId.make("6f1c2d4e-0000-4000-8000-000000000002");
const by = { actor: "key" };
const write = (before: Workspace.View | null, request: Workspace.Write) =>
  Workspace.write({ workspaceId }, before, request, by).map(({ name, time_zone }) => [name, time_zone]);

it("has a name of at most 200 characters and an IANA time zone", () => {
  const decode = Schema.decodeUnknownEither(Workspace.Write);
  expect(decode({ name: "Nordics", time_zone: "Europe/Copenhagen" })).toEqual(
    Either.right({ name: "Nordics", timeZone: "Europe/Copenhagen" }),
  );
  for (const wrong of [
    { name: "" },
    { time_zone: "+01:00" },
    { time_zone: "Mars/Olympus" },
    { time_zone: null },
  ])
    expect(Either.isLeft(decode(wrong)), JSON.stringify(wrong)).toBe(true);
});

it("is written with every field: an absent one gets its default", () => {
  expect(write(null, { timeZone: "Asia/Tokyo" })).toEqual([[null, "Asia/Tokyo"]]);
  expect(write({ name: "Japan", timeZone: "Asia/Tokyo" }, { name: "Japan" })).toEqual([["Japan", "UTC"]]);
});

it("logs nothing where it stays as it is, also as it is by default", () => {
  expect(write(null, {})).toEqual([]);
  expect(write({ name: "Japan", timeZone: "Asia/Tokyo" }, { name: "Japan", timeZone: "Asia/Tokyo" })).toEqual(
    [],
  );
});

it("has the calendar day of its zone", () => {
  const moment = Date.parse("2026-03-31T23:30:00Z");
  expect(["UTC", "Asia/Tokyo", "America/New_York"].map((zone) => Workspace.dateIn(zone, moment))).toEqual([
    "2026-03-31",
    "2026-04-01",
    "2026-03-31",
  ]);
});

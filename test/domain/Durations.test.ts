import { expect, it } from "vitest";
import { DAY, HOUR, MINUTE, SECOND } from "../../src/domain/Durations.ts";

it("durations are those between moments of the calendar", () => {
  const since = (text: string) => Date.parse(text) - Date.parse("2026-03-01T00:00:00Z");
  expect(since("2026-03-01T00:00:01Z")).toBe(SECOND);
  expect(since("2026-03-01T00:01:00Z")).toBe(MINUTE);
  expect(since("2026-03-01T01:00:00Z")).toBe(HOUR);
  expect(since("2026-03-02T00:00:00Z")).toBe(DAY);
});

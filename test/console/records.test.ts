/** The events that the pages read have the types of the contract: what is not in it does not compile. */
import { expect, it } from "vitest";
import type { EventOf, LogEvent } from "../../console/api/Records.ts";
import { versionStarts } from "../../console/format/Versions.ts";

const UPDATE: EventOf<"update_commission_plan"> = {
  type: "update_commission_plan",
  formula: { type: "literal", value: { type: "number", value: 2 } },
  effective_datetime: "2026-03-01T00:00:00.000Z",
};

it("has no field that the contract does not have", () => {
  // @ts-expect-error events have the names of the interface
  expect(UPDATE.effectiveDatetime).toBeUndefined();
  // @ts-expect-error only events of some types have this field
  const dateOf = (event: LogEvent): unknown => event.effective_datetime;
  expect(dateOf(UPDATE)).toBe("2026-03-01T00:00:00.000Z");
});

it("dates each version, also those that a plan had before it was assigned, and none before the start", () => {
  const startDatetime = "2026-02-01T00:00:00.000Z";
  const formula = UPDATE.formula ?? { type: "property", name: "cents" };
  const assigned: EventOf<"create_commission_formula"> = {
    ...{ type: "create_commission_formula", formula, name: "Tiers", description: null, currency: "EUR" },
    ...{ start_datetime: startDatetime, end_datetime: null },
    later_versions: [
      { formula, effective_datetime: "2026-01-15T00:00:00.000Z" },
      { formula, effective_datetime: "2026-02-15T00:00:00.000Z" },
    ],
  };
  const entry = <Event>(event: Event) => ({ datetime: "2026-04-01T00:00:00.000Z", event });
  const changed: EventOf<"update_commission_formula"> = { ...UPDATE, type: "update_commission_formula" };
  expect(versionStarts({ startDatetime, events: [entry(assigned), entry(changed)] })).toEqual([
    startDatetime,
    startDatetime,
    "2026-02-15T00:00:00.000Z",
    "2026-03-01T00:00:00.000Z",
  ]);
});

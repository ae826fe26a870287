/** How the pages read records; their events have the types of the contract: what is not in it does not compile. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { makeClient } from "../../adapters/console/api/Client.ts";
import { readable } from "../../adapters/console/api/Readable.ts";
import type { EventOf, LogEvent } from "../../adapters/console/api/Records.ts";
import { versionStarts } from "../../adapters/console/format/Versions.ts";

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

it("dates each version, and none before the start", () => {
  const startDatetime = "2026-02-01T00:00:00.000Z";
  const dates = [null, "2026-01-15T00:00:00.000Z", "2026-03-01T00:00:00.000Z", "2026-02-15T00:00:00.000Z"];
  const versions = dates.map((effectiveDatetime) => ({ effectiveDatetime }));
  expect(versionStarts({ startDatetime, versions })).toEqual([
    ...[startDatetime, startDatetime],
    ...["2026-03-01T00:00:00.000Z", "2026-02-15T00:00:00.000Z"],
  ]);
});

it("marks characters that hide or reorder text, and keeps the others", () => {
  const read = (value: unknown): unknown => JSON.parse(readable(JSON.stringify(value)));
  expect(read({ name: "\u202efdp\u0007 \u2066a\u2069\u2028\u0085" })).toEqual({
    name: "\ufffdfdp\ufffd \ufffda\ufffd\ufffd\ufffd",
  });
  // A program may escape more than JSON.stringify does.
  expect(JSON.parse(readable('["\\u202E\\u009f\\b"]'))).toEqual(["\ufffd\ufffd\ufffd"]);
  const kept = ["two\nlines\tand \\u202e, \\", "été عربى 漢 \u200f👩‍🚀", 'quoted "\\b"', 1e21, null];
  expect(read(kept)).toEqual(kept);
});

it("reads no record twice that a new one has moved to the next page", async () => {
  const ids = Array.from({ length: 150 }, () => crypto.randomUUID());
  const server = createServer((request, response) => {
    const page = Number(new URL(request.url ?? "", "http://x").searchParams.get("page"));
    const partners = ids.slice((page - 1) * 100, page * 100).map((id) => ({ id, name: "Anna" }));
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ partners, total_count: ids.length }));
    // Between the pages a partner is created, which is the first of the list.
    ids.unshift(crypto.randomUUID());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const before = [...ids];
  const client = makeClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, "key");
  const read: Array<string> = [];
  for await (const { items } of client.walk("partners", {}, 1_000)) read.push(...items.map(({ id }) => id));
  server.close();
  expect(read).toEqual(before);
});

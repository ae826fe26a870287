/** The pure rules of the event feed: ids, cursors, and the content of hashes. */
import { Either } from "effect";
import { EventFeed, Ids } from "quittance";
import { describe, expect, it } from "vitest";

const CUSTOMER = "0198c0de-0000-7000-8000-000000000001" as Ids.CustomerId;
const DIGEST = "0123456789abcdef".repeat(4);

describe("the id of an entry", () => {
  it("is a UUID of version 8 made of the digest", () => {
    expect(Ids.uuidV8(DIGEST)).toBe("01234567-89ab-8def-8123-456789abcdef");
    expect(Ids.uuidV8("f".repeat(64))).toBe("ffffffff-ffff-8fff-bfff-ffffffffffff");
  });

  it("depends on customer, record and sequence", () => {
    const input = EventFeed.idInput(CUSTOMER, { recordId: "r", sequence: 2 });
    expect(input).toBe(`quittance event ${CUSTOMER} r 2`);
  });
});

describe("a cursor", () => {
  const cursor = EventFeed.cursorOf(12, DIGEST);

  it("names its position, which its digest confirms", () => {
    expect(cursor).toBe("12-0123456789abcdef");
    expect(EventFeed.claimedPosition(cursor)).toEqual(Either.right(12));
    expect(EventFeed.checkCursor(cursor, 12, DIGEST, 12)).toEqual(Either.void);
  });

  it.each([
    "",
    "12",
    "x-0123456789abcdef",
    "012-0123456789abcdef",
    "-1-0123456789abcdef",
    "12-0123456789abcdeF",
    "12-0123456789abcdef0",
    "9999999999999999-0123456789abcdef",
  ])("cannot be %j", (text) => {
    expect(Either.isLeft(EventFeed.claimedPosition(text))).toBe(true);
  });

  it("is refused with another digest, and beyond the end of the feed", () => {
    const messageOf = (checked: ReturnType<typeof EventFeed.checkCursor>) =>
      Either.match(checked, { onLeft: ({ message }) => message, onRight: () => "" });
    expect(messageOf(EventFeed.checkCursor(cursor, 12, "f".repeat(64), 12))).toMatch(
      /^after: must be a cursor/,
    );
    expect(messageOf(EventFeed.checkCursor(cursor, 12, DIGEST, 11))).toMatch(/^after: is beyond the end/);
  });
});

describe("what a hash covers", () => {
  it("is the previous hash and the entry as shown, with the digest instead of the event", () => {
    const entry = {
      id: "i",
      cursor: "1-a",
      customerId: CUSTOMER,
      kind: "formula",
      recordId: "r",
      sequence: 3,
      at: Date.parse("2026-01-31T10:00:00.000Z"),
    } as const;
    expect(EventFeed.hashInput(EventFeed.GENESIS, DIGEST, entry)).toBe(
      `${"0".repeat(64)}{"cursor":"1-a","customer_id":"${CUSTOMER}","datetime":"2026-01-31T10:00:00.000Z","event":"${DIGEST}","id":"i","record_id":"r","record_type":"commission_formula","sequence":3}`,
    );
    expect(EventFeed.digestInput("5a", { type: "x", b: 1, a: 2 })).toBe('5a{"a":2,"b":1,"type":"x"}');
  });
});

it("orders the events of a commit by kind, and keeps the order of each kind", () => {
  const events = (["commission", "settlement", "attribution", "commission", "plan", "formula"] as const).map(
    (kind, index) => ({ kind, index }),
  );
  expect(EventFeed.inKindOrder(events).map(({ index }) => index)).toEqual([4, 5, 2, 1, 0, 3]);
});

/** The event feed: one order that readers follow by a cursor, and a chain of hashes that shows what was changed. */
import { describe, expect, it } from "@effect/vitest";
import { Effect, Either } from "effect";
import { EventFeed, Events, type Ids, Principal, Storage, Worker } from "quittance";
import { Build } from "quittance/testing";
import * as Given from "./Given.ts";

const { rule } = Given;

/** Every page from a cursor on, up to the end. */
const follow = (owner: Principal.Principal, input: EventFeed.Query = {}) =>
  Effect.gen(function* () {
    const { list } = yield* Events.Events;
    const found: Array<Events.FeedEntry> = [];
    let cursor = input.after;
    for (;;) {
      const page = yield* list(owner, { ...input, ...(cursor === undefined ? {} : { after: cursor }) });
      found.push(...page.items);
      if (page.nextCursor === cursor) return { events: found, cursor };
      cursor = page.nextCursor;
    }
  });

const typesOf = (events: ReadonlyArray<Events.FeedEntry>) => events.map(({ event }) => event?.type);

const EVENTS = [
  "create_partner",
  "create_commission_formula",
  "create_attribution",
  "create_commission",
  "create_attribution",
  "create_commission",
  "create_settlement",
  "reserve_commission",
  "reserve_commission",
];

describe("following the feed", () => {
  it.effect("returns every event in the order of its commit, each once, in pages of any size", () =>
    rule(
      Effect.gen(function* () {
        const made = yield* Given.drafted([100, 200]);
        for (const limit of [1, 3, 1_000]) {
          const { events } = yield* follow(made.owner, { limit });
          expect(typesOf(events)).toEqual(EVENTS);
          expect(new Set(events.map(({ id }) => id)).size).toBe(EVENTS.length);
        }
      }),
    ),
  );

  it.effect("continues after the last page with what has been committed since", () =>
    rule(
      Effect.gen(function* () {
        const made = yield* Given.scene();
        const start = yield* follow(made.owner);
        expect(typesOf(start.events)).toEqual(EVENTS.slice(0, 1));
        yield* Given.formula(made);
        yield* Given.sell(made, 100);
        const next = yield* follow(made.owner, start.cursor === undefined ? {} : { after: start.cursor });
        expect(typesOf(next.events)).toEqual(EVENTS.slice(1, 4));
        const after = yield* follow(made.owner, { after: next.events[1]?.cursor ?? "" });
        expect(typesOf(after.events)).toEqual(EVENTS.slice(3, 4));
        expect(after.cursor).toBe(next.cursor);
      }),
    ),
  );

  it.effect("reads backwards from the newest event on request, in pages of any size", () =>
    rule(
      Effect.gen(function* () {
        const made = yield* Given.drafted([100, 200]);
        const forward = yield* follow(made.owner);
        for (const limit of [1, 3, 1_000]) {
          const { events } = yield* follow(made.owner, { order: "desc", limit });
          expect(events).toEqual(forward.events.toReversed());
        }
        const types = ["create_settlement", "create_commission"];
        const back = yield* follow(made.owner, { order: "desc", types, limit: 1 });
        expect(typesOf(back.events)).toEqual(["create_settlement", "create_commission", "create_commission"]);
        const older = yield* follow(made.owner, { order: "desc", after: forward.events[2]?.cursor ?? "" });
        expect(older.events).toEqual(forward.events.slice(0, 2).toReversed());
        const stranger = Principal.customer(Build.fresh.customer());
        expect((yield* follow(stranger, { order: "desc" })).events).toEqual([]);
      }),
    ),
  );

  it.effect("selects types, with a cursor that also advances past other events", () =>
    rule(
      Effect.gen(function* () {
        const made = yield* Given.drafted([100, 200]);
        const { list } = yield* Events.Events;
        const types = ["create_settlement", "create_commission"];
        const { events } = yield* follow(made.owner, { types, limit: 1 });
        expect(typesOf(events)).toEqual(["create_commission", "create_commission", "create_settlement"]);
        const none = yield* list(made.owner, { types: ["cancel_attribution"] });
        expect(none.items).toEqual([]);
        expect(none.nextCursor).toBe((yield* follow(made.owner)).cursor);
      }),
    ),
  );

  it.effect("returns an entry with its record and the previous hash", () =>
    rule(
      Effect.gen(function* () {
        const made = yield* Given.drafted([100]);
        const { events } = yield* follow(made.owner);
        const [first, second, third] = events;
        expect(first).toMatchObject({
          kind: "partner",
          sequence: 1,
          at: Given.NOW,
          previousHash: EventFeed.GENESIS,
        });
        expect(second?.previousHash).toBe(first?.hash);
        expect(third).toMatchObject({
          customerId: made.customerId,
          event: { properties: { order_value: 100 } },
        });
        expect(first?.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      }),
    ),
  );

  it.effect("returns the events of one customer", () =>
    rule(
      Effect.gen(function* () {
        const made = yield* Given.drafted([100]);
        const other = Principal.customer(Build.fresh.customer());
        expect((yield* follow(other)).events).toEqual([]);
        const { cursor = "" } = yield* follow(made.owner);
        const { list } = yield* Events.Events;
        expect(yield* Given.refusal(list(other, { after: cursor }))).toBe(
          "after: must be a cursor of this customer's feed, from next_cursor or an entry",
        );
      }),
    ),
  );
});

describe("a request for the feed", () => {
  it.effect.each([
    "",
    "1",
    "-1-0000000000000000",
    "0-0000000000000000",
    "9".repeat(40),
    "1-000000000000000g",
  ])("is refused with the cursor %j", (after) =>
    rule(
      Effect.gen(function* () {
        const { owner } = yield* Given.drafted([100]);
        const { list } = yield* Events.Events;
        expect(yield* Given.refusal(list(owner, { after }))).toMatch(/^after: must be a cursor/);
      }),
    ),
  );

  it.effect("is refused with a cursor that the feed has not reached", () =>
    Effect.gen(function* () {
      const customerId = Build.fresh.customer();
      const owner = Principal.customer(customerId);
      const { cursor = "" } = yield* rule(
        Effect.gen(function* () {
          yield* Given.partner({ owner, workspaceId: Build.fresh.workspace() });
          return yield* follow(owner);
        }),
      );
      expect(cursor.startsWith("1-")).toBe(true);
      const refused = rule(
        Effect.flatMap(Events.Events, ({ list }) => Given.refusal(list(owner, { after: cursor }))),
      );
      expect(yield* refused).toMatch(/^after: is beyond the end of the feed/);
    }),
  );

  it.effect("is refused beyond its limits", () =>
    rule(
      Effect.gen(function* () {
        const { owner } = yield* Given.scene();
        const { list } = yield* Events.Events;
        expect(yield* Given.refusal(list(owner, { limit: 0 }))).toBe("limit: must be 1 to 1000");
        expect(yield* Given.refusal(list(owner, { limit: 1_001 }))).toBe("limit: must be 1 to 1000");
        const types = Array.from({ length: 101 }, () => "create_attribution");
        expect(yield* Given.refusal(list(owner, { types }))).toBe("types: must have at most 100 values");
      }),
    ),
  );

  it.effect("needs the scope events:read to verify the feed", () =>
    rule(
      Effect.gen(function* () {
        const { owner } = yield* Given.scene();
        const { verify } = yield* Events.Events;
        const reader = { ...owner, scopes: ["events:read"] } as const;
        expect(yield* verify(reader)).toMatchObject({ broken: null });
        const other = { ...owner, scopes: ["keys:admin"] } as const;
        expect(yield* Given.refusal(verify(other))).toBe("The credential lacks the scope events:read");
      }),
    ),
  );

  it.effect("needs the scope events:read and unlimited grants", () =>
    rule(
      Effect.gen(function* () {
        const { owner, workspaceId, partnerId } = yield* Given.scene();
        const { list } = yield* Events.Events;
        const limited =
          "The credential is limited to some workspaces or partners; the feed needs one for all of them";
        expect(yield* Given.refusal(list({ ...owner, scopes: ["attributions:read"] }))).toBe(
          "The credential lacks the scope events:read",
        );
        expect(yield* Given.refusal(list({ ...owner, workspaceIds: [workspaceId] }))).toBe(limited);
        expect(yield* Given.refusal(list({ ...owner, partnerIds: [partnerId] }))).toBe(limited);
        expect(yield* Given.refusal(list({ ...owner, kind: "partner", partnerIds: [partnerId] }))).toBe(
          "A partner credential may not read events",
        );
      }),
    ),
  );

  it.effect(
    "is refused if no feed is kept; a feed that is switched on later begins with the earlier events",
    () =>
      rule(
        Effect.gen(function* () {
          const { owner } = yield* Given.drafted([100]);
          const { list } = yield* Events.Events;
          expect(yield* Given.refusal(list(owner))).toBe(
            "feed_off: the operator has switched the event feed off",
          );
        }),
        { policy: { feed: false } },
      ),
  );
});

describe("the relay", () => {
  /** How an append ends without its caller learning that it was stored, or before it was. */
  const ENDS = ["before the backlog is read", "before the append", "after the append"] as const;

  it.effect.each(ENDS)("neither loses nor repeats an event when it is killed %s", (end) => {
    let kills = 6;
    const killed = new Storage.StorageError({ reason: "unknown", cause: new Error("killed") });
    const kill = Effect.suspend(() => (kills-- > 0 ? Effect.fail(killed) : Effect.void));
    return rule(
      Effect.gen(function* () {
        const made = yield* Given.drafted([100, 200]);
        const { list } = yield* Events.Events;
        let failures = 0;
        while (Either.isLeft(yield* Effect.either(list(made.owner)))) failures += 1;
        expect(failures).toBeGreaterThan(0);
        const { events } = yield* follow(made.owner);
        expect(typesOf(events)).toEqual(EVENTS);
        expect(yield* (yield* Events.Events).verify(made.owner)).toMatchObject({
          entries: EVENTS.length,
          broken: null,
        });
      }),
      {
        storage: ({ feedBacklog, appendToFeed }) => ({
          feedBacklog: (customerId, limit) =>
            Effect.zipRight(
              end === ENDS[0] ? kill : Effect.void,
              feedBacklog(customerId, Math.min(limit, 2)),
            ),
          appendToFeed: (customerId, append) =>
            Effect.zipRight(end === ENDS[1] ? kill : Effect.void, appendToFeed(customerId, append)).pipe(
              Effect.tap(() => (end === ENDS[2] ? kill : Effect.void)),
            ),
        }),
      },
    );
  });

  it.live("runs in the worker for feeds without readers", () =>
    Effect.gen(function* () {
      const made = yield* Given.drafted([100]);
      const storage = yield* Storage.Storage;
      const worker = yield* Worker.Worker;
      expect(yield* storage.customersWithFeedBacklog(null, 10)).toEqual([made.customerId]);
      yield* Effect.raceFirst(
        worker.run,
        Effect.repeat(
          Effect.zipRight(Effect.sleep("10 millis"), storage.customersWithFeedBacklog(null, 10)),
          {
            until: (found) => found.length === 0,
          },
        ),
      );
      expect((yield* storage.feedPage(made.customerId, 0, 100)).entries.length).toBe(6);
    }).pipe(Effect.provide(Given.engine())),
  );

  it.live("goes on with the next customer when the events of one cannot be read", () => {
    const unreachable = new Set<string>();
    const host: Given.Host = {
      storage: ({ feedBacklog }) => ({
        feedBacklog: (customerId, limit) =>
          unreachable.has(customerId)
            ? Effect.fail(new Storage.StorageError({ reason: "unavailable", cause: "a node is down" }))
            : feedBacklog(customerId, limit),
      }),
    };
    return Effect.gen(function* () {
      for (const _ of ["first", "second", "third"]) yield* Given.drafted([100]);
      const storage = yield* Storage.Storage;
      const worker = yield* Worker.Worker;
      const waiting = storage.customersWithFeedBacklog(null, 10);
      const [first, second, third] = yield* waiting;
      const untilOthers = (until: (found: ReadonlyArray<Ids.CustomerId>) => boolean) =>
        Effect.raceFirst(
          worker.run,
          Effect.repeat(Effect.zipRight(Effect.sleep("10 millis"), waiting), {
            until: (found) => until(found),
          }),
        );
      unreachable.add(first ?? "").add(third ?? "");
      yield* untilOthers((found) => second !== undefined && !found.includes(second));
      expect(yield* waiting).toEqual([first, third]);
      unreachable.clear();
      yield* untilOthers((found) => found.length === 0);
    }).pipe(Effect.provide(Given.engine(host)));
  });
});

describe("verifying a feed", () => {
  const tampered = (
    change: (entry: EventFeed.Entry) => EventFeed.Entry | null,
    head = (given: EventFeed.Head) => given,
  ) => {
    let isTampered = false;
    return {
      host: {
        storage: ({ feedPage }: Storage.StorageService) => ({
          feedPage: (...given: Parameters<typeof feedPage>) =>
            Effect.map(feedPage(...given), (page) =>
              isTampered
                ? {
                    ...page,
                    head: head(page.head),
                    entries: page.entries.flatMap((entry) => change(entry) ?? []),
                  }
                : page,
            ),
        }),
      },
      begin: Effect.sync(() => {
        isTampered = true;
      }),
    };
  };
  const at = (position: number, change: (entry: EventFeed.Entry) => EventFeed.Entry | null) =>
    tampered((entry) => (entry.position === position ? change(entry) : entry));

  const verified = (host: Given.Host, begin: Effect.Effect<void>) =>
    rule(
      Effect.gen(function* () {
        const made = yield* Given.drafted([100, 200]);
        yield* follow(made.owner);
        yield* begin;
        return yield* (yield* Events.Events).verify(made.owner);
      }),
      host,
    );

  it.effect("confirms every hash", () =>
    Effect.gen(function* () {
      const found = yield* verified({}, Effect.void);
      expect(found).toMatchObject({ entries: 9, redacted: 0, broken: null, head: { position: 9 } });
    }),
  );

  const changed = "the hash does not follow from the event and the entry before";
  it.effect.each([
    [
      "an event",
      at(3, (entry) => ({ ...entry, event: { type: "create_commission", amount: 1 } as never })),
      3,
      changed,
    ],
    ["a moment", at(4, (entry) => ({ ...entry, at: entry.at - 1 })), 4, changed],
    ["a record", at(5, (entry) => ({ ...entry, recordId: Build.freshUuid() })), 5, changed],
    ["a sequence", at(5, (entry) => ({ ...entry, sequence: 2 })), 5, changed],
    ["a hash", at(6, (entry) => ({ ...entry, hash: "0".repeat(64) })), 6, changed],
    ["a salt", at(2, (entry) => ({ ...entry, salt: "00".repeat(16) })), 2, changed],
    ["a missing entry", at(4, () => null), 4, "the entry at position 4 is missing"],
    ["a missing end", at(9, () => null), 9, "the entry is missing, and so are those after it"],
    ["an event removed alone", at(7, (entry) => ({ ...entry, event: null })), 7, "the event is missing"],
    [
      "another end",
      tampered(
        (entry) => entry,
        (head) => ({ ...head, hash: "1".repeat(64) }),
      ),
      9,
      "the stored hash of the last entry is another one",
    ],
  ] as const)("names the first entry that is broken: %s", ([, { host, begin }, position, problem]) =>
    Effect.gen(function* () {
      const { broken } = yield* verified(host, begin);
      expect(broken).toMatchObject({ position, problem });
      expect(broken?.cursor.startsWith(`${position}-`)).toBe(true);
    }),
  );
});

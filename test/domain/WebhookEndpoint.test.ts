import { EventFeed, type WebhookDelivery, WebhookEndpoint } from "quittance";
import { Build } from "quittance/testing";
import { describe, expect, it } from "vitest";

const NOW = Build.EPOCH + 100 * Build.DAY;
const HOUR = 3_600_000;
const customerId = Build.fresh.customer();
const endpoint = Build.webhookEndpoint(customerId, { position: 10 }).row;

const delivery = (position: number, given: Partial<WebhookDelivery.WebhookDelivery> = {}) =>
  Build.webhookDelivery(endpoint, { position, nextAttemptAt: NOW, ...given }).row;

const success = (at = NOW): WebhookDelivery.Attempt => ({ at, status: 200, error: null });
const failure = (at = NOW, status: number | null = 500): WebhookDelivery.Attempt => ({
  at,
  status,
  error: `failed with ${status}`,
});

type Item = ReturnType<typeof delivery>;

describe("a new endpoint", () => {
  const { id, secret, run } = endpoint;
  const beginning = { id, customerId, secret, run, position: 7, since: null, createdAt: NOW };

  it("is enabled, for every type unless types are stated, and its deliveries are due at once", () => {
    expect(WebhookEndpoint.create({ url: "https://hooks.example/in" }, beginning)).toEqual({
      ...beginning,
      ...{ url: "https://hooks.example/in", types: null, description: null, retryFrom: NOW },
      ...{ status: "enabled", disabledReason: null, previousSecrets: [] },
      ...{ lastDeliveredAt: null, failingSince: null },
    });
    expect(
      WebhookEndpoint.create(
        { url: "https://hooks.example/in", types: ["create_partner"], description: "d" },
        beginning,
      ),
    ).toMatchObject({ types: ["create_partner"], description: "d" });
  });
});

/** What a round changes; `attempts` names the deliveries that were attempted. */
const settled = (
  before: typeof endpoint,
  open: ReadonlyArray<Item>,
  read: ReadonlyArray<Item>,
  attempts: ReadonlyArray<readonly [Item, WebhookDelivery.Attempt]>,
  now = NOW,
) =>
  WebhookEndpoint.applyRound(
    before,
    {
      open,
      read,
      position: read.at(-1)?.position ?? before.position,
      attempts: new Map(attempts.map(([{ id }, attempt]) => [id, attempt])),
    },
    now,
    0,
  );

const states = (deliveries: ReadonlyArray<Item>) =>
  deliveries.map(({ position, status }) => [position, status]);

describe("the secrets of an endpoint", () => {
  it("both sign for 24 hours after a rotation, the newest first", () => {
    const once = WebhookEndpoint.rotateSecret({ ...endpoint, secret: "a" }, "b", NOW);
    const twice = WebhookEndpoint.rotateSecret(once, "c", NOW + HOUR);
    expect(WebhookEndpoint.secretsAt(twice, NOW + HOUR)).toEqual(["c", "b", "a"]);
    expect(WebhookEndpoint.secretsAt(twice, NOW + 24 * HOUR - 1)).toEqual(["c", "b", "a"]);
    expect(WebhookEndpoint.secretsAt(twice, NOW + 24 * HOUR)).toEqual(["c", "b"]);
    expect(WebhookEndpoint.secretsAt(twice, NOW + 25 * HOUR)).toEqual(["c"]);
    expect(
      WebhookEndpoint.rotateSecret(twice, "d", NOW + 24 * HOUR).previousSecrets.map(({ secret }) => secret),
    ).toEqual(["c", "b"]);
  });

  it("are never shown, and are deleted with the endpoint", () => {
    const rotated = WebhookEndpoint.rotateSecret(endpoint, "whsec_new", NOW);
    expect(JSON.stringify(WebhookEndpoint.publicFields(rotated))).not.toContain("whsec_");
    expect(JSON.stringify(WebhookEndpoint.remove(rotated))).not.toContain("whsec_");
    expect(WebhookEndpoint.remove(rotated)).toMatchObject({ status: "deleted", url: "" });
  });
});

describe("a change of an endpoint", () => {
  const disabled = { ...endpoint, status: "disabled" as const, disabledReason: "gone", failingSince: 5 };

  it("keeps the fields that it does not name", () => {
    expect(WebhookEndpoint.update(endpoint, {}, NOW)).toEqual(endpoint);
    expect(WebhookEndpoint.update(endpoint, { enabled: true }, NOW)).toEqual(endpoint);
    expect(WebhookEndpoint.update(disabled, { enabled: false }, NOW)).toEqual(disabled);
    expect(WebhookEndpoint.update(endpoint, { types: ["create_partner"], description: "d" }, NOW)).toEqual({
      ...endpoint,
      types: ["create_partner"],
      description: "d",
    });
    expect(WebhookEndpoint.update({ ...endpoint, types: ["x"] }, { types: null }, NOW).types).toBeNull();
  });

  it("that disables it records no reason; one that enables it makes all waiting deliveries due", () => {
    const off = WebhookEndpoint.update(endpoint, { enabled: false }, NOW);
    expect(off).toMatchObject({ status: "disabled", disabledReason: null, retryFrom: endpoint.retryFrom });
    expect(WebhookEndpoint.update(disabled, { enabled: true }, NOW)).toMatchObject({
      status: "enabled",
      disabledReason: null,
      failingSince: null,
      retryFrom: NOW,
    });
    expect(WebhookEndpoint.update(endpoint, { url: "https://example.com/other" }, NOW).retryFrom).toBe(NOW);
  });
});

describe("what an endpoint receives", () => {
  const event = { type: "create_settlement" };
  it.each([
    ["every type", { types: null, since: null }, event, true],
    ["its types", { types: ["create_settlement"], since: null }, event, true],
    ["no other type", { types: ["cancel_settlement"], since: null }, event, false],
    ["an erased event, for every type", { types: null, since: null }, null, true],
    ["no erased event, for some types", { types: ["create_settlement"], since: null }, null, false],
    ["an event of its own time", { types: null, since: NOW }, event, true],
    ["an event up to 5 minutes older, by another clock", { types: null, since: NOW + 300_000 }, event, true],
    ["no older event", { types: null, since: NOW + 300_001 }, event, false],
  ])("is %s", (_, filter, what, wanted) => {
    expect(WebhookEndpoint.isSubscribedTo(filter, { event: what, at: NOW })).toBe(wanted);
  });

  it.each([
    [null, 999, true],
    [null, 1_000, false],
    [NOW, 99, true],
    [NOW, 100, false],
  ])(
    "while failing since %s and with %d open deliveries continues reading: %s",
    (failingSince, open, reads) => {
      expect(WebhookEndpoint.mayReadFeed({ failingSince }, open)).toBe(reads);
    },
  );

  it("has types that exist", () => {
    expect(EventFeed.EVENT_TYPES).toContain("create_attribution");
    expect(EventFeed.EVENT_TYPES).toEqual([...EventFeed.EVENT_TYPES].sort());
  });
});

describe("the deliveries that are due", () => {
  it("are the first ones of each record whose time is reached; later ones of the record wait", () => {
    const [one, two, three] = [Build.freshUuid(), Build.freshUuid(), Build.freshUuid()];
    const open = [
      delivery(1, { recordId: one, nextAttemptAt: NOW + 1 }),
      delivery(2, { recordId: two }),
      delivery(3, { recordId: one }),
      delivery(4, { recordId: two, status: "held", nextAttemptAt: null }),
      delivery(5, { recordId: three, status: "held", nextAttemptAt: null }),
    ];
    const due = WebhookEndpoint.due(endpoint, open, NOW);
    expect(due.map((queue) => queue.map(({ position }) => position))).toEqual([[2, 4], [5]]);
  });

  it("include those that were last tried before the endpoint was changed", () => {
    const tried = delivery(1, { nextAttemptAt: NOW + HOUR, lastAttemptAt: NOW - 1 });
    expect(WebhookEndpoint.isDue({ retryFrom: NOW - 1 }, tried, NOW)).toBe(false);
    expect(WebhookEndpoint.isDue({ retryFrom: NOW }, tried, NOW)).toBe(true);
  });
});

describe("a round", () => {
  it("records its attempts, and holds back later events of a record that failed", () => {
    const [one, two] = [Build.freshUuid(), Build.freshUuid()];
    const read = [
      delivery(11, { recordId: one }),
      delivery(12, { recordId: two }),
      delivery(13, { recordId: one }),
      delivery(14, { recordId: two }),
    ];
    const [first, second] = read as [Item, Item];
    const result = settled(endpoint, [], read, [
      [first, failure()],
      [second, success()],
    ]);
    expect(result.endpoint).toMatchObject({ position: 14, lastDeliveredAt: NOW, failingSince: null });
    expect(states(result.deliveries)).toEqual([
      [11, "pending"],
      [13, "held"],
      [12, "delivered"],
      [14, "pending"],
    ]);
    const [, held, , unsent] = result.deliveries;
    expect(held?.nextAttemptAt).toBeNull();
    expect(unsent?.nextAttemptAt).toBe(NOW + 5_000);
  });

  it("holds back an event of a record that has an older open delivery", () => {
    const recordId = Build.freshUuid();
    const waits = delivery(3, { recordId, nextAttemptAt: NOW + HOUR });
    const result = settled(endpoint, [waits], [delivery(11, { recordId })], []);
    expect(states(result.deliveries)).toEqual([[11, "held"]]);
  });

  it("does not change open deliveries that were not attempted", () => {
    const other = delivery(4, { status: "held", nextAttemptAt: null });
    const tried = delivery(3);
    const { deliveries } = settled(endpoint, [tried, other], [], [[tried, success()]]);
    expect(deliveries.map(({ id }) => id)).toEqual([tried.id]);
  });

  it("records since when every attempt has failed", () => {
    const tried = delivery(3);
    const failing = settled(endpoint, [tried], [], [[tried, failure(NOW - 5)]]).endpoint;
    expect(failing.failingSince).toBe(NOW - 5);
    const longer = settled(failing, [tried], [], [[tried, failure(NOW + HOUR)]], NOW + HOUR).endpoint;
    expect(longer).toMatchObject({ failingSince: NOW - 5, status: "enabled" });
    const again = settled(longer, [tried], [], [[tried, success(NOW + 2 * HOUR)]], NOW + 2 * HOUR).endpoint;
    expect(again).toMatchObject({ failingSince: null, retryFrom: NOW + 2 * HOUR });
    const short = settled({ ...endpoint, failingSince: NOW - 299_999 }, [tried], [], [[tried, success()]]);
    expect(short.endpoint.retryFrom).toBe(endpoint.retryFrom);
  });

  it("disables an endpoint that has failed for three days, with the reason", () => {
    const tried = delivery(3);
    const at = (failingSince: number) =>
      settled({ ...endpoint, failingSince }, [tried], [], [[tried, failure()]]).endpoint;
    expect(at(NOW - 72 * HOUR + 1).status).toBe("enabled");
    expect(at(NOW - 72 * HOUR)).toMatchObject({
      status: "disabled",
      disabledReason: "every attempt has failed for 3 days; the last one: failed with 500",
    });
  });

  it("disables an endpoint whose receiver returns 410, whatever else succeeded", () => {
    const [one, other] = [delivery(3), delivery(4)];
    const { endpoint: after, deliveries } = settled(
      endpoint,
      [one, other],
      [],
      [
        [one, failure(NOW, 410)],
        [other, success(NOW + 1)],
      ],
    );
    expect(after).toMatchObject({
      status: "disabled",
      disabledReason: "the receiver returned 410: it refuses all further events",
    });
    expect(states(deliveries)).toEqual([
      [3, "pending"],
      [4, "delivered"],
    ]);
  });

  it("does not enable an endpoint that was disabled meanwhile", () => {
    const tried = delivery(3);
    const disabled = { ...endpoint, status: "disabled" as const };
    const { endpoint: after } = settled(disabled, [tried], [], [[tried, failure(NOW, 410)]]);
    expect(after).toMatchObject({ status: "disabled", disabledReason: null });
  });
});

describe("the pause of an endpoint that has read the whole feed", () => {
  it.each([
    [NOW, [], 1_000],
    [NOW - 100_000, [], 10_000],
    [NOW - HOUR, [], 30_000],
    [NOW - HOUR, [delivery(1, { nextAttemptAt: NOW + 700 })], 700],
    [NOW - HOUR, [delivery(1, { nextAttemptAt: NOW - 700 })], 0],
    [NOW - HOUR, [delivery(1, { nextAttemptAt: null, status: "held" })], 0],
    [NOW + HOUR, [delivery(1, { nextAttemptAt: NOW + HOUR })], 1_000],
  ])("that was changed at %d, with %j open: %d ms", (lastAt, open, pause) => {
    expect(WebhookEndpoint.pauseOf(endpoint, lastAt, open, NOW)).toBe(pause);
  });

  it("ignores a delivery that an earlier one of its record holds back", () => {
    const recordId = Build.freshUuid();
    const open = [
      delivery(1, { recordId, nextAttemptAt: NOW + 900 }),
      delivery(2, { recordId, nextAttemptAt: null, status: "held" }),
    ];
    expect(WebhookEndpoint.pauseOf(endpoint, NOW, open, NOW)).toBe(900);
  });
});

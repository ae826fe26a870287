/** Webhook endpoints: each event is sent at least once and in the order of its record, whatever fails on either side. */
import { describe, expect, it } from "@effect/vitest";
import { Effect } from "effect";
import {
  Attributions,
  Erasures,
  Events,
  type Ids,
  Outbox,
  Principal,
  Storage,
  WebhookEndpoints,
  Webhooks,
} from "quittance";
import { Build } from "quittance/testing";
import * as Given from "./Given.ts";

const { rule } = Given;
const URL = "https://shop.example.com/events";
const MINUTE = 60_000;
const DAY = Given.DAY;

interface Body {
  readonly id: string;
  readonly type: string;
  readonly record_id: string;
  readonly sequence: number;
}
type Request = Webhooks.WebhookRequest & { readonly event: Body };
type Status = number | "no response";

/** A sender whose receivers respond as given; it records every request. */
const receiver = (respond: (request: Request, count: number) => Status = () => 200) => {
  const requests: Array<Request> = [];
  const sender: Webhooks.WebhookSenderService = {
    problem: (url) => (url.startsWith("https://") ? null : "must begin with https://"),
    send: (request) =>
      Effect.suspend(() => {
        const noted = { ...request, event: JSON.parse(request.body) as Body };
        requests.push(noted);
        const status = respond(noted, requests.length);
        return status === "no response"
          ? Effect.fail(
              new Webhooks.WebhookFailed({ message: "the receiver could not be reached: ECONNREFUSED" }),
            )
          : Effect.succeed(status);
      }),
  };
  return { requests, webhooks: sender };
};

const service = WebhookEndpoints.WebhookEndpoints;

/** Lets workers send what is due; a second passes, after which an endpoint looks for new events by itself. */
const deliver = Effect.zipRight(Given.wait(1_000), Given.drain);

/** An endpoint of a customer that has a formula. */
const endpoint = (input: Partial<Parameters<WebhookEndpoints.WebhookEndpoints["create"]>[1]> = {}) =>
  Effect.gen(function* () {
    const made = yield* Given.scene();
    yield* Given.formula(made);
    const { id, secret } = yield* (yield* service).create(made.owner, { url: URL, ...input });
    return { ...made, id, secret };
  });
type Made = Effect.Effect.Success<ReturnType<typeof endpoint>>;

const deliveries = ({ owner, id }: Pick<Made, "owner" | "id">) =>
  Effect.flatMap(service, (webhooks) =>
    Effect.map(webhooks.deliveries(owner, id, { perPage: 100 }), ({ items }) => items),
  );

const cancel = (owner: Principal.Principal, id: Ids.AttributionId) =>
  Effect.flatMap(Attributions.Attributions, (attributions) =>
    attributions.cancel(owner, id, { reason: "returned" }),
  );

const keysOf = (requests: ReadonlyArray<Request>) =>
  requests.map(({ event }) => `${event.type} ${event.record_id} ${event.sequence}`);

describe("an endpoint", () => {
  it.effect("receives every event from its creation on, each once, with the ids of the feed", () => {
    const { requests, webhooks } = receiver();
    return rule(
      Effect.gen(function* () {
        const made = yield* endpoint();
        const attributionId = yield* Given.sell(made, 100);
        yield* deliver;
        yield* cancel(made.owner, attributionId);
        yield* deliver;
        const { items } = yield* (yield* Events.Events).list(made.owner, { limit: 100 });
        const since = items.slice(2);
        expect(keysOf(requests).toSorted()).toEqual(
          since.map(({ event, recordId, sequence }) => `${event?.type} ${recordId} ${sequence}`).toSorted(),
        );
        expect(requests.map(({ id }) => id).toSorted()).toEqual(since.map(({ id }) => id).toSorted());
        expect(requests.every(({ url, secrets }) => url === URL && secrets[0] === made.secret)).toBe(true);
        for (const delivery of yield* deliveries(made))
          expect(delivery).toMatchObject({
            status: "delivered",
            attempts: 1,
            lastStatus: 200,
            lastError: null,
          });
        expect((yield* deliveries(made)).length).toBe(since.length);
      }),
      { webhooks },
    );
  });

  it.effect("receives the events after a cursor, and none of another customer's feed", () => {
    const { requests, webhooks } = receiver();
    return rule(
      Effect.gen(function* () {
        const made = yield* Given.drafted([100]);
        const other = yield* Given.drafted([100]);
        const { create } = yield* service;
        const feed = yield* (yield* Events.Events).list(made.owner, { limit: 3 });
        const foreign = create(other.owner, { url: URL, after: feed.nextCursor });
        expect(yield* Given.refusal(foreign)).toBe(
          "after: must be a cursor of this customer's feed, from next_cursor or an entry",
        );
        yield* create(made.owner, { url: URL, after: feed.nextCursor });
        yield* deliver;
        expect(requests.map(({ event }) => event.type)).toEqual([
          "create_commission",
          "create_settlement",
          "reserve_commission",
        ]);
      }),
      { webhooks },
    );
  });

  it.effect("receives only events of its types", () => {
    const { requests, webhooks } = receiver();
    return rule(
      Effect.gen(function* () {
        const made = yield* endpoint({ types: ["create_commission", "create_settlement"] });
        for (const value of [100, 200, 300]) yield* Given.sell(made, value);
        yield* Given.draft(made);
        yield* deliver;
        expect(requests.map(({ event }) => event.type)).toEqual([
          "create_commission",
          "create_commission",
          "create_commission",
          "create_settlement",
        ]);
        const { update } = yield* service;
        yield* update(made.owner, made.id, { types: null });
        yield* Given.sell(made, 400);
        yield* deliver;
        expect(
          requests
            .slice(4)
            .map(({ event }) => event.type)
            .toSorted(),
        ).toEqual(["create_attribution", "create_commission"]);
      }),
      { webhooks },
    );
  });

  it.effect("skips many events of other types", () => {
    const { requests, webhooks } = receiver();
    return rule(
      Effect.gen(function* () {
        const made = yield* endpoint({ types: ["create_settlement"] });
        for (let sales = 0; sales < 130; sales++) yield* Given.sell(made, 100);
        yield* Given.draft(made);
        yield* deliver;
        expect(requests.map(({ event }) => event.type)).toEqual(["create_settlement"]);
      }),
      { webhooks },
    );
  });
});

describe("an attempt that fails", () => {
  it.effect("holds back later events of its record, and of no other record", () => {
    let isBroken = true;
    const sold: Array<string> = [];
    const { requests, webhooks } = receiver(({ event }) =>
      isBroken && event.record_id === sold[0] ? 503 : 200,
    );
    return rule(
      Effect.gen(function* () {
        const made = yield* endpoint({ types: ["create_attribution", "cancel_attribution"] });
        const [one, other] = [yield* Given.sell(made, 100), yield* Given.sell(made, 200)];
        sold.push(one, other);
        yield* cancel(made.owner, one);
        yield* deliver;
        yield* cancel(made.owner, other);
        yield* deliver;
        expect(keysOf(requests)).toEqual([
          `create_attribution ${one} 1`,
          `create_attribution ${other} 1`,
          `cancel_attribution ${other} 2`,
        ]);
        const [first, held] = (yield* deliveries(made))
          .filter(({ recordId }) => recordId === one)
          .toSorted((a, b) => a.sequence - b.sequence);
        expect(first).toMatchObject({
          recordId: one,
          status: "pending",
          lastStatus: 503,
          lastError: "the receiver returned 503",
        });
        expect(held).toMatchObject({ recordId: one, sequence: 2, status: "held", nextAttemptAt: null });
        yield* Given.wait(2 * MINUTE);
        yield* deliver;
        expect(requests.length).toBe(4);
        isBroken = false;
        yield* Given.wait(2 * MINUTE);
        yield* deliver;
        expect(keysOf(requests.slice(4))).toEqual([
          `create_attribution ${one} 1`,
          `cancel_attribution ${one} 2`,
        ]);
        expect(new Set(requests.filter(({ event }) => event.sequence === 1).map(({ id }) => id)).size).toBe(
          2,
        );
        expect((yield* deliveries(made)).every(({ status }) => status === "delivered")).toBe(true);
      }),
      { webhooks },
    );
  });

  it.effect(
    "is retried with growing pauses, under the same id, until others have succeeded for a day",
    () => {
      const poison: Array<string> = [];
      const { requests, webhooks } = receiver(({ event }) => (poison.includes(event.record_id) ? 500 : 200));
      return rule(
        Effect.gen(function* () {
          const made = yield* endpoint({ types: ["create_attribution", "cancel_attribution"] });
          poison.push(yield* Given.sell(made, 100));
          const [bad] = poison;
          for (let hours = 0; hours < 26; hours++) {
            yield* Given.sell(made, 200);
            yield* deliver;
            yield* Given.wait(60 * MINUTE);
          }
          const attempts = requests.filter(({ event }) => event.record_id === bad);
          expect(attempts.length).toBeGreaterThan(20);
          expect(new Set(attempts.map(({ id, body }) => `${id} ${body}`)).size).toBe(1);
          const [failed] = (yield* (yield* service).deliveries(made.owner, made.id, { statuses: ["failed"] }))
            .items;
          expect(failed).toMatchObject({
            recordId: bad,
            lastError: "the receiver returned 500",
            nextAttemptAt: null,
          });
          const {
            items: [shown],
          } = yield* (yield* service).list(made.owner);
          expect(shown).toMatchObject({ status: "enabled", failingSince: null });
          expect(requests.length - attempts.length).toBe(26);
        }),
        { webhooks },
      );
    },
  );

  it.effect(
    "that is abandoned does not hold back later events of its record, and can be sent again by hand",
    () => {
      let isBroken = true;
      const bad: Array<string> = [];
      const { requests, webhooks } = receiver(({ event }) =>
        isBroken && bad.includes(event.record_id) ? 500 : 200,
      );
      return rule(
        Effect.gen(function* () {
          const made = yield* endpoint({ types: ["create_attribution", "cancel_attribution"] });
          const one = yield* Given.sell(made, 100);
          bad.push(one);
          yield* deliver;
          yield* cancel(made.owner, one);
          for (const wait of [DAY, 2 * 60 * MINUTE]) {
            yield* Given.sell(made, 200);
            yield* deliver;
            yield* Given.wait(wait);
          }
          isBroken = false;
          yield* deliver;
          const { deliveries: list, redeliver, read } = yield* service;
          const statuses = ["failed"] as const;
          const {
            items: [failed],
          } = yield* list(made.owner, made.id, { statuses });
          if (failed === undefined) return expect.fail("nothing was given up");
          expect((yield* read(made.owner, made.id)).status).toBe("enabled");
          const before = requests.length;
          yield* redeliver(made.owner, made.id, failed.id);
          yield* deliver;
          expect(requests.slice(before).map(({ id }) => id)).toEqual([failed.eventId]);
          expect((yield* list(made.owner, made.id, { statuses })).total).toBe(0);
          expect((yield* list(made.owner, made.id, { statuses: ["delivered"] })).total).toBe(4);
        }),
        { webhooks },
      );
    },
  );

  it.effect("has a description for every kind of failure", () => {
    const statuses: ReadonlyArray<Status> = [302, 404, "no response"];
    const { webhooks } = receiver((_, count) => statuses[count - 1] ?? 200);
    return rule(
      Effect.gen(function* () {
        const made = yield* endpoint({ types: ["create_attribution"] });
        for (let sales = 0; sales < 3; sales++) {
          yield* Given.sell(made, 100);
          yield* deliver;
        }
        expect((yield* deliveries(made)).map(({ lastStatus, lastError }) => [lastStatus, lastError])).toEqual(
          [
            [
              302,
              "the receiver returned 302: redirects are not followed, the endpoint must name the final URL",
            ],
            [404, "the receiver returned 404"],
            [null, "the receiver could not be reached: ECONNREFUSED"],
          ],
        );
      }),
      { webhooks },
    );
  });
});

describe("an endpoint whose receiver fails every time", () => {
  it.effect(
    "is disabled after three days with the reason, and receives all missed events after it is enabled again",
    () => {
      let status: Status = "no response";
      const { requests, webhooks } = receiver(() => status);
      return rule(
        Effect.gen(function* () {
          const made = yield* endpoint({ types: ["create_attribution"] });
          for (let sales = 0; sales < 30; sales++) yield* Given.sell(made, 100);
          for (let hours = 0; hours < 74; hours += 2) {
            yield* deliver;
            yield* Given.wait(120 * MINUTE);
          }
          const { read, update, redeliver } = yield* service;
          const disabled = yield* read(made.owner, made.id);
          expect(disabled).toMatchObject({
            status: "disabled",
            disabledReason:
              "every attempt has failed for 3 days; the last one: the receiver could not be reached: ECONNREFUSED",
          });
          const before = requests.length;
          for (let sales = 0; sales < 20; sales++) yield* Given.sell(made, 200);
          yield* Given.wait(DAY);
          yield* deliver;
          expect(requests.length).toBe(before);
          const [first] = yield* deliveries(made);
          if (first === undefined) return expect.fail("nothing was recorded");
          expect(yield* Given.refusal(redeliver(made.owner, made.id, first.id))).toBe(
            "webhook_disabled: enable the endpoint before events are sent again",
          );
          status = 200;
          yield* update(made.owner, made.id, { enabled: true });
          yield* deliver;
          expect(new Set(requests.slice(before).map(({ id }) => id)).size).toBe(50);
          expect(requests.length).toBe(before + 50);
          expect((yield* deliveries(made)).every((candidate) => candidate.status === "delivered")).toBe(true);
        }),
        { webhooks },
      );
    },
  );

  it.effect("is disabled at once if the receiver returns 410", () => {
    const { requests, webhooks } = receiver(() => 410);
    return rule(
      Effect.gen(function* () {
        const made = yield* endpoint({ types: ["create_attribution"] });
        yield* Given.sell(made, 100);
        yield* deliver;
        expect(yield* (yield* service).read(made.owner, made.id)).toMatchObject({
          status: "disabled",
          disabledReason: "the receiver returned 410: it refuses all further events",
        });
        expect(requests.length).toBe(1);
        expect(yield* (yield* Outbox.Outbox).depth).toEqual([]);
      }),
      { webhooks },
    );
  });

  it.effect("has few open deliveries, and misses nothing when the receiver works again", () => {
    let isDown = true;
    const { requests, webhooks } = receiver(() => (isDown ? 500 : 200));
    return rule(
      Effect.gen(function* () {
        const made = yield* endpoint({ types: ["create_attribution"] });
        for (let sales = 0; sales < 260; sales++) yield* Given.sell(made, 100);
        for (let rounds = 0; rounds < 40; rounds++) {
          yield* deliver;
          yield* Given.wait(MINUTE);
        }
        const { total } = yield* (yield* service).deliveries(made.owner, made.id, {
          statuses: ["pending", "held"],
        });
        expect(total).toBeLessThanOrEqual(200);
        isDown = false;
        const before = requests.length;
        yield* Given.wait(60 * MINUTE);
        for (let rounds = 0; rounds < 3; rounds++) {
          yield* deliver;
          yield* Given.wait(MINUTE);
        }
        expect(new Set(requests.slice(before).map(({ id }) => id)).size).toBe(260);
        expect(requests.length - before).toBe(260);
      }),
      { webhooks },
    );
  });
});

describe("a round", () => {
  it.effect(
    "that is interrupted between sending and the commit is repeated, in order and under the same ids",
    () => {
      const { requests, webhooks } = receiver();
      let crashes = 2;
      const storage = (store: Storage.StorageService): Partial<Storage.StorageService> => ({
        commit: (customerId, changeSet) =>
          changeSet.changes.some((change) => change.type === "save" && change.kind === "webhookDelivery") &&
          crashes-- > 0
            ? Effect.fail(new Storage.StorageError({ reason: "unavailable", cause: "cut" }))
            : store.commit(customerId, changeSet),
      });
      return rule(
        Effect.gen(function* () {
          const made = yield* endpoint({ types: ["create_attribution", "cancel_attribution"] });
          const sold = yield* Given.sell(made, 100);
          yield* cancel(made.owner, sold);
          for (let rounds = 0; rounds < 3; rounds++) {
            yield* deliver;
            yield* Given.wait(MINUTE);
          }
          const once = [`create_attribution ${sold} 1`, `cancel_attribution ${sold} 2`];
          expect(keysOf(requests)).toEqual([...once, ...once, ...once]);
          expect(new Set(requests.map(({ id }) => id)).size).toBe(2);
          expect((yield* deliveries(made)).map(({ status, attempts }) => [status, attempts])).toEqual([
            ["delivered", 1],
            ["delivered", 1],
          ]);
        }),
        { webhooks, storage },
      );
    },
  );

  it.effect("reads the open deliveries once", () => {
    const reads: Array<string> = [];
    const storage = (store: Storage.StorageService): Partial<Storage.StorageService> => ({
      openDeliveries: (...given) => {
        reads.push("openDeliveries");
        return store.openDeliveries(...given);
      },
      commit: (customerId, changeSet) => {
        const isRound = changeSet.changes.some(
          (change) => change.type === "save" && change.kind === "webhookDelivery",
        );
        if (isRound) reads.push("commit");
        return store.commit(customerId, changeSet);
      },
    });
    return rule(
      Effect.gen(function* () {
        const made = yield* endpoint();
        yield* deliver;
        reads.length = 0;
        yield* Given.sell(made, 100);
        yield* deliver;
        expect(reads.slice(0, reads.indexOf("commit") + 2)).toEqual(["openDeliveries", "commit"]);
      }),
      { webhooks: receiver().webhooks, storage },
    );
  });

  it.effect("does not overwrite what a caller changes meanwhile", () => {
    const change: Array<Effect.Effect<unknown>> = [];
    const heard = receiver();
    const webhooks: Webhooks.WebhookSenderService = {
      ...heard.webhooks,
      send: (request) => Effect.zipLeft(heard.webhooks.send(request), change.pop() ?? Effect.void),
    };
    return rule(
      Effect.gen(function* () {
        const made = yield* endpoint({ types: ["create_attribution"] });
        const { update, read } = yield* service;
        yield* Given.sell(made, 100);
        change.push(Effect.orDie(update(made.owner, made.id, { description: "new" })));
        yield* deliver;
        expect(yield* read(made.owner, made.id)).toMatchObject({
          description: "new",
          lastDeliveredAt: Given.NOW + 1_000,
        });
        expect((yield* deliveries(made)).map(({ status }) => status)).toEqual(["delivered"]);
        yield* Given.sell(made, 100);
        change.push(Effect.orDie(update(made.owner, made.id, { url: `${URL}/2` })));
        yield* deliver;
        yield* Given.sell(made, 100);
        yield* deliver;
        expect(heard.requests.map(({ url }) => url)).toEqual([URL, URL, `${URL}/2`]);
        yield* Given.wait(MINUTE);
        yield* deliver;
        expect(yield* (yield* Outbox.Outbox).depth).toMatchObject([
          { topic: "deliver_webhooks", waiting: 1 },
        ]);
      }),
      { webhooks },
    );
  });

  it.effect("sends an erased event with its id and its record, to endpoints for every type", () => {
    const { requests, webhooks } = receiver();
    return rule(
      Effect.gen(function* () {
        const made = yield* Given.drafted([100]);
        const events = yield* Events.Events;
        const { items } = yield* events.list(made.owner, { limit: 100 });
        const [, , erased] = items;
        const first = yield* events.list(made.owner, { limit: 2 });
        yield* (yield* Erasures.Erasures).events(Principal.platform("operator"), {
          customerId: made.customerId,
          cursors: [erased?.cursor ?? ""],
        });
        const { create } = yield* service;
        yield* create(made.owner, { url: URL, after: first.nextCursor });
        yield* create(made.owner, { url: URL, after: first.nextCursor, types: ["create_attribution"] });
        yield* deliver;
        const bodies = requests.filter(({ event }) => event.id === erased?.id).map(({ event }) => event);
        expect(bodies).toEqual([
          {
            id: erased?.id,
            type: "erased",
            datetime: "2026-01-01T00:00:00.000Z",
            customer_id: made.customerId,
            record_id: erased?.recordId,
            sequence: 1,
          },
        ]);
        expect(requests.length).toBe(items.length - 1);
      }),
      { webhooks },
    );
  });
});

describe("the secret of an endpoint", () => {
  it.effect("is replaced by a new one, and still signs for a day", () => {
    const { requests, webhooks } = receiver();
    return rule(
      Effect.gen(function* () {
        const made = yield* endpoint({ types: ["create_attribution"] });
        const { rotate } = yield* service;
        const { secret, previousSecretUntil } = yield* rotate(made.owner, made.id);
        expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
        expect(previousSecretUntil).toBe(Given.NOW + DAY);
        yield* Given.sell(made, 100);
        yield* deliver;
        yield* Given.wait(DAY);
        yield* Given.sell(made, 100);
        yield* deliver;
        expect(requests.map(({ secrets }) => secrets)).toEqual([[secret, made.secret], [secret]]);
      }),
      { webhooks },
    );
  });

  it.effect(
    "is shown once, also under an idempotency key, and is in no other result or idempotency record",
    () => {
      const { webhooks } = receiver();
      return rule(
        Effect.gen(function* () {
          const { owner, customerId } = yield* Given.scene();
          const { create, rotate, list, read } = yield* service;
          const once = (key: string) => ({ idempotency: { key, requestSha256: "ab".repeat(32) } });
          const { id, secret } = yield* create(owner, { url: URL }, once("a"));
          const shownOnce =
            "idempotency_key_reuse: the endpoint exists, and its secret was shown once; rotate the secret to get another";
          expect(yield* Given.refusal(create(owner, { url: URL }, once("a")))).toBe(shownOnce);
          yield* rotate(owner, id, once("b"));
          expect(yield* Given.refusal(rotate(owner, id, once("b")))).toBe(shownOnce);
          const storage = yield* Storage.Storage;
          const seen = [
            yield* list(owner),
            yield* read(owner, id),
            yield* storage.findIdempotencyRecord(customerId, owner.principalId, "a"),
            yield* storage.findIdempotencyRecord(customerId, owner.principalId, "b"),
          ];
          expect((yield* list(owner)).total).toBe(1);
          expect(JSON.stringify(seen)).not.toContain("whsec_");
          expect(secret).toMatch(/^whsec_/);
        }),
        { webhooks },
      );
    },
  );

  it.effect("cannot be rotated while ten of them sign", () => {
    const { webhooks } = receiver();
    return rule(
      Effect.gen(function* () {
        const made = yield* endpoint();
        const { rotate } = yield* service;
        for (let times = 0; times < 9; times++) yield* rotate(made.owner, made.id);
        expect(yield* Given.refusal(rotate(made.owner, made.id))).toBe(
          "webhook_limit: 10 secrets sign at the same time; wait until the first of them has ended",
        );
        yield* Given.wait(DAY);
        yield* rotate(made.owner, made.id);
      }),
      { webhooks },
    );
  });
});

describe("a caller", () => {
  it.effect("needs the scopes of events and unlimited grants", () => {
    const { webhooks } = receiver();
    return rule(
      Effect.gen(function* () {
        const made = yield* endpoint();
        const { owner, id } = made;
        const {
          create,
          list,
          deliveries: listDeliveries,
          read,
          update,
          remove,
          rotate,
          redeliver,
        } = yield* service;
        const reader = { ...owner, scopes: ["events:read"] } as const;
        yield* list(reader);
        yield* read(reader, id);
        yield* listDeliveries(reader, id);
        const delivery = (yield* listDeliveries(reader, id)).items[0]?.id ?? Build.fresh.webhookDelivery();
        const writes = (who: Principal.Principal) => [
          Given.refusal(create(who, { url: URL })),
          Given.refusal(update(who, id, {})),
          Given.refusal(rotate(who, id)),
          Given.refusal(redeliver(who, id, delivery)),
          Given.refusal(remove(who, id)),
        ];
        const reads = (who: Principal.Principal) => [
          Given.refusal(list(who)),
          Given.refusal(read(who, id)),
          Given.refusal(listDeliveries(who, id)),
        ];
        for (const refused of writes(reader))
          expect(yield* refused).toBe("The credential lacks the scope events:write");
        const writer = { ...owner, scopes: ["events:write"] } as const;
        for (const refused of reads(writer))
          expect(yield* refused).toBe("The credential lacks the scope events:read");
        for (const limit of [{ workspaceIds: [made.workspaceId] }, { partnerIds: [made.partnerId] }])
          for (const refused of [...reads({ ...owner, ...limit }), ...writes({ ...owner, ...limit })])
            expect(yield* refused).toBe(
              "The credential is limited to some workspaces or partners; a webhook endpoint needs one for all of them",
            );
        const stranger = (yield* Given.scene()).owner;
        expect((yield* list(stranger)).total).toBe(0);
        for (const refused of [...writes(stranger).slice(1), ...reads(stranger).slice(1)])
          expect(yield* refused).toBe("webhook endpoint not found");
      }),
      { webhooks },
    );
  });

  it.effect.each([
    ["url", { url: "http://shop.example.com/" }, "url: must begin with https://"],
    ["an empty url", { url: " " }, "url: must not be empty"],
    ["a long url", { url: `https://${"x".repeat(2_000)}` }, "url: must have 1 to 2000 characters"],
    ["no types", { url: URL, types: [] }, "types: must have 1 to 100 types"],
    [
      "an unknown type",
      { url: URL, types: ["create_settlement", "create_order"] },
      "types.1: must be the type of an event, such as create_settlement",
    ],
    [
      "a wrong cursor",
      { url: URL, after: "7" },
      "after: must be a cursor of this customer's feed, from next_cursor or an entry",
    ],
  ] as const)("is refused %s", ([, input, message]) => {
    const { webhooks } = receiver();
    return rule(
      Effect.gen(function* () {
        const { owner } = yield* Given.scene();
        const { create, list } = yield* service;
        expect(yield* Given.refusal(create(owner, input))).toBe(message);
        expect((yield* list(owner)).total).toBe(0);
      }),
      { webhooks },
    );
  });

  it.effect("has at most 100 endpoints, not counting deleted ones", () => {
    const { requests, webhooks } = receiver();
    return rule(
      Effect.gen(function* () {
        const made = yield* endpoint({ types: ["create_attribution"] });
        const { create, remove, read, list, deliveries: listDeliveries } = yield* service;
        for (let number = 1; number < 100; number++)
          yield* create(made.owner, { url: URL, types: ["cancel_settlement"] });
        const another = create(made.owner, { url: URL });
        expect(yield* Given.refusal(another)).toBe("webhook_limit: a customer has at most 100 endpoints");
        yield* remove(made.owner, made.id);
        for (const refused of [
          read(made.owner, made.id),
          remove(made.owner, made.id),
          listDeliveries(made.owner, made.id),
        ])
          expect(yield* Given.refusal<unknown, never>(refused)).toBe("webhook endpoint not found");
        expect((yield* list(made.owner)).total).toBe(99);
        yield* Given.sell(made, 100);
        yield* deliver;
        expect(requests).toEqual([]);
        yield* another;
      }),
      { webhooks },
    );
  });

  it.effect("deletes an endpoint with its waiting deliveries", () => {
    const { requests, webhooks } = receiver(() => 500);
    return rule(
      Effect.gen(function* () {
        const made = yield* endpoint({ types: ["create_attribution"] });
        yield* Given.sell(made, 100);
        yield* deliver;
        const [delivery] = yield* deliveries(made);
        yield* (yield* service).remove(made.owner, made.id);
        yield* Given.wait(DAY);
        yield* deliver;
        expect(requests.length).toBe(1);
        const storage = yield* Storage.Storage;
        const [kept] = yield* storage.find(made.customerId, "webhookDelivery", [delivery?.id ?? ""]);
        expect(kept).toMatchObject({ status: "failed", lastError: "the endpoint was deleted" });
        const [row] = yield* storage.find(made.customerId, "webhookEndpoint", [made.id]);
        expect(JSON.stringify(row)).not.toMatch(/whsec_|example\.com/);
        expect(yield* (yield* Outbox.Outbox).depth).toEqual([]);
      }),
      { webhooks },
    );
  });

  it.effect("gets an error without a webhook sender, and without a feed", () =>
    Effect.gen(function* () {
      const refused = Effect.flatMap(Given.scene(), ({ owner }) =>
        Effect.flatMap(service, ({ create }) => Given.refusal(create(owner, { url: URL }))),
      );
      expect(yield* rule(refused)).toBe("webhooks_off: the operator has switched webhooks off");
      const { webhooks } = receiver();
      expect(yield* rule(refused, { webhooks, policy: { feed: false } })).toBe(
        "feed_off: the operator has switched the event feed off",
      );
    }),
  );
});

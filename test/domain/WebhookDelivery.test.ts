import { WebhookDelivery, WebhookEndpoint } from "quittance";
import { Build } from "quittance/testing";
import { describe, expect, it } from "vitest";

const NOW = Build.EPOCH;
const MINUTE = 60_000;
const DAY = Build.DAY;
const endpoint = Build.webhookEndpoint(Build.fresh.customer()).row;
const delivery = Build.webhookDelivery(endpoint).row;
const failure = (at: number, status: number | null = 500): WebhookDelivery.Attempt => ({
  at,
  status,
  error: status === null ? "ECONNREFUSED" : WebhookDelivery.problemOf(status),
});

describe("a delivery", () => {
  it("is due as soon as it is created", () => {
    const { id, customerId, endpointId, ...event } = delivery;
    expect(WebhookDelivery.create({ id, customerId, endpointId }, event, NOW)).toMatchObject({
      status: "pending",
      attempts: 0,
      nextAttemptAt: NOW,
      endedAt: null,
      createdAt: NOW,
    });
  });

  it("has the body that the interface states, in its order, without the event's data", () => {
    expect(WebhookDelivery.bodyOf({ ...delivery, type: "create_settlement", sequence: 2 })).toBe(
      `{"id":"${delivery.eventId}","type":"create_settlement","datetime":"2026-01-01T00:00:00.000Z","customer_id":"${delivery.customerId}","record_id":"${delivery.recordId}","sequence":2}`,
    );
  });

  it("ends when it is received", () => {
    const after = WebhookDelivery.recordAttempt(delivery, { at: NOW + 1, status: 204, error: null }, null, 0);
    expect(after).toMatchObject({
      status: "delivered",
      attempts: 1,
      lastStatus: 204,
      lastError: null,
      nextAttemptAt: null,
      endedAt: NOW + 1,
    });
  });

  it("that fails is retried after 5, 15 and 45 seconds and finally every hour; jitter shortens a pause by up to half", () => {
    let tried = delivery;
    const pauses: Array<number> = [];
    for (let attempt = 0; attempt < 9; attempt++) {
      tried = WebhookDelivery.recordAttempt(tried, failure(NOW), null, 0);
      pauses.push(((tried.nextAttemptAt ?? 0) - NOW) / 1_000);
    }
    expect(pauses).toEqual([5, 15, 45, 135, 405, 1_215, 3_600, 3_600, 3_600]);
    expect(WebhookDelivery.pauseAfter(1, 1)).toBe(2_500);
    expect(WebhookDelivery.pauseAfter(50, 0.5)).toBe(2_700_000);
    expect(tried).toMatchObject({ status: "pending", attempts: 9, lastStatus: 500, firstAttemptAt: NOW });
    expect(tried.lastError).toBe("the receiver returned 500");
  });

  it.each([
    [DAY - 1, NOW + 5, "pending"],
    [DAY, NOW + 5, "failed"],
    [DAY, NOW, "failed"],
    [DAY, NOW - 1, "pending"],
    [30 * DAY, null, "pending"],
  ])("that has failed for %d ms, with the endpoint's last success at %s, is %s", (age, success, status) => {
    const first = WebhookDelivery.recordAttempt(delivery, failure(NOW), null, 0);
    const last = WebhookDelivery.recordAttempt(first, failure(NOW + age), success, 0);
    expect(last.status).toBe(status);
    expect(last.endedAt === null).toBe(status === "pending");
    expect(last.nextAttemptAt === null).toBe(status === "failed");
  });

  it("stores the beginning of a long error message", () => {
    const long = { at: NOW, status: null, error: "x".repeat(2_000) };
    expect(WebhookDelivery.recordAttempt(delivery, long, null, 0).lastError).toBe("x".repeat(500));
  });

  it("that is sent again by hand is retried like a new one", () => {
    const ended = WebhookDelivery.abandon({ ...delivery, attempts: 7, firstAttemptAt: NOW }, "deleted", NOW);
    expect(ended).toMatchObject({ status: "failed", lastError: "deleted", endedAt: NOW });
    expect(WebhookDelivery.redeliver(ended, NOW + 9)).toMatchObject({
      status: "pending",
      attempts: 0,
      firstAttemptAt: null,
      nextAttemptAt: NOW + 9,
      endedAt: null,
    });
  });
});

describe("a response", () => {
  it.each([
    [200, null],
    [204, null],
    [299, null],
    [301, "the receiver returned 301: redirects are not followed, the endpoint must name the final URL"],
    [199, "the receiver returned 199"],
    [404, "the receiver returned 404"],
    [410, "the receiver returned 410: it refuses all further events"],
    [503, "the receiver returned 503"],
  ])("of %d: %s", (status, problem) => expect(WebhookDelivery.problemOf(status)).toBe(problem));
});

describe("the order of deliveries", () => {
  it("is that of the feed within each record, and of first events between records", () => {
    const [one, other] = [Build.freshUuid(), Build.freshUuid()];
    const at = (position: number, recordId: string) => ({ ...delivery, position, recordId });
    const queues = WebhookDelivery.byRecord([at(5, other), at(4, one), at(2, other), at(10, one)]);
    expect(queues.map((queue) => queue.map(({ position }) => position))).toEqual([
      [2, 5],
      [4, 10],
    ]);
  });

  it("has exactly these states", () => {
    expect(WebhookDelivery.OPEN).toEqual(["pending", "held"]);
    expect(WebhookDelivery.STATUSES).toEqual(["pending", "held", "delivered", "failed"]);
    expect(
      WebhookEndpoint.isDue({ retryFrom: NOW + MINUTE }, { ...delivery, nextAttemptAt: null }, NOW),
    ).toBe(true);
  });
});

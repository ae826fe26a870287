import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { SELF_BILLING, TENTH } from "../http/Scene.ts";
import { collector, type Span } from "./Collector.ts";
import { COPIED, call, developmentKey, folder, listening, run, type Template, template } from "./running.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT = "00f067aa0ba902b7";
const SERVER = 2;
const ERROR = 2;

let here = folder();
afterEach(() => {
  here.remove();
  here = folder();
});

const one = (spans: ReadonlyArray<Span>, fits: (span: Span) => boolean): Span => {
  const [found, ...others] = spans.filter(fits);
  expect(others).toEqual([]);
  if (found === undefined) throw new Error("there is no such span");
  return found;
};

let store: Template;
beforeAll(async () => {
  store = await template();
});
afterAll(() => store.remove());

/** A server on a store of its own, and where its spans go. */
const traced = async (environment: Record<string, string> = {}) => {
  const target = await collector();
  store.copyTo(here.path);
  const server = run(here.path, ["serve"], {
    ...COPIED,
    OTEL_EXPORTER_OTLP_ENDPOINT: target.url,
    ...environment,
  });
  const url = await listening(server);
  const key = developmentKey(here.path);
  const { customerId } = store;
  const stop = async () => {
    server.process.kill("SIGTERM");
    expect(await server.ended).toBe(0);
    target.close();
    return target.spans();
  };
  return { target, server, url, key, customerId, stop };
};

const WORKSPACE = "6f1c2d4e-0000-4000-8000-000000000002";

/** Waits until the worker has made the report of a settlement. */
const reported = async (url: string, key: string, id: string): Promise<void> => {
  for (;;) {
    const { settlements } = (await call(url, key, "GET", `settlements?ids=${id}`)).body;
    if (settlements[0].view.status.type !== "awaiting_report") return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};

describe("a server with a collector of spans", () => {
  it("continues the caller's trace down to the commit, without secrets", async () => {
    const { target, url, key, stop } = await traced({ OTEL_SERVICE_NAME: "till" });
    const response = await fetch(`${url}/api/v1/partners`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        "x-request-id": "request-7",
        traceparent: `00-${TRACE}-${PARENT}-01`,
      },
      body: JSON.stringify({
        name: "Nordlys ApS",
        workspace_id: WORKSPACE,
        billing_mode: "self_billing",
        self_billing_data: SELF_BILLING,
      }),
    });
    expect(response.status).toBe(201);
    const { id } = (await response.json()) as { id: string };
    expect((await call(url, key, "GET", `partners?ids=${id}`)).status).toBe(200);
    const spans = (await stop()).filter(({ traceId }) => traceId === TRACE);

    const request = one(spans, ({ kind }) => kind === SERVER);
    expect(request).toMatchObject({
      name: "POST /api/v1/partners",
      parentSpanId: PARENT,
      attributes: {
        "http.request.method": "POST",
        "http.route": "/api/v1/partners",
        "http.response.status_code": 201,
        "quittance.request_id": "request-7",
      },
    });
    const command = one(spans, ({ name }) => name === "quittance.command");
    expect(command).toMatchObject({
      parentSpanId: request.spanId,
      attributes: { "quittance.attempts": 1 },
    });
    const commit = one(spans, ({ name }) => name === "quittance.commit");
    expect(commit).toMatchObject({ parentSpanId: command.spanId, attributes: { "quittance.changes": 1 } });
    expect(spans.some(({ parentSpanId }) => parentSpanId === commit.spanId)).toBe(true);

    expect([...target.paths]).toEqual(["/v1/traces"]);
    expect(target.text()).toContain('"till"');
    expect(target.text()).not.toMatch(/qk_|Bearer|DK5000400440116243|DK12345678|Nordlys|select |insert /);
    expect(target.text()).not.toContain(id);
  });

  it("starts a trace for each request without one, and for each job of the worker", async () => {
    const { url, key, customerId, stop } = await traced();
    const make = async (path: string, body: object) => (await call(url, key, "POST", path, body)).body.id;
    const common = { name: "x", workspace_id: WORKSPACE };
    const partner_id = await make("partners", common);
    const properties = [{ name: "order_value", type: "number", required: true }];
    const schema_id = await make("attribution-schemas", { ...common, properties });
    await make("commission-formulas", {
      ...common,
      partner_id,
      schema_id,
      currency: "EUR",
      start_datetime: "2020-01-01T00:00:00Z",
      expression: TENTH,
    });
    await make("attributions", {
      workspace_id: WORKSPACE,
      partner_id,
      schema_id,
      properties: { order_value: 100 },
    });
    const { commissions } = (await call(url, key, "GET", "commissions")).body;
    const settlement = await make("settlements", {
      customer_id: customerId,
      workspace_id: WORKSPACE,
      partner_id,
      commission_ids: [commissions[0].id],
    });
    expect((await call(url, key, "POST", `settlements/${settlement}/approve`)).status).toBe(200);
    await reported(url, key, settlement);
    const spans = await stop();

    const requests = spans.filter(({ kind }) => kind === SERVER);
    expect(requests.every(({ parentSpanId }) => parentSpanId === undefined)).toBe(true);
    expect(new Set(requests.map(({ traceId }) => traceId)).size).toBe(requests.length);
    const job = one(spans, ({ name }) => name === "quittance.job make_report");
    expect(job.attributes).toEqual({ "quittance.topic": "make_report", "quittance.attempt": 1 });
    expect(job.parentSpanId).toBeUndefined();
    expect(
      spans.some(({ name, parentSpanId }) => name === "quittance.command" && parentSpanId === job.spanId),
    ).toBe(true);
  });

  it("does not record a trace that its caller does not record", async () => {
    const { url, key, stop } = await traced();
    const response = await fetch(`${url}/api/v1/partners`, {
      headers: { authorization: `Bearer ${key}`, traceparent: `00-${TRACE}-${PARENT}-00` },
    });
    expect(response.status).toBe(200);
    expect((await stop()).filter(({ traceId }) => traceId === TRACE)).toEqual([]);
  });

  it("ignores an invalid traceparent", async () => {
    const { url, stop } = await traced();
    const zero = `00-${"0".repeat(32)}-${PARENT}-01`;
    for (const traceparent of ["", "x", zero, `ff-${TRACE}-${PARENT}-01`, `00-${TRACE}-${PARENT}`]) {
      expect((await fetch(`${url}/healthz`, { headers: { traceparent } })).status).toBe(200);
    }
    const probes = (await stop()).filter(({ name }) => name === "GET /healthz");
    expect(probes).toHaveLength(5);
    expect(probes.every(({ parentSpanId, traceId }) => parentSpanId === undefined && traceId !== TRACE)).toBe(
      true,
    );
  });

  it("records the type of a failure and nothing else about it", async () => {
    const { target, url, key, stop } = await traced();
    const missing = "0190c2d4-0000-7000-8000-000000000001";
    expect((await call(url, key, "POST", `settlements/${missing}/approve`)).status).toBe(404);
    const spans = await stop();
    const request = one(spans, ({ name }) => name.startsWith("POST "));
    const isOurs = ({ name }: Span) => name.startsWith("quittance.");
    const command = one(spans, (span) => isOurs(span) && span.parentSpanId === request.spanId);
    expect(command.status).toEqual({ code: ERROR });
    expect(command.attributes).toMatchObject({ "error.type": "Missing" });
    expect(command.name).toBe("quittance.command");
    expect(request.status.code).not.toBe(ERROR);
    expect(target.text()).not.toContain(missing);
    expect(target.text()).not.toMatch(/stacktrace|\.js:\d/);
  });
});

describe("an unreachable collector", () => {
  it("affects only the spans", async () => {
    store.copyTo(here.path);
    const server = run(here.path, ["serve"], {
      ...COPIED,
      OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1",
    });
    const url = await listening(server);
    expect((await call(url, developmentKey(here.path), "GET", "partners")).status).toBe(200);
    server.process.kill("SIGTERM");
    expect(await server.ended).toBe(0);
  });
});

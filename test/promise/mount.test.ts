import type { AddressInfo } from "node:net";
import express, { type Express } from "express";
import { open, type Quittance } from "quittance/promise";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

type Listener = Awaited<ReturnType<Quittance["nodeHandler"]>>;

let quittance: Quittance;
let listener: Listener;
let key = "";

beforeAll(async () => {
  quittance = await open({ database: "memory:", worker: false });
  listener = await quittance.nodeHandler();
  key = (await quittance.as({ customerId: crypto.randomUUID() }).apiKeys.create({ name: "shop" })).key;
});

afterAll(() => quittance.close());

const MOUNTS: ReadonlyArray<readonly [string, string, (application: Express) => void]> = [
  ["at the root", "", (application) => application.use(listener)],
  ["below its own path", "", (application) => application.use("/api/v1", listener)],
  ["below a prefix", "/billing", (application) => application.use("/billing", listener)],
];

describe("a mount in Express", () => {
  it.each(
    MOUNTS.flatMap(([place, prefix, mount]) => [
      [`${place}, with its bodies unread`, prefix, mount] as const,
      [
        `${place}, after express.json()`,
        prefix,
        (application: Express) => {
          application.use(express.json());
          mount(application);
        },
      ] as const,
    ]),
  )("%s handles reads, commands and uploads", async (_, prefix, mount) => {
    const application = express();
    mount(application);
    const server = application.listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}${prefix}/api/v1`;
    const authorization = `Bearer ${key}`;
    const created = await fetch(`${base}/partners`, {
      method: "POST",
      headers: { authorization, "content-type": "application/json" },
      body: JSON.stringify({ name: "Nordlys ApS", workspace_id: crypto.randomUUID() }),
    });
    expect(created.status).toBe(201);
    const { id } = (await created.json()) as { readonly id: string };
    const listed = await fetch(`${base}/partners?ids=${id}`, { headers: { authorization } });
    expect(await listed.json()).toMatchObject({ total: 1, partners: [{ id }] });
    const body = new FormData();
    body.set("file", new Blob(["%PDF-1.7"]), "invoice.pdf");
    const path = `${base}/settlements/${crypto.randomUUID()}/invoice`;
    const uploaded = await fetch(path, { method: "POST", headers: { authorization }, body });
    expect(await uploaded.json()).toMatchObject({ error_code: "NOT_FOUND", message: "settlement not found" });
    await new Promise((resolve) => server.close(resolve));
  });

  it("ignores a prefix in the query", async () => {
    const application = express();
    application.use("/shop", listener);
    const server = application.listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/shop/a?b=/api/v1/partners`;
    expect((await fetch(url, { headers: { authorization: `Bearer ${key}` } })).status).toBe(404);
    await new Promise((resolve) => server.close(resolve));
  });
});

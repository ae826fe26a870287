/** The same two operations on Node's own server, with as few checks as possible. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { announce, type Sale, STORED, sale, shown } from "./Setting.ts";

const token = crypto.randomUUID();
const customerId = crypto.randomUUID();
const posted = sale();
const stored = Array.from({ length: STORED }, () =>
  shown(crypto.randomUUID(), customerId, posted, new Date().toISOString()),
);
const JSON_TYPE = { "content-type": "application/json" };

const server = createServer((request, response) => {
  const respond = (status: number, body: unknown): void => {
    const text = JSON.stringify(body);
    response.writeHead(status, { ...JSON_TYPE, "content-length": Buffer.byteLength(text) }).end(text);
  };
  if (request.headers.authorization !== `Bearer ${token}`)
    return respond(401, { error_code: "UNAUTHORIZED" });
  if (request.method === "GET") {
    const query = new URLSearchParams(request.url?.split("?")[1]);
    const [page, per_page] = [Number(query.get("page") ?? 1), Number(query.get("per_page") ?? 10)];
    const attributions = stored.slice((page - 1) * per_page, page * per_page);
    return respond(200, { attributions, total: stored.length, page, per_page });
  }
  let text = "";
  request.on("data", (chunk) => {
    text += chunk;
  });
  request.on("end", () => {
    const body: Sale = JSON.parse(text);
    const id = crypto.randomUUID();
    stored.push(shown(id, customerId, body, new Date().toISOString()));
    respond(201, { id });
  });
});
server.listen(0, "127.0.0.1", () =>
  announce({ port: (server.address() as AddressInfo).port, token, sales: { "no formula": posted } }),
);

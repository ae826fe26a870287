/** The same two operations on Node's own server, checking as little as one could get away with. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type Sale, STORED, sale, shown, tell } from "./Setting.ts";

const token = crypto.randomUUID();
const customerId = crypto.randomUUID();
const posted = sale();
const stored = Array.from({ length: STORED }, () =>
  shown(crypto.randomUUID(), customerId, posted, new Date().toISOString()),
);
const JSON_TYPE = { "content-type": "application/json" };

const server = createServer((request, response) => {
  const answer = (status: number, body: unknown): void => {
    const text = JSON.stringify(body);
    response.writeHead(status, { ...JSON_TYPE, "content-length": Buffer.byteLength(text) }).end(text);
  };
  if (request.headers.authorization !== `Bearer ${token}`) return answer(401, { error_code: "UNAUTHORIZED" });
  if (request.method === "GET") {
    const query = new URLSearchParams(request.url?.split("?")[1]);
    const [page, per_page] = [Number(query.get("page") ?? 1), Number(query.get("per_page") ?? 10)];
    const attributions = stored.slice((page - 1) * per_page, page * per_page);
    return answer(200, { attributions, total: stored.length, page, per_page });
  }
  let text = "";
  request.on("data", (chunk) => {
    text += chunk;
  });
  request.on("end", () => {
    const body: Sale = JSON.parse(text);
    const id = crypto.randomUUID();
    stored.push(shown(id, customerId, body, new Date().toISOString()));
    answer(201, { id });
  });
});
server.listen(0, "127.0.0.1", () =>
  tell({ port: (server.address() as AddressInfo).port, token, sales: { "no formula": posted } }),
);

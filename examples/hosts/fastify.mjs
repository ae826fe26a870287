import Fastify from "fastify";
import { open } from "quittance/promise";
import { pay } from "./pay.mjs";

const quittance = await open({ database: "memory:" });
const listener = await quittance.nodeHandler({ prefix: "/billing" });
const app = Fastify();
app.addContentTypeParser("multipart/form-data", (_request, _payload, done) => done(null));
app.all("/billing/api/v1/*", (request, reply) => {
  reply.hijack();
  listener(Object.assign(request.raw, { body: request.body }), reply.raw);
});
const url = await app.listen({ host: "127.0.0.1", port: 0 });

const { key } = await quittance.as({ customerId: crypto.randomUUID() }).apiKeys.create({ name: "shop" });
await pay({ url: `${url}/billing`, key });
await app.close();
await quittance.close();

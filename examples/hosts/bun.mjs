import { open } from "quittance/promise";
import { pay } from "./pay.mjs";

const quittance = await open({ database: "memory:" });
const server = Bun.serve({ fetch: await quittance.handler(), hostname: "127.0.0.1", port: 0 });

const { key } = await quittance.as({ customerId: crypto.randomUUID() }).apiKeys.create({ name: "shop" });
await pay({ url: `http://127.0.0.1:${server.port}`, key });
await server.stop();
await quittance.close();

import { open } from "quittance/promise";
import { pay } from "./pay.mjs";

const quittance = await open({ database: "memory:" });
const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, await quittance.handler());

const { key } = await quittance.as({ customerId: crypto.randomUUID() }).apiKeys.create({ name: "shop" });
await pay({ url: `http://127.0.0.1:${server.addr.port}`, key });
await server.shutdown();
await quittance.close();

import { once } from "node:events";
import { createServer } from "node:http";
import { open } from "quittance/promise";
import { pay } from "./pay.mjs";

const quittance = await open({ database: "memory:" });
const server = createServer(await quittance.nodeHandler()).listen(0, "127.0.0.1");
await once(server, "listening");

const { key } = await quittance.as({ customerId: crypto.randomUUID() }).apiKeys.create({ name: "shop" });
await pay({ url: `http://127.0.0.1:${server.address().port}`, key });
server.close();
await quittance.close();

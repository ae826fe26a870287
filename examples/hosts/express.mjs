import { once } from "node:events";
import express from "express";
import { open } from "quittance/promise";
import { pay } from "./pay.mjs";

const quittance = await open({ database: "memory:" });
const app = express();
app.use(express.json());
app.use("/billing", await quittance.nodeHandler());
const server = app.listen(0, "127.0.0.1");
await once(server, "listening");

const { key } = await quittance.as({ customerId: crypto.randomUUID() }).apiKeys.create({ name: "shop" });
await pay({ url: `http://127.0.0.1:${server.address().port}/billing`, key });
server.close();
await quittance.close();

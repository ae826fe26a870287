/** A thread that renders one document and reports the most bytes its heap used after any page, garbage included. */
import { getHeapStatistics } from "node:v8";
import { parentPort, workerData } from "node:worker_threads";
import * as Fonts from "../../../adapters/pdf/Fonts.ts";
import * as Rendering from "../../../adapters/pdf/Rendering.ts";
import * as Settled from "../../../adapters/pdf/Settled.ts";

let most = 0;
const note = async (): Promise<void> => {
  most = Math.max(most, getHeapStatistics().used_heap_size);
};

const content = { ...workerData, lines: workerData.lines.map(Settled.shown) };
await Rendering.render(content, Fonts.open(Fonts.installed()), note);
await note();
parentPort?.postMessage(most);

/** A thread that renders one document and reports the most bytes its heap used after any page, garbage included. */
import { getHeapStatistics } from "node:v8";
import { parentPort, workerData } from "node:worker_threads";
import * as Fonts from "../../../dist/adapters/pdf/Fonts.js";
import * as Rendering from "../../../dist/adapters/pdf/Rendering.js";

let most = 0;
const note = () => {
  most = Math.max(most, getHeapStatistics().used_heap_size);
};

await Rendering.render(workerData, Fonts.open(Fonts.installed()), note);
note();
parentPort.postMessage(most);

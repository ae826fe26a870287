/** A thread that draws one document and says how much its heap held at most. */
import { getHeapStatistics } from "node:v8";
import { parentPort, workerData } from "node:worker_threads";
import type { Documents } from "quittance";
import * as Fonts from "../../../adapters/pdf/Fonts.ts";
import * as Rendering from "../../../adapters/pdf/Rendering.ts";

/** Bytes in use, garbage included, the most after any page. */
export interface Heap {
  readonly most: number;
}

let most = 0;
const note = (): void => {
  most = Math.max(most, getHeapStatistics().used_heap_size);
};

await Rendering.render(workerData as Documents.DocumentContent, Fonts.open(Fonts.installed()), note);
note();
parentPort?.postMessage({ most } satisfies Heap);

/** A thread that renders one document and sends the greatest heap size after any page, in bytes, including garbage. */
import { getHeapStatistics } from "node:v8";
import { parentPort } from "node:worker_threads";
import type { Documents } from "quittance";
import * as Fonts from "../../../adapters/pdf/Fonts.ts";
import * as Rendering from "../../../adapters/pdf/Rendering.ts";
import * as SettlementTable from "../../../adapters/pdf/SettlementTable.ts";
import type { Request } from "../../../adapters/pdf/Thread.ts";

let most = 0;
const note = async (): Promise<void> => {
  most = Math.max(most, getHeapStatistics().used_heap_size);
};

const lines: Array<Documents.DetailedLine> = [];

// The lines arrive in parts, as in the renderer's threads, so that this thread never stores the text of all lines.
parentPort?.on("message", async (request: Request) => {
  if (request.type === "lines") {
    for (const line of request.lines)
      if ("schemaName" in line) lines.push(SettlementTable.dropUnusedText(line));
    return;
  }
  const content = { ...request.content, lines } as Rendering.Content;
  await Rendering.render(content, Fonts.open(Fonts.installedSources()), note);
  await note();
  parentPort?.postMessage(most);
});

/** The entry file of a thread that renders documents, one at a time. */
import { setPriority } from "node:os";
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { Documents } from "quittance";
import * as Fonts from "./Fonts.ts";
import * as Rendering from "./Rendering.ts";
import * as SettlementTable from "./SettlementTable.ts";

/** The start parameters of a thread. */
export interface Start {
  /** Distinguishes a start of the entry from other imports of the module. */
  readonly thread: "quittance/pdf";
  readonly sources: ReadonlyArray<Fonts.Source>;
  /** The nice value of the thread, from 0 to 19; a higher one leaves more processor time to others. */
  readonly niceness: number;
}

/** A document's lines are sent in several messages, so that many lines do not block the sender. */
export type Request =
  | { readonly type: "lines"; readonly lines: Rendering.Content["lines"] }
  | { readonly type: "render"; readonly content: Rendering.Content };

/** The outcome of a request to render. */
export type Reply =
  | { readonly type: "rendered"; readonly bytes: Uint8Array }
  | {
      readonly type: "refused";
      readonly code: Documents.RenderingRefused["code"];
      readonly message: string;
    }
  | { readonly type: "failed"; readonly error: Error };

const isStart = (data: unknown): data is Start =>
  typeof data === "object" && data !== null && "thread" in data && data.thread === "quittance/pdf";

const attempt = async (content: Rendering.Content, families: ReadonlyArray<Fonts.Family>): Promise<Reply> => {
  try {
    return { type: "rendered", bytes: await Rendering.render(content, families) };
  } catch (error) {
    if (error instanceof Documents.RenderingRefused) {
      return { type: "refused", code: error.code, message: error.message };
    }
    return { type: "failed", error: error instanceof Error ? error : new Error(String(error)) };
  }
};

/** Renders the documents that the port requests. */
export const listen = (port: MessagePort, { sources, niceness }: Start): void => {
  // Only on Linux does a thread have a priority of its own.
  if (niceness > 0 && process.platform === "linux") setPriority(niceness);
  const families = Fonts.open(sources);
  let lines: Array<Rendering.Content["lines"][number]> = [];
  port.on("message", async (request: Request) => {
    if (request.type === "lines") {
      lines.push(
        ...request.lines.map((line) => ("schemaName" in line ? SettlementTable.dropUnusedText(line) : line)),
      );
      return;
    }
    // The lines that were sent are those of the content.
    const content = { ...request.content, lines } as Rendering.Content;
    lines = [];
    const reply = await attempt(content, families);
    port.postMessage(reply, reply.type === "rendered" ? [reply.bytes.buffer as ArrayBuffer] : []);
  });
};

if (parentPort !== null && isStart(workerData)) listen(parentPort, workerData);

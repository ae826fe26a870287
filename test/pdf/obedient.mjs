/** A thread that does what the number of the document says, for the tests of those who keep threads. */
import { parentPort, threadId } from "node:worker_threads";

parentPort.on("message", ({ type, content }) => {
  if (type !== "render") return;
  switch (content.number) {
    case "hang":
      return;
    case "crash":
      return process.exit(7);
    case "throw":
      throw new Error("thrown by the thread");
    case "heap": {
      const kept = [];
      for (;;) kept.push(new Array(1_000_000).fill(kept.length));
    }
    default:
      parentPort.postMessage({ type: "rendered", bytes: new Uint8Array([threadId]) });
  }
});

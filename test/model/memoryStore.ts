/** The store in memory for random runs. */
import { Layer } from "effect";
import { layer as memory } from "quittance/memory";
import { layer as nodeDigest } from "../../adapters/server/NodeDigest.ts";

/** With a synchronous digest: a run then waits for no other thread, which takes longer than a command. */
export const layer = Layer.merge(memory, nodeDigest);

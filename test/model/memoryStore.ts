/** The memory store for random runs. */
import { Layer } from "effect";
import { layer as memory } from "quittance/memory";
import { layer as nodeDigest } from "../../adapters/server/NodeDigest.ts";

/** With a synchronous digest: waiting for another thread would take longer than a command. */
export const layer = Layer.merge(memory, nodeDigest);

/** Computing time of the current thread, so that limits do not depend on what else the machine runs. */
import { existsSync, readFileSync } from "node:fs";

const SCHEDULED = "/proc/thread-self/schedstat";

/** CPU milliseconds of this thread; wall-clock milliseconds where the system has no `/proc`. */
export const computed = (): number =>
  existsSync(SCHEDULED) ? Number(readFileSync(SCHEDULED, "latin1").split(" ")[0]) / 1e6 : performance.now();

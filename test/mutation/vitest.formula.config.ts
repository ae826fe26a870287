/** What the mutants of the formula language are tried on: its own tests, in one worker, with the random parts cut short. */
import { config } from "./config.ts";

export default config(["test/formula/*.test.ts", "test/cookbook/*.test.ts"]);

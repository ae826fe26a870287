/**
 * Lets the process receive messages after each test. A worker that computes for a minute without a pause does not see the
 * reply of the runner in time, and the run fails although every test has passed.
 */
import { setImmediate } from "node:timers/promises";
import { afterEach } from "vitest";

afterEach(() => setImmediate());

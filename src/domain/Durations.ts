/** Durations, in milliseconds. They import nothing, since the command line loads them before anything else. */
export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Durations in milliseconds, and dates. */
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** The UTC date of a moment, some days later. */
export const dateOf = (moment: number, days = 0): string =>
  new Date(moment + days * DAY).toISOString().slice(0, 10);

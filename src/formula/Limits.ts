/** How large a formula may be. Every limit is inclusive. */

/** Nodes nested inside each other, the root included. */
export const depth = 32;

/** Nodes of a formula. */
export const nodes = 1_000;

/** Bytes of the formula as compact JSON in UTF-8. */
export const bytes = 65_536;

/** Operands of a node, bands, tiers and branches. */
export const operands = 100;

/** Entries of a lookup and values of an `in`. */
export const entries = 1_000;

/** Bindings of one `let`. */
export const bindings = 32;

/** Code points of a text, a name or a date. */
export const characters = 256;

/** Aggregates of a formula. */
export const aggregates = 8;

/** Properties that group one aggregate. */
export const groupProperties = 8;

/** Days of a rolling window. */
export const rollingDays = 3_660;

/** Bits of the numerator and of the denominator of any number a formula can produce. */
export const bits = 512;

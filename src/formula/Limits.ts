/** How large a formula may be. Every limit is inclusive. */

/** Nodes nested inside each other, the root included. */
export const DEPTH_MAX = 32;

/** Nodes of a formula. */
export const NODES_MAX = 1_000;

/** Bytes of the formula as compact JSON in UTF-8. */
export const BYTES_MAX = 65_536;

/** Operands of a node, bands, tiers and branches. */
export const OPERANDS_MAX = 100;

/** Entries of a lookup and values of an `in`. */
export const ENTRIES_MAX = 1_000;

/** Bindings of one `let`. */
export const BINDINGS_MAX = 32;

/** Code points of a text, a name or a date. */
export const CHARACTERS_MAX = 256;

/** Aggregates of a formula. */
export const AGGREGATES_MAX = 8;

/** Properties that group one aggregate. */
export const GROUP_PROPERTIES_MAX = 8;

/** Days of a rolling window. */
export const ROLLING_DAYS_MAX = 3_660;

/** Bits of the numerator and of the denominator of any number a formula can produce. */
export const BITS_MAX = 512;

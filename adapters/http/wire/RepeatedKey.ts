/** Finds keys that an object of a JSON text has twice. `JSON.parse` returns the last value and does not report it. */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
const BRACE = 0x7b;
const BRACKET = 0x5b;
const BRACE_END = 0x7d;
const BRACKET_END = 0x5d;

const decoder = new TextDecoder();

/** The place of the quote that ends the string which begins at a place. */
const endOfString = (bytes: Uint8Array, start: number): number => {
  let place = start + 1;
  while (place < bytes.length && bytes[place] !== QUOTE) place += bytes[place] === BACKSLASH ? 2 : 1;
  return place;
};

/** How many keys the objects of a valid JSON text state: its colons outside strings. */
export const countKeys = (bytes: Uint8Array): number => {
  let count = 0;
  for (let place = 0; place < bytes.length; place += 1) {
    const byte = bytes[place];
    if (byte === QUOTE) place = endOfString(bytes, place);
    else if (byte === COLON) count += 1;
  }
  return count;
};

/** An object or array that is being read, and the key or index of the value that follows. */
interface Open {
  /** Null for an array. */
  readonly keys: Set<string> | null;
  current: string;
}

/** The path of the first key of a valid JSON text that its object has already, or null. */
export const find = (bytes: Uint8Array): string | null => {
  const open: Array<Open> = [];
  let text = "";
  for (let place = 0; place < bytes.length; place += 1) {
    const byte = bytes[place];
    const inner = open.at(-1);
    if (byte === QUOTE) {
      const start = place;
      place = endOfString(bytes, start);
      // A key is known as one by the colon that follows.
      if (inner?.keys != null) text = decoder.decode(bytes.subarray(start, place + 1));
    } else if (byte === BRACE) open.push({ keys: new Set(), current: "" });
    else if (byte === BRACKET) open.push({ keys: null, current: "0" });
    else if (byte === BRACE_END || byte === BRACKET_END) open.pop();
    else if (byte === COMMA && inner?.keys === null) inner.current = String(Number(inner.current) + 1);
    else if (byte === COLON && inner?.keys != null) {
      inner.current = JSON.parse(text);
      if (inner.keys.has(inner.current)) return open.map(({ current }) => current).join(".");
      inner.keys.add(inner.current);
    }
  }
  return null;
};

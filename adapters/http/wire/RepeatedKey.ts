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

/** The offset of the quote that ends the string which begins at `start`. */
const endOfString = (bytes: Uint8Array, start: number): number => {
  let offset = start + 1;
  while (offset < bytes.length && bytes[offset] !== QUOTE) offset += bytes[offset] === BACKSLASH ? 2 : 1;
  return offset;
};

/** The number of keys in all objects of a valid JSON text: its colons outside strings. */
export const countKeys = (bytes: Uint8Array): number => {
  let count = 0;
  for (let offset = 0; offset < bytes.length; offset += 1) {
    const byte = bytes[offset];
    if (byte === QUOTE) offset = endOfString(bytes, offset);
    else if (byte === COLON) count += 1;
  }
  return count;
};

/** An object or array that is being read, and the key or index of the value that follows. */
interface Container {
  /** Null for an array. */
  readonly keys: Set<string> | null;
  current: string;
}

/** The path of the first key of a valid JSON text that its object has already, or null. */
export const find = (bytes: Uint8Array): string | null => {
  const containers: Array<Container> = [];
  let text = "";
  for (let offset = 0; offset < bytes.length; offset += 1) {
    const byte = bytes[offset];
    const inner = containers.at(-1);
    if (byte === QUOTE) {
      const start = offset;
      offset = endOfString(bytes, start);
      // The string is a key if a colon follows.
      if (inner?.keys != null) text = decoder.decode(bytes.subarray(start, offset + 1));
    } else if (byte === BRACE) containers.push({ keys: new Set(), current: "" });
    else if (byte === BRACKET) containers.push({ keys: null, current: "0" });
    else if (byte === BRACE_END || byte === BRACKET_END) containers.pop();
    else if (byte === COMMA && inner?.keys === null) inner.current = String(Number(inner.current) + 1);
    else if (byte === COLON && inner?.keys != null) {
      inner.current = JSON.parse(text);
      if (inner.keys.has(inner.current)) return containers.map(({ current }) => current).join(".");
      inner.keys.add(inner.current);
    }
  }
  return null;
};

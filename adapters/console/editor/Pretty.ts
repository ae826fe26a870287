/** JSON text for people. */

/** Characters of a line; what fits is written on one. */
const LINE_LENGTH = 64;

const inline = (value: unknown): string =>
  Array.isArray(value)
    ? `[${value.map(inline).join(", ")}]`
    : typeof value === "object" && value !== null
      ? `{ ${Object.entries(value)
          .map(([key, one]) => `${JSON.stringify(key)}: ${inline(one)}`)
          .join(", ")} }`
      : JSON.stringify(value);

/** JSON text in which a part that fits on a line is on one line. */
export const pretty = (value: unknown, indent = "", used = 0): string => {
  const short = inline(value);
  if (typeof value !== "object" || value === null || indent.length + used + short.length <= LINE_LENGTH)
    return short;
  const deeper = `${indent}  `;
  const parts = Array.isArray(value)
    ? value.map((item) => `${deeper}${pretty(item, deeper)}`)
    : Object.entries(value).map(
        ([key, one]) => `${deeper}${JSON.stringify(key)}: ${pretty(one, deeper, key.length + 4)}`,
      );
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  return `${open}\n${parts.join(",\n")}\n${indent}${close}`;
};

/** Plain JSON values. */

/** True if two plain JSON values are equal, whatever the order of their keys. */
export const sameJson = (one: unknown, other: unknown): boolean => {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  if (Array.isArray(one) || Array.isArray(other)) {
    return (
      Array.isArray(one) &&
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((item, index) => sameJson(item, other[index]))
    );
  }
  const left = Object.entries(one);
  const right = new Map(Object.entries(other));
  return (
    left.length === right.size &&
    left.every(([name, value]) => right.has(name) && sameJson(value, right.get(name)))
  );
};

/**
 * The canonical JSON text of a plain JSON value (RFC 8785): members in the order of their names by UTF-16 code units, no
 * white space, numbers and strings as ECMAScript writes them. What is undefined counts as null in a list and as absent elsewhere.
 */
export const canonicalJson = (value: unknown): string => {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  members.sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(",")}}`;
};

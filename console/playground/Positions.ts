/** Offsets of the parts of a JSON text, to show a problem at its line. */

/** The offset at which the value of a path such as `$.operands.1.left` begins; if there is none, the offset of the nearest part around it. */
export const offsetOf = (text: string, path: string): number => {
  const keys = path.split(".").slice(1);
  let at = 0;
  let offset = 0;
  const skipSpace = (): void => {
    while (/\s/.test(text[at] ?? "")) at += 1;
  };
  const readString = (): string => {
    const from = at;
    at += 1;
    while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
    at += 1;
    return text.slice(from + 1, at - 1);
  };
  /** Reads a value; `depth` counts how many steps of the path lead here, or is -1 beside the path. */
  const readValue = (depth: number): void => {
    skipSpace();
    if (depth >= 0) offset = at;
    const open = text[at];
    if (open === '"') {
      readString();
      return;
    }
    if (open !== "{" && open !== "[") {
      while (at < text.length && !/[,\]}\s]/.test(text[at] ?? "")) at += 1;
      return;
    }
    at += 1;
    for (let index = 0; at < text.length; index++) {
      skipSpace();
      if (text[at] === "}" || text[at] === "]") break;
      let key = String(index);
      if (open === "{") {
        key = readString();
        skipSpace();
        at += 1;
      }
      readValue(depth >= 0 && keys[depth] === key ? depth + 1 : -1);
      skipSpace();
      if (text[at] !== ",") break;
      at += 1;
    }
    at += 1;
  };
  readValue(0);
  return offset;
};

/** The line of an offset, from 1. */
export const lineOf = (text: string, offset: number): number => text.slice(0, offset).split("\n").length;

/** The offset that an error of `JSON.parse` names; the end where it names none. */
export const offsetOfSyntaxError = (text: string, message: string): number => {
  const position = /position (\d+)/.exec(message)?.[1];
  return position === undefined ? text.length : Number(position);
};

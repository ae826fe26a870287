/** Offsets of the parts of a JSON text, to show a problem at its line. */

/** The offset at which the value of a path such as `$.operands.1.left` begins; that of the nearest part around it otherwise. */
export const offsetOf = (text: string, path: string): number => {
  const wanted = path.split(".").slice(1);
  let at = 0;
  let found = 0;
  const space = (): void => {
    while (/\s/.test(text[at] ?? "")) at += 1;
  };
  const string = (): string => {
    const from = at;
    at += 1;
    while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
    at += 1;
    return text.slice(from + 1, at - 1);
  };
  /** Reads a value; `depth` counts how many steps of the path lead here, or is -1 beside the path. */
  const value = (depth: number): void => {
    space();
    if (depth >= 0) found = at;
    const open = text[at];
    if (open === '"') {
      string();
      return;
    }
    if (open !== "{" && open !== "[") {
      while (at < text.length && !/[,\]}\s]/.test(text[at] ?? "")) at += 1;
      return;
    }
    at += 1;
    for (let index = 0; at < text.length; index++) {
      space();
      if (text[at] === "}" || text[at] === "]") break;
      let key = String(index);
      if (open === "{") {
        key = string();
        space();
        at += 1;
      }
      value(depth >= 0 && wanted[depth] === key ? depth + 1 : -1);
      space();
      if (text[at] !== ",") break;
      at += 1;
    }
    at += 1;
  };
  value(0);
  return found;
};

/** The line of an offset, from 1. */
export const lineOf = (text: string, offset: number): number => text.slice(0, offset).split("\n").length;

/** The offset that an error of `JSON.parse` names; the end where it names none. */
export const offsetOfSyntaxError = (text: string, message: string): number => {
  const position = /position (\d+)/.exec(message)?.[1];
  return position === undefined ? text.length : Number(position);
};

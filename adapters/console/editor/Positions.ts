/** Offsets of the parts of a JSON text, to show a problem at its line. */

/** Reads a JSON text from its beginning and notes where the value of a path begins. */
class PathReader {
  /** Where the value of the path begins, or the nearest part around it that has been read. */
  found = 0;
  #at = 0;
  readonly #text: string;
  readonly #path: ReadonlyArray<string>;

  constructor(text: string, path: ReadonlyArray<string>) {
    this.#text = text;
    this.#path = path;
  }

  #is(pattern: RegExp): boolean {
    return pattern.test(this.#text[this.#at] ?? "");
  }

  #skip(pattern: RegExp): void {
    while (this.#at < this.#text.length && this.#is(pattern)) this.#at += 1;
  }

  #string(): string {
    const from = this.#at;
    this.#at += 1;
    while (this.#at < this.#text.length && !this.#is(/"/)) this.#at += this.#is(/\\/) ? 2 : 1;
    this.#at += 1;
    return this.#text.slice(from + 1, this.#at - 1);
  }

  #key(): string {
    const key = this.#string();
    this.#skip(/\s/);
    this.#at += 1;
    return key;
  }

  #members(isObject: boolean, depth: number): void {
    this.#at += 1;
    for (let index = 0; this.#at < this.#text.length; index++) {
      this.#skip(/\s/);
      if (this.#is(/[}\]]/)) break;
      const key = isObject ? this.#key() : String(index);
      this.value(depth >= 0 && this.#path[depth] === key ? depth + 1 : -1);
      this.#skip(/\s/);
      if (!this.#is(/,/)) break;
      this.#at += 1;
    }
    this.#at += 1;
  }

  /** Reads a value; `depth` counts how many steps of the path lead here, or is -1 off the path. */
  value(depth: number): void {
    this.#skip(/\s/);
    if (depth >= 0) this.found = this.#at;
    if (this.#is(/"/)) this.#string();
    else if (this.#is(/[{[]/)) this.#members(this.#is(/\{/), depth);
    else this.#skip(/[^,\]}\s]/);
  }
}

/** The offset at which the value of a path such as `$.operands.1.left` begins; that of the nearest part around it otherwise. */
export const offsetOf = (text: string, path: string): number => {
  const reader = new PathReader(text, path.split(".").slice(1));
  reader.value(0);
  return reader.found;
};

/** The offset that an error of `JSON.parse` names; the end where it names none. */
export const offsetOfSyntaxError = (text: string, message: string): number => {
  const position = /position (\d+)/.exec(message)?.[1];
  return position === undefined ? text.length : Number(position);
};

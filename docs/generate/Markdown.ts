/** Pieces of a printed page. */

/** Text in the type of code. */
export const code = (text: string): string => `\`${text}\``;

/** A block of code in a language. */
export const fenced = (language: string, text: string): string =>
  `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``;

/** A table; a bar inside a cell is escaped. */
export const table = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  [head, head.map(() => "---"), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`)
    .join("\n");

const WIDTH = 110;

/** JSON with spaces, on one line. */
export const inline = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(inline).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(([key, field]) => `${JSON.stringify(key)}: ${inline(field)}`);
  return fields.length === 0 ? "{}" : `{ ${fields.join(", ")} }`;
};

/** JSON that stays on one line wherever it fits into the width; `lead` is what precedes it on its first line. */
export const json = (value: unknown, indent = 0, lead = 0): string => {
  const line = inline(value);
  if (indent + lead + line.length <= WIDTH || typeof value !== "object" || value === null) return line;
  const padding = " ".repeat(indent + 2);
  const [open, close, items] = Array.isArray(value)
    ? ["[", "]", value.map((item) => json(item, indent + 2))]
    : [
        "{",
        "}",
        Object.entries(value).map(
          ([key, field]) => `${JSON.stringify(key)}: ${json(field, indent + 2, key.length + 4)}`,
        ),
      ];
  return `${open}\n${items.map((item) => padding + item).join(",\n")}\n${" ".repeat(indent)}${close}`;
};

/** The page with each `<!-- name -->` replaced by the part of that name; an unknown name is a mistake in the template. */
export const filled = (template: string, part: (name: string) => string | undefined): string =>
  template.replace(/<!-- ([\w /-]+) -->/g, (_match, name: string) => {
    const text = part(name);
    if (text === undefined) throw new Error(`the template asks for an unknown part: ${name}`);
    return text;
  });

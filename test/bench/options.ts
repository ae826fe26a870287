/** Numbers on the command line of a bench: `-- --partners 1000 --sales 300`. */
import { parseArgs } from "node:util";

/** The numbers that are stated, by the names of their options, and the defaults of the others. Fails for any other option or text. */
export const numbers = <Name extends string>(
  defaults: Readonly<Record<Name, number>>,
): Readonly<Record<Name, number>> => {
  const names = Object.keys(defaults) as Array<Name>;
  const { values } = parseArgs({
    options: Object.fromEntries(names.map((name) => [name, { type: "string" as const }])),
  });
  const stated = names.map((name) => {
    const number = Number(values[name] ?? defaults[name]);
    if (!Number.isSafeInteger(number) || number < 0)
      throw new Error(`--${name} must be a number of 0 or more`);
    return [name, number] as const;
  });
  return Object.fromEntries(stated) as Record<Name, number>;
};

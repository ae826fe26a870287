/**
 * Makes the declarations in `dist` compile in hosts without `@effect/platform` and `@effect/sql`, whose types the HTTP contract
 * and the SQL stores name. A host that has the first gets the contract typed, for its client; in others those types are `any`.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const folder = new URL("../../dist/adapters", import.meta.url).pathname;

const REASON = "// @ts-ignore: the host may not have this optional package";
const IMPORT = /^(import [^\n]* from "@effect\/(?:platform|sql)\/\w+";)$/gm;
const IN_PLACE = /import\("@effect\/(platform|sql)\/(\w+)"\)/g;

/** The declarations with every import of the package as a statement of its own, preceded by what lets it fail. */
const tolerant = (text: string): string => {
  const modules = new Map<string, string>();
  const named = text.replaceAll(IN_PLACE, (_, library: string, module: string) => {
    const name = `Of_${library}_${module}`;
    modules.set(name, `@effect/${library}/${module}`);
    return name;
  });
  const added = [...modules].map(([name, path]) => `import type * as ${name} from "${path}";\n`);
  return `${added.join("")}${named}`.replaceAll(IMPORT, `${REASON}\n$1`);
};

for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
  const file = join(folder, name);
  if (!name.endsWith(".d.ts")) continue;
  const text = readFileSync(file, "utf8");
  if (!text.includes(REASON) && /@effect\/(?:platform|sql)\//.test(text)) writeFileSync(file, tolerant(text));
}

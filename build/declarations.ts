/**
 * Makes the declarations in `dist` compile in hosts without `@effect/platform`, whose types the HTTP contract is made of. A
 * host that has the package gets the contract typed, for its client; in others those types are `any`.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const folder = new URL("../dist/adapters/http", import.meta.url).pathname;

const REASON = "// @ts-ignore: the host may not have this optional package";
const IMPORT = /^(import [^\n]* from "@effect\/platform\/\w+";)$/gm;
const IN_PLACE = /import\("@effect\/platform\/(\w+)"\)/g;

/** The declarations with every import of the package as a statement of its own, preceded by what lets it fail. */
const tolerant = (text: string): string => {
  const modules = new Set<string>();
  const named = text.replaceAll(IN_PLACE, (_, module: string) => {
    modules.add(module);
    return `Platform${module}`;
  });
  const added = [...modules].map(
    (module) => `import type * as Platform${module} from "@effect/platform/${module}";\n`,
  );
  return `${added.join("")}${named}`.replaceAll(IMPORT, `${REASON}\n$1`);
};

for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
  const file = join(folder, name);
  if (!name.endsWith(".d.ts")) continue;
  const text = readFileSync(file, "utf8");
  if (!text.includes(REASON) && text.includes("@effect/platform/")) writeFileSync(file, tolerant(text));
}

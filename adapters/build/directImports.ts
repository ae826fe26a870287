/**
 * Replaces imports from `effect` and `quittance` by imports from their modules. Both packages re-export modules, and in a bundle
 * with several entries each entry loads all re-exports that any entry uses: `quittance --help` would load the engine.
 */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Plugin } from "esbuild";

const IMPORT = /^import \{([^}]*)\} from "(effect|quittance)";$/gm;
const MODULE = /^export \* as (\w+) from "(.+)";$/gm;

/** The file of each module that a list of modules exports, by its name. */
const modulesOf = (file: string): ReadonlyMap<string, string> =>
  new Map(
    [...readFileSync(file, "utf8").matchAll(MODULE)].map(([, name = "", path = ""]) => [
      name,
      join(dirname(file), path),
    ]),
  );

/** An import of one name: of a module, or of a function of `effect` itself. */
const importOf = (name: string, as: string, from: string, modules: ReadonlyMap<string, string>): string => {
  if (from === "effect")
    return /^[a-z]/.test(name)
      ? `import { ${name} as ${as} } from "effect/Function";`
      : `import * as ${as} from "effect/${name}";`;
  const file = modules.get(name);
  if (file === undefined) throw new Error(`${from} does not export ${name}`);
  return `import * as ${as} from ${JSON.stringify(file)};`;
};

/** The text with direct imports, on the same number of lines. */
const rewrite = (text: string, modules: ReadonlyMap<string, string>): string =>
  text.replace(IMPORT, (statement, list: string, from: string) => {
    const imports = list
      .split(",")
      .map((part) => part.trim())
      .filter((part) => part !== "" && !part.startsWith("type "))
      .map((part) => {
        const [name = "", as = name] = part.split(" as ");
        return importOf(name, as, from, modules);
      });
    return imports.join(" ") + "\n".repeat(statement.split("\n").length - 1);
  });

/** The plugin for the files of a folder whose `src/index.ts` lists the modules of `quittance`. */
export const directImports = (root: string): Plugin => ({
  name: "direct-imports",
  setup: ({ onLoad }) => {
    const modules = modulesOf(join(root, "src/index.ts"));
    onLoad({ filter: /\.ts$/ }, ({ path }) =>
      path.startsWith(join(root, "src/")) || path.startsWith(join(root, "adapters/"))
        ? { contents: rewrite(readFileSync(path, "utf8"), modules), loader: "ts" }
        : null,
    );
  },
});

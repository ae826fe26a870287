// Imports every entry of the package and prints how many exports each has; then whether `effect` is the host's own copy.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const { exports } = JSON.parse(readFileSync(require.resolve("quittance/package.json"), "utf8"));
for (const path of Object.keys(exports)) {
  if (path.endsWith(".json")) continue;
  const name = path.replace(".", "quittance");
  console.log(name, Object.keys(await import(name)).length > 0);
}

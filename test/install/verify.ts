/**
 * `npm run verify` installs the packed package with every package manager, in every kind of project, and uses it. Before, it has
 * are-the-types-wrong read the package, which takes longer than the projects that `npm test` compiles against it.
 */
import { execFileSync } from "node:child_process";
import { root } from "../docs/Fence.ts";
import * as Host from "./Host.ts";
import { BESIDE, PACKAGE_MANAGERS } from "./PackageManagers.ts";
import { use, warningsOf } from "./Use.ts";

const host = await Host.open();
let failures = 0;
try {
  execFileSync("npx", ["attw", host.tarball, "--profile", "esm-only"], { cwd: root, stdio: "pipe" });
  console.log("are-the-types-wrong finds nothing");
} catch (error) {
  failures += 1;
  console.log(`FAILED: are-the-types-wrong: ${(error as { readonly stdout?: Buffer }).stdout ?? error}`);
}
for (const beside of Object.keys(BESIDE) as ReadonlyArray<keyof typeof BESIDE>) {
  for (const manager of PACKAGE_MANAGERS) {
    try {
      const project = await host.install(manager, beside);
      const warnings = warningsOf(project.printed);
      if (warnings.length > 0) throw new Error(warnings.join("\n"));
      await use(project);
      project.remove();
      console.log(`installed and used: ${manager.name} beside ${beside}`);
    } catch (error) {
      failures += 1;
      console.log(`FAILED: ${manager.name} beside ${beside}: ${error}`);
    }
  }
}
host.close();
process.exitCode = failures === 0 ? 0 : 1;

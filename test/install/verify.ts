/** `npm run verify` installs the packed package with every package manager, in every kind of project, and uses it. */
import * as Host from "./Host.ts";
import { BESIDE, PACKAGE_MANAGERS } from "./PackageManagers.ts";
import { use, warningsOf } from "./Use.ts";

const host = await Host.open();
let failures = 0;
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

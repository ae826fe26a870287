import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as Host from "./Host.ts";
import { type Beside, PACKAGE_MANAGERS } from "./PackageManagers.ts";
import { use, warningsOf } from "./Use.ts";

let host: Host.Host;

beforeAll(async () => {
  host = await Host.open();
});

afterAll(() => host.close());

/** `npm run verify` has every combination; npm is what most hosts use, and effect 4 what differs most from ours. */
const TRIED: ReadonlyArray<readonly [string, Beside]> = [["npm 11", "effect 4"]];

describe("the packed package", () => {
  it.each(TRIED)("is installed by %s beside %s, and pays a settlement", async (name, beside) => {
    const manager = PACKAGE_MANAGERS.find((packageManager) => packageManager.name === name);
    if (manager === undefined) throw new Error(`there is no ${name}`);
    const project = await host.install(manager, beside);
    expect(warningsOf(project.printed)).toEqual([]);
    await use(project);
  });

  it("is rejected when the output of a package manager has warnings", () => {
    expect(warningsOf("npm warn deprecated glob@7")).toHaveLength(1);
    expect(warningsOf(" WARN  Issues with peer dependencies found")).toHaveLength(1);
    expect(warningsOf('warning " > quittance@0.1.0" has unmet peer dependency "effect@^3"')).toHaveLength(1);
    expect(warningsOf("➤ YN0086: │ Some peer dependencies are incorrectly met")).toHaveLength(1);
    expect(warningsOf("Ignored build scripts: msgpackr-extract.")).toHaveLength(1);
  });
});

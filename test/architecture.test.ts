import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { cruise, type ICruiseOptions, type ICruiseResult } from "dependency-cruiser";
import { afterAll, describe, expect, it } from "vitest";
import configuration from "../.dependency-cruiser.mjs";

const cruised = async (options: ICruiseOptions): Promise<ICruiseResult> => {
  const ruleSet = { forbidden: configuration.forbidden } as NonNullable<ICruiseOptions["ruleSet"]>;
  const { output } = await cruise(["src", "adapters", "console"], { ...options, validate: true, ruleSet });
  if (typeof output === "string") throw new Error("the result came out as text");
  return output;
};

describe("the rules of dependencies", () => {
  it("hold for every module, and the check covers every module", async () => {
    const { summary } = await cruised(configuration.options as ICruiseOptions);
    expect(summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`)).toEqual([]);
    expect(summary.totalCruised).toBeGreaterThan(150);
  });
});

describe("a tree that breaks every rule", () => {
  const baseDir = mkdtempSync(join(tmpdir(), "quittance-architecture-"));
  const plant = (file: string, ...imports: ReadonlyArray<string>): void => {
    mkdirSync(dirname(join(baseDir, file)), { recursive: true });
    const lines = imports.map(
      (from, index) => `import * as i${index} from "${from}";\nexport { i${index} };\n`,
    );
    writeFileSync(join(baseDir, file), lines.join(""));
  };
  plant("src/domain/a.ts", "node:fs", "../ports/a.ts", "../../adapters/memory/a.ts");
  plant("src/formula/a.ts", "../domain/a.ts", "./text/a.ts");
  plant("src/formula/text/a.ts");
  plant("src/einvoice/a.ts", "../services/a.ts");
  plant("src/ports/a.ts", "../services/a.ts");
  plant("src/services/a.ts", "../testing/a.ts");
  plant("src/testing/a.ts", "../services/a.ts");
  plant("adapters/memory/a.ts", "../../src/domain/a.ts", "../pdf/a.ts");
  plant("adapters/client/a.ts", "../../src/domain/a.ts");
  plant("adapters/http/a.ts", "../memory/a.ts");
  plant("adapters/http/api/a.ts", "../wire/a.ts");
  plant("adapters/http/wire/a.ts", "../transport/a.ts");
  plant("adapters/http/transport/a.ts", "../handlers/a.ts");
  plant("adapters/http/handlers/a.ts", "../server/a.ts");
  plant("adapters/http/server/a.ts");
  plant("adapters/pdf/a.ts");
  plant("console/a.ts", "../src/domain/a.ts");
  afterAll(() => rmSync(baseDir, { recursive: true }));

  it("is reported with the name of each rule", async () => {
    const { summary } = await cruised({ baseDir });
    const named = new Set(summary.violations.map(({ rule }) => rule.name));
    expect([...named].sort()).toEqual(configuration.forbidden.map(({ name }) => name).sort());
  });
});

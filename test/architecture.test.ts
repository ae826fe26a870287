import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { cruise, type ICruiseOptions, type ICruiseResult } from "dependency-cruiser";
import { afterAll, describe, expect, it } from "vitest";
import configuration from "../.dependency-cruiser.mjs";

const cruised = async (options: ICruiseOptions): Promise<ICruiseResult> => {
  const ruleSet = { forbidden: configuration.forbidden } as NonNullable<ICruiseOptions["ruleSet"]>;
  const { output } = await cruise(["src", "adapters"], { ...options, validate: true, ruleSet });
  if (typeof output === "string") throw new Error("the result came out as text");
  return output;
};

/** Folders whose rooms, the files and folders in them, form a tree. */
const TREES = [
  "src/domain",
  "src/formula",
  "src/explanation",
  "src/ports",
  "src/services",
  "adapters/http",
  "adapters/pdf",
];

type Modules = ReadonlyArray<{
  readonly source: string;
  readonly dependencies: ReadonlyArray<{ readonly resolved: string }>;
}>;

const roomOf = (folder: string, path: string): string | null =>
  path.startsWith(`${folder}/`)
    ? path
        .slice(folder.length + 1)
        .replace(/\/.*/, "")
        .replace(/\.tsx?$/, "")
    : null;

/** The pairs of rooms of a folder that import each other, directly or over other rooms, type imports included. */
const circlesOfRooms = (folder: string, modules: Modules): ReadonlyArray<string> => {
  const imports = new Map<string, Set<string>>();
  for (const { source, dependencies } of modules) {
    const from = roomOf(folder, source);
    if (from === null) continue;
    const targets = imports.get(from) ?? new Set<string>();
    imports.set(from, targets);
    for (const { resolved } of dependencies) {
      const to = roomOf(folder, resolved);
      if (to !== null && to !== from) targets.add(to);
    }
  }
  const reachedFrom = (room: string): ReadonlySet<string> => {
    const reached = new Set<string>();
    const waiting = [...(imports.get(room) ?? [])];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (reached.has(next)) continue;
      reached.add(next);
      waiting.push(...(imports.get(next) ?? []));
    }
    return reached;
  };
  return [...imports.keys()].flatMap((room) =>
    [...reachedFrom(room)]
      .filter((other) => room < other && reachedFrom(other).has(room))
      .map((other) => `${folder}: ${room} <-> ${other}`),
  );
};

describe("the rules of dependencies", () => {
  it("hold for every module, and the check covers every module", async () => {
    const { summary, modules } = await cruised(configuration.options as ICruiseOptions);
    expect(summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`)).toEqual([]);
    expect(summary.totalCruised).toBeGreaterThan(150);
    expect(TREES.flatMap((folder) => circlesOfRooms(folder, modules))).toEqual([]);
  });

  it("find rooms that import each other over a third one", () => {
    const moduleOf = (source: string, resolved: string) => ({ source, dependencies: [{ resolved }] });
    const circles = circlesOfRooms("src/services", [
      moduleOf("src/services/a/One.ts", "src/services/B.ts"),
      moduleOf("src/services/B.ts", "src/services/c/Two.ts"),
      moduleOf("src/services/c/Two.ts", "src/services/a/Three.ts"),
      moduleOf("src/services/D.ts", "src/services/a/One.ts"),
    ]);
    expect(circles.toSorted()).toEqual([
      "src/services: B <-> a",
      "src/services: B <-> c",
      "src/services: a <-> c",
    ]);
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
  plant("src/explanation/a.ts", "../domain/a.ts");
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
  plant("adapters/console/a.ts", "../../src/domain/a.ts");
  afterAll(() => rmSync(baseDir, { recursive: true }));

  it("is reported with the name of each rule", async () => {
    const { summary } = await cruised({ baseDir });
    const named = new Set(summary.violations.map(({ rule }) => rule.name));
    expect([...named].sort()).toEqual(configuration.forbidden.map(({ name }) => name).sort());
  });
});

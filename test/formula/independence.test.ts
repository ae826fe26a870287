import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const folder = new URL("../../src/formula/", import.meta.url);

const imports = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts"))
  .flatMap((file) => {
    const source = readFileSync(new URL(file, folder), "utf8");
    const found = [...source.matchAll(/^(?:import|export|\}).* from "([^"]+)";$/gm)];
    return found.map(([, specifier = ""]) => ({ file, specifier }));
  });

describe("the formula language", () => {
  it("imports only effect and its own files, so that it runs in a browser", () => {
    expect(imports.length).toBeGreaterThan(100);
    for (const { file, specifier } of imports) {
      if (specifier === "effect") continue;
      expect(specifier, file).toMatch(/^\.\.?\//);
      expect(new URL(specifier, new URL(file, folder)).href).toContain("/src/formula/");
    }
  });

  it("generates no code and reads no clock", () => {
    for (const { file } of imports) {
      const source = readFileSync(new URL(file, folder), "utf8");
      expect(source, file).not.toMatch(/\beval\(|new Function|Date\.now|new Date\(\)|Math\.random|process\./);
    }
  });
});

/** The size of the scripts, the decimals of currencies, account numbers, countries, and the types of events. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { Country, Currency, EventFeed } from "quittance";
import { describe, expect, it } from "vitest";
import { countries } from "../../adapters/console/format/Countries.ts";
import { spacedIban } from "../../adapters/console/format/Iban.ts";
import { decimalsOf } from "../../adapters/console/format/Money.ts";
import { EVENT_FAMILIES } from "../../adapters/console/words/EventNames.ts";

const folder = new URL("../../dist/console", import.meta.url).pathname;

describe("the scripts of the pages", () => {
  /** The compressed bytes of the scripts whose names fit. */
  const bytesOf = (isMeant: (name: string) => boolean): number => {
    const scripts = readdirSync(folder).filter((name) => name.endsWith(".js") && isMeant(name));
    expect(scripts.length).toBeGreaterThan(0);
    return scripts
      .map((name) => gzipSync(readFileSync(join(folder, name))).length)
      .reduce((sum, item) => sum + item, 0);
  };

  /** The scripts that a page loads before it shows anything. */
  const startOf = (page: string): ReadonlySet<string> => {
    const found = new Set<string>();
    const add = (name: string): void => {
      if (found.has(name)) return;
      found.add(name);
      const script = readFileSync(join(folder, name), "utf8");
      for (const [, imported = ""] of script.matchAll(/(?:from|import)"\.\/([^"]+\.js)"/g)) add(imported);
    };
    const [, entry = ""] = /src="([^"]+\.js)"/.exec(readFileSync(join(folder, `${page}.html`), "utf8")) ?? [];
    add(entry.replace(/^.*\//, ""));
    return found;
  };

  /** The largest of the scripts that a page loads after its start, compressed. */
  const LARGEST_LATER = 60_000;

  it("load what is rarely used later, in parts of at most 60 kB, compressed, without the chart and the code editor", () => {
    const atStart = new Set([...startOf("console"), ...startOf("portal")]);
    const later = readdirSync(folder).filter(
      (name) => name.endsWith(".js") && !atStart.has(name) && !/^(uPlot|CodeEditor)/.test(name),
    );
    expect(later.some((name) => name.startsWith("Records"))).toBe(true);
    for (const name of later)
      expect([name, bytesOf((one) => one === name) < LARGEST_LATER]).toEqual([name, true]);
  });

  it("load the plan builder and its code editor, at most 120 kB, with the page that uses them alone", () => {
    expect(bytesOf((name) => name.startsWith("CodeEditor"))).toBeLessThan(120_000);
    for (const page of ["console", "portal"]) {
      const script = readdirSync(folder).find((name) => name.startsWith(page) && name.endsWith(".js")) ?? "";
      expect(readFileSync(join(folder, script), "utf8")).not.toMatch(/from"\.\/(Builder|CodeEditor)/);
    }
  });

  it.each([
    ["portal", 88_000],
    ["console", 78_000],
  ])("load at most the compressed bytes %s of the %s at its start", (page, most) => {
    const scripts = startOf(page);
    expect(bytesOf((name) => scripts.has(name))).toBeLessThan(most);
  });

  it("contain no inline scripts or styles, and reference no other server", () => {
    for (const page of ["console.html", "portal.html"]) {
      const html = readFileSync(join(folder, page), "utf8");
      expect(html).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\bstyle=|\bon\w+=|https?:/);
    }
  });
});

describe("amounts in the pages", () => {
  it("have the decimals of the engine's currencies", () => {
    for (const code of [...Intl.supportedValuesOf("currency"), "UYW", "CLF", "XCG"]) {
      expect([code, decimalsOf(code)]).toEqual([code, Currency.decimals(code as Currency.Currency)]);
    }
  });
});

describe("account numbers in the pages", () => {
  it("are in groups of four, but for masked ones", () => {
    expect(["DK5000400440116243", "DK50 00400440116243", "DK…6243", "…43"].map(spacedIban)).toEqual([
      "DK50 0040 0440 1162 43",
      "DK50 0040 0440 1162 43",
      "DK…6243",
      "…43",
    ]);
  });
});

describe("countries in the pages", () => {
  it("are those of the engine", () => {
    const codes = countries().map(([code]) => code);
    expect(codes.filter((code) => !Country.isCountry(code))).toEqual([]);
    expect(codes).toHaveLength(249);
  });
});

describe("the types of events in the pages", () => {
  it("are the types of the interface, each once", () => {
    const types = EVENT_FAMILIES.flatMap((family) => Object.keys(family.types));
    expect(types.toSorted()).toEqual(EventFeed.EVENT_TYPES);
  });
});

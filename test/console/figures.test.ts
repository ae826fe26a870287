/** The size of the scripts, the decimals of currencies, and the types of events. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { Currency, EventFeed } from "quittance";
import { describe, expect, it } from "vitest";
import { EVENT_FAMILIES } from "../../adapters/console/format/EventTypes.ts";
import { decimalsOf } from "../../adapters/console/format/Money.ts";

const folder = new URL("../../dist/console", import.meta.url).pathname;

describe("the scripts of the pages", () => {
  it("have at most 150 kB, compressed, without the chart", () => {
    const scripts = readdirSync(folder).filter((name) => name.endsWith(".js") && !name.startsWith("uPlot"));
    expect(scripts.length).toBeGreaterThan(1);
    const bytes = scripts.map((name) => gzipSync(readFileSync(join(folder, name))).length);
    expect(bytes.reduce((sum, one) => sum + one, 0)).toBeLessThan(150_000);
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

describe("the types of events in the pages", () => {
  it("are the types of the interface, each once", () => {
    const types = EVENT_FAMILIES.flatMap((family) => Object.keys(family.types));
    expect(types.toSorted()).toEqual(EventFeed.EVENT_TYPES);
  });
});

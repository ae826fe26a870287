import { expect, it } from "@effect/vitest";
import { Cause, Effect, Exit, Fiber } from "effect";
import { Documents, Ids } from "quittance";
import { layerInProcess, layerWith } from "quittance/pdf";
import { afterEach, describe, vi } from "vitest";
import { BUYER, contentOf, SUPPLIER, type Variation } from "./content.ts";
import { type Page, pagesOf } from "./extract.ts";
import { inProcess } from "./renderer.ts";

afterEach(() => {
  vi.useRealTimers();
});

const render = (variation: Variation) =>
  Effect.flatMap(Documents.DocumentRenderer, (renderer) => renderer.render(contentOf(variation)));

const amounts = (count: number): ReadonlyArray<number> =>
  Array.from({ length: count }, (_, index) => index * 7 - 100);

const FOOTER_HEIGHT = 64;

it.effect("the same content gives the same bytes, whenever and by whichever renderer", () =>
  Effect.gen(function* () {
    const at = (clock: string) => {
      vi.useFakeTimers({ toFake: ["Date"], now: new Date(clock) });
      return render({ amounts: amounts(100) }).pipe(Effect.provide(layerInProcess));
    };
    const first = yield* Effect.suspend(() => at("2026-03-01T00:00:00Z"));
    const second = yield* Effect.suspend(() => at("2031-07-09T12:34:56Z"));
    expect(Buffer.from(first.bytes).equals(second.bytes)).toBe(true);
  }),
);

it.effect("a document has the same bytes after any other document in the same fonts", () =>
  Effect.gen(function* () {
    // Each pair is drawn by one glyph: a letter with its mark, and the two as one character.
    const names = [
      "Caf\u00e9 \u1e9d",
      "Cafe\u0301 \ufb01",
      "fi ffl \u00b5",
      "\u03bc \ufb04",
      "שלום ภาษา",
      "שָׁלוֹם भाषा",
    ];
    const draw = (legalName: string) => render({ supplier: { ...SUPPLIER, legalName } });
    const bytes = (drawn: ReadonlyArray<Documents.Rendered>) =>
      drawn.map((rendered) => Buffer.from(rendered.bytes));
    const alone = yield* Effect.forEach(names, (name) => Effect.provide(draw(name), layerInProcess));
    const together = yield* Effect.provide(Effect.forEach(names, draw), layerInProcess);
    expect(bytes(together)).toEqual(bytes(alone));
    const reversed = yield* Effect.provide(Effect.forEach(names.toReversed(), draw), layerInProcess);
    expect(bytes(reversed.toReversed())).toEqual(bytes(alone));
  }),
);

it.effect("a full page is written, compressed, before the next one is drawn", () =>
  Effect.gen(function* () {
    const { bytes } = yield* render({ amounts: amounts(300) });
    const text = Buffer.from(bytes).toString("latin1");
    const offsetOf = (object: string | undefined) => text.indexOf(`\n${object} 0 obj`);
    const drawn = [...text.matchAll(/\/Contents \[(\d+) 0 R/g)].map(([, id]) => offsetOf(id));
    expect(drawn.length).toBeGreaterThan(4);
    expect(drawn).toEqual(drawn.toSorted((a, b) => a - b));
    const cells = [...text.matchAll(/\/S \/TD\b/g)].map(({ index }) => index);
    // Cells are written as they are drawn: before the first page's content, and between those of the others.
    const between = drawn
      .slice(1)
      .map((end, index) => cells.filter((at) => at > (drawn[index] ?? 0) && at < end));
    for (const some of between) expect(some.length).toBeGreaterThan(0);
  }).pipe(Effect.provide(layerInProcess)),
);

it.effect("another document id results in another file identifier", () =>
  Effect.gen(function* () {
    const renderer = yield* Documents.DocumentRenderer;
    const content = contentOf();
    const other = { ...content, documentId: Ids.DocumentId.make(content.settlement.id) };
    const identifiers = [content, other].map((each) =>
      renderer
        .render(each)
        .pipe(Effect.map(({ bytes }) => /\/ID \[<(\w+)>/.exec(Buffer.from(bytes).toString("latin1"))?.[1])),
    );
    const [first, second] = yield* Effect.all(identifiers);
    expect(first).toMatch(/^\w{32}$/);
    expect(second).not.toBe(first);
  }).pipe(Effect.provide(layerInProcess)),
);

const positionsOf = ({ lines }: Page): ReadonlyArray<number> =>
  lines.flatMap((line) => /^(\d+) \d\d \w{3} \d{4} /.exec(line)?.[1] ?? []).map(Number);

describe("pages", () => {
  // 12, 13, 14 and 38, 39, 40 end about the first and the second page.
  for (const count of [1, 12, 13, 14, 15, 38, 39, 40, 41, 120]) {
    it.effect(
      `contain ${count} lines of a report once each, in order, with numbered footers and the total`,
      () =>
        Effect.gen(function* () {
          const report: Variation = { kind: "report", number: "REP-1", taxAmount: null };
          const pages = pagesOf((yield* render({ ...report, amounts: amounts(count) })).bytes);
          expect(pages.flatMap(positionsOf)).toEqual(Array.from({ length: count }, (_, index) => index + 1));
          pages.forEach((page, index) => {
            const { lines, runs } = page;
            expect(lines.at(-1)).toBe(`Settlement report REP-1 Page ${index + 1} of ${pages.length}`);
            expect(lines.filter((line) => line.startsWith("No. Date"))).toHaveLength(
              positionsOf(page).length > 0 ? 1 : 0,
            );
            expect(Math.min(...runs.slice(0, -2).map(({ y }) => y))).toBeGreaterThan(FOOTER_HEIGHT);
            const isLast = index === pages.length - 1;
            expect(lines.some((line) => line.startsWith("Total, net of tax (EUR)"))).toBe(isLast);
            if (isLast) expect(positionsOf(page).length).toBeGreaterThanOrEqual(Math.min(3, count));
          });
        }).pipe(Effect.provide(inProcess)),
    );
  }

  it.effect("have the lines of an invoice in an annex, which begins a page", () =>
    Effect.gen(function* () {
      const [first, ...annex] = pagesOf((yield* render({ amounts: amounts(100) })).bytes);
      expect(first?.lines).toContain("Payment to the supplier");
      expect(first === undefined ? [] : positionsOf(first)).toEqual([]);
      expect(annex[0]?.lines[0]).toBe("Annex: details of the lines");
      expect(annex.flatMap(positionsOf)).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
    }).pipe(Effect.provide(inProcess)),
  );
});

it.effect("the longest allowed names and addresses fit on the page completely", () =>
  Effect.gen(function* () {
    const long = (letter: string) => letter.repeat(255);
    const address = {
      street: long("W"),
      city: long("M"),
      region: long("Щ"),
      postalCode: long("@"),
      country: "DK",
    };
    const supplier = { ...SUPPLIER, legalName: long("Ω"), vatNumber: "W".repeat(64), address };
    const buyer = { ...BUYER, legalName: long("Ж"), address, electronicAddress: long("w") };
    const pages = pagesOf((yield* render({ supplier, buyer })).bytes);
    const printed = pages.flatMap(({ runs }) => runs).map(({ text }) => text);
    for (const [letter, times] of [
      ["Ω", 255],
      ["Ж", 255],
      ["Щ", 510],
      ["@", 510],
    ] as const) {
      expect([...printed.join("")].filter((each) => each === letter)).toHaveLength(times);
    }
    expect(pages).toHaveLength(3);
    for (const { runs } of pages) {
      for (const { y } of runs.slice(0, -2)) expect(y).toBeGreaterThan(FOOTER_HEIGHT);
    }
  }).pipe(Effect.provide(layerInProcess)),
);

it.live("rendering a long document yields to other work", () =>
  Effect.gen(function* () {
    let turns = 0;
    const count = (): void => {
      turns += 1;
      immediate = setImmediate(count);
    };
    let immediate = setImmediate(count);
    const fiber = yield* Effect.fork(render({ amounts: amounts(1_000) }));
    const { bytes } = yield* Fiber.join(fiber);
    clearImmediate(immediate);
    expect(turns).toBeGreaterThanOrEqual(pagesOf(bytes).length);
  }).pipe(Effect.provide(layerInProcess)),
);

it.effect("a file that is not a font is a rendering failure", () =>
  Effect.gen(function* () {
    const noFont = new TextEncoder().encode("not a font");
    const exit = yield* render({}).pipe(
      Effect.provide(layerWith({ regular: noFont, bold: noFont })),
      Effect.exit,
    );
    expect(Exit.isFailure(exit) && Cause.squash(exit.cause)).toBeInstanceOf(Documents.RenderingFailed);
  }),
);

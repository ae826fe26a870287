import { describe, expect, it } from "@effect/vitest";
import { Documents } from "quittance";
import * as Fonts from "../../adapters/pdf/Fonts.ts";
import * as Rendering from "../../adapters/pdf/Rendering.ts";
import { BUYER, contentOf, otherDocument, SUPPLIER, type Variation } from "./content.ts";
import { type Page, pagesOf, type Run } from "./extract.ts";

const OPTIONAL = ["noto-sans-jp", "noto-sans-sc", "noto-sans-kr", "noto-emoji"];
const INSTALLED = Fonts.installedSources();
const ALL = Fonts.open(INSTALLED);
const SHIPPED = Fonts.open(INSTALLED.filter(({ name }) => !OPTIONAL.includes(name)));

const pagesFor = async (variation: Variation, families = ALL): Promise<ReadonlyArray<Page>> =>
  pagesOf(await Rendering.render(contentOf(variation), families));

const named = (legalName: string): Variation => ({ supplier: { ...SUPPLIER, legalName } });

const COLUMN_RIGHT = 290;

/** The runs of the first line below the supplier's heading, from left to right. */
const nameOf = (pages: ReadonlyArray<Page>): ReadonlyArray<Run> => {
  const runs = pages[0]?.runs.filter(({ x }) => x < COLUMN_RIGHT) ?? [];
  const heading = runs.find(({ text }) => text === "SUPPLIER")?.y ?? 0;
  const y = Math.max(...runs.map((run) => run.y).filter((each) => each < heading));
  return runs.filter((run) => run.y === y).toSorted((a, b) => a.x - b.x);
};

const textOf = (runs: ReadonlyArray<Run>): string => runs.map(({ text }) => text).join("");

const boxes = (pages: ReadonlyArray<Page>): number =>
  pages.flatMap(({ runs }) => runs.flatMap(({ glyphs }) => glyphs)).filter((glyph) => glyph === 0).length;

const refusal = async (variation: Variation, families = SHIPPED): Promise<Documents.RenderingRefused> => {
  const outcome = await Rendering.render(contentOf(variation), families).then(
    () => null,
    (error: unknown) => error,
  );
  if (!(outcome instanceof Documents.RenderingRefused)) throw new Error(`not refused: ${outcome}`);
  return outcome;
};

describe("scripts whose fonts the package includes", () => {
  it.each([
    ["Latin", "Łódź Ærø Việt Nam İstanbul"],
    ["Greek", "Ελληνική Εταιρεία"],
    ["Cyrillic", "Доставка Ёжик Київ"],
    ["Thai", "ขวัญ แสงสว่าง"],
    ["Devanagari", "कमल नगर"],
  ])("%s", async (_, name) => {
    const pages = await pagesFor(named(name), SHIPPED);
    expect(boxes(pages)).toBe(0);
    expect(textOf(nameOf(pages))).toBe(name);
  });

  it.each([
    ["Arabic", "شركة النور للتجارة"],
    ["Hebrew", "חברת אור"],
  ])("%s can be copied in reading order", async (_, name) => {
    const pages = await pagesFor(named(name), SHIPPED);
    expect(boxes(pages)).toBe(0);
    expect(new Set(nameOf(pages).map(({ actual }) => actual))).toEqual(new Set([name]));
  });
});

describe("text in both directions", () => {
  it.each([
    ["words", "אב גד", "דג בא"],
    ["brackets", "אב (גד) הו", "וה (דג) בא"],
    ["brackets of several kinds", "«אב» [גד]", "[דג] «בא»"],
    ["Latin words", "אב ABC Ltd גד", "דג ABC Ltd בא"],
    ["numbers", "אב 12,345.67 גד", "דג 12,345.67 בא"],
    ["Arabic digits", "دار ١٢٣", "١٢٣ راد"],
    ["Persian digits", "خانه ۱۲۳", "۱۲۳ هناخ"],
    ["Latin first", "ABC (אב) DEF", "ABC (בא) DEF"],
    ["a decomposed mark", "e\u0301 Cafe\u0301", "e\u0301 Cafe\u0301"],
  ])("%s are in reading order", async (_, name, seen) => {
    const pages = await pagesFor(named(name), SHIPPED);
    expect(boxes(pages)).toBe(0);
    expect(textOf(nameOf(pages)).normalize("NFKD")).toBe(seen.normalize("NFKD"));
  });

  it("a label of the partner does not reorder the text around it", async () => {
    const taxConfig = { treatment: "standard", label: "מע״מ", rateBps: 1_800 } as const;
    const pages = await pagesFor({ supplier: { ...SUPPLIER, taxConfig } }, SHIPPED);
    const runs = pages[0]?.runs ?? [];
    const rate = runs.find(({ text }) => text.includes("18%"));
    const label = runs.find(({ text }) => text.includes("מ״עמ"));
    expect(label?.y).toBe(rate?.y);
    expect(rate?.x).toBeGreaterThan(label?.x ?? Number.POSITIVE_INFINITY);
    expect(pages[0]?.lines).toContain("מע״מ 18% 308.75");
  });

  it("a long name breaks in reading order, within its column", async () => {
    const words = Array.from({ length: 30 }, (_, index) => `מילה${index + 1}`);
    const pages = await pagesFor(named(words.join(" ")), SHIPPED);
    const supplier = pages.flatMap(({ runs }) => runs).filter(({ x }) => x < COLUMN_RIGHT);
    const told = [...new Set(supplier.flatMap(({ actual }) => actual ?? []))];
    expect(told.join(" ")).toBe(words.join(" "));
    expect(told.length).toBeGreaterThan(3);
  });
});

describe("optional fonts", () => {
  it.each([
    ["Japanese", "カタカナ株式会社", "noto-sans-jp"],
    ["Chinese", "北京光明", "noto-sans-sc"],
    ["Korean", "주식회사", "noto-sans-kr"],
    ["emoji", "🙂", "noto-emoji"],
  ])("%s is drawn with its package; without it the error names the package", async (_, name, packaged) => {
    const pages = await pagesFor(named(`A ${name}`));
    expect(boxes(pages)).toBe(0);
    expect(textOf(nameOf(pages)).normalize("NFC")).toBe(`A ${name}`);
    const { code, message } = await refusal(named(`A ${name}`));
    expect(code).toBe("missing_font");
    expect(message).toContain(`Run "npm install @expo-google-fonts/${packaged}" and start again.`);
    const [first = ""] = name;
    const hexadecimal = first.codePointAt(0)?.toString(16).toUpperCase();
    expect(message).toContain(`${first} (U+${hexadecimal})`);
  });

  it("the error names some characters and counts the others", async () => {
    const { message } = await refusal(named("光光明北京東西南"));
    expect(message).toBe(
      "No installed font has 光 (U+5149), 明 (U+660E), 北 (U+5317), 京 (U+4EAC), 東 (U+6771) and 2 more. " +
        'Run "npm install @expo-google-fonts/noto-sans-sc" and start again.',
    );
  });

  it("the error also names characters for which no package is known", async () => {
    const { message } = await refusal(named("\ue000 𒀀"), ALL);
    expect(message).toBe(
      "No installed font has \ue000 (U+E000), 𒀀 (U+12000). " +
        "Supply a font that has them with layerWith of quittance/pdf, and start again.",
    );
  });
});

describe("text without a font", () => {
  const taxConfig = { treatment: "standard", label: "税", rateBps: 1_800 } as const;
  const address = (field: string) => ({ ...SUPPLIER.address, [field]: "税" });
  const account = { ...SUPPLIER.bankAccount, beneficiaryName: "税" };
  const fields: ReadonlyArray<readonly [string, Variation]> = [
    ["the supplier's name", named("税")],
    ["the supplier's VAT number", { supplier: { ...SUPPLIER, vatNumber: "税" } }],
    ["the tax label", { supplier: { ...SUPPLIER, taxConfig } }],
    ["the beneficiary", { supplier: { ...SUPPLIER, bankAccount: account } }],
    ["the buyer's name", { buyer: { ...BUYER, legalName: "税" } as typeof BUYER }],
    ["the buyer's electronic address", { buyer: { ...BUYER, electronicAddress: "税" } as typeof BUYER }],
    ["the number", { number: "税-1" }],
    ["the number of a corrected invoice", { corrects: [otherDocument("invoice", "税-1")] }],
    [
      "the number of the cancelled invoice",
      { kind: "credit_note", cancels: otherDocument("invoice", "税-1") },
    ],
    ...["street", "city", "region", "postalCode"].flatMap(
      (field): Array<readonly [string, Variation]> => [
        [`the supplier's ${field}`, { supplier: { ...SUPPLIER, address: address(field) } }],
        [`the buyer's ${field}`, { buyer: { ...BUYER, address: address(field) } as typeof BUYER }],
      ],
    ),
  ];
  it.each(fields)("in %s refuses the document", async (_, variation) => {
    expect((await refusal(variation)).message).toContain("税 (U+7A0E)");
  });

  it.each(["report", "invoice", "credit_note"] as const)("a %s is refused", async (kind) => {
    expect((await refusal({ ...named("税"), kind })).message).toContain("税 (U+7A0E)");
  });
});

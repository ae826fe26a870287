import { EInvoice } from "quittance";
import { describe, expect, it } from "vitest";
import * as Fonts from "../../adapters/pdf/Fonts.ts";
import * as Rendering from "../../adapters/pdf/Rendering.ts";
import { contentOf as eInvoiceContent } from "../einvoice/Contents.ts";
import { JPEG, png } from "../support/images.ts";
import { archiveProblems, facturXOf } from "./Archived.ts";
import { BUYER, contentOf, SUPPLIER, type Variation } from "./content.ts";
import { SAMPLES } from "./samples.ts";

const families = Fonts.open(Fonts.installedSources());
const render = (content: Rendering.Content) => Rendering.render(content, families);

const XML = EInvoice.writeCii(EInvoice.read(EInvoice.write(EInvoice.make(eInvoiceContent()))));

const buyer = (fields: object) => ({ ...BUYER, ...fields }) as typeof BUYER;

const VARIATIONS: ReadonlyArray<readonly [string, Variation]> = [
  ["a logo in JPEG", { buyer: buyer({ logo: JPEG }) }],
  ["a logo in PNG with transparency", { buyer: buyer({ logo: png({ colorType: 6 }) }) }],
  ["a grey logo", { buyer: buyer({ logo: png({ colorType: 0 }) }) }],
  [
    "a logo with a palette",
    {
      buyer: buyer({
        logo: png({ colorType: 3, pixels: Buffer.alloc(12 * 25), palette: Buffer.from([1, 2, 3]) }),
      }),
    },
  ],
  ["marks of XML in names", { supplier: { ...SUPPLIER, legalName: 'A & B <Søn> "ApS" ]]>' } }],
  ["other scripts", { supplier: { ...SUPPLIER, legalName: "نور שלום Ελλάς Привет" } }],
  ["300 lines", { amounts: Array.from({ length: 300 }, (_, index) => index + 1), taxAmount: 0 }],
  ["an e-invoice", { eInvoice: XML }],
];

describe("a file is PDF/A-3b", () => {
  it.each(Object.entries(SAMPLES))("the sample %s", async (_, content) => {
    expect(archiveProblems(await render(content))).toEqual([]);
  });

  it.each(VARIATIONS)("an invoice with %s", async (_, variation) => {
    expect(archiveProblems(await render(contentOf(variation)))).toEqual([]);
  });
});

describe("a file with an e-invoice is Factur-X", () => {
  it("for an invoice and a credit note, and contains the XML as it is", async () => {
    for (const kind of ["invoice", "credit_note"] as const) {
      const { xml, problems } = facturXOf(await render(contentOf({ kind, eInvoice: XML })));
      expect(problems).toEqual([]);
      expect(Buffer.from(xml ?? []).equals(XML)).toBe(true);
    }
  });

  it("and says nothing of an e-invoice where there is none", async () => {
    const bytes = await render(contentOf());
    expect(facturXOf(bytes).xml).toBeNull();
    expect(Buffer.from(bytes).toString("latin1")).not.toMatch(/factur-x|EmbeddedFile/i);
  });
});

describe("the reader of the tests finds", () => {
  const edit = async (from: string | RegExp, to: string): Promise<ReadonlyArray<string>> => {
    const text = Buffer.from(await render(contentOf({ eInvoice: XML }))).toString("latin1");
    const edited = text.replace(from, to);
    expect(edited).not.toBe(text);
    expect(edited).toHaveLength(text.length);
    const bytes = Buffer.from(edited, "latin1");
    return [...archiveProblems(bytes), ...facturXOf(bytes).problems];
  };

  it.each([
    ["6.6.4 PDF/A identification", "<pdfaid:part>3", "<pdfaid:part>1"],
    [
      "6.6.3 Title",
      "Self-billed invoice SB-2026-000042</rdf:li>",
      "Self-billed invoice SB-2026-000043</rdf:li>",
    ],
    ["6.2.3 OutputIntents", "/OutputIntents", "/OutputIntense"],
    ["6.8 association", "/AFRelationship", "/AFRelationshop"],
    ["6.8 ModDate", /(\/Params <<[\s\S]*?)\/ModDate/, "$1/ModDxte"],
    ["6 forbidden key AA", "/Lang (", "/AA   ("],
    ["profile", "<fx:ConformanceLevel>EN 16931", "<fx:ConformanceLevel>EXTENDED"],
    ["extension schema", "<pdfaProperty:name>Version", "<pdfaProperty:name>Versoin"],
  ] as const)("%s", async (problem, from, to) => {
    expect(await edit(from, to)).toContain(problem);
  });
});

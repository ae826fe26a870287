/**
 * Makes a file PDF/A-3b (ISO 19005-3), and with an e-invoice Factur-X 1.0, which is ZUGFeRD 2: the description in XMP, the
 * colours of the output, and the e-invoice as an associated file.
 */
import { SRGB } from "./ColorProfile.ts";
import type { Pdf } from "./Typesetting.ts";

/** What a file says of itself, in its information dictionary and in XMP alike. */
export interface Description {
  readonly Title: string;
  readonly Author: string;
  readonly Subject: string;
  readonly Creator: string;
  readonly CreationDate: Date;
  readonly ModDate: Date;
}

/** The name of the e-invoice, which Factur-X prescribes. */
const FILE_NAME = "factur-x.xml";

/** Characters that XML cannot hold. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const FORBIDDEN = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/gu;

const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

const escapeText = (text: string): string => text.replace(/[&<>]/g, (mark) => ESCAPES[mark] ?? mark);

/** A text that XMP can hold as well. */
export const writable = (text: string): string => text.replace(FORBIDDEN, "");

/** An XMP date: the second, as the information dictionary has it. */
const dateOf = (date: Date): string => date.toISOString().replace(/\.\d+Z$/, "Z");

const property = (name: string, text: string): string => `<${name}>${escapeText(text)}</${name}>`;

const list = (name: string, kind: "Alt" | "Seq", text: string): string => {
  const language = kind === "Alt" ? ' xml:lang="x-default"' : "";
  return `<${name}><rdf:${kind}><rdf:li${language}>${escapeText(text)}</rdf:li></rdf:${kind}></${name}>`;
};

const describe = (prefixes: Readonly<Record<string, string>>, ...lines: ReadonlyArray<string>): string => {
  const names = Object.entries(prefixes).map(([prefix, uri]) => ` xmlns:${prefix}="${uri}"`);
  return [`<rdf:Description rdf:about=""${names.join("")}>`, ...lines, "</rdf:Description>"].join("\n");
};

const descriptionOf = (info: Description, producer: string): ReadonlyArray<string> => [
  describe(
    { pdfaid: "http://www.aiim.org/pdfa/ns/id/" },
    property("pdfaid:part", "3"),
    property("pdfaid:conformance", "B"),
  ),
  describe(
    { dc: "http://purl.org/dc/elements/1.1/" },
    list("dc:title", "Alt", info.Title),
    list("dc:creator", "Seq", info.Author),
    list("dc:description", "Alt", info.Subject),
  ),
  describe(
    { xmp: "http://ns.adobe.com/xap/1.0/" },
    property("xmp:CreatorTool", info.Creator),
    property("xmp:CreateDate", dateOf(info.CreationDate)),
    property("xmp:ModifyDate", dateOf(info.ModDate)),
  ),
  describe({ pdf: "http://ns.adobe.com/pdf/1.3/" }, property("pdf:Producer", producer)),
];

const FACTUR_X = "urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#";

/** The properties of Factur-X: name, value, and what it is. */
const PROPERTIES: ReadonlyArray<readonly [name: string, value: string, meaning: string]> = [
  ["DocumentFileName", FILE_NAME, "The name of the embedded XML document"],
  ["DocumentType", "INVOICE", "The type of the hybrid document"],
  ["Version", "1.0", "The version of the standard"],
  ["ConformanceLevel", "EN 16931", "The profile of the embedded XML document"],
];

const EXTENSION = {
  pdfaExtension: "http://www.aiim.org/pdfa/ns/extension/",
  pdfaSchema: "http://www.aiim.org/pdfa/ns/schema#",
  pdfaProperty: "http://www.aiim.org/pdfa/ns/property#",
};

/** What Factur-X says of the e-invoice, and the schema of its properties, which PDF/A requires of any that it does not know. */
const facturX = (): ReadonlyArray<string> => [
  describe({ fx: FACTUR_X }, ...PROPERTIES.map(([name, value]) => property(`fx:${name}`, value))),
  describe(
    EXTENSION,
    "<pdfaExtension:schemas><rdf:Bag>",
    '<rdf:li rdf:parseType="Resource">',
    property("pdfaSchema:schema", "Factur-X PDFA Extension Schema"),
    property("pdfaSchema:namespaceURI", FACTUR_X),
    property("pdfaSchema:prefix", "fx"),
    "<pdfaSchema:property><rdf:Seq>",
    ...PROPERTIES.map(([name, , meaning]) =>
      [
        '<rdf:li rdf:parseType="Resource">',
        property("pdfaProperty:name", name),
        property("pdfaProperty:valueType", "Text"),
        property("pdfaProperty:category", "external"),
        property("pdfaProperty:description", meaning),
        "</rdf:li>",
      ].join(""),
    ),
    "</rdf:Seq></pdfaSchema:property>",
    "</rdf:li>",
    "</rdf:Bag></pdfaExtension:schemas>",
  ),
];

/** What the library has for this, and does not declare. */
interface Internals {
  readonly info: Readonly<Record<string, unknown>>;
  readonly _root: { readonly data: Record<string, unknown> };
  /** Adds the description to the XMP when the file ends. The library's own leaves marks of XML as they are. */
  _addInfo: () => void;
  readonly appendXML: (xml: string) => void;
  readonly file: (bytes: Uint8Array, options: Readonly<Record<string, unknown>>) => unknown;
}

const addOutputIntent = (file: Pdf["file"], root: Record<string, unknown>): void => {
  const profile = file.ref({ N: 3 });
  profile.end(Buffer.from(SRGB));
  const name = new String("sRGB IEC61966-2.1");
  const intent = file.ref({
    ...{ Type: "OutputIntent", S: "GTS_PDFA1", Info: name, OutputConditionIdentifier: name },
    DestOutputProfile: profile,
  });
  intent.end();
  root.OutputIntents = [intent];
};

/** Makes an open file PDF/A-3b, with the e-invoice in CII inside if there is one. */
export const archive = (file: Pdf["file"], info: Description, eInvoice: Uint8Array | null): void => {
  const internals = file as unknown as Internals;
  addOutputIntent(file, internals._root.data);
  const producer = String(internals.info.Producer);
  internals._addInfo = () => {
    for (const part of [...descriptionOf(info, producer), ...(eInvoice === null ? [] : facturX())])
      internals.appendXML(part);
  };
  if (eInvoice !== null)
    internals.file(eInvoice, {
      ...{ name: FILE_NAME, type: "text/xml", relationship: "Alternative", description: "Factur-X invoice" },
      ...{ creationDate: info.CreationDate, modifiedDate: info.ModDate },
    });
};

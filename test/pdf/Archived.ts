/**
 * What PDF/A-3b (ISO 19005-3) and Factur-X 1.0 demand of a file, checked in the bytes alone: the demands that a text with
 * tables, pictures and one attachment can break.
 */
import { XMLParser, XMLValidator } from "fast-xml-parser";
import {
  at,
  type Dictionary,
  type File,
  follow,
  isDictionary,
  openFile,
  streamOf,
  textOf,
  type Value,
  wordOf,
} from "./objects.ts";

const parser = new XMLParser({
  ignoreAttributes: false,
  parseTagValue: false,
  isArray: (name) => name === "rdf:Description" || name === "rdf:li",
});

// biome-ignore lint/suspicious/noExplicitAny: elements of any XMP
type Xml = any;

const xmpOf = (file: File): { readonly packet: string; readonly descriptions: ReadonlyArray<Xml> } => {
  const packet = streamOf(file, at(file, file.trailer.Root).Metadata)?.toString("utf8") ?? "";
  if (XMLValidator.validate(packet.replace(/<\?xpacket.*?\?>/g, "")) !== true)
    return { packet, descriptions: [] };
  const root: Xml = parser.parse(packet);
  return { packet, descriptions: root["x:xmpmeta"]?.["rdf:RDF"]?.["rdf:Description"] ?? [] };
};

const propertyOf = (descriptions: ReadonlyArray<Xml>, name: string): Xml =>
  descriptions.map((description) => description[name]).find((found) => found !== undefined);

const itemOf = (value: Xml): string => {
  const [item] = value?.["rdf:Alt"]?.["rdf:li"] ?? value?.["rdf:Seq"]?.["rdf:li"] ?? [];
  return String(item?.["#text"] ?? item ?? "");
};

function* structure({ text, trailer }: File): Generator<string> {
  if (!/^%PDF-1\.[0-7]\n%[\x80-\xff]{4}/.test(text)) yield "6.1.2 header";
  const id = trailer.ID as ReadonlyArray<Value> | undefined;
  if (id?.length !== 2 || String(id[0]).length < 16) yield "6.1.3 file identifier";
  if ("Encrypt" in trailer) yield "6.1.3 encryption";
}

/** Keys that no dictionary may have: triggers, scripts, forms, files outside, alternates. */
const FORBIDDEN_KEYS = [
  "AA",
  "JS",
  "OpenAction",
  "NeedsRendering",
  "XFA",
  "AcroForm",
  "OCProperties",
  "Alternates",
  "OPI",
  "TR",
  "TR2",
  "HTP",
  "FFilter",
  "FDecodeParms",
  "Requirements",
  "Perms",
];

/** Types of actions: these files have none. */
const ACTIONS = new Set(
  "GoTo GoToR GoToE Launch Thread URI Sound Movie Hide Named SubmitForm ResetForm ImportData JavaScript SetOCGState Rendition Trans GoTo3DView".split(
    " ",
  ),
);

function* dictionaries(file: File): Generator<string> {
  const isAllowed = (key: string): boolean => !FORBIDDEN_KEYS.includes(key);
  const walk = function* (value: Value): Generator<string> {
    if (Array.isArray(value)) for (const item of value) yield* walk(item);
    if (!isDictionary(value)) return;
    for (const [key, item] of Object.entries(value)) {
      if (!isAllowed(key)) yield `6 forbidden key ${key}`;
      yield* walk(item);
    }
    if (ACTIONS.has(wordOf(value.S))) yield `6.5 action ${wordOf(value.S)}`;
    if (value.Interpolate === true) yield "6.2.8 Interpolate";
  };
  for (const { value, raw } of file.objects.values()) {
    yield* walk(value);
    const dictionary = isDictionary(value) ? value : {};
    if (raw !== null && dictionary.F !== undefined) yield "6.1.7 stream outside of the file";
    if (raw !== null && !["", "FlateDecode", "DCTDecode"].includes(wordOf(dictionary.Filter)))
      yield "6.1.7 filter";
    if (wordOf(dictionary.Type) === "Annot") yield "6.3 annotation";
    if (wordOf(dictionary.Type) === "XObject" && wordOf(dictionary.Subtype) === "Image") {
      const space = follow(file, dictionary.ColorSpace);
      const base = wordOf(Array.isArray(space) ? space[0] : space);
      if (!["DeviceRGB", "DeviceGray", "Indexed", "ICCBased"].includes(base)) yield `6.2.4 ${base}`;
      if (base === "Indexed" && wordOf((space as ReadonlyArray<Value>)[1]) !== "DeviceRGB")
        yield "6.2.4 Indexed";
    }
  }
}

function* outputIntent(file: File): Generator<string> {
  const intents = at(file, file.trailer.Root).OutputIntents;
  if (!Array.isArray(intents) || intents.length !== 1) return yield "6.2.3 OutputIntents";
  const intent = at(file, intents[0]);
  if (wordOf(intent.S) !== "GTS_PDFA1" || textOf(intent.OutputConditionIdentifier) === "")
    yield "6.2.3 intent";
  const profile = streamOf(file, intent.DestOutputProfile);
  if (at(file, intent.DestOutputProfile).N !== 3) yield "6.2.3 N";
  if (profile === null || profile.readUInt32BE(0) !== profile.length || (profile[8] ?? 9) > 4)
    return yield "6.2.3 profile";
  const [kind, space, signature] = [
    profile.toString("latin1", 12, 16),
    profile.toString("latin1", 16, 20),
    profile.toString("latin1", 36, 40),
  ];
  if (!["mntr", "prtr"].includes(kind) || space !== "RGB " || signature !== "acsp") yield "6.2.3 profile";
  for (let index = 0; index < profile.readUInt32BE(128); index++) {
    const entry = 132 + 12 * index;
    const [offset, length] = [profile.readUInt32BE(entry + 4), profile.readUInt32BE(entry + 8)];
    if (offset % 4 !== 0 || offset + length > profile.length) yield "6.2.3 tag of the profile";
  }
}

/** Operators of content that PDF 1.7 has and these files use; of colours those of a device with three components or one. */
const OPERATORS = new Set(
  "q Q cm w J j M d i gs m l c v y h re S s f F f* B B* b b* n W W* BT ET Tc Tw Tz TL Tf Tr Ts Td TD Tm T* Tj TJ ' \" cs CS sc scn SC SCN g G rg RG Do BDC BMC EMC MP DP".split(
    " ",
  ),
);

const withoutOperands = (content: string): string =>
  content
    .replace(/\((?:\\[\s\S]|[^\\)])*\)/g, " ")
    .replace(/<[0-9a-fA-F\s]*>/g, " ")
    .replace(/\/[^\s<>[\]()/]*/g, " ")
    .replace(/<<|>>|\[|\]/g, " ");

const pagesOf = (file: File, node: Value | undefined): ReadonlyArray<Dictionary> => {
  const found = at(file, node);
  const kids = follow(file, found.Kids);
  return Array.isArray(kids) ? kids.flatMap((kid) => pagesOf(file, kid)) : [found];
};

function* contents(file: File): Generator<string> {
  for (const page of pagesOf(file, at(file, file.trailer.Root).Pages)) {
    const content = streamOf(file, page.Contents)?.toString("latin1") ?? "";
    for (const word of withoutOperands(content).split(/\s+/))
      if (word !== "" && !/^[-+]?\d*\.?\d+$/.test(word) && !OPERATORS.has(word))
        yield `6.2.2 operator ${word}`;
    for (const [, space] of content.matchAll(/\/(\w+) (?:cs|CS)\b/g))
      if (!["DeviceRGB", "DeviceGray"].includes(space ?? "")) yield `6.2.4 colour space ${space}`;
    const fonts = at(file, page.Resources, "Font");
    const group = at(file, page.Group);
    if (Object.keys(group).length > 0 && wordOf(group.CS) === "DeviceCMYK") yield "6.2.10 group";
    for (const [name, glyphs] of shown(content)) yield* font(file, at(file, fonts[name]), name, glyphs);
  }
}

/** The glyphs that a page shows of each font. */
const shown = (content: string): ReadonlyMap<string, ReadonlySet<number>> => {
  const found = new Map<string, Set<number>>();
  let current = new Set<number>();
  for (const [, name, hex = ""] of content.matchAll(/\/(\w+) \S+ Tf|<([0-9a-f]+)>/g)) {
    if (name !== undefined) {
      current = found.get(name) ?? new Set();
      found.set(name, current);
    }
    for (const glyph of hex.match(/.{4}/g) ?? []) current.add(Number.parseInt(glyph, 16));
  }
  return found;
};

function* font(file: File, found: Dictionary, name: string, glyphs: ReadonlySet<number>): Generator<string> {
  const descendants = follow(file, found.DescendantFonts);
  const cid = at(file, Array.isArray(descendants) ? descendants[0] : undefined);
  const descriptor = at(file, cid.FontDescriptor);
  if (wordOf(found.Subtype) !== "Type0" || wordOf(found.Encoding) !== "Identity-H")
    yield `6.2.11 font ${name}`;
  const program = streamOf(file, descriptor.FontFile2 ?? descriptor.FontFile3);
  if (program === null || program.length === 0) yield `6.2.11.4 font ${name} is not embedded`;
  if (!/^[A-Z]{6}\+/.test(wordOf(cid.BaseFont)) || wordOf(cid.BaseFont) !== wordOf(found.BaseFont))
    yield `6.2.11.4 name of ${name}`;
  if (wordOf(cid.Subtype) === "CIDFontType2" && wordOf(cid.CIDToGIDMap) !== "Identity")
    yield `6.2.11.3 map of ${name}`;
  if (streamOf(file, found.ToUnicode) === null) yield `6.2.11.7 characters of ${name}`;
  const widths = follow(file, cid.W);
  const listed = Array.isArray(widths) && Array.isArray(widths[1]) ? widths[1].length : 0;
  for (const glyph of glyphs) {
    if (glyph === 0) yield `6.2.11.8 ${name} shows .notdef`;
    if (glyph >= listed) yield `6.2.11.5 width of glyph ${glyph} of ${name}`;
  }
}

/** The moment of a date string: `D:20260227233000Z`. */
const isoOf = (date: string): string =>
  date.replace(/^D:(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z");

function* metadata(file: File): Generator<string> {
  const stored = at(file, at(file, file.trailer.Root).Metadata);
  if (wordOf(stored.Type) !== "Metadata" || wordOf(stored.Subtype) !== "XML" || "Filter" in stored)
    yield "6.6.2 stream";
  const { packet, descriptions } = xmpOf(file);
  if (!/^<\?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"\?>/.test(packet)) yield "6.6.2 packet";
  if (descriptions.length === 0) return yield "6.6.2 XML";
  const property = (name: string): Xml => propertyOf(descriptions, name);
  if (String(property("pdfaid:part")) !== "3" || property("pdfaid:conformance") !== "B")
    yield "6.6.4 PDF/A identification";
  const info = at(file, file.trailer.Info);
  const infoText = (key: string): string => textOf(follow(file, info[key]));
  const pairs: ReadonlyArray<readonly [key: string, stated: string]> = [
    ["Title", itemOf(property("dc:title"))],
    ["Author", itemOf(property("dc:creator"))],
    ["Subject", itemOf(property("dc:description"))],
    ["Creator", String(property("xmp:CreatorTool"))],
    ["Producer", String(property("pdf:Producer"))],
  ];
  for (const [key, stated] of pairs) if (infoText(key) !== decoded(stated)) yield `6.6.3 ${key}`;
  if (isoOf(infoText("CreationDate")) !== property("xmp:CreateDate")) yield "6.6.3 CreationDate";
  if (isoOf(infoText("ModDate")) !== property("xmp:ModifyDate")) yield "6.6.3 ModDate";
}

const decoded = (text: string): string =>
  text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");

/** What a file attaches, by its names; each is associated with the document. */
const attachedTo = (
  file: File,
): ReadonlyArray<{ readonly spec: Dictionary; readonly isAssociated: boolean }> => {
  const root = at(file, file.trailer.Root);
  const names = at(file, root.Names, "EmbeddedFiles").Names;
  const listed = Array.isArray(names) ? names.filter((_, index) => index % 2 === 1) : [];
  const associated = JSON.stringify(follow(file, root.AF) ?? []);
  return listed.map((ref) => ({
    spec: at(file, ref),
    isAssociated: associated.includes(JSON.stringify(ref)),
  }));
};

function* attachments(file: File): Generator<string> {
  for (const { spec, isAssociated } of attachedTo(file)) {
    const embedded = at(file, spec.EF, "F");
    if (textOf(spec.F) === "" || textOf(spec.F) !== textOf(spec.UF)) yield "6.8 F and UF";
    if (wordOf(spec.AFRelationship) === "" || !isAssociated) yield "6.8 association";
    if (!/^\w+\/[\w.+-]+$/.test(wordOf(embedded.Subtype))) yield "6.8 MIME type";
    const parameters = at(file, embedded.Params);
    if (!/^D:\d{14}Z$/.test(textOf(parameters.ModDate))) yield "6.8 ModDate";
    if (parameters.Size !== streamOf(file, at(file, spec.EF).F)?.length) yield "6.8 Size";
  }
}

/** The demands of PDF/A-3b that a file breaks, by clause; none for a valid one. */
export const archiveProblems = (bytes: Uint8Array): ReadonlyArray<string> => {
  const file = openFile(bytes);
  return [
    ...new Set([
      ...structure(file),
      ...dictionaries(file),
      ...outputIntent(file),
      ...contents(file),
      ...metadata(file),
      ...attachments(file),
    ]),
  ];
};

const FACTUR_X = "urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#";

/** The XML of a Factur-X file, and the demands of the standard that it breaks. */
export const facturXOf = (
  bytes: Uint8Array,
): { readonly xml: Uint8Array | null; readonly problems: ReadonlyArray<string> } => {
  const file = openFile(bytes);
  const [attached, ...others] = attachedTo(file);
  const { descriptions } = xmpOf(file);
  const property = (name: string): string => String(propertyOf(descriptions, `fx:${name}`));
  const [schema] = propertyOf(descriptions, "pdfaExtension:schemas")?.["rdf:Bag"]?.["rdf:li"] ?? [];
  const described = (schema?.["pdfaSchema:property"]?.["rdf:Seq"]?.["rdf:li"] ?? []) as ReadonlyArray<Xml>;
  const checks: Readonly<Record<string, boolean>> = {
    "one attachment": attached !== undefined && others.length === 0,
    name: textOf(attached?.spec.F) === "factur-x.xml" && property("DocumentFileName") === "factur-x.xml",
    relationship: ["Alternative", "Source", "Data"].includes(wordOf(attached?.spec.AFRelationship)),
    "MIME type": wordOf(at(file, attached?.spec.EF, "F").Subtype) === "text/xml",
    type: property("DocumentType") === "INVOICE",
    version: property("Version") === "1.0",
    profile: property("ConformanceLevel") === "EN 16931",
    namespace: descriptions.some((description) => description["@_xmlns:fx"] === FACTUR_X),
    "extension schema":
      schema?.["pdfaSchema:namespaceURI"] === FACTUR_X &&
      schema?.["pdfaSchema:prefix"] === "fx" &&
      JSON.stringify(described.map((one) => one["pdfaProperty:name"]).toSorted()) ===
        JSON.stringify(["ConformanceLevel", "DocumentFileName", "DocumentType", "Version"]) &&
      described.every(
        (one) => one["pdfaProperty:valueType"] === "Text" && one["pdfaProperty:category"] === "external",
      ),
  };
  return {
    xml: attached === undefined ? null : streamOf(file, at(file, attached.spec.EF).F),
    problems: Object.entries(checks).flatMap(([name, holds]) => (holds ? [] : [name])),
  };
};

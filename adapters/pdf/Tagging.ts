/** The structure of a document for screen readers: headings, tables and text in reading order. */
import type PDFDocument from "pdfkit";

/** The roles that documents use (ISO 32000-1, section 14.8.4). */
export type Role =
  | "Document"
  | "Sect"
  | "H1"
  | "H2"
  | "P"
  | "Figure"
  | ("L" | "LI" | "LBody")
  | ("Table" | "TR" | "TH" | "TD");

interface Options {
  /** For `TH`: whether it names the cells below it or beside it. */
  readonly scope?: "Column" | "Row";
  /** For `Figure`: what it shows. */
  readonly alt?: string;
}

/** The library's element; its types do not declare that children are added later. */
interface Element {
  readonly add: (child: unknown) => unknown;
  readonly end: () => void;
  readonly dictionary: { data: { readonly P: unknown } };
}

/** The elements that are open, the innermost last. */
export interface Structure {
  readonly open: Array<{ readonly role: Role; readonly element: Element }>;
  /** True if the present drawing is an artifact, which is no part of the document's text. */
  isArtifact: boolean;
}

/** A PDF that is being written, and its structure so far. */
export interface TaggedFile {
  readonly file: typeof PDFDocument.prototype;
  readonly structure: Structure;
}

/** The structure of a document that has no elements yet. */
export const emptyStructure = (): Structure => ({ open: [], isArtifact: false });

/** Opens an element inside the innermost one. */
export const open = ({ file, structure }: TaggedFile, role: Role, options: Options = {}): void => {
  if (structure.isArtifact) return;
  const element = file.struct(role, options) as unknown as Element;
  const parent = structure.open.at(-1);
  if (parent === undefined) file.addStructure(element as never);
  else parent.element.add(element);
  structure.open.push({ role, element });
};

/** Ends the innermost element and writes it to the file. Only the parent stays in memory of its dictionary, because the library reads it. */
export const close = ({ structure }: TaggedFile): void => {
  if (structure.isArtifact) return;
  const element = structure.open.pop()?.element;
  if (element === undefined) return;
  element.end();
  const { dictionary } = element;
  dictionary.data = { P: dictionary.data.P };
};

/** Draws an element. */
export const element = (pdf: TaggedFile, role: Role, draw: () => void, options: Options = {}): void => {
  open(pdf, role, options);
  draw();
  close(pdf);
};

/** Draws text or a picture of the innermost element. */
export const content = ({ file, structure }: TaggedFile, draw: () => void): void => {
  const innermost = structure.open.at(-1);
  if (structure.isArtifact || innermost === undefined) {
    draw();
    return;
  }
  const marked = file.markStructureContent(innermost.role);
  draw();
  file.endMarkedContent();
  innermost.element.add(marked);
};

/** Draws what screen readers skip: lines, backgrounds, and text that is repeated on each page. */
export const artifact = (
  { file, structure }: TaggedFile,
  type: "Layout" | "Pagination",
  draw: () => void,
): void => {
  if (structure.isArtifact) {
    draw();
    return;
  }
  structure.isArtifact = true;
  file.markContent("Artifact", { type });
  draw();
  file.endMarkedContent();
  structure.isArtifact = false;
};

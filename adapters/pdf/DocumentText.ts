/** The text of a document, without its layout. */
import type { Language } from "./Texts.ts";

/** A value with its label. */
export interface Fact {
  readonly label: string;
  readonly value: string;
}

/** A party: the supplier or the customer. */
export interface Party {
  readonly role: string;
  readonly name: string;
  /** One line each: address, VAT number, electronic address. */
  readonly details: ReadonlyArray<string>;
}

/** A column of a table: its heading, its width in points, and the edge that its text is aligned to. */
export interface Column {
  readonly heading: string;
  readonly width: number;
  readonly isRight: boolean;
  /** Lines that a cell may have; what is longer ends with an ellipsis. 0: the text is made smaller to fit one line. */
  readonly linesMax: number;
}

/** A row: a line, the heading of the lines that follow, or their sum. */
export interface Row {
  readonly type: "line" | "heading" | "sum";
  /** One for each column; empty ones are left out of a heading. */
  readonly cells: ReadonlyArray<string>;
  /** Smaller lines below the cell of a column. */
  readonly details: ReadonlyArray<string>;
}

/** A table with its title. */
export interface Section {
  /** Null when the table follows the key facts directly. */
  readonly title: string | null;
  readonly columns: ReadonlyArray<Column>;
  /** The index of the column below which the details of a row are. */
  readonly detailColumn: number;
  readonly rows: ReadonlyArray<Row>;
}

/** A paragraph, and the items of the list below it. */
export interface Paragraph {
  readonly text: string;
  readonly items: ReadonlyArray<string>;
}

/** The whole text of a document. */
export interface DocumentText {
  readonly language: Language;
  /** The title with the number, or with the settlement's id if there is no number; also the name of the file and in the footer. */
  readonly name: string;
  readonly title: string;
  /** Null on a report. */
  readonly number: string | null;
  /** Lines under the title with references to other documents. */
  readonly references: ReadonlyArray<string>;
  readonly supplier: Party;
  readonly buyer: Party;
  /** A warning to the reader; null if there is none. */
  readonly notice: string | null;
  /** Key facts: dates and the amount. */
  readonly facts: ReadonlyArray<Fact>;
  /** Sentences after the key facts, of a document that consists of them. */
  readonly paragraphs?: ReadonlyArray<Paragraph>;
  /** The tables before the totals. */
  readonly sections: ReadonlyArray<Section>;
  /** The summands, then their sum; empty if a table contains them. */
  readonly totals: ReadonlyArray<Fact>;
  /** Bank account and due date, with their title; null unless something is paid. */
  readonly payment: { readonly title: string; readonly facts: ReadonlyArray<Fact> } | null;
  /** Sentences on self-billing, tax, cancelled documents and debts. */
  readonly notes: ReadonlyArray<string>;
  /** The tables after the notes; the first one begins a page. */
  readonly annexes: ReadonlyArray<Section>;
}

/** Collects the bytes of a PDF while it is drawn. */
import type PDFDocument from "pdfkit";

type File = typeof PDFDocument.prototype;

/** Room for a short document, and for each line of the densest text: pages of memory that nothing is written to cost nothing. */
const ROOM = 256 * 1024;
const ROOM_OF_LINE = 4 * 1024;

/** Appends to one piece of memory: a second copy of a long file would be a large part of what drawing it takes. */
const collector = (lineCount: number) => {
  let bytes = new Uint8Array(ROOM + ROOM_OF_LINE * lineCount);
  let used = 0;
  return {
    add: (piece: Uint8Array): void => {
      if (used + piece.length > bytes.length) {
        const larger = new Uint8Array(Math.max(2 * bytes.length, used + piece.length));
        larger.set(bytes.subarray(0, used));
        bytes = larger;
      }
      bytes.set(piece, used);
      used += piece.length;
    },
    /** All bytes; copied where most of the memory would be held for nothing. */
    take: (): Uint8Array => (2 * used < bytes.length ? bytes.slice(0, used) : bytes.subarray(0, used)),
  };
};

/**
 * The bytes of the file, when it has ended. The library's stream would keep each of its hundreds of thousands of small
 * pieces as an object, and join copies of them at the end.
 */
export const of = (file: File, lineCount: number): Promise<Uint8Array> =>
  new Promise((resolve) => {
    const collected = collector(lineCount);
    // What the library wrote when it opened the file.
    const opening: Uint8Array | null = file.read();
    if (opening !== null) collected.add(opening);
    file.push = (piece: Uint8Array | null): boolean => {
      if (piece === null) resolve(collected.take());
      else collected.add(piece);
      return true;
    };
  });

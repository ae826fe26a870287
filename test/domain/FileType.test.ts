import { FileType } from "quittance";
import { describe, expect, it } from "vitest";

describe("the media type of a file", () => {
  it.each([
    ["%PDF-1.7", "application/pdf", "pdf"],
    ["\u0089PNG\r\n\u001a\n", "image/png", "png"],
    ["\u0089PNG\r\n", "application/octet-stream", "bin"],
    ["\u00ff\u00d8\u00ff\u00e0", "image/jpeg", "jpg"],
    ["PK\u0003\u0004", "application/zip", "zip"],
    ["<?xml version", "application/xml", "xml"],
    ["\u00ef\u00bb\u00bf<?xml version", "application/xml", "xml"],
    ["<html><?xml", "application/octet-stream", "bin"],
    ["%PDF", "application/octet-stream", "bin"],
    ["x%PDF-", "application/octet-stream", "bin"],
    ["", "application/octet-stream", "bin"],
  ])("that begins with %j is %s", (text, mediaType, extension) => {
    const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
    expect(FileType.sniff(bytes)).toEqual({ mediaType, extension });
  });
});

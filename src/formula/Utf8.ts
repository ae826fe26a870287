/** The number of bytes of a text in UTF-8. */
export const utf8Length = (text: string): number => {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let length = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    length += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return length;
};

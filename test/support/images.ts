/** Small images for tests. */
import { crc32, deflateSync } from "node:zlib";

const chunk = (type: string, data: Uint8Array): Buffer => {
  const named = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, checksum]);
};

/** Bytes per pixel by PNG colour type, with 8 bits per channel. */
const PARTS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

interface Png {
  readonly width?: number;
  readonly height?: number;
  readonly bitDepth?: number;
  readonly colorType?: number;
  /** The decompressed pixels; by default as many bytes as the size requires. */
  readonly pixels?: Uint8Array;
  readonly palette?: Uint8Array;
}

/** A PNG image in base64: a blue rectangle unless stated otherwise. */
export const png = ({
  width = 24,
  height = 12,
  bitDepth = 8,
  colorType = 2,
  pixels,
  palette,
}: Png = {}): string => {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([bitDepth, colorType, 0, 0, 0], 8);
  const parts = PARTS[colorType] ?? 1;
  const row = Buffer.from([
    0,
    ...Array.from({ length: Math.min(width, 64) * parts }, (_, at) => [11, 95, 165, 255][at % parts] ?? 0),
  ]);
  const plain = pixels ?? Buffer.concat(Array.from({ length: Math.min(height, 64) }, () => row));
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", header),
    ...(palette === undefined ? [] : [chunk("PLTE", palette)]),
    chunk("IDAT", deflateSync(plain)),
    chunk("IEND", Buffer.alloc(0)),
  ]).toString("base64");
};

/** A baseline JPEG image in base64, 48 pixels wide and 24 high. */
export const JPEG =
  "/9j/4AAQSkZJRgABAQEASABIAAD/2wBDABALDA4MChAODQ4SERATGCgaGBYWGDEjJR0oOjM9PDkzODdASFxOQERXRTc4UG1RV19iZ2hnPk1xeXBkeFxlZ2P/2wBDARESEhgVGC8aGi9jQjhCY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2P/wAARCAAYADADASIAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAECAxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6goOEhYaHiImKkpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq8vP09fb3+Pn6/9oADAMBAAIRAxEAPwDNsrOa+uVt7dN0jfgAPU10P/CFz+Vn7ZH5n93Ycfn/APWo8DeX9pu8/wCs2Lt+mef6V2NdlatKMrI5KNGMo3Z5be2c1jctb3CbZF/EEeoq1/Yepf8APt/4+v8AjWv458v7TaY/1mxt30zx/WtuufFYydGMHFLW5dHDQqSkm9jjf7D1L/n2/wDH1/xqlcQSW0zQzLtkXGRkH37V39cbr/8AyGZ/+A/+gilgsbUr1HGSWwYnDQpQUot7lWyvJrG5W4t32yL+II9DXQ/8JpP5WPscfmf3t5x+X/16KK9GVOMt0ccako7M569vJr65a4uH3SN+AA9BVr+3NS/5+f8Axxf8KKKUqUJ25op2BVJx2Yf25qX/AD8/+OL/AIVSuJ5LmZppm3SNjJwB7dqKKIUqcHeMUvkEqk5K0m2f/9k=";

/**
 * The files of an empty database. Creating them takes PostgreSQL four seconds of computing and 760 MB, so that the build does it once
 * and keeps them in one compressed file of the package; without that file, as in sources that nobody has built, the first use makes it.
 */
import * as fs from "node:fs";
import { createRequire } from "node:module";
import * as path from "node:path";
import { Worker } from "node:worker_threads";
import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";

const { resolve } = createRequire(import.meta.url);

/** The three databases of PostgreSQL are nearly the same: a window that sees all of them takes a quarter of the bytes. */
const COMPRESSION = {
  params: {
    [constants.BROTLI_PARAM_QUALITY]: 9,
    [constants.BROTLI_PARAM_LGWIN]: 26,
    [constants.BROTLI_PARAM_LARGE_WINDOW]: 1,
  },
};
const DECOMPRESSION = { params: { [constants.BROTLI_DECODER_PARAM_LARGE_WINDOW]: 1 } };

/**
 * CommonJS, because it is started from its text: a file would have a different place in the sources and in the build. In a
 * thread, because PGlite keeps the memory until its thread ends.
 */
const CREATE = `
const { parentPort, workerData } = require("node:worker_threads");
const { PGlite } = require(workerData);
PGlite.create()
  .then(async (database) => {
    const dump = await database.dumpDataDir("none");
    parentPort.postMessage(new Uint8Array(await dump.arrayBuffer()));
    await database.close();
  });`;

const create = (library: string): Promise<Uint8Array<ArrayBuffer>> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(CREATE, { eval: true, execArgv: [], workerData: library });
    let archive: Uint8Array<ArrayBuffer> | undefined;
    worker.once("message", (message: Uint8Array<ArrayBuffer>) => {
      archive = message;
    });
    worker.once("error", reject);
    worker.once("exit", (code) => {
      if (archive !== undefined && code === 0) resolve(archive);
      else reject(new Error(`the thread that creates the database ended with ${code}`));
    });
  });

/** Where the file is, in the package; null if a bundler has moved this module out of it. */
const place = (library: string): string | null => {
  const { version } = JSON.parse(
    fs.readFileSync(path.join(path.dirname(library), "../package.json"), "utf8"),
  );
  try {
    const root = path.dirname(resolve("quittance/package.json"));
    return path.join(root, `dist/empty-database/pglite-${version}.tar.br`);
  } catch {
    return null;
  }
};

/** Writes the file for the next first start. A package that cannot be written stays as it is. */
const keep = (file: string, archive: Uint8Array): void => {
  const draft = `${file}.${process.pid}`;
  try {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(draft, brotliCompressSync(archive, COMPRESSION));
    fs.renameSync(draft, file);
  } catch {
    fs.rmSync(draft, { force: true });
  }
};

/** The archive (`tar`) of an empty database's files. */
export const archive = async (): Promise<Uint8Array<ArrayBuffer>> => {
  const library = resolve("@electric-sql/pglite");
  const file = place(library);
  if (file !== null && fs.existsSync(file)) return brotliDecompressSync(fs.readFileSync(file), DECOMPRESSION);
  const created = await create(library);
  if (file !== null) keep(file, created);
  return created;
};

const BLOCK = 512;
const isFolder = (header: Uint8Array): boolean => header[156] === "5".charCodeAt(0);

/** Writes the files of the archive into a folder that does not exist. */
export const unpack = (archive: Uint8Array, folder: string): void => {
  const bytes = Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength);
  fs.mkdirSync(folder, { mode: 0o700 });
  for (let at = 0; (bytes[at] ?? 0) !== 0; ) {
    const header = bytes.subarray(at, at + BLOCK);
    const text = (start: number, end: number): string =>
      header.toString("latin1", start, end).split("\0", 1)[0] ?? "";
    const size = Number.parseInt(text(124, 136), 8);
    const target = path.join(folder, text(0, 100));
    if (isFolder(header)) fs.mkdirSync(target, { recursive: true, mode: 0o700 });
    else fs.writeFileSync(target, bytes.subarray(at + BLOCK, at + BLOCK + size), { mode: 0o600 });
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
};

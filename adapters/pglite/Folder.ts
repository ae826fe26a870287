/** The file system of a database in a folder, with `fsync`. */
import * as fs from "node:fs";
import { NodeFS } from "@electric-sql/pglite/nodefs";

type Init = NodeFS["init"];

interface OpenFile {
  /** The file descriptor that Node opened. */
  readonly nfd: number;
}

/** The folder of PGlite with `fsync`, which PGlite omits: PostgreSQL calls it to make its log durable. */
export class DurableFolder extends NodeFS {
  override async init(...[database, options]: Parameters<Init>): ReturnType<Init> {
    const { emscriptenOpts } = await super.init(database, options);
    const fsync = ({ nfd }: OpenFile): number => {
      fs.fsyncSync(nfd);
      return 0;
    };
    const addFsync = (module: { readonly NODEFS: { readonly stream_ops?: object } }) => {
      Object.assign(module.NODEFS.stream_ops ?? {}, { fsync });
    };
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), addFsync] } };
  }
}

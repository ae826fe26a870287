/** A folder that one process at a time keeps its database in, written through to the disk. */
import * as fs from "node:fs";
import { NodeFS } from "@electric-sql/pglite/nodefs";

type Init = NodeFS["init"];

interface OpenFile {
  /** The file descriptor that Node opened. */
  readonly nfd: number;
}

/**
 * PGlite's folder, with the one call added that it leaves out: when PostgreSQL asks for its log to be written through
 * to the disk, it is.
 */
export class DurableFolder extends NodeFS {
  override async init(...[database, options]: Parameters<Init>): ReturnType<Init> {
    const { emscriptenOpts } = await super.init(database, options);
    const fsync = ({ nfd }: OpenFile): number => {
      fs.fsyncSync(nfd);
      return 0;
    };
    const mend = (module: { readonly NODEFS: { readonly stream_ops?: object } }) => {
      Object.assign(module.NODEFS.stream_ops ?? {}, { fsync });
    };
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), mend] } };
  }
}

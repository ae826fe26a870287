/** The folder of an embedded store: created where it is absent, and checked before PostgreSQL writes into it. */
import * as fs from "node:fs";
import * as path from "node:path";
import { Data } from "effect";

/** A folder cannot be created or written; the message names it and the reason. */
export class FolderUnusable extends Data.TaggedError("FolderUnusable")<{ readonly message: string }> {}

/** Why the system refuses to create, to write or to open a folder, by its code. */
const REASONS: Readonly<Record<string, (at: string) => string>> = {
  EEXIST: (at) => `a link in ${at} leads nowhere`,
  ENOTDIR: (at) => `${at} is a file`,
  EACCES: (at) => `this user has no permission to write in ${at}`,
  EPERM: (at) => `the system does not permit to write in ${at}`,
  EROFS: (at) => `${at} is on a file system that is read-only`,
  ENOENT: (at) => `nothing can be created in ${at}`,
  ENOSPC: (at) => `no space is left for ${at}`,
  EDQUOT: (at) => `the quota of ${at} is used up`,
  ENAMETOOLONG: () => "its name is too long",
  ELOOP: (at) => `${at} is a link that leads to itself`,
};

const reasonOf = (error: unknown, at: string): string => {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return REASONS[code]?.(at) ?? (error instanceof Error ? error.message : String(error));
};

/** Runs a step; a failure names the folder, and the part of its path where the step failed. */
const step = (folder: string, at: string, run: () => void): void => {
  try {
    run();
  } catch (error) {
    throw new FolderUnusable({ message: `the folder ${folder} cannot be used: ${reasonOf(error, at)}` });
  }
};

const isFolder = (at: string): boolean => fs.statSync(at, { throwIfNoEntry: false })?.isDirectory() === true;

/** Creates one folder, unless another process has created it meanwhile. */
const create = (at: string): void => {
  try {
    fs.mkdirSync(at, { mode: 0o700 });
  } catch (error) {
    if (!isFolder(at)) throw error;
  }
};

/** A file, or a link that leads nowhere, in the place of a folder. */
const inTheWay = (): Error => Object.assign(new Error("not a folder"), { code: "ENOTDIR" });

/**
 * Creates a folder with its parents, one after the other: `mkdir` of Node with `recursive` never returns for a folder in
 * `/proc`. Throws {@link FolderUnusable} where the folder cannot be created, or cannot be written.
 */
export const createFolder = (folder: string): void => {
  const missing: Array<string> = [];
  let at = path.resolve(folder);
  for (; !fs.existsSync(at) && path.dirname(at) !== at; at = path.dirname(at)) missing.unshift(at);
  step(folder, at, () => {
    if (!isFolder(at)) throw inTheWay();
  });
  for (const next of missing) step(folder, path.dirname(next), () => create(next));
  const { R_OK, W_OK, X_OK } = fs.constants;
  for (const used of [folder, path.join(folder, "data")].filter((each) => fs.existsSync(each)))
    step(folder, used, () => fs.accessSync(used, R_OK | W_OK | X_OK));
};

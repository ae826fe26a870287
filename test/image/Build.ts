/**
 * Carries out the steps of a Dockerfile in folders of this machine, one for each stage, because no image can be built where
 * the tests run. An absolute path of the image is a path below the folder of its stage.
 */
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Longer than `npm ci` takes on a busy machine. */
const LIMIT_MILLISECONDS = 600_000;

/** The instructions of a Dockerfile, each with its words on one line. */
const instructionsOf = (text: string): ReadonlyArray<readonly [name: string, words: string]> =>
  text
    .replace(/\\\n\s*/g, " ")
    .split("\n")
    .filter((line) => line.trim() !== "" && !line.startsWith("#"))
    .map((line) => {
      const [name = "", ...words] = line.split(" ");
      return [name, words.join(" ")];
    });

/** A stage, as its instructions so far have left it. */
export interface Stage {
  readonly name: string;
  /** The root of its file system. */
  readonly folder: string;
  /** An absolute path of the image. */
  workingFolder: string;
  user: string;
  environment: Readonly<Record<string, string>>;
  entrypoint: ReadonlyArray<string>;
  command: ReadonlyArray<string>;
  healthCheck: ReadonlyArray<string>;
}

/** The build context of a Dockerfile. */
interface Origin {
  /** The folder of the files that COPY takes. */
  readonly context: string;
  readonly stages: ReadonlyArray<Stage>;
  /** Variables of every RUN that an image does not need: where the cache of npm is. */
  readonly environment: Readonly<Record<string, string>>;
}

/** Where the files of a stage's working folder are. */
export const folderOf = ({ folder, workingFolder }: Stage): string => join(folder, workingFolder);

/** The files that a path names; `*` stands for any characters of a file name. */
const matches = (root: string, path: string): ReadonlyArray<string> => {
  const file = basename(path);
  if (!file.includes("*")) return [join(root, path)];
  const pattern = new RegExp(`^${file.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*")}$`);
  const folder = join(root, dirname(path));
  return readdirSync(folder)
    .filter((name) => pattern.test(name))
    .map((name) => join(folder, name));
};

/** Copies the contents of folders into a folder, and files into a folder or to a name. */
const copy = (words: string, stage: Stage, { context, stages }: Origin): void => {
  const parts = words.split(" ");
  const from = /^--from=(\S+)$/.exec(parts[0] ?? "")?.[1];
  if (from !== undefined) parts.shift();
  const target = parts.pop() ?? "";
  const root = from === undefined ? context : stages.find(({ name }) => name === from)?.folder;
  if (root === undefined) throw new Error(`COPY ${words}: there is no stage ${from}`);
  const sources = parts.flatMap((path) => matches(root, path));
  if (sources.length === 0) throw new Error(`COPY ${words}: no file matches`);
  const into = join(folderOf(stage), target);
  const isFolder = target.endsWith("/") || target === "." || sources.length > 1;
  for (const source of sources) {
    const isTree = statSync(source).isDirectory();
    cpSync(source, isTree || !isFolder ? into : join(into, basename(source)), {
      recursive: true,
      verbatimSymlinks: true,
    });
  }
};

const listOf = (words: string): ReadonlyArray<string> => JSON.parse(words.slice(words.indexOf("[")));

const execute = (words: string, stage: Stage, { environment }: Origin) =>
  run("sh", ["-c", words], {
    cwd: folderOf(stage),
    env: { ...environment, ...stage.environment },
    timeout: LIMIT_MILLISECONDS,
    maxBuffer: 64 * 1024 * 1024,
  });

/** What each instruction does to its stage. */
const INSTRUCTIONS: Readonly<Record<string, (words: string, stage: Stage, origin: Origin) => unknown>> = {
  WORKDIR: (words, stage) => {
    stage.workingFolder = words;
    mkdirSync(folderOf(stage), { recursive: true });
  },
  ENV: (words, stage) => {
    const pairs = words.split(" ").map((pair) => pair.split("="));
    stage.environment = { ...stage.environment, ...Object.fromEntries(pairs) };
  },
  USER: (words, stage) => {
    stage.user = words;
  },
  ENTRYPOINT: (words, stage) => {
    stage.entrypoint = listOf(words);
  },
  CMD: (words, stage) => {
    stage.command = listOf(words);
  },
  HEALTHCHECK: (words, stage) => {
    stage.healthCheck = listOf(words);
  },
  COPY: copy,
  RUN: execute,
  EXPOSE: () => {},
  STOPSIGNAL: () => {},
};

/** Builds the stages below a folder; returns the last one. */
export const build = async (
  dockerfile: string,
  below: string,
  given: Pick<Origin, "context" | "environment">,
): Promise<Stage> => {
  const stages: Array<Stage> = [];
  for (const [name, words] of instructionsOf(readFileSync(dockerfile, "utf8"))) {
    if (name === "FROM") {
      const alias = / AS (\S+)$/i.exec(words)?.[1] ?? `stage-${stages.length}`;
      const nothing = { environment: {}, entrypoint: [], command: [], healthCheck: [] };
      stages.push({ name: alias, folder: join(below, alias), workingFolder: "/", user: "root", ...nothing });
      continue;
    }
    // Before the first stage: the name of the base image, which is this machine here.
    if (name === "ARG") continue;
    const stage = stages.at(-1);
    const instruction = INSTRUCTIONS[name];
    if (stage === undefined || instruction === undefined) throw new Error(`${name} cannot be carried out`);
    await instruction(words, stage, { ...given, stages });
  }
  const last = stages.at(-1);
  if (last === undefined) throw new Error("the Dockerfile has no stage");
  return last;
};

/** Calls a command of the command line in this process. */
import { Effect, Either } from "effect";
import { vi } from "vitest";
import { commandLine } from "../../adapters/server/CommandLine.ts";

/** The output and the exit code of a command, or its failure. */
export const callCommand = async (words: ReadonlyArray<string>, environment: Record<string, string>) => {
  let output = "";
  const spies = [process.stdout, process.stderr].map((stream) =>
    vi.spyOn(stream, "write").mockImplementation((text) => {
      output += text;
      return true;
    }),
  );
  const codeBefore = process.exitCode;
  process.exitCode = undefined;
  try {
    const ended = await Effect.runPromise(Effect.either(commandLine(words, environment, false)));
    return Either.isLeft(ended)
      ? { code: ended.left.exitCode, text: `${output}${ended.left.message}` }
      : { code: process.exitCode ?? 0, text: output };
  } finally {
    process.exitCode = codeBefore;
    for (const spy of spies) spy.mockRestore();
  }
};

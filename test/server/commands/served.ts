/** The command line in the process of the test, on a server over HTTP. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Effect, Either } from "effect";
import type { Quittance } from "quittance/promise";
import { vi } from "vitest";
import { commandLine } from "../../../adapters/server/CommandLine.ts";

/** Serves an engine for commands with a key, until `close`, which closes the engine as well. */
export const serve = async (quittance: Quittance, key: string) => {
  const server = createServer(await quittance.nodeHandler()).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  const environment = { QUITTANCE_URL: `http://127.0.0.1:${port}`, QUITTANCE_KEY: key };
  return {
    environment,
    /** The output of a command, or its failure. */
    call: async (...words: ReadonlyArray<string>) => {
      let output = "";
      const spy = vi.spyOn(process.stdout, "write").mockImplementation((text) => {
        output += text;
        return true;
      });
      try {
        const ended = await Effect.runPromise(Effect.either(commandLine(words, environment, false)));
        return Either.isLeft(ended)
          ? { code: ended.left.exitCode, text: ended.left.message }
          : { code: 0, text: output };
      } finally {
        spy.mockRestore();
      }
    },
    close: async (): Promise<void> => {
      server.close();
      await quittance.close();
    },
  };
};

/** A server for commands. */
export type Served = Awaited<ReturnType<typeof serve>>;

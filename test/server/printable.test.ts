/** Names that others choose: they neither move the cursor of a terminal nor begin lines of a log. */
import { stripVTControlCharacters } from "node:util";
import { Cause, Effect, type Layer } from "effect";
import { afterEach, describe, expect, it, vi } from "vitest";
import * as Log from "../../adapters/server/Log.ts";
import { note, print, printTable, printText, writeData } from "../../adapters/server/Output.ts";

/** ESC with a colour, a new line, two marks that turn the direction around, and the one-byte form of ESC [. */
const NAME = "\u001b[31mroot\r\nok\u202egnp\u2066\u009b2J";
const SHOWN = "\\u001b[31mroot\\u000d\\u000aok\\u202egnp\\u2066\\u009b2J";
const HOSTILE = /[^\P{Cc}\n]|\p{Bidi_Control}/u;

afterEach(() => vi.restoreAllMocks());

/** What a task writes to both streams. */
const written = async (task: Effect.Effect<unknown>): Promise<string> => {
  let text = "";
  const collect = (chunk: unknown) => {
    text += String(chunk);
    return true;
  };
  vi.spyOn(process.stdout, "write").mockImplementation(collect);
  vi.spyOn(process.stderr, "write").mockImplementation(collect);
  vi.spyOn(console, "error").mockImplementation((...parts) => {
    text += `${parts.join(" ")}\n`;
  });
  await Effect.runPromise(task);
  vi.restoreAllMocks();
  return text;
};

describe("what a command prints", () => {
  it("shows on one line what cannot be printed", async () => {
    expect(await written(print(`partner ${NAME}`))).toBe(`partner ${SHOWN}\n`);
    expect(await written(note(`${NAME} cannot be read`))).toBe(`${SHOWN} cannot be read\n`);
  });

  it("keeps its own lines, and no other control character", async () => {
    expect(await written(printText("a\nb\r\u001bc"))).toBe("a\nb\\u000d\\u001bc\n");
  });

  it("keeps the columns of a table", async () => {
    const rows = [
      [NAME, 1],
      ["Nordlys", 20],
    ];
    expect(await written(printTable(["name", "lines"], rows))).toBe(
      `${"name".padEnd(SHOWN.length)}  lines\n${SHOWN}      1\n${"Nordlys".padEnd(SHOWN.length)}     20\n`,
    );
  });

  it("is the same value as JSON", async () => {
    const line = await written(print(JSON.stringify({ name: NAME })));
    expect(line).not.toMatch(HOSTILE);
    expect(JSON.parse(line)).toEqual({ name: NAME });
  });

  it("keeps names in every script, and emoji of several characters", async () => {
    for (const name of ["Ærø", "عربي", "می‌خواهم", "👩‍👩‍👧", "株式会社"])
      expect(await written(print(name))).toBe(`${name}\n`);
  });

  it("exports data as they are, except to a terminal", async () => {
    const row = `${NAME}\r\n`;
    expect(await written(writeData(row))).toBe(row);
    const isTTY = process.stdout.isTTY;
    process.stdout.isTTY = true;
    try {
      expect(await written(writeData(row))).toBe(`${SHOWN.replace("\\u000d\\u000a", "\n")}\n`);
    } finally {
      process.stdout.isTTY = isTTY;
    }
  });
});

describe("a log", () => {
  const event = Effect.logWarning(`partner ${NAME}`, Cause.fail(new Error(NAME))).pipe(
    Effect.annotateLogs({ file: NAME, details: { name: NAME } }),
  );
  const logged = (layer: Layer.Layer<never>) => written(Effect.provide(event, layer));

  it.each([
    ["of JSON", Log.layer({ logLevel: "info", logFormat: "json" })],
    ["of text", Log.layer({ logLevel: "info", logFormat: "pretty" })],
    ["of commands", Log.quiet],
  ])("%s has none of these characters", async (_, layer) => {
    const text = await logged(layer);
    expect(text).toContain("u001b[31mroot");
    expect(stripVTControlCharacters(text)).not.toMatch(HOSTILE);
  });
});

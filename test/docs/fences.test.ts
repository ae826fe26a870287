import { Either } from "effect";
import { parse, print } from "quittance/formula";
import { afterAll, describe, expect, it } from "vitest";
import { parse as parseYaml } from "yaml";
import { type Fence, fences, isFile } from "./Fence.ts";
import * as Server from "./Server.ts";
import * as Stranger from "./Stranger.ts";

const LANGUAGES = ["json", "yaml", "ts", "sh", "sql", "text", "formula", "mermaid"];

const of = (language: string): ReadonlyArray<Fence> => fences.filter((fence) => fence.language === language);

describe("every fenced block", () => {
  it("is in a language that these tests check", () => {
    expect(fences.filter(({ language }) => !LANGUAGES.includes(language)).map(({ place }) => place)).toEqual(
      [],
    );
  });

  it.each(of("json"))("$place is JSON", ({ code }) => {
    expect(() => JSON.parse(code)).not.toThrow();
  });

  it.each(of("formula"))("$place is a formula in its canonical layout", ({ code }) => {
    expect(Either.map(parse(code), print)).toEqual(Either.right(code.trimEnd()));
  });

  it.each(of("yaml"))("$place is YAML", ({ code }) => {
    expect(() => parseYaml(code)).not.toThrow();
  });
});

/** The text fence directly after a fence: its expected output. */
const printedBy = ({ place, page }: Fence): string | undefined => {
  const next = fences[fences.findIndex((fence) => fence.place === place) + 1];
  return next?.page === page && next.language === "text" && next.isAdjacent ? next.code : undefined;
};

interface Program extends Fence {
  /** What it prints: the text fences directly after its parts, in their order. */
  readonly printed: string | undefined;
}

/** A fence that imports nothing continues where the one before it on the page ended, and what it prints follows it. */
const programs = (): ReadonlyArray<Program> => {
  const joined: Array<Program> = [];
  for (const fence of of("ts").filter((candidate) => !isFile(candidate))) {
    const last = joined.at(-1);
    const printed = printedBy(fence);
    if (/^import /m.test(fence.code)) joined.push({ ...fence, printed });
    else if (last?.page === fence.page) {
      const both = [last.printed, printed].filter((part) => part !== undefined);
      const text = both.length === 0 ? undefined : both.join("");
      joined[joined.length - 1] = { ...last, code: last.code + fence.code, printed: text };
    } else throw new Error(`${fence.place} imports nothing and follows nothing`);
  }
  return joined;
};

/** The lines of a printed text, without empty ones. */
const linesOf = (text: string): ReadonlyArray<string> =>
  text.split("\n").flatMap((line) => (line.trim() === "" ? [] : [`${line.trimEnd()}\n`]));

/** Matches printed lines; `…` stands for any characters of one line, and on a line of its own for any lines or none. */
const patternOf = (text: string): RegExp =>
  new RegExp(
    `^${linesOf(text)
      .map((line) =>
        line === "…\n" ? "(?:.*\\n)*" : line.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll("…", ".*"),
      )
      .join("")}$`,
  );

describe("TypeScript", () => {
  const named = programs().map((program, index) => ({ ...program, file: `program-${index}.ts` }));
  const stranger = Stranger.make();
  afterAll(stranger.remove);

  it("type-checks in a project that depends on the package; a planted mistake fails", async () => {
    for (const { file, place, code } of named) stranger.write(file, `// ${place}\n${code}`);
    stranger.write("wrong.ts", 'import { Money } from "quittance";\nexport const wrong: string = Money;\n');
    expect(named.length).toBeGreaterThan(5);
    expect(await stranger.check()).toEqual([expect.stringMatching(/^wrong\.ts\(2,/)]);
  });

  it.each(named.filter(({ mark }) => mark === "run"))(
    "$place prints the documented output",
    async (program) => {
      stranger.write(program.file, program.code);
      const { printed } = program;
      expect(printed, "a program that is run is followed by its output").toBeDefined();
      expect(linesOf(await stranger.run(program.file)).join("")).toMatch(patternOf(printed ?? ""));
    },
  );
});

describe("commands", () => {
  afterAll(Server.stopShared);

  const skipped = of("sh").filter(({ mark }) => mark.startsWith("not run: "));
  const run = of("sh").filter((fence) => !skipped.includes(fence));

  /** The settings with which a page has its reader start the server: `QUITTANCE_PAYOUTS=sepa npm start`. */
  const settingsOf = (page: string): Record<string, string> => {
    const started = of("text").find((fence) => fence.page === page && fence.code.endsWith(" npm start\n"));
    return Object.fromEntries(
      [...(started?.code ?? "").matchAll(/(\w+)=(\S+)/g)].map(([, name = "", value = ""]) => [name, value]),
    );
  };

  it("are skipped only for a stated reason, and never when they call the server", () => {
    expect(skipped.filter(({ code }) => code.includes("127.0.0.1")).map(({ place }) => place)).toEqual([]);
  });

  const serverOf = (page: string, commands: ReadonlyArray<Fence>): Promise<Server.Server> => {
    if (page === "README.md") return Server.first();
    if (page === "docs/interface.md") return Server.withSettlement();
    return commands.some(({ code }) => code.includes("QUITTANCE_ADMIN_TOKEN"))
      ? Server.withAdminToken()
      : Server.withKey(settingsOf(page));
  };

  it.each([...new Set(run.map(({ page }) => page))])("of %s succeed in their order", async (page) => {
    const commands = run.filter((fence) => fence.page === page);
    const server = await serverOf(page, commands);
    try {
      const { status, outputs } = await server.run(commands.map(({ code }) => code));
      const failed = commands[outputs.length - 1]?.place;
      expect({ status, failed, output: outputs.at(-1) }).toEqual({
        status: 0,
        failed,
        output: expect.any(String),
      });
      for (const [index, command] of commands.entries()) {
        const printed = printedBy(command);
        const output = linesOf(outputs[index] ?? "").join("");
        if (printed !== undefined) expect(output, command.place).toMatch(patternOf(printed));
        else expect(output, command.place).not.toContain("error_code");
      }
    } finally {
      await server.stop();
    }
  });

  it("fail when the server refuses a request", async () => {
    const server = await Server.withKey();
    const { status, outputs } = await server.run([
      "echo before",
      "curl -sS --fail-with-body http://127.0.0.1:3000/api/v1/partners",
      "echo never",
    ]);
    await server.stop();
    expect(status).toBe(22);
    expect(outputs).toEqual(["before\n", expect.stringContaining("error_code")]);
  });
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Fence, fences, isFile } from "./Fence.ts";
import * as Server from "./Server.ts";
import * as Stranger from "./Stranger.ts";

const LANGUAGES = ["json", "ts", "sh", "sql", "text", "mermaid"];

const of = (language: string): ReadonlyArray<Fence> => fences.filter((fence) => fence.language === language);

describe("every fence", () => {
  it("is in a language that is looked at here", () => {
    expect(fences.filter(({ language }) => !LANGUAGES.includes(language)).map(({ place }) => place)).toEqual(
      [],
    );
  });

  it.each(of("json"))("$place is JSON", ({ code }) => {
    expect(() => JSON.parse(code)).not.toThrow();
  });
});

/** A fence that imports nothing goes on where the one before it on the page ended. */
const programs = (): ReadonlyArray<Fence> => {
  const joined: Array<Fence> = [];
  for (const fence of of("ts").filter((candidate) => !isFile(candidate))) {
    const last = joined.at(-1);
    if (/^import /m.test(fence.code)) joined.push(fence);
    else if (last?.page === fence.page) joined[joined.length - 1] = { ...last, code: last.code + fence.code };
    else throw new Error(`${fence.place} imports nothing and follows nothing`);
  }
  return joined;
};

/** What a program should print: the text that follows it. */
const printed = (program: Fence): string | undefined => {
  const next = fences[fences.findIndex(({ place }) => place === program.place) + 1];
  return next?.page === program.page && next.language === "text" ? next.code : undefined;
};

describe("TypeScript", () => {
  const named = programs().map((program, index) => ({ ...program, file: `program-${index}.ts` }));
  const stranger = Stranger.make();
  afterAll(stranger.remove);

  it("type-checks in a project that has the package among its modules, where a mistake would be seen", async () => {
    for (const { file, place, code } of named) stranger.write(file, `// ${place}\n${code}`);
    stranger.write("wrong.ts", 'import { Money } from "quittance";\nexport const wrong: string = Money;\n');
    expect(named.length).toBeGreaterThan(5);
    expect(await stranger.check()).toEqual([expect.stringMatching(/^wrong\.ts\(2,/)]);
  });

  it.each(named.filter(({ mark }) => mark === "run"))("$place prints what it says", async (program) => {
    stranger.write(program.file, program.code);
    expect(printed(program), "a program that is run is followed by its output").toBeDefined();
    expect(await stranger.run(program.file)).toBe(printed(program));
  });
});

describe("commands", () => {
  let server: Server.Server;
  let platform: Server.Server;
  beforeAll(async () => {
    [server, platform] = await Promise.all([Server.withKey(), Server.withAdminToken()]);
  });
  afterAll(() => Promise.all([server.stop(), platform.stop()]));

  const skipped = of("sh").filter(({ mark }) => mark.startsWith("not run: "));

  it("are left out for a reason only, and never when they speak to the server", () => {
    expect(skipped.filter(({ code }) => code.includes("127.0.0.1")).map(({ place }) => place)).toEqual([]);
  });

  it.each(of("sh").filter((fence) => !skipped.includes(fence)))("$place succeed", async ({ code }) => {
    const { run } = code.includes("QUITTANCE_ADMIN_TOKEN") ? platform : server;
    const { status, output } = await run(code);
    expect({ status, output }).toEqual({ status: 0, output: expect.not.stringContaining("error_code") });
  });

  it("that the server refuses are seen to be refused", async () => {
    const { output } = await server.run("curl -s http://127.0.0.1:3000/api/v1/partners");
    expect(output).toContain("error_code");
  });
});

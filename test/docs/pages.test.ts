import { execFileSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, join, normalize } from "node:path";
import { Ledger, Principal, Refusal } from "quittance";
import { openApi } from "quittance/http/api";
import { describe, expect, it } from "vitest";
import { SETTINGS } from "../../adapters/server/Settings.ts";
import { PAGES } from "../../docs/generate.ts";
import { fencesOf, pages, read, root } from "./Fence.ts";

describe("generated pages", () => {
  it.each(PAGES)("$file equals the output of its generator", async ({ file, print }) => {
    expect(read(file), "run: npm run docs").toBe(await print());
  });
});

/** The anchors that a page has: one for each heading, as GitHub names them, and those written out. */
const anchorsOf = (page: string): ReadonlySet<string> => {
  const text = read(page).replace(/^```[\s\S]*?^```$/gm, "");
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  );
  const written = [...text.matchAll(/<a id="([^"]+)">/g)].map(([, id = ""]) => id);
  return new Set([...headings, ...written]);
};

/** The problem of a link: no such file, or no such anchor in the page; null when there is none. */
const brokenLink = (page: string, link: string): string | null => {
  const [path = "", anchor] = link.split("#");
  const target = path === "" ? page : normalize(join(dirname(page), path));
  if (!existsSync(join(root, target))) return link;
  return anchor === undefined || !target.endsWith(".md") || anchorsOf(target).has(anchor) ? null : link;
};

const linksOf = (page: string): ReadonlyArray<string> =>
  [...read(page).matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)].map(([, link = ""]) => link);

describe("links", () => {
  it.each(pages)("of %s have existing targets", (page) => {
    expect(linksOf(page).filter((link) => brokenLink(page, link) !== null)).toEqual([]);
  });

  it("without a target are reported", () => {
    expect(brokenLink("README.md", "docs/nothing.md")).toBe("docs/nothing.md");
    expect(brokenLink("README.md", "docs/interface.md#nothing")).toBe("docs/interface.md#nothing");
    expect(brokenLink("docs/money.md", "interface.md#lists")).toBeNull();
  });
});

describe("decisions", () => {
  const decisions = pages.filter((page) => /^docs\/decisions\/\d/.test(page)).sort();

  it("have the number of their file, each a different one, and are listed under their titles", () => {
    const numbers = decisions.map((page) => Number(basename(page).slice(0, 4)));
    expect(new Set(numbers).size).toBe(numbers.length);
    const listed = decisions.map((page, index) => {
      const [, title] = new RegExp(`^# ${numbers[index]}\\. (.+)\n`).exec(read(page)) ?? [];
      return `| [${numbers[index]}](${basename(page)}) | ${title} |`;
    });
    expect(
      read("docs/decisions/README.md")
        .split("\n")
        .filter((line) => line.startsWith("| ["))
        .sort(),
    ).toEqual(listed.sort());
  });

  it("have the date of their decision below the title", () => {
    const undated = decisions.filter(
      (page) => !/^# .+\n\nDecided on 20\d\d-[01]\d-[0-3]\d\.\n/.test(read(page)),
    );
    expect(undated).toEqual([]);
  });

  it("say which later ones amend them", () => {
    const amended = decisions.flatMap((page) => {
      const [, targets = ""] = /^(?:Amends|Adds to) ([^:\n]+)/m.exec(read(page)) ?? [];
      return [...targets.matchAll(/\((\d[\w-]+\.md)\)/g)].map(([, target]) => ({ page, target }));
    });
    expect(amended.length).toBeGreaterThan(5);
    const isSilent = ({ page, target }: (typeof amended)[number]): boolean => {
      const [, by = ""] = /^Amended by ([\s\S]+?)\n\n/m.exec(read(`docs/decisions/${target}`)) ?? [];
      return !by.includes(basename(page));
    };
    expect(amended.filter(isSilent)).toEqual([]);
  });
});

describe("what the pages mention exists", () => {
  const scripts: unknown = JSON.parse(read("package.json")).scripts;

  it.each(pages)("the scripts of %s", (page) => {
    const mentioned = [...read(page).matchAll(/npm run (?:--silent )?([\w:]+)/g)].map(
      ([, name = ""]) => name,
    );
    expect(scripts).toEqual(
      expect.objectContaining(Object.fromEntries(mentioned.map((name) => [name, expect.any(String)]))),
    );
  });

  it.each(["docs/CONTRIBUTING.md", "docs/architecture.md", "docs/writing-an-adapter.md"])(
    "the files and folders of %s",
    (page) => {
      const paths = [...read(page).matchAll(/`((?:src|adapters|test|docs|examples)\/[^`<\s]+)`/g)];
      expect(paths.length).toBeGreaterThan(1);
      expect(paths.filter(([, path = ""]) => !existsSync(join(root, path))).map(([, path]) => path)).toEqual(
        [],
      );
    },
  );

  it("the settings of the server, all of them", () => {
    const rows = [...read("docs/operating.md").matchAll(/^\| `(\w+)` \| (?:`--([\w-]+)`|–) \|/gm)];
    const settings = Object.values(SETTINGS).map(({ name, option }) => [name, option]);
    expect(rows.map(([, name, option]) => [name, option ?? null])).toEqual(settings);
  });
});

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Names of fields, and the words that fields choose from, anywhere in a JSON schema; examples aside. */
const vocabulary = (schema: unknown): ReadonlyArray<string> => {
  if (Array.isArray(schema)) return schema.flatMap(vocabulary);
  if (!isObject(schema)) return [];
  const { properties, enum: choices, example: _example, examples: _examples, ...rest } = schema;
  const fields = isObject(properties) ? properties : {};
  const words = Array.isArray(choices) ? choices.filter((word) => typeof word === "string") : [];
  return [
    ...Object.keys(fields),
    ...words,
    ...vocabulary(Object.values(fields)),
    ...vocabulary(Object.values(rest)),
  ];
};

describe("the page on money", () => {
  it("has examples that the ledger arithmetic confirms", () => {
    const rows = [
      ...read("docs/money.md").matchAll(/^\| .+ \| (\S+) \| (\S+) \| (\S+) \| (\S+) \| (\S+) \| (\S+) \|$/gm),
    ]
      .map((row) => row.slice(1).map((cell) => Number(cell.replace("−", "-"))))
      .filter((row) => row.every(Number.isInteger));
    expect(rows.length).toBe(11);
    for (const [
      computedAmount = 0,
      paidAmount = 0,
      writtenOffPositive = 0,
      writtenOffNegative = 0,
      ...shown
    ] of rows) {
      const quantities = {
        computedAmount,
        waitingAmount: null,
        paidAmount,
        writtenOffPositive,
        writtenOffNegative,
      };
      expect([Ledger.settledAmount(quantities), Ledger.due(quantities)]).toEqual(shown);
    }
  });
});

describe("the interface page", () => {
  it("names every field, event, status, scope and parameter of the contract", () => {
    const { paths, components } = openApi();
    const parameters = [...JSON.stringify(paths).matchAll(/"name":"([\w-]+)","in"/g)].map(
      ([, name = ""]) => name,
    );
    const words = new Set([...vocabulary(paths), ...vocabulary(components), ...parameters]);
    // What is in the type of code, or in an example; a path counts by its parts. Formulas have a page of their own.
    const text = read("docs/interface.md") + read("docs/formulas.md");
    const code = text.match(/`[^`\n]+`|^```[\s\S]*?^```$/gm) ?? [];
    const named = new Set(code.join(" ").split(/[^\w:*-]+|:(?= |$)/));
    expect(words.size).toBeGreaterThan(150);
    // A word of punctuation only, such as a separator, cannot be distinguished from the surrounding text.
    expect([...words].filter((word) => /\w/.test(word) && !named.has(word))).toEqual([]);
  });
});

describe("the README", () => {
  it("shows the two commands", () => {
    expect(read("README.md")).toContain("npm ci && npm start");
    expect(read("README.md")).toContain("npm ci && npm test");
  });

  it("fits on a large screen", () => {
    expect(read("README.md").split("\n").length).toBeLessThan(90);
  });
});

describe("the cookbook", () => {
  const plans = readdirSync(join(root, "examples/formulas"), { encoding: "utf8", recursive: true }).filter(
    (file) => file.endsWith(".json"),
  );

  it.each(pages)("has as many plans as %s says", (page) => {
    const stated = [...read(page).matchAll(/(\d+) plans from practice/g)].map(([, count]) => count);
    expect(new Set([...stated, String(plans.length)])).toEqual(new Set([String(plans.length)]));
  });

  it("is mentioned in the README with the number of plans", () => {
    expect(read("README.md")).toContain(`${plans.length} plans from practice`);
  });
});

describe("pages that show a file", () => {
  const shown = pages.flatMap((page) =>
    fencesOf(page).flatMap(({ mark, code, place }) =>
      mark.startsWith("file: ") ? [{ place, file: mark.slice("file: ".length), code }] : [],
    ),
  );

  it("show the quickstart", () => {
    expect(shown.map(({ file }) => file)).toContain("examples/quickstart/main.ts");
  });

  it.each(shown)("$place shows $file as it is", ({ file, code }) => {
    expect(code).toBe(read(file));
  });
});

describe("the tables of the interface and of embedding", () => {
  it("name every scope", () => {
    const table = read("docs/interface.md").split("| Scope | Allows |")[1]?.split("\n\n")[0] ?? "";
    for (const scope of Principal.ALL_SCOPES) expect(table).toContain(`\`${scope}\``);
  });

  it("name every token of a conflict", () => {
    const table = read("docs/interface.md").split("| `token` | When |")[1]?.split("\n\n")[0] ?? "";
    const rows = [...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, token]) => token);
    expect(rows.sort()).toEqual([...Refusal.CONFLICT_TOKENS].sort());
  });

  it("link every section of the interface", () => {
    const [index = "", ...sections] = read("docs/interface.md").split("\n## ");
    for (const section of sections) {
      const title = section.split("\n")[0] ?? "";
      expect(index).toContain(`[${title}](#${title.toLowerCase().replaceAll(" ", "-")})`);
    }
  });

  it("name every service", () => {
    const table = read("docs/embedding.md").split("| Service | HTTP |")[1]?.split("\n\n")[0] ?? "";
    const services = readdirSync(join(root, "src/services")).filter((name) => name.endsWith(".ts"));
    for (const file of services) expect(table).toContain(`\`${basename(file, ".ts")}\``);
  });
});

describe("the glossary", () => {
  const terms = [...read("docs/concepts.md").matchAll(/<a id="([\w-]+)"><\/a>([^|]+) \|/g)];

  it("has an anchor of its own for each term", () => {
    expect(terms.length).toBeGreaterThan(30);
    for (const [, id = "", term = ""] of terms) expect(id).toBe(term.toLowerCase().replaceAll(" ", "-"));
    expect(new Set(terms.map(([, id]) => id)).size).toBe(terms.length);
  });
});

describe("the quickstart", () => {
  it("has fewer than sixty lines", () => {
    expect(read("examples/quickstart/main.ts").trimEnd().split("\n").length).toBeLessThan(60);
  });

  it("pays a settlement", () => {
    const printed = execFileSync(
      process.execPath,
      ["--import", "tsx", "--conditions", "quittance-source", "examples/quickstart/main.ts"],
      { cwd: root, encoding: "utf8" },
    );
    expect(printed).toMatch(/^paid: 1235 cents, in 1 line\nreport-[0-9a-f-]+\.pdf: \d+ bytes\n$/);
  });
});

describe("the page on adapters", () => {
  const page = read("docs/writing-an-adapter.md");
  const changeSet = read("src/ports/storage/ChangeSet.ts");
  const typesOf = (name: string): ReadonlyArray<string> => {
    const [, after = ""] = changeSet.split(`export type ${name} =`);
    const [body = ""] = after.split("\n/** ");
    return [...body.matchAll(/readonly type: "(\w+)"/g)].map(([, type = ""]) => type);
  };

  it("names every requirement and every change of the port", () => {
    const types = [...typesOf("Requirement"), ...typesOf("Change")];
    expect(types.length).toBeGreaterThan(10);
    expect(types.filter((type) => !page.includes(`\`${type}\``))).toEqual([]);
  });

  it("names every method of the smaller ports", () => {
    const methods = ["Outbox", "Directory"].flatMap((port) =>
      [...read(`src/ports/${port}.ts`).matchAll(/^ {2}readonly (\w+): \(/gm)].map(([, name = ""]) => name),
    );
    expect(methods.length).toBeGreaterThan(10);
    expect(methods.filter((method) => !page.includes(`\`${method}\``))).toEqual([]);
  });
});

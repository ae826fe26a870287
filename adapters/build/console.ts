/** The console and the partner portal: two pages, their scripts and styles, and the cookbook, under hashed names. */
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { BuildOptions, Metafile } from "esbuild";

const root = new URL("../..", import.meta.url).pathname;
const target = join(root, "dist/console");

/** The two pages: their entry, and the title that a browser shows. */
const PAGES = [
  { name: "console", title: "Quittance console" },
  { name: "portal", title: "Partner portal" },
];

const hashOf = (bytes: string | Uint8Array): string =>
  createHash("sha256").update(bytes).digest("hex").slice(0, 8).toUpperCase();

/** A plan of the cookbook as the plan builder starts from it. */
interface CookbookPlan {
  readonly title: string;
  readonly summary: string;
  readonly currency: string;
  readonly schema: unknown;
  readonly parameters?: unknown;
  readonly expression: unknown;
  readonly cases?: ReadonlyArray<{ readonly properties: unknown; readonly created_at?: string }>;
  readonly sequences?: ReadonlyArray<{
    readonly steps: ReadonlyArray<{
      readonly properties: unknown;
      readonly occurred_at: string;
      readonly times?: number;
    }>;
  }>;
}

/** The samples of a plan: its cases, or the beginning of its first sequence. */
const samplesOf = ({ cases = [], sequences = [] }: CookbookPlan): ReadonlyArray<unknown> =>
  cases.length > 0
    ? cases
        .slice(0, 6)
        .map(({ properties, created_at }) => ({ properties, ...(created_at && { date: created_at }) }))
    : (sequences[0]?.steps ?? [])
        .flatMap(({ properties, occurred_at, times = 1 }) =>
          Array.from({ length: Math.min(times, 12) }, () => ({ properties, date: occurred_at })),
        )
        .slice(0, 12);

const planOf = (file: string): unknown => {
  const plan = JSON.parse(readFileSync(file, "utf8")) as CookbookPlan;
  const { title, summary, currency, schema, parameters, expression } = plan;
  return {
    id: basename(file, ".json"),
    title,
    summary,
    currency,
    schema,
    ...(parameters === undefined ? {} : { parameters }),
    expression,
    samples: samplesOf(plan),
    accumulates: plan.sequences !== undefined,
  };
};

/** The plans of `examples/formulas` as one JSON text, in the order of their titles. */
const cookbook = (): string => {
  const folder = join(root, "examples/formulas");
  const plans = [folder, join(folder, "accumulating")].flatMap((from) =>
    readdirSync(from)
      .filter((name) => name.endsWith(".json"))
      .map((name) => planOf(join(from, name)) as { readonly title: string }),
  );
  return JSON.stringify(plans.sort((a, b) => a.title.localeCompare(b.title)));
};

/** The bundle of both pages. */
export const consoleBundle = (common: BuildOptions): BuildOptions => ({
  ...common,
  entryPoints: [
    ...PAGES.map(({ name }) => `adapters/console/${name}.tsx`),
    "adapters/console/style/style.css",
  ],
  outdir: "dist/console",
  entryNames: "[name]-[hash]",
  chunkNames: "[name]-[hash]",
  platform: "browser",
  target: "es2022",
  jsx: "automatic",
  jsxImportSource: "preact",
  minify: true,
  sourcemap: false,
  alias: { "style-mod": "./adapters/console/editor/AdoptedStyles.ts" },
  define: { COOKBOOK: JSON.stringify(`cookbook-${hashOf(cookbook())}.json`) },
});

/** Writes the pages and the cookbook next to the bundle, and removes what an earlier build left. */
export const writePages = ({ outputs }: Metafile): void => {
  const built = new Set(Object.keys(outputs).map((path) => basename(path)));
  const find = (pattern: RegExp): string => {
    const name = [...built].find((candidate) => pattern.test(candidate));
    if (name === undefined) throw new Error(`the build of the console has no ${pattern}`);
    return name;
  };
  const template = readFileSync(join(root, "adapters/console/page.html"), "utf8");
  const icon = readFileSync(join(root, "adapters/console/icon.svg"));
  const plans = cookbook();
  const files: Record<string, string | Uint8Array> = {
    [`icon-${hashOf(icon)}.svg`]: icon,
    [`cookbook-${hashOf(plans)}.json`]: plans,
  };
  for (const { name, title } of PAGES) {
    const values: Readonly<Record<string, string>> = {
      title,
      icon: `icon-${hashOf(icon)}.svg`,
      style: find(/^style-\w+\.css$/),
      script: find(new RegExp(`^${name}-\\w+\\.js$`)),
    };
    files[`${name}.html`] = template.replace(/\{\{(\w+)\}\}/g, (_, key: string) => values[key] ?? "");
  }
  mkdirSync(target, { recursive: true });
  for (const [name, body] of Object.entries(files)) writeFileSync(join(target, name), body);
  for (const name of readdirSync(target))
    if (!built.has(name) && files[name] === undefined) rmSync(join(target, name));
};

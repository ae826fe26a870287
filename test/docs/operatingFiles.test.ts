/** The files for operators: valid, and true of the program. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Effect, Logger, LogLevel } from "effect";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import * as Metrics from "../../adapters/http/server/observability/Metrics.ts";
import * as Prometheus from "../../adapters/http/server/observability/Prometheus.ts";
import * as ProcessMetrics from "../../adapters/server/ProcessMetrics.ts";
import { SETTINGS } from "../../adapters/server/Settings.ts";
import { noteUnreached } from "../../adapters/sql/distribution/Shards.ts";
import * as EngineMetrics from "../../src/services/process/EngineMetrics.ts";
import { LANES } from "../../src/services/process/WorkerSettings.ts";

const root = new URL("../..", import.meta.url).pathname;
const read = (file: string): string => readFileSync(join(root, "docs/operating", file), "utf8");

/** The metrics of a process that has counted everything once. */
const text = (): string => {
  Metrics.responseRecorder("GET", "/api/v1/partners")(200, 5);
  EngineMetrics.countTransition("none", "draft");
  EngineMetrics.countEvaluationError("OVERFLOW");
  EngineMetrics.countRetry("version_conflict");
  EngineMetrics.countBusy();
  EngineMetrics.countWebhookAttempt("delivered");
  EngineMetrics.countWebhooksGivenUp(1);
  EngineMetrics.countWebhookDisabled();
  for (const lane of LANES) EngineMetrics.recordOutbox(lane, null);
  Effect.runSync(
    noteUnreached("outbox", 1, "the node is down").pipe(Logger.withMinimumLogLevel(LogLevel.None)),
  );
  Effect.runSync(ProcessMetrics.measure);
  return Prometheus.text();
};

/** The names of samples, and of the labels that each may have. */
const samplesIn = (metrics: string): ReadonlyMap<string, ReadonlySet<string>> => {
  const found = new Map<string, Set<string>>();
  for (const line of metrics.split("\n")) {
    const [, name = "", labels = ""] = /^([a-z_0-9]+)(?:\{(.*)\})? /.exec(line) ?? [];
    const names = [...labels.matchAll(/(\w+)="/g)].map(([, label = ""]) => label);
    found.set(name, new Set([...(found.get(name) ?? []), ...names]));
  }
  return found;
};

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly action: string };
}

const rules = (): ReadonlyArray<Rule> =>
  (parse(read("alerts.yml")) as { groups: ReadonlyArray<{ rules: ReadonlyArray<Rule> }> }).groups.flatMap(
    (group) => group.rules,
  );

interface Panel {
  readonly id: number;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number };
  readonly targets: ReadonlyArray<{ readonly expr: string; readonly legendFormat: string }>;
}

const panels = (): ReadonlyArray<Panel> =>
  (JSON.parse(read("dashboard.json")) as { panels: ReadonlyArray<Panel> }).panels;

const METRIC = /\b(?:quittance|process|nodejs)_[a-z_0-9]+/g;

describe("metrics", () => {
  it("have a description and a type each", () => {
    const lines = text().split("\n");
    const types = lines.filter((line) => line.startsWith("# TYPE "));
    expect(types.length).toBeGreaterThan(12);
    for (const type of types) {
      const name = type.split(" ")[2];
      expect(lines[lines.indexOf(type) - 1]).toMatch(new RegExp(`^# HELP ${name} [A-Z1].+\\.$`));
    }
  });

  it.each([
    ["alerts.yml", () => rules().map(({ expr }) => expr)],
    ["dashboard.json", () => panels().flatMap(({ targets }) => targets.map(({ expr }) => expr))],
  ])("named in %s exist, with the labels that it groups by", (_file, expressions) => {
    const samples = samplesIn(text());
    for (const expr of expressions()) {
      const names = expr.match(METRIC) ?? [];
      expect([...samples.keys(), "up"], expr).toEqual(expect.arrayContaining([...names]));
      const grouped = [...expr.matchAll(/by \(([\w, ]+)\)/g)].flatMap(([, list = ""]) => list.split(/, */));
      const known = names.flatMap((name) => [...(samples.get(name) ?? [])]);
      expect([...known, "le"], expr).toEqual(expect.arrayContaining(grouped));
    }
  });

  it("are all described on the page on operating", () => {
    const page = readFileSync(join(root, "docs/operating.md"), "utf8");
    const names = [...samplesIn(text()).keys()]
      .filter((name) => /^(quittance|process|nodejs)_/.test(name))
      .map((name) => name.replace(/_(bucket|sum|count)$/, ""));
    expect(
      names.filter((name) => !page.includes(name) && !page.includes(name.replace("quittance_outbox", ""))),
    ).toEqual([]);
  });
});

describe("alerts and dashboard", () => {
  it("state what each alert means and what to do", () => {
    for (const { alert, labels, annotations } of rules()) {
      expect(alert).toMatch(/^Quittance[A-Z]\w+$/);
      expect(["critical", "warning"]).toContain(labels.severity);
      expect([annotations.summary, annotations.action]).toEqual([
        expect.stringMatching(/\.$/),
        expect.stringMatching(/\.$/),
      ]);
    }
  });

  it("have panels that do not overlap", () => {
    const places = panels().map(({ gridPos }) => `${gridPos.x} ${gridPos.y}`);
    expect(new Set(places).size).toBe(places.length);
    expect(new Set(panels().map(({ id }) => id)).size).toBe(places.length);
  });
});

/** The instructions of a Dockerfile, with continued lines joined. */
const instructions = (): ReadonlyArray<readonly [name: string, rest: string]> =>
  read("Dockerfile")
    .replace(/\\\n/g, " ")
    .split("\n")
    .filter((line) => line.trim() !== "" && !line.startsWith("#"))
    .map((line) => {
      const [name = "", ...rest] = line.split(" ");
      return [name, rest.join(" ")] as const;
    });

describe("the image", () => {
  it("is built in stages, does not run as root, and reports its health", () => {
    const all = instructions();
    const last = all.slice(all.findLastIndex(([name]) => name === "FROM"));
    expect(all.filter(([name]) => name === "FROM").length).toBeGreaterThan(1);
    expect(all[0]).toEqual(["ARG", expect.stringMatching(/^NODE=node:24-\S+$/)]);
    for (const [, rest] of all.filter(([name]) => name === "FROM")) expect(rest).toMatch(/^\$\{NODE\}/);
    const installs = all.filter(([name, words]) => name === "RUN" && /npm (?:install|i)\b/.test(words));
    expect(installs, "what the lock file does not name").toEqual([]);
    expect(last.find(([name]) => name === "USER")?.[1]).toBe("node");
    expect(last.find(([name]) => name === "HEALTHCHECK")?.[1]).toContain("/readyz");
    expect(last.map(([name]) => name)).not.toContain("RUN");
    // Signals reach the server only if it is not the child of a shell.
    for (const [name, rest] of last.filter(([each]) => ["ENTRYPOINT", "CMD"].includes(each)))
      expect(Array.isArray(JSON.parse(rest)), name).toBe(true);
  });

  it("copies files that exist, and starts the entry point of the package", () => {
    for (const [, rest] of instructions().filter(
      ([name, words]) => name === "COPY" && !words.startsWith("--from"),
    )) {
      for (const file of rest.split(" ").slice(0, -1)) expect(existsSync(join(root, file)), file).toBe(true);
    }
    const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
      bin: { quittance: string };
    };
    const main = manifest.bin.quittance.replace("./", "node_modules/quittance/");
    expect(read("Dockerfile")).toContain(main);
    expect(read("quittance.service")).toContain(main);
  });

  it("contains no secrets and no build folders", () => {
    const ignored = readFileSync(join(root, ".dockerignore"), "utf8").split("\n");
    expect(ignored).toEqual(expect.arrayContaining([".git", ".quittance", "node_modules", "dist"]));
  });
});

describe("compose file and unit", () => {
  const SETTING_NAMES = new Set<string>(Object.values(SETTINGS).map(({ name }) => name));

  interface Service {
    readonly environment: Readonly<Record<string, string>>;
    readonly depends_on?: object;
    readonly build?: object;
    readonly command?: ReadonlyArray<string>;
  }
  const services = () =>
    (parse(read("compose.yml")) as { readonly services: Readonly<Record<string, Service>> }).services;

  it("migrate as the owner of the tables, and serve as another role", () => {
    const { server, migrate } = services();
    const roleIn = (service: Service | undefined): string =>
      /^postgres:\/\/(\w+):/.exec(service?.environment.DATABASE_URL ?? "")?.[1] ?? "";
    expect(migrate?.command).toEqual(["migrate", "--grant", roleIn(server)]);
    expect(roleIn(migrate)).not.toBe(roleIn(server));
    for (const role of [roleIn(migrate), roleIn(server)])
      expect(read("roles.sql")).toMatch(new RegExp(`^create role ${role} login noinherit password`, "m"));
  });

  it("use settings that exist", () => {
    const { server, migrate, database } = services();
    const own = [server, migrate].flatMap((service) => Object.keys(service?.environment ?? {}));
    expect(own.filter((name) => !SETTING_NAMES.has(name))).toEqual([]);
    const isHealthy = { database: { condition: "service_healthy" } };
    expect(migrate?.depends_on).toEqual(isHealthy);
    expect(server?.depends_on).toEqual({
      ...isHealthy,
      migrate: { condition: "service_completed_successfully" },
    });
    expect(server?.build).toEqual(migrate?.build);
    // The database takes the passwords of the script that creates its roles.
    for (const [, name = ""] of read("roles.sql").matchAll(/^\\getenv \w+ (\w+)$/gm))
      expect(database?.environment, name).toHaveProperty(name);
    const ofImage = instructions()
      .filter(([name]) => name === "ENV")
      .flatMap(([, rest]) => [...rest.matchAll(/(\w+)=/g)]);
    for (const [, name = ""] of ofImage) expect([...SETTING_NAMES, "NODE_ENV"]).toContain(name);
  });

  it("give a server more time to stop than it takes, and do not restart one with an invalid setting", () => {
    const unit = read("quittance.service");
    expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])).toBeGreaterThan(12);
    expect(unit).toMatch(/^RestartPreventExitStatus=2$/m);
    expect(unit).toMatch(/^Restart=on-failure$/m);
    expect(read("compose.yml")).toMatch(/stop_grace_period: 15s/);
  });
});

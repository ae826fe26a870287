/** `quittance import` and `export`: every row is stored once, also after an interruption, and every error names its row. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Effect, Redacted } from "effect";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { commandLine } from "../../../adapters/server/CommandLine.ts";
import { connected, database } from "../../support/postgres.ts";
import { folder, run } from "../running.ts";
import { HEADER, type Prepared, prepare, saleLine, writeSales } from "./Store.ts";

const ROWS = 6_000;
const KILLS = 3;

let here = folder();
afterEach(() => {
  here.remove();
  here = folder();
});
afterAll(() => here.remove());

const ended = async (args: ReadonlyArray<string>, url: string) => {
  const { ended: code, output, errors } = run(here.path, args, { DATABASE_URL: url });
  return { code: await code, output: output(), errors: errors() };
};

/** Runs with a database that has the two agents. */
const withStore = (test: (url: string, prepared: Prepared) => Promise<void>) =>
  Effect.gen(function* () {
    const url = Redacted.value(yield* database());
    const prepared = yield* Effect.promise(() => prepare(url));
    yield* Effect.promise(() => test(url, prepared));
  }).pipe(Effect.scoped, Effect.runPromise);

const stored = (url: string) =>
  Effect.gen(function* () {
    const client = yield* connected(Redacted.make(url));
    const { rows } = yield* Effect.promise(() =>
      client.query<{ count: string; references: string; amounts: string }>(
        `select (select count(*) from quittance.attributions) as count,
          (select count(distinct external_reference) from quittance.attributions) as references,
          (select sum(computed_amount) from quittance.commissions) as amounts`,
      ),
    );
    return rows[0];
  }).pipe(Effect.scoped, Effect.runPromise);

/** Imported commits whose events wait for their place in the event feed. */
const waitingForFeed = (url: string) =>
  Effect.gen(function* () {
    const client = yield* connected(Redacted.make(url));
    const { rows } = yield* Effect.promise(() =>
      client.query<{ count: string }>(
        `select count(*) from quittance.feed_pending p
        where exists (select from quittance.attributions t where t.id = any (p.records))`,
      ),
    );
    return Number(rows[0]?.count);
  }).pipe(Effect.scoped, Effect.runPromise);

/** 12 % of 1.99 × 1, 2, 3 in cents, each rounded. */
const amountsOf = (rows: number): number =>
  Array.from({ length: rows }, (_, index) => Math.round(23.88 * (1 + ((index + 1) % 3)))).reduce(
    (sum, amount) => sum + amount,
    0,
  );

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

const IMPORT = ["import", "sales.csv", "--mapping", "mapping.json"];

describe("an import", () => {
  it(`that is killed ${KILLS} times at random stores every row once`, () =>
    withStore(async (url, prepared) => {
      writeSales(here.path, prepared, ROWS);
      let kills = 0;
      for (let attempt = 0; attempt < KILLS; attempt++) {
        const before = Number((await stored(url))?.count);
        const { process: child, ended: end } = run(here.path, IMPORT, { DATABASE_URL: url });
        let isOver = false;
        void end.then(() => {
          isOver = true;
        });
        // Decided by the number of stored rows and not by time, because the speed depends on the machine.
        while (!isOver && Number((await stored(url))?.count) === before) await pause(5);
        await pause(100 * Math.random());
        child.kill("SIGKILL");
        if ((await end) === "SIGKILL") kills += 1;
      }
      expect(kills).toBeGreaterThan(0);
      const last = await ended(IMPORT, url);
      expect(last.errors).toBe("");
      expect(last.output).toMatch(new RegExp(`^${ROWS} rows stored, 0 not stored`));
      const expected = { count: `${ROWS}`, references: `${ROWS}`, amounts: `${amountsOf(ROWS)}` };
      expect(await stored(url)).toEqual(expected);
    }));

  it("stops at SIGINT, prints where to continue, and continues there", () =>
    withStore(async (url, prepared) => {
      writeSales(here.path, prepared, 12_000);
      const { process: child, ended: end, errors } = run(here.path, IMPORT, { DATABASE_URL: url });
      for (;;) {
        const found = await stored(url);
        if (Number(found?.count) > 0) break;
        await pause(50);
      }
      child.kill("SIGINT");
      await end;
      const from = /--from-row (\d+)/.exec(errors())?.[1];
      expect(errors()).toMatch(/^quittance: the rows up to \d+ are stored\. .+\n$/);
      writeSales(here.path, prepared, Number(from) + 10);
      const again = await ended([...IMPORT, "--from-row", String(from)], url);
      expect(again.output).toMatch(/^11 rows stored/);
    }));

  it("stores nothing when a row is wrong, and names each wrong row; --skip-bad-rows stores the others", () =>
    withStore(async (url, prepared) => {
      writeSales(here.path, prepared, 5);
      const bad = [
        saleLine(6).replace("1.99", "cheap"),
        saleLine(7).replace("Ada Lind", "Nobody"),
        saleLine(8).replace("2026-01", "01/2026"),
        `${saleLine(9)},surplus`,
        saleLine(10),
      ];
      const file = join(here.path, "sales.csv");
      writeFileSync(file, `${readFileSync(file, "utf8")}${bad.join("\n")}`);
      const refused = await ended(IMPORT, url);
      expect(refused.code).toBe(1);
      expect(refused.output).toBe("");
      expect(refused.errors.trimEnd().split("\n")).toEqual([
        'row 6 (line 7): properties.unit_price: must be a number, not "cheap"',
        'row 7 (line 8): no partner of the workspace is named "Nobody"',
        expect.stringMatching(/^row 8 \(line 9\): occurred_at: must be a date like/),
        "row 9 (line 10): it has 7 cells, the header has 6",
        expect.stringMatching(/^quittance: nothing was stored: 4 of 10 rows cannot be imported/),
      ]);
      expect((await stored(url))?.count).toBe("0");
      const dry = await ended([...IMPORT, "--dry-run", "--skip-bad-rows", "--json"], url);
      expect(dry.code).toBe(1);
      expect(JSON.parse(dry.output.trimEnd().split("\n").at(-1) ?? "")).toEqual({
        rows: 10,
        bad: 4,
        stored: 0,
      });
      expect((await stored(url))?.count).toBe("0");
      const skipped = await ended([...IMPORT, "--skip-bad-rows"], url);
      expect(skipped.code).toBe(1);
      expect(skipped.output).toMatch(/^6 rows stored, 4 not stored/);
      expect((await stored(url))?.count).toBe("6");
      // The same reference with other content is refused by the engine, and the row is named.
      writeFileSync(file, `${HEADER}\n${saleLine(1).replace("1.99", "2.99")}\n`);
      const reused = await ended(IMPORT, url);
      expect(reused.code).toBe(1);
      expect(reused.errors).toMatch(/^row 1 \(line 2\): external_reference_reuse: .+\n$/);
    }));

  it("stores who earns from a sale, from CSV and NDJSON alike", () =>
    withStore(async (url, prepared) => {
      writeSales(here.path, prepared, 0);
      const write = (name: string, text: string) => writeFileSync(join(here.path, name), text);
      const mapping = JSON.parse(readFileSync(join(here.path, "mapping.json"), "utf8"));
      write("mapping.json", JSON.stringify({ ...mapping, credits: { column: "team", by: "name" } }));
      const team = (number: number, text: string) => `${saleLine(number)},${text}`;
      const lines = [
        team(1, ""),
        team(2, "Ada Lind:1/3|Bo Marsh:2/3"),
        team(3, "Ada Lind|Bo Marsh|Ada Lind"),
        team(4, "Ada Lind:0.6|Nobody:0.4"),
      ];
      write("sales.csv", [`${HEADER},team`, ...lines].join("\n"));
      const refused = await ended(IMPORT, url);
      expect(refused.errors.split("\n").slice(0, 2)).toEqual([
        expect.stringMatching(
          /^row 3 \(line 4\): credits: must not name the partner .+ twice in the role "seller"/,
        ),
        'row 4 (line 5): credits.1.partner_id: no partner of the workspace is named "Nobody"',
      ]);
      write("sales.csv", [`${HEADER},team`, ...lines.slice(0, 2)].join("\n"));
      expect((await ended(IMPORT, url)).output).toMatch(/^2 rows stored, 0 not stored/);
      const named = HEADER.split(",");
      const cells = saleLine(2).split(",");
      const item = Object.fromEntries(named.map((name, index) => [name, cells[index]]));
      const credits = [
        { partner_id: "Bo Marsh", share: "2/3" },
        { partner_id: "Ada Lind", share: "1/3" },
      ];
      write("sales.ndjson", `${JSON.stringify({ ...item, team: credits })}\n`);
      const again = await ended(["import", "sales.ndjson", "--mapping", "mapping.json"], url);
      expect(again.output).toMatch(/^1 row stored, 0 not stored/);
      expect(await stored(url)).toMatchObject({ count: "3", references: "2" });
      const { output } = await ended(["export", "commissions", "--format", "ndjson"], url);
      const rows = output
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line));
      expect(rows.map(({ role, share, depth }) => [role, share, depth]).toSorted()).toEqual([
        ["seller", "1", 0],
        ["seller", "1/3", 0],
        ["seller", "2/3", 0],
      ]);
      expect(rows.filter(({ origin_id }) => origin_id === null)).toHaveLength(2);
    }));

  it("names the problem of its files or its command line, exits with 2, and stores nothing", () =>
    withStore(async (url, prepared) => {
      writeSales(here.path, prepared, 3);
      const write = (name: string, text: string | Uint8Array) => writeFileSync(join(here.path, name), text);
      const mapping = JSON.parse(readFileSync(join(here.path, "mapping.json"), "utf8"));
      write("wrong.json", "{");
      write("misspelt.json", JSON.stringify({ ...mapping, occured_at: { column: "invoice_date" } }));
      write("column.json", JSON.stringify({ ...mapping, occurred_at: { column: "date" } }));
      const { external_reference: _, ...without } = mapping;
      write("without.json", JSON.stringify(without));
      write("open.csv", `${HEADER}\n1,"never`);
      write("empty.csv", "");
      write("twice.csv", "a,b,a\n1,2,3\n");
      write("latin.csv", Buffer.from(`${HEADER}\nM\xfcller`, "latin1"));
      write("sales", "x");
      const cases: ReadonlyArray<readonly [ReadonlyArray<string>, RegExp]> = [
        [["import", "nowhere.csv"], /^quittance: nowhere\.csv cannot be read: .*ENOENT/],
        [
          ["import", "sales.csv"],
          /^quittance: sales\.csv has no column "workspace_id".*; it has .*\. Assign columns to fields with --mapping/,
        ],
        [["import", "sales.csv", "--mapping", "nowhere.json"], /^quittance: nowhere\.json cannot be read/],
        [["import", "sales.csv", "--mapping", "wrong.json"], /^quittance: wrong\.json is not JSON/],
        [["import", "sales.csv", "--mapping", "misspelt.json"], /^quittance: misspelt\.json: occured_at/],
        [
          ["import", "sales.csv", "--mapping", "column.json"],
          /^quittance: column\.json: sales\.csv has no column "date"; it has line_id/,
        ],
        [["import", "sales.csv", "--mapping", "without.json"], /^quittance: without external_reference/],
        [
          ["import", "open.csv", "--mapping", "mapping.json"],
          /^quittance: open\.csv: the quotes that begin in line 2 never end/,
        ],
        [["import", "empty.csv", "--mapping", "mapping.json"], /^quittance: empty\.csv is empty/],
        [["import", "twice.csv", "--mapping", "mapping.json"], /^quittance: twice\.csv has two columns "a"/],
        [["import", "latin.csv", "--mapping", "mapping.json"], /^quittance: latin\.csv is not UTF-8/],
        [
          ["import", "sales", "--mapping", "mapping.json"],
          /^quittance: state with --format whether sales is csv or ndjson/,
        ],
        [["import", "sales.csv", "--from-row", "0"], /^quittance: --from-row must be a number from 1/],
        [
          ["import", "sales.csv", "--mapping", "mapping.json", "--customer", "x"],
          /^quittance: --customer must be a UUID/,
        ],
        [
          ["import", "sales.csv", "--mapping", "mapping.json", "--url", "http://127.0.0.1:1"],
          /^quittance: a server needs an API key/,
        ],
        [["import"], /^quittance: missing required argument 'file'; see quittance import --help/],
      ];
      for (const [args, line] of cases) {
        const words = args.map((word) => (/\.(csv|json)$|^sales$/.test(word) ? join(here.path, word) : word));
        const failure = await Effect.runPromise(
          Effect.flip(commandLine(words, { DATABASE_URL: url }, false)),
        );
        const text = `quittance: ${failure.message}`.replaceAll(`${here.path}/`, "");
        expect(text, args.join(" ")).toMatch(line);
        expect(text).not.toContain("\n");
        expect(failure.exitCode, args.join(" ")).toBe(2);
      }
      expect((await stored(url))?.count).toBe("0");
    }));

  it("leaves the event feed alone where QUITTANCE_FEED=off", () =>
    withStore(async (url, prepared) => {
      writeSales(here.path, prepared, 3);
      const words = IMPORT.map((word) => (/\.(csv|json)$/.test(word) ? join(here.path, word) : word));
      await Effect.runPromise(commandLine(words, { DATABASE_URL: url, QUITTANCE_FEED: "off" }, false));
      expect((await stored(url))?.count).toBe("3");
      expect(await waitingForFeed(url)).toBe(0);
    }));
});

describe("an import of sales that are paid already", () => {
  const row = (prepared: Prepared, reference: string, ...settled: ReadonlyArray<string>) =>
    [
      prepared.workspaceId,
      prepared.schemaId,
      "Ada Lind",
      reference,
      "2025-11-02",
      "a",
      "Jazz",
      "1.99",
      "1",
      ...settled,
    ].join(",");
  const COLUMNS = `workspace_id,schema_id,partner_id,external_reference,occurred_at,${["line", "genre", "unit_price", "quantity"].map((name) => `properties.${name}`).join(",")},settled_elsewhere.at,settled_elsewhere.reference`;
  const MAPPING = {
    ...Object.fromEntries(
      ["workspace_id", "schema_id", "external_reference", "occurred_at"].map((name) => [
        name,
        { column: name },
      ]),
    ),
    partner_id: { column: "partner_id", by: "name" },
    properties: Object.fromEntries(
      ["line", "genre", "unit_price", "quantity"].map((name) => [name, { column: `properties.${name}` }]),
    ),
    settled_elsewhere: {
      at: { column: "settled_elsewhere.at" },
      reference: { column: "settled_elsewhere.reference" },
    },
  };

  it("settles those rows, leaves the others due, and names each wrong one", () =>
    withStore(async (url, prepared) => {
      const write = (...rows: ReadonlyArray<string>) =>
        writeFileSync(join(here.path, "paid.csv"), [COLUMNS, ...rows, ""].join("\n"));
      writeFileSync(join(here.path, "paid.json"), JSON.stringify(MAPPING));
      const command = ["import", "paid.csv", "--mapping", "paid.json"];
      write(
        row(prepared, "a", "2025-11-01", ""),
        row(prepared, "b", "soon", ""),
        row(prepared, "c", "", "payout-7"),
        row(prepared, "d", "2999-01-01", ""),
      );
      const wrong = await ended(command, url);
      expect(wrong.code).toBe(1);
      expect(wrong.errors).toContain("row 1 (line 2): settled_elsewhere.at: must not be before occurred_at");
      expect(wrong.errors).toContain("row 2 (line 3): settled_elsewhere.at: must be a date");
      expect(wrong.errors).toContain(
        "row 3 (line 4): settled_elsewhere.at is empty, and there is a reference",
      );
      expect(wrong.errors).toContain("row 4 (line 5): settled_elsewhere.at: must not be in the future");
      write(row(prepared, "a", "2025-11-30", "payout-7"), row(prepared, "b", "", ""));
      expect((await ended(command, url)).code).toBe(0);
      expect((await ended(command, url)).code).toBe(0);
      const commissions = (await ended(["export", "commissions", "--format", "ndjson"], url)).output;
      expect(
        commissions
          .trimEnd()
          .split("\n")
          .map((line) => JSON.parse(line))
          .map(({ settlement_status, due_amount }) => [settlement_status, due_amount]),
      ).toEqual([
        ["settled", 0],
        ["unsettled", 24],
      ]);
      const attributions = (await ended(["export", "attributions"], url)).output;
      expect(attributions).toContain(",2025-11-30T00:00:00.000Z,payout-7\r\n");
      expect(attributions.trimEnd().endsWith(",,")).toBe(true);
      const verified = await ended(["verify"], url);
      expect([verified.code, verified.errors]).toEqual([0, expect.any(String)]);
    }));
});

describe("an export", () => {
  let csv = "";
  let ndjson = "";
  beforeAll(() =>
    withStore(async (url, prepared) => {
      writeSales(here.path, prepared, 1_200);
      expect((await ended(IMPORT, url)).code).toBe(0);
      csv = (await ended(["export", "attributions"], url)).output;
      const file = await ended(["export", "commissions", "--format", "ndjson", "--out", "c.ndjson"], url);
      expect(file.code).toBe(0);
      ndjson = readFileSync(join(here.path, "c.ndjson"), "utf8");
      const again = await ended(["export", "commissions", "--out", "c.ndjson"], url);
      expect([again.code, again.errors]).toEqual([
        2,
        "quittance: c.ndjson exists: pass --force to replace it\n",
      ]);
      const none = await ended(["export", "lines", "--from", "2026-02-01"], url);
      expect(none.output).toBe(
        "settlement_id,workspace_id,partner_id,status,position,commission_id,amount,currency,amount_minor\r\n",
      );
      const wrongs = [
        ...[["commission"], ["lines", "--from", "soon"], ["lines", "--partner", "x"]],
        ["partners", "--to", "2026-02-01"],
      ];
      for (const wrong of wrongs) {
        const { code, errors } = await ended(["export", ...wrong], url);
        expect([code, errors.trimEnd().split("\n").length]).toEqual([2, 1]);
      }
      const unwritable = await ended(["export", "lines", "--out", "nowhere/x.csv"], url);
      expect([unwritable.code, existsSync(join(here.path, "nowhere"))]).toEqual([2, false]);
    }),
  );

  it("has every attribution once, in cells that keep commas and quotes", () => {
    const [header, ...lines] = csv.trimEnd().split("\r\n");
    expect(header?.split(",").slice(0, 3)).toEqual(["id", "customer_id", "workspace_id"]);
    expect(lines).toHaveLength(1_200);
    expect(new Set(lines.map((line) => line.slice(0, 36))).size).toBe(1_200);
    expect(csv).toContain('""genre"":""Jazz, cool""');
  });

  it("has every commission with its amounts", () => {
    const rows = ndjson
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(rows).toHaveLength(1_200);
    expect(rows.reduce((sum, row) => sum + row.computed_amount, 0)).toBe(amountsOf(1_200));
    expect(
      rows.every((row) => row.settlement_status === "unsettled" && row.due_amount === row.computed_amount),
    ).toBe(true);
  });
});

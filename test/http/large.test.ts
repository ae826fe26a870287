/** Pages of settlements that hold more lines than memory should. */
import { createServer, request } from "node:http";
import { Effect, Stream } from "effect";
import { type Ids, Principal, type Settlement, Settlements } from "quittance";
import { nodeHandler } from "quittance/http";
import { Build, Scene } from "quittance/testing";
import { describe, expect, it } from "vitest";
import { ADMIN_TOKEN, listening, READY, start, stubbed } from "./Engine.ts";

const MIB = 1024 * 1024;

describe("a settlement with more lines than a page holds", () => {
  it("shows the same lines in order, beside a settlement with few", async () => {
    const engine = await start();
    const customerId = engine.customerId as Ids.CustomerId;
    const made = await engine.runtime.runPromise(
      Effect.gen(function* () {
        const scene = yield* Scene.create({ customerId });
        const amounts = Array.from({ length: 202 }, (_, index) => index);
        const earned = yield* Scene.commissions(scene, amounts);
        const parts = [earned.slice(0, 101), earned.slice(101, 201), earned.slice(201)];
        for (const part of parts) yield* Scene.draft(scene, part);
        const settlements = yield* Settlements.Settlements;
        return yield* settlements.list(Principal.customer(customerId));
      }),
    );
    const reply = await engine.call("GET", "/api/v1/settlements");
    expect(reply.status).toBe(200);
    expect(reply.headers.get("content-type")).toBe("application/json; charset=utf-8");
    type Shown = {
      readonly id: string;
      readonly view: { readonly lines: ReadonlyArray<object>; readonly total: number };
    };
    const shown: ReadonlyArray<Shown> = reply.body.settlements;
    expect(shown.map(({ id, view }) => [id, view.total, view.lines])).toEqual(
      made.items.map(({ id, total, lines }) => [
        id,
        total,
        lines.map((line) => ({ commission_id: line.commissionId, amount: line.amount })),
      ]),
    );
    expect(shown.map(({ view }) => view.lines.length)).toEqual([101, 100, 1]);
    expect([reply.body.total, reply.body.page, reply.body.per_page]).toEqual([3, 1, 10]);
  });
});

describe("ten pages at once of 100 settlements with 10,000 lines each", () => {
  it("are streamed with constant memory", async () => {
    const owner = { customerId: Build.fresh.customer(), workspaceId: Build.fresh.workspace() };
    const program = { ...owner, partnerId: Build.fresh.partner(), schemaId: Build.fresh.schema() };
    const { row } = Build.settlement(program, [], {});
    const line: Settlement.Line = { commissionId: Build.fresh.commission(), amount: 1_200 };
    const lines = Stream.range(1, 10_000, 1_000).pipe(Stream.map(() => line));
    const shown = {
      ...{ events: [], stale: false, paymentFileStatus: null, lines },
      ...{ paymentHandedOverAt: null, paymentOverdue: false },
    };
    const items = Array.from({ length: 100 }, () => ({ ...row, ...shown }));
    const runtime = await stubbed(Settlements.Settlements, {
      listInParts: () => Effect.succeed({ items, total: 100, page: 1, perPage: 100 }),
    });
    const server = createServer(nodeHandler(runtime, READY));
    const port = await listening(server);
    let most = 0;
    const page = () =>
      new Promise<number>((resolve, reject) => {
        const headers = { authorization: `Bearer ${ADMIN_TOKEN}` };
        request({ port, path: "/api/v1/settlements?per_page=100", headers }, (response) => {
          let length = 0;
          response.on("data", (chunk: Uint8Array) => {
            length += chunk.length;
            most = Math.max(most, process.memoryUsage().rss);
          });
          response.on("end", () => resolve(length));
          response.on("error", reject);
        })
          .on("error", reject)
          .end();
      });
    // The first page makes the collector's young generation as large as it will be.
    await page();
    const before = process.memoryUsage().rss;
    most = before;
    const lengths = await Promise.all(Array.from({ length: 10 }, page));
    server.close();
    // Some 70 MiB each; whoever assembled a page before writing it would hold ten of them.
    expect(Math.min(...lengths)).toBeGreaterThan(60 * MIB);
    expect(most - before).toBeLessThan(200 * MIB);
  });
});

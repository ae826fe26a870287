import { Effect, Logger } from "effect";
import { expect, it } from "vitest";
import * as Outage from "../../../adapters/postgres/Outage.ts";

const LOST = new Error("Connection terminated unexpectedly");

const REFUSED = Object.assign(new Error("cannot execute INSERT in a read-only transaction"), {
  code: "25006",
});

/** What is logged while `story` receives outcomes. */
const logged = (story: (outage: Outage.Outage) => void): Promise<ReadonlyArray<string>> => {
  const lines: Array<string> = [];
  const logger = Logger.make<unknown, void>(({ logLevel, message }) => {
    lines.push(`${logLevel.label} ${[message].flat()[0]}`);
  });
  return Outage.make.pipe(
    Effect.tap((outage) => Effect.sync(() => story(outage))),
    Effect.zipRight(Effect.yieldNow()),
    Effect.as(lines),
    Effect.provide(Logger.replace(Logger.defaultLogger, logger)),
    Effect.runPromise,
  );
};

it("ends an outage with the reply to a statement that was sent after the last loss", async () => {
  const lines = await logged((outage) => {
    outage.succeeded("select", outage.now());
    const [first, second] = [outage.now(), outage.now()];
    outage.failed("select", LOST);
    outage.succeeded("select", first);
    outage.failed("select", LOST);
    outage.succeeded("select", second);
    outage.succeeded("select", outage.now());
    outage.succeeded("select", outage.now());
  });
  expect(lines).toEqual([
    "ERROR the database cannot be reached: Connection terminated unexpectedly",
    "INFO the database can be reached again, after 0 s",
  ]);
});

it("ends what only reads with the success of a statement that was refused, sent after the last refusal", async () => {
  const lines = await logged((outage) => {
    const before = outage.now();
    outage.failed("insert", REFUSED);
    outage.succeeded("insert", before);
    outage.succeeded("select", outage.now());
    outage.failed("insert", REFUSED);
    outage.succeeded("insert", outage.now());
  });
  expect(lines).toEqual([
    "ERROR the database is read-only, commands fail: cannot execute INSERT in a read-only transaction",
    "INFO the database accepts commands again, after 0 s",
  ]);
});

it("logs nothing before the first success, nor while statements that are sent later succeed", async () => {
  const lines = await logged((outage) => {
    outage.failed("select", LOST);
    const startedAt = outage.now();
    outage.succeeded("select", outage.now());
    outage.unconnected(LOST, startedAt);
  });
  expect(lines).toEqual([]);
});

it("is an outage if only statements that were sent earlier succeed while a connection fails", async () => {
  const lines = await logged((outage) => {
    outage.succeeded("select", outage.now());
    const sentAt = outage.now();
    outage.succeeded("select", outage.now());
    const startedAt = outage.now();
    outage.succeeded("select", sentAt);
    outage.unconnected(LOST, startedAt);
  });
  expect(lines).toEqual(["ERROR the database cannot be reached: Connection terminated unexpectedly"]);
});

import * as SqlError from "@effect/sql/SqlError";
import { expect, it } from "vitest";
import * as Failure from "../../adapters/sql/Failure.ts";

const reasonOf = (code: string): string =>
  Failure.failure(
    new SqlError.SqlError({ cause: { code, severity: "ERROR", message: "as the server says" }, message: "" }),
  ).reason;

it.each([
  ["a full disk", "53100"],
  ["too little memory", "53200"],
  ["too many connections", "53300"],
  ["a disk that fails", "58030"],
  ["a node that only reads, after another one took over", "25006"],
  ["a transaction that idled too long", "25P03"],
  ["a statement that takes too long", "57014"],
  ["a server that starts", "57P03"],
  ["a lost connection", "08006"],
])("%s is temporary: the caller may repeat the command", (_, code) => {
  expect(reasonOf(code)).toBe("unavailable");
});

it.each([
  ["a statement that the server does not understand", "42601"],
  ["a missing right", "42501"],
  ["a damaged page", "XX001"],
])("%s is a fault that a repetition does not cure", (_, code) => {
  expect(reasonOf(code)).toBe("broken");
});

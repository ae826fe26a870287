/** Reads what another system states as the totals of its partners. */
import { Effect, Either, Stream } from "effect";
import { type CommandFailed, usageError } from "../CommandFailed.ts";
import { headerOf, type Row, requireColumns, rowsOf } from "../importing/Rows.ts";
import { keyOf, type Totals } from "./Reconciliation.ts";
import { asAmount, asCurrency } from "./Sale.ts";

const COLUMNS = ["partner", "currency", "total"];

const read = (row: Row): Either.Either<readonly [key: string, total: bigint], string> => {
  const [partner = "", currency = "", total = ""] = COLUMNS.map((column) =>
    String(row.cell(column) ?? "").trim(),
  );
  if (row.problem !== null) return Either.left(row.problem);
  return Either.flatMap(asCurrency("currency", currency), (code) =>
    Either.map(
      asAmount({ column: "total", unit: "major", currency: code }, total),
      (minor) => [keyOf(partner, code), BigInt(minor)] as const,
    ),
  );
};

/** The totals of a CSV file with the columns partner (its id there), currency and total (with decimals). */
export const readTotals = (file: string): Effect.Effect<Totals, CommandFailed> =>
  Effect.gen(function* () {
    yield* requireColumns(file, yield* headerOf(file), COLUMNS);
    const totals = new Map<string, bigint>();
    yield* Stream.runForEach(rowsOf(file, "csv"), (row) =>
      Either.match(read(row), {
        onLeft: (problem) => usageError(`${file}, line ${row.line}: ${problem}`),
        onRight: ([key, total]) => Effect.sync(() => totals.set(key, total)),
      }),
    );
    return totals;
  });

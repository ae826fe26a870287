/** The work of `quittance import partners`: checks a whole file, then creates its partners. */
import { Effect, Either, Schema, type Scope } from "effect";
import { Partner, Refusal } from "quittance";
import { checkColumns, inColumns, partnerReader } from "../../importing/PartnerRow.ts";
import { type CommandFailed, usageError } from "../CommandFailed.ts";
import type { Target } from "../Target.ts";
import type { Prepared } from "./Bodies.ts";
import { type Request, storeRows } from "./ImportFile.ts";
import { headerOf, lacking, type Row, rowsOf } from "./Rows.ts";

/** What to import. */
interface PartnersRequest extends Pick<Request, "file" | "dryRun" | "skipBadRows" | "json"> {
  /** The workspace of rows that name none. */
  readonly workspaceId: string;
}

const decode = Schema.decodeUnknownEither(Partner.Create);

/** Imports the file. The target is opened once its columns have proved right. */
export const importPartners = (
  request: PartnersRequest,
  openTarget: Effect.Effect<Target, CommandFailed, Scope.Scope>,
): Effect.Effect<void, CommandFailed, Scope.Scope> =>
  Effect.gen(function* () {
    const { file, workspaceId } = request;
    const columns = yield* headerOf(file);
    const { missing, unknown } = checkColumns(columns);
    if (missing.length > 0) return yield* usageError(lacking(file, columns, missing));
    if (unknown.length > 0)
      return yield* usageError(`${file} has columns that are not read: ${unknown.join(", ")}`);
    const readRow = partnerReader(columns, workspaceId);
    const read = (row: Row): Prepared => {
      const found = readRow(row);
      return "body" in found ? Either.right(found.body) : Either.left(found.problem);
    };
    const check = (row: Row): Prepared =>
      Either.flatMap(read(row), (body) =>
        Either.mapBoth(decode(body), {
          onLeft: (error) => inColumns(Refusal.fromParseError(error).message),
          onRight: () => body,
        }),
      );
    const sending = { path: "partners", field: null, status: 201 };
    const rows = rowsOf(file, "csv");
    yield* storeRows({ ...request, fromRow: 1 }, yield* openTarget, { rows, read, check, sending });
  });

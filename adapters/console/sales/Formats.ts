/** What the numbers of sales mean: as their schema declares it, and to readers who see no schemas as formulas have recorded it. */

import type { Format, Trace } from "quittance/formula";
import type { Client } from "../api/Client.ts";
import type { Commission, Explanation, Schema } from "../api/Records.ts";
import { useSession } from "../api/Session.ts";

/** What numbers mean, by the name of their property; a property that is not there is a plain number. */
export type Formats = ReadonlyMap<string, Format>;

/** True if the reader sees schemas; partners do not, whatever the scopes of their key. */
export const useSeesSchemas = (): boolean => {
  const { principal } = useSession();
  return principal.kind !== "partner" && principal.scopes.includes("schemas:read");
};

/** The formats that a schema declares; none of a schema that the reader does not see. */
export const declaredFormats = (schema: Schema | undefined): Formats => {
  const properties: ReadonlyArray<{ readonly name: string; readonly format?: Format }> =
    schema?.properties ?? [];
  return new Map(
    properties.flatMap(({ name, format }) => (format === undefined ? [] : [[name, format] as const])),
  );
};

/** The formats of the properties that a formula has read. */
export const recordedFormats = ({ trace }: Explanation): Formats =>
  new Map(
    ((trace ?? []) as unknown as Trace).flatMap((entry) =>
      entry.type === "property" && entry.detail.format !== undefined
        ? [[entry.detail.name, entry.detail.format] as const]
        : [],
    ),
  );

/** The most formulas of one sale whose explanations are read. */
const FORMULAS_MAX = 5;

/** The formats that the formulas of commissions have recorded; none of an explanation that cannot be read. */
export const readRecordedFormats = async (
  client: Client,
  commissions: ReadonlyArray<Commission>,
  signal: AbortSignal,
): Promise<Formats> => {
  const byFormula = new Map(commissions.map(({ commissionFormulaId, id }) => [commissionFormulaId, id]));
  const found = await Promise.all(
    [...byFormula.values()]
      .slice(0, FORMULAS_MAX)
      .map((id) =>
        client.remote.commissions.explain(id, { signal }).then(recordedFormats, (): Formats => new Map()),
      ),
  );
  return new Map(found.flatMap((formats) => [...formats]));
};

/** The currency of what a sale earns; null where nothing is earned, or in several. */
export const currencyOf = (commissions: ReadonlyArray<Pick<Commission, "currency">>): string | null => {
  const [only, another] = new Set(commissions.map(({ currency }) => currency));
  return another === undefined ? (only ?? null) : null;
};

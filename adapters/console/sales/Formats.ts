/**
 * What the numbers of sales mean, and what counts of a property that a sale does not state: as their schema declares it, and to readers
 * who see no schemas as formulas have recorded it.
 */

import type { Format, Trace } from "quittance/formula";
import type { Client } from "../api/Client.ts";
import type { Attribution, Commission, Explanation, PropertyValue, Schema } from "../api/Records.ts";
import { useSession } from "../api/Session.ts";

/** What is known of a property. */
interface Known {
  /** What its numbers mean; a plain number without it. */
  readonly format?: Format | undefined;
  /** What a formula reads where a sale does not state the property. */
  readonly default?: PropertyValue | undefined;
}

/** What is known of properties, by their names. */
export type Formats = ReadonlyMap<string, Known>;

/** True if the reader sees schemas; partners do not, whatever the scopes of their key. */
export const useSeesSchemas = (): boolean => {
  const { principal } = useSession();
  return principal.kind !== "partner" && principal.scopes.includes("schemas:read");
};

/** What a schema declares; nothing of a schema that the reader does not see. */
export const declaredFormats = (schema: Schema | undefined): Formats => {
  const properties: ReadonlyArray<{ readonly name: string } & Known> = schema?.properties ?? [];
  return new Map(properties.map(({ name, ...known }) => [name, known]));
};

/** What a formula has recorded of the properties that it has read. */
export const recordedFormats = ({ trace }: Pick<Explanation, "trace">): Formats =>
  new Map(
    ((trace ?? []) as unknown as Trace).flatMap((entry): ReadonlyArray<readonly [string, Known]> => {
      if (entry.type !== "property") return [];
      const { name, format, default_used } = entry.detail;
      const value = entry.value as string | boolean | null;
      if (!default_used || value === null) return [[name, { format }]];
      // Numbers are recorded as their digits.
      return [[name, { format, default: format === undefined ? value : Number(value) }]];
    }),
  );

/** A property of a sale as pages show it. */
export interface ShownProperty {
  readonly name: string;
  readonly value: PropertyValue;
  readonly format: Format | undefined;
  /** True if the sale does not state it: formulas read the default. */
  readonly isDefault: boolean;
}

/** What a sale states, then what counts of what it does not state. */
export const propertiesOf = (
  { properties }: Pick<Attribution, "properties">,
  formats: Formats,
): ReadonlyArray<ShownProperty> => [
  ...Object.entries(properties).map(([name, value]) => ({
    ...{ name, value, format: formats.get(name)?.format },
    isDefault: false,
  })),
  ...[...formats].flatMap(([name, { format, default: value }]) =>
    value === undefined || name in properties ? [] : [{ name, value, format, isDefault: true }],
  ),
];

/** The most formulas of one sale whose explanations are read. */
const FORMULAS_MAX = 5;

/** What the formulas of commissions have recorded; nothing of an explanation that cannot be read. */
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

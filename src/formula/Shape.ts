/** How the fields of a node are declared. */

/** What may stand in a field of a node. Lists hold at least one item, but `texts` none where nothing is named. */
export type Shape =
  | { readonly type: "expression" }
  | { readonly type: "expressions"; readonly limit: number }
  | { readonly type: "value" }
  | { readonly type: "values"; readonly limit: number }
  | { readonly type: "numeric_value" }
  | { readonly type: "text" }
  | { readonly type: "identifier" }
  | { readonly type: "texts"; readonly limit: number }
  | { readonly type: "integer"; readonly minimum: number; readonly maximum: number }
  | { readonly type: "window" }
  | { readonly type: "choice"; readonly choices: ReadonlyArray<string> }
  | { readonly type: "records"; readonly limit: number; readonly fields: Readonly<Record<string, Field>> };

/** A field of a node: its shape, and whether it may be left out. */
export type Field = Shape & { readonly optional?: true };

/** One of several words. */
export const choice = <const Words extends ReadonlyArray<string>>(choices: Words) =>
  ({ type: "choice", choices }) as const;

/** A list of objects with the same fields. */
export const records = <const Fields extends Readonly<Record<string, Field>>>(
  limit: number,
  fields: Fields,
) => ({ type: "records", limit, fields }) as const;

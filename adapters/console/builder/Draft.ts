/** A plan while it is written: one expression, which the form, the text and the JSON edit. */
import {
  type Checked,
  type Compiled,
  check,
  compile,
  decode,
  type Expression,
  formatProblem,
  formatTextProblem,
  type PropertyDefinition,
  parseFor,
  print,
  readsSellers,
  SELLER,
} from "quittance/formula";
import type { Mistake } from "../editor/CodeEditor.ts";
import { offsetOf, offsetOfSyntaxError } from "../editor/Positions.ts";
import { pretty } from "../editor/Pretty.ts";
import { decimalsOf } from "../format/Money.ts";
import type { FormContext, FormProblem, Part } from "./Form.ts";
import { formOf, unitsIn } from "./FromExpression.ts";
import { type DraftParameter, declarationsOf, problemOf } from "./Parameters.ts";
import { expressionOf } from "./ToExpression.ts";

/** The unit of a property that its schema does not declare, as the author of the plan has stated it. */
export type StatedUnit = "money_minor" | "money_major" | "count";

/** What was edited last; the other two show the same expression. */
export type Content =
  | { readonly type: "form"; readonly form: Part }
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "json"; readonly text: string };

/** What the expression of a draft is for. */
export interface Basis {
  readonly currency: string;
  readonly properties: ReadonlyArray<PropertyDefinition>;
  readonly units: Readonly<Record<string, StatedUnit>>;
  readonly parameters: ReadonlyArray<DraftParameter>;
  /** The roles of the credits that the plan pays; the seller alone by default. */
  readonly roles?: ReadonlyArray<string>;
  /** True if the share of a credit multiplies the amount; absent where nothing is stated, and it follows from the expression. */
  readonly applyShare?: boolean;
}

/** An expression that can be evaluated, or what is wrong. */
export type Reading =
  | { readonly type: "ready"; readonly expression: Expression; readonly compiled: Compiled }
  | {
      readonly type: "wrong";
      readonly problems: ReadonlyArray<FormProblem>;
      readonly mistakes: ReadonlyArray<Mistake>;
    };

/** True if a currency is stated: without one, no number is money. */
export const hasCurrency = ({ currency }: Pick<Basis, "currency">): boolean => /^[A-Z]{3}$/.test(currency);

/** The roles of the credits that a draft pays. */
export const rolesOf = ({ roles = [SELLER] }: Pick<Basis, "roles">): ReadonlyArray<string> => roles;

/** What numbers mean in the form of a plan. */
export const contextOf = ({ currency, properties, units, parameters }: Basis): FormContext => ({
  decimals: decimalsOf(currency),
  parameters: declarationsOf(parameters, currency),
  properties: properties.map((property) => {
    const format = units[property.name];
    return format === undefined ? property : { ...property, format };
  }),
});

/** The units that an expression takes undeclared properties to have, as far as the form can tell. */
export const unitsOf = (
  expression: Expression,
  { currency, properties, parameters }: Omit<Basis, "units">,
): Basis["units"] => {
  const declared = declarationsOf(parameters, currency);
  const found = unitsIn(expression, { decimals: decimalsOf(currency), properties, parameters: declared });
  return Object.fromEntries(
    (found?.properties ?? []).flatMap(({ name, format }, index) =>
      format !== properties[index]?.format &&
      (format === "money_minor" || format === "money_major" || format === "count")
        ? [[name, format] as const]
        : [],
    ),
  );
};

const wrong = (
  mistakes: ReadonlyArray<Mistake>,
  problems: ReadonlyArray<FormProblem> = mistakes.map(({ message }) => ({ path: "$", message })),
): Reading => ({ type: "wrong", problems, mistakes });

/** Why a plan of these roles cannot have an expression. */
export const SELLERS_PROBLEM = "the formula reads what sellers earn: name other roles, such as manager";

const ready = (checked: Checked, declared: Declared): Reading =>
  readsSellers(checked.expression) && rolesOf(declared).includes(SELLER)
    ? wrong([], [{ path: "roles", message: SELLERS_PROBLEM }])
    : {
        type: "ready",
        expression: checked.expression,
        compiled: compile(checked, declared.applyShare),
      };

/** What an expression is checked against. */
type Declared = Pick<FormContext, "properties" | "parameters"> & Pick<Basis, "roles" | "applyShare">;

const readText = (text: string, declared: Declared): Reading => {
  const parsed = parseFor(text, declared.properties, declared.parameters);
  return parsed._tag === "Right"
    ? ready(parsed.right, declared)
    : wrong(
        parsed.left.map((problem) => ({
          from: problem.start,
          to: problem.end,
          message: formatTextProblem(problem),
        })),
      );
};

const readJson = (text: string, declared: Declared): Reading => {
  const { properties, parameters } = declared;
  const at = (from: number, message: string): Reading => {
    const start = Math.min(from, text.length);
    const line = text.slice(0, start).split("\n").length;
    const { length } = /^[^\s,\]}]*/.exec(text.slice(start))?.[0] ?? "";
    return wrong([{ from: start, to: start + length, message: `line ${line}: ${message}` }]);
  };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (problem) {
    const message = problem instanceof Error ? problem.message : String(problem);
    return at(offsetOfSyntaxError(text, message), `this is not JSON: ${message}`);
  }
  const decoded = decode(value);
  const checked = decoded._tag === "Left" ? decoded : check(decoded.right, properties, parameters);
  return checked._tag === "Right"
    ? ready(checked.right, declared)
    : at(offsetOf(text, checked.left.path), formatProblem(checked.left));
};

const read = (content: Content, basis: Basis): Reading => {
  if (!hasCurrency(basis)) return wrong([], [{ path: "currency", message: "is missing" }]);
  const problem = problemOf(basis.parameters, basis.currency);
  if (problem !== null) return wrong([], [{ path: "parameters", message: problem }]);
  const { properties, roles, applyShare } = basis;
  const context = contextOf(basis);
  const declared: Declared = {
    ...{ ...context, properties },
    ...(roles === undefined ? {} : { roles }),
    ...(applyShare === undefined ? {} : { applyShare }),
  };
  if (content.type === "text") return readText(content.text, declared);
  if (content.type === "json") return readJson(content.text, declared);
  const written = expressionOf(content.form, context);
  if ("problems" in written) return wrong([], written.problems);
  const checked = check(written.expression, properties, context.parameters);
  return checked._tag === "Right"
    ? ready(checked.right, declared)
    : wrong([], [{ path: "$", message: formatProblem(checked.left) }]);
};

/** What was read last: the page and the editor read the same text at each keystroke. */
let latest: { readonly key: ReadonlyArray<unknown>; readonly reading: Reading } | null = null;

/** The expression of what was typed, checked for the sales of the schema. */
export const readContent = (content: Content, basis: Basis): Reading => {
  const { currency, properties, units, parameters, roles, applyShare } = basis;
  const typed = content.type === "form" ? content.form : content.text;
  const key = [content.type, typed, currency, properties, units, parameters, roles, applyShare];
  if (latest === null || key.some((candidate, index) => candidate !== latest?.key[index]))
    latest = { key, reading: read(content, basis) };
  return latest.reading;
};

/** The text form of the content; null where there is none yet. */
export const textOf = (content: Content, reading: Reading): string | null => {
  if (content.type === "text") return content.text;
  return reading.type === "ready" ? print(reading.expression) : null;
};

/** The JSON of the content; null where there is none yet. */
export const jsonOf = (content: Content, reading: Reading): string | null => {
  if (content.type === "json") return content.text;
  return reading.type === "ready" ? pretty(reading.expression) : null;
};

/** The form of the content; null where it has none. */
export const formIn = (content: Content, reading: Reading, basis: Basis): Part | null => {
  if (content.type === "form") return content.form;
  return reading.type === "ready" ? formOf(reading.expression, contextOf(basis)) : null;
};

import type { Entry, Trace } from "./Trace.ts";

/** An entry of a trace with the entries of the nodes inside it that were evaluated. */
export type Step = { readonly entry: Entry; readonly inner: ReadonlyArray<Step> };

/** The steps of a trace as a tree. Each entry comes before those inside it, and its path begins theirs. */
export const stepsOf = (trace: Trace): ReadonlyArray<Step> => {
  const roots: Array<Step> = [];
  const open: Array<{ readonly entry: Entry; readonly inner: Array<Step> }> = [];
  for (const entry of trace) {
    const isAround = (outer: Entry): boolean =>
      outer.type === "final" || entry.path.startsWith(`${outer.path}.`);
    while (open.length > 0 && !open.some((step, index) => index === open.length - 1 && isAround(step.entry)))
      open.pop();
    const step = { entry, inner: [] };
    (open.at(-1)?.inner ?? roots).push(step);
    open.push(step);
  }
  return roots;
};

/** True if a step is a value by itself, and not computed from others. */
export const isLeaf = ({ entry }: Step): boolean =>
  entry.type === "literal" ||
  entry.type === "property" ||
  entry.type === "parameter" ||
  entry.type === "attribute" ||
  entry.type === "variable";

/** A step of one kind of node. */
export type StepOf<Type extends Step["entry"]["type"]> = Step & {
  readonly entry: Extract<Step["entry"], { readonly type: Type }>;
};

/** True if a step is of a kind. */
export const is = <Type extends Step["entry"]["type"]>(step: Step, type: Type): step is StepOf<Type> =>
  step.entry.type === type;

/** The path of a step in the one around it, such as `operands.0`. */
export const pathIn = (around: Step, { entry }: Step): string =>
  entry.path.slice(around.entry.path.length + 1);

/** The step at a path in another one, if it was evaluated. */
export const at = (step: Step, path: string): Step | undefined =>
  step.inner.find((candidate) => pathIn(step, candidate) === path);

/** The step whose value a choosing step has; undefined for a step that does not choose, or found nothing. */
export const resultOf = (step: Step): Step | undefined => {
  const { entry } = step;
  switch (entry.type) {
    case "band":
      return at(step, `bands.${entry.detail.index}.value`);
    case "lookup":
      return at(step, entry.detail.index === null ? "default" : `entries.${entry.detail.index}.value`);
    case "case":
      return at(step, entry.detail.index === null ? "else" : `branches.${entry.detail.index}.then`);
    case "let":
      return at(step, "body");
    case "min":
    case "max":
      return at(step, `operands.${entry.detail.index}`);
    case "coalesce":
      return entry.detail.index === null ? undefined : at(step, `operands.${entry.detail.index}`);
    default:
      return undefined;
  }
};

/** The bindings of a `let` that were evaluated, in their order. */
export const bindingsOf = (
  step: StepOf<"let">,
): ReadonlyArray<{ readonly name: string; readonly value: Step }> =>
  step.entry.detail.bindings.flatMap(({ name }, index) => {
    const value = at(step, `bindings.${index}.value`);
    return value === undefined ? [] : [{ name, value }];
  });

/** The steps that computed the variables in a step, by the step that reads each: that of the innermost `let` that binds its name. */
export const valuesOfVariables = (root: Step): ReadonlyMap<Step, Step> => {
  const values = new Map<Step, Step>();
  const visit = (step: Step, scope: ReadonlyMap<string, Step>): void => {
    if (is(step, "variable")) {
      const value = scope.get(step.entry.detail.name);
      if (value !== undefined) values.set(step, value);
    }
    if (!is(step, "let")) {
      for (const one of step.inner) visit(one, scope);
      return;
    }
    // Each binding reads those before it.
    const inner = new Map(scope);
    for (const { name, value } of bindingsOf(step)) {
      visit(value, inner);
      inner.set(name, value);
    }
    const body = resultOf(step);
    if (body !== undefined) visit(body, inner);
  };
  visit(root, new Map());
  return values;
};

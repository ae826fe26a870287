/** Finding one's way in the steps of an evaluation. */
import type { Step } from "../../formula/Step.ts";

/** A step of one kind of node. */
export type StepOf<Type extends Step["entry"]["type"]> = Step & {
  readonly entry: Extract<Step["entry"], { readonly type: Type }>;
};

/** Whether a step is of a kind. */
export const is = <Type extends Step["entry"]["type"]>(step: Step, type: Type): step is StepOf<Type> =>
  step.entry.type === type;

/** The place of a step in the one around it, such as `operands.0`. */
export const placeIn = (around: Step, { entry }: Step): string =>
  entry.path.slice(around.entry.path.length + 1);

/** The step at a place in another one, if it was evaluated. */
export const at = (step: Step, place: string): Step | undefined =>
  step.inner.find((one) => placeIn(step, one) === place);

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

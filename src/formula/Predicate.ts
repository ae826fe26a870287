import type { Comparison, TextMatch } from "./Expression.ts";

/** True if a comparison holds; `order` is negative, 0 or positive as the left side is less than, equal to or greater than the right. */
export const holds = (operator: Comparison, order: number): boolean => {
  switch (operator) {
    case "equal":
      return order === 0;
    case "not_equal":
      return order !== 0;
    case "less_than":
      return order < 0;
    case "less_than_or_equal":
      return order <= 0;
    case "greater_than":
      return order > 0;
    case "greater_than_or_equal":
      return order >= 0;
  }
};

/** True if a text starts with, ends with or contains another, code unit by code unit. */
export const matches = (operator: TextMatch, whole: string, part: string): boolean => {
  switch (operator) {
    case "starts_with":
      return whole.startsWith(part);
    case "ends_with":
      return whole.endsWith(part);
    case "contains":
      return whole.includes(part);
  }
};

declare module "json-logic-js" {
  const jsonLogic: { readonly apply: (rule: unknown, data: unknown) => unknown };
  export default jsonLogic;
}

declare module "expr-eval" {
  export class Parser {
    parse(text: string): { evaluate(variables: unknown): unknown };
  }
}

declare module "jexl" {
  export class Jexl {
    addFunction(name: string, definition: (...values: ReadonlyArray<number>) => number): void;
    compile(text: string): { evalSync(variables: unknown): unknown };
  }
}

import { Environment } from "@marcbachmann/cel-js";
import { Either } from "effect";
import { Parser } from "expr-eval";
import { compileExpression } from "filtrex";
import { Jexl } from "jexl";
import { LogicEngine } from "json-logic-engine";
import jsonLogic from "json-logic-js";
import { compile as compileMath } from "mathjs";
import { check, compile, decode, evaluate, type Facts } from "quittance/formula";
import { type Plan, properties, type Sale } from "./plans.ts";

/** A sale as plain properties and as the facts of an attribution. */
export type Input = { readonly sale: Sale; readonly facts: Facts };

/** One way to evaluate plans. `compile` runs once per plan and is not timed. */
export type Contender = {
  readonly name: string;
  /** The npm package whose version is reported. */
  readonly package?: string;
  readonly generatesCode: boolean;
  readonly compile: (plan: Plan) => (input: Input) => number;
};

/** Rounds half away from zero in floating point. */
const toCents = (amount: number): number => Math.sign(amount) * Math.round(Math.abs(amount));

const ours: Contender = {
  name: "quittance/formula",
  generatesCode: false,
  compile: ({ expression }) => {
    const compiled = compile(
      Either.getOrThrow(Either.flatMap(decode(expression), (decoded) => check(decoded, properties))),
    );
    return ({ facts }) => Either.getOrThrow(evaluate(compiled, facts));
  },
};

const handWrittenFloat: Contender = {
  name: "hand-written float",
  generatesCode: false,
  compile:
    ({ float }) =>
    ({ sale }) =>
      toCents(float(sale)),
};

const handWrittenBigInt: Contender = {
  name: "hand-written BigInt",
  generatesCode: false,
  compile:
    ({ bigint }) =>
    ({ sale }) =>
      bigint(sale),
};

const jsonLogicJs: Contender = {
  name: "json-logic-js",
  package: "json-logic-js",
  generatesCode: false,
  compile:
    ({ jsonLogic: rule }) =>
    ({ sale }) =>
      toCents(Number(jsonLogic.apply(rule, sale))),
};

const jsonLogicEngine: Contender = {
  name: "json-logic-engine",
  package: "json-logic-engine",
  generatesCode: true,
  compile: ({ jsonLogic: rule }) => {
    const run = new LogicEngine().build(rule);
    return ({ sale }) => toCents(Number(run(sale)));
  },
};

const cel: Contender = {
  name: "@marcbachmann/cel-js",
  package: "@marcbachmann/cel-js",
  generatesCode: false,
  compile: ({ cel: text }) => {
    const run = new Environment()
      .registerVariable("amount", "double")
      .registerVariable("cost", "double")
      .registerVariable("category", "string")
      .registerVariable("new_customer", "bool")
      .registerFunction("capped(double): double", (earned: number) => Math.min(25_000, earned))
      .parse(text);
    return ({ sale }) => toCents(Number(run(sale)));
  },
};

const filtrex: Contender = {
  name: "filtrex",
  package: "filtrex",
  generatesCode: true,
  compile: ({ infix }) => {
    const run = compileExpression(infix.filtrex);
    return ({ sale }) => toCents(run(sale));
  },
};

const exprEval: Contender = {
  name: "expr-eval",
  package: "expr-eval",
  generatesCode: false,
  compile: ({ infix }) => {
    const parsed = new Parser().parse(infix.exprEval);
    return ({ sale }) => toCents(Number(parsed.evaluate(sale)));
  },
};

const mathjs: Contender = {
  name: "mathjs",
  package: "mathjs",
  generatesCode: false,
  compile: ({ infix }) => {
    const compiled = compileMath(infix.mathjs);
    return ({ sale }) => toCents(Number(compiled.evaluate(sale)));
  },
};

const jexl: Contender = {
  name: "jexl",
  package: "jexl",
  generatesCode: false,
  compile: ({ infix }) => {
    const engine = new Jexl();
    engine.addFunction("min", Math.min);
    engine.addFunction("max", Math.max);
    const compiled = engine.compile(infix.jexl);
    return ({ sale }) => toCents(Number(compiled.evalSync(sale)));
  },
};

export const contenders: ReadonlyArray<Contender> = [
  ours,
  handWrittenFloat,
  handWrittenBigInt,
  jsonLogicEngine,
  filtrex,
  cel,
  exprEval,
  mathjs,
  jsonLogicJs,
  jexl,
];

/**
 * Stryker's test runner for vitest, with two differences, and a reporter.
 *
 * It keeps the worker thread from one mutant to the next. The stock runner starts a thread and imports effect and fast-check
 * again for every mutant, which takes five sixths of the time. Stryker says which mutants need fresh modules
 * (`reloadEnvironment`: an import executes them); those get a new thread.
 *
 * It counts a mutant as killed if a test file cannot be imported under it. The stock runner looks at tests alone, finds none
 * that failed, and reports a survivor.
 */
import { relative } from "node:path";
import {
  commonTokens,
  declareClassPlugin,
  declareFactoryPlugin,
  PluginKind,
  tokens,
} from "@stryker-mutator/api/plugin";
import { strykerPlugins as stock } from "@stryker-mutator/vitest-runner";
import { Tinypool } from "tinypool";

const [{ factory: stockFactory }] = stock;
const recycleWorkers = Tinypool.prototype.recycleWorkers;
let keepsWorker = false;
/** The pool whose thread was kept after the last mutant. */
let warmPool;

Tinypool.prototype.recycleWorkers = async function (options) {
  if (keepsWorker) warmPool = this;
  else await recycleWorkers.call(this, options);
};

const endWarmThread = async () => {
  if (warmPool !== undefined) await recycleWorkers.call(warmPool);
  warmPool = undefined;
};

/** Why a test file could not be imported, or undefined if every file could. */
const importFailure = (files) => {
  const failed = files.find(({ tasks, result }) => tasks.length === 0 && result?.state === "fail");
  return failed && (failed.result.errors?.[0]?.message ?? `${failed.name} cannot be imported`);
};

const createRunner = (injector) => {
  const runner = stockFactory(injector);
  const runMutant = runner.mutantRun.bind(runner);
  runner.mutantRun = async (options) => {
    runner.ctx.state.errorsSet.clear();
    if (options.reloadEnvironment) await endWarmThread();
    keepsWorker = !options.reloadEnvironment;
    try {
      const result = await runMutant(options);
      const failureMessage = importFailure(runner.ctx.state.getFiles());
      return result.status === "survived" && failureMessage !== undefined
        ? { status: "killed", killedBy: [], failureMessage, nrOfTests: result.nrOfTests }
        : result;
    } finally {
      keepsWorker = false;
    }
  };
  return runner;
};
createRunner.inject = tokens(commonTokens.injector);

/** Prints every mutant that is not killed when its run ends, so that an interrupted measurement is not lost. */
class SurvivorReporter {
  onMutantTested({ status, fileName, location: { start }, mutatorName, replacement, static: isStatic }) {
    if (status === "Killed" || status === "Ignored") return;
    const place = `${relative(process.cwd(), fileName)}:${start.line}:${start.column}`;
    process.stdout.write(`${status}${isStatic ? " (static)" : ""} ${place} ${mutatorName} ${replacement}\n`);
  }
}

export const strykerPlugins = [
  declareFactoryPlugin(PluginKind.TestRunner, "vitest-warm", createRunner),
  declareClassPlugin(PluginKind.Reporter, "survivors", SurvivorReporter),
];

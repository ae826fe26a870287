/** Writes every generated page: `npm run docs`. */
import { writeFileSync } from "node:fs";
import * as architecture from "./generate/architecture.ts";
import * as client from "./generate/client.ts";
import * as cookbook from "./generate/cookbook.ts";
import * as formulas from "./generate/formulas.ts";
import * as httpInterface from "./generate/interface.ts";
import * as openapi from "./generate/openapi.ts";
import * as operating from "./generate/operating.ts";
import * as promise from "./generate/promise.ts";
import * as promiseMethodsPage from "./generate/promiseMethodsPage.ts";
import * as schema from "./generate/schema.ts";
import * as states from "./generate/states.ts";

/** The generated pages: where they lie and how they are printed. */
export const PAGES: ReadonlyArray<{ readonly file: string; readonly print: () => string | Promise<string> }> =
  [
    architecture,
    client,
    cookbook,
    formulas,
    httpInterface,
    openapi,
    operating,
    promise,
    promiseMethodsPage,
    schema,
    states,
  ];

if (process.argv[1] === new URL(import.meta.url).pathname) {
  for (const { file, print } of PAGES) writeFileSync(new URL(`../${file}`, import.meta.url), await print());
}

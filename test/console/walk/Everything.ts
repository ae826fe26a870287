/** The whole walk: three companies at both widths, the portal of each partner of the hostile one, and of some of the example. */
import { launch } from "../Browser.ts";
import { startDemo } from "../Demo.ts";
import { VIEWS } from "../Visitor.ts";
import { startCompanies } from "./Companies.ts";
import { companyOf, walkConsole, walkPortal } from "./Walk.ts";

/** Visits everything; returns what is wrong, each on a line. */
export const walkEverything = async (): Promise<ReadonlyArray<string>> => {
  const [demo, companies, { browser, close }] = await Promise.all([startDemo(), startCompanies(), launch()]);
  const { hostile, empty } = companies;
  const example = companyOf(demo.url, demo.key);
  const problems: Array<string> = [];
  for (const view of VIEWS.filter(({ scheme }) => scheme === "light")) {
    const look = { view };
    for (const [name, company] of Object.entries({ example, hostile, empty }))
      problems.push(...(await walkConsole(browser, name, company, look)));
    for (const [name, id] of Object.entries(hostile.partners))
      problems.push(...(await walkPortal(browser, name, hostile, id, look)));
    for (const { id, name } of (await example.api.get("partners?per_page=5")).partners)
      problems.push(...(await walkPortal(browser, name, example, id, look)));
  }
  await close();
  await Promise.all([demo.stop(), companies.stop()]);
  return problems;
};

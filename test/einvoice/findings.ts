/** Random e-invoices, checked by the rules and against their contents; planted bugs are found here. */
import * as fc from "fast-check";
import { EInvoice } from "quittance";
import { brokenRules } from "./Checker.ts";
import { differences } from "./Comparison.ts";
import { contents } from "./Contents.ts";
import { differentTerms } from "./Terms.ts";

const DOCUMENTS = 80;

/** The rules that valid e-invoices break, what they state differently, and the terms that differ in CII; none where no bug is planted. */
export const findings = (seed: number): ReadonlyArray<{ readonly name: string; readonly detail: string }> => {
  const names = fc.sample(contents, { seed, numRuns: DOCUMENTS }).flatMap((content) => {
    const invoice = EInvoice.make(content);
    const problems = EInvoice.problemsOf(invoice).map(({ rule }) => rule);
    // Tax in thousandths of a unit cannot be stated; the contents break no other rule.
    if (problems.length > 0) return problems.filter((rule) => rule !== "BR-DEC-20");
    const bytes = EInvoice.write(invoice);
    const cii = EInvoice.writeCii(EInvoice.read(bytes));
    return [...brokenRules(bytes), ...differences(content, bytes), ...differentTerms(bytes, cii)];
  });
  return [...new Set(names)].map((name) => ({ name, detail: "of a random e-invoice" }));
};

/**
 * The jobs of the console and the portal, each with the most clicks that it may take, the clicks that it takes, and the test that
 * counts them in a real browser. Typing is not counted, nor is the choice of a value in a list of the browser unless the test says so.
 */
import type { Page } from "playwright-core";
import { expect } from "vitest";

interface Budget {
  /** The most clicks that the job may take. A job that needs more changes the page, not this number. */
  readonly budget: number;
  readonly clicks: number;
  /** The file of this folder that counts them, without `.test.ts`. */
  readonly test: string;
}

export const BUDGETS = {
  "set up a company": { budget: 15, clicks: 15, test: "firstRun" },
  "import 200 partners": { budget: 6, clicks: 4, test: "partners" },
  "onboard a partner": { budget: 12, clicks: 9, test: "partners" },
  "write a tiered plan": { budget: 15, clicks: 7, test: "builder" },
  "see the effect of a plan on the last quarter": { budget: 4, clicks: 2, test: "builder" },
  "assign a plan to 20 partners": { budget: 6, clicks: 3, test: "builder" },
  "find an order": { budget: 2, clicks: 0, test: "finding" },
  "explain an amount": { budget: 1, clicks: 1, test: "jobs" },
  "refund a part of a sale": { budget: 5, clicks: 4, test: "jobs" },
  "preview the month and create its drafts": { budget: 4, clicks: 4, test: "jobs" },
  "approve more than 20 drafts": { budget: 6, clicks: 4, test: "monthEnd" },
  "pay by bank file": { budget: 8, clicks: 8, test: "monthEnd" },
  "read a bank statement": { budget: 4, clicks: 4, test: "monthEnd" },
  "make a returned payment good": { budget: 5, clicks: 3, test: "monthEnd" },
  "answer a dispute": { budget: 4, clicks: 4, test: "jobs" },
  "give a claim up": { budget: 4, clicks: 4, test: "jobs" },
  "confirm an account": { budget: 3, clicks: 3, test: "portalTasks" },
  "send a statement": { budget: 3, clicks: 3, test: "jobs" },
  "export the books of a month": { budget: 4, clicks: 2, test: "books" },
  "learn who did what and when": { budget: 2, clicks: 2, test: "jobs" },
  "portal: learn what is earned and why": { budget: 2, clicks: 2, test: "portal" },
  "portal: learn what comes when": { budget: 1, clicks: 1, test: "portal" },
  "portal: learn what is missing to the next step": { budget: 1, clicks: 1, test: "portal" },
  "portal: accept a plan": { budget: 2, clicks: 2, test: "portal" },
  "portal: upload an invoice": { budget: 4, clicks: 4, test: "portalTasks" },
  "portal: object to one line": { budget: 4, clicks: 4, test: "portalTasks" },
  "portal: propose another account": { budget: 5, clicks: 3, test: "portalTasks" },
} as const satisfies Readonly<Record<string, Budget>>;

/** Counts the presses of the mouse or of a finger in a page from now on, until it is loaded anew; keys are none. */
export const countClicks = async (page: Page): Promise<() => Promise<number>> => {
  await page.evaluate(`(() => {
    if (window.presses === undefined)
      document.addEventListener("pointerdown", () => { window.presses += 1; }, { capture: true });
    window.presses = 0;
  })()`);
  return async () => Number(await page.evaluate("window.presses"));
};

/** Fails unless a job took as many clicks as the table says. */
export const expectClicks = (job: keyof typeof BUDGETS, clicks: number): void =>
  expect({ job, clicks }).toEqual({ job, clicks: BUDGETS[job].clicks });

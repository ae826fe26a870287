/** Every action of the console and the portal, done by the keyboard alone. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { call, folder } from "../server/running.ts";
import { createPortalKey, type Demo } from "./Demo.ts";
import { type Hands, handsOn } from "./Hands.ts";
import { startReceiver } from "./Receiver.ts";
import { arrive, settled } from "./Visitor.ts";

interface Place {
  readonly demo: Demo;
  readonly page: Page;
  readonly hands: Hands;
  readonly visit: (route: string) => Promise<void>;
  /** A file that can be uploaded. */
  readonly file: string;
  readonly receiver: string;
  readonly idOf: (path: string, name: string) => Promise<string>;
}

/** A step, and the place where it begins. */
type Step = readonly [name: string, run: (place: Place) => Promise<void>];

const settlementOf = (idOf: Place["idOf"], query: string): Promise<string> =>
  idOf(`settlements?${query}`, "settlements");

/** Opens the dialog of an action, confirms it, and looks for what the page shows then. */
const act = async (
  { hands }: Place,
  words: string,
  shown: string,
  fill: () => Promise<void> = async () => {},
): Promise<void> => {
  await hands.use(words, ".actions button, main button");
  await hands.isOn("dialog :is(input, select, textarea, button.back)");
  await fill();
  await hands.confirm();
  await hands.see(shown);
  // The button may be gone: the focus is on it or on the heading, never lost.
  await hands.isOn("main *");
};

const chooseFile = async ({ page, hands, file }: Place): Promise<void> => {
  await hands.reach("input[name=file]");
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), hands.press("Space")]);
  await chooser.setFiles(file);
};

const giveReason = async ({ hands }: Place): Promise<void> => {
  await hands.reach("textarea[name=reason]");
  await hands.type("below our costs");
};

const SETTLEMENTS: ReadonlyArray<Step> = [
  [
    "skip the navigation",
    async ({ hands, visit }) => {
      await visit("settlements");
      await hands.reach("button.skip");
      await hands.press("Enter");
      await hands.isOn("main h1");
    },
  ],
  [
    "filter and export, change the page, and search",
    async ({ page, hands, visit }) => {
      await visit("settlements");
      await hands.use("Paid", ".chip");
      await hands.see("Paid", ".chip[aria-pressed=true]");
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        hands.use("Export", "main button"),
      ]);
      if (!download.suggestedFilename().endsWith(".csv")) throw new Error("not a CSV file");
      await visit("sales");
      await hands.use("Next", ".pager button");
      await hands.see("51–", ".pager");
      await hands.isOn(".pager button");
      await visit("partners");
      await hands.reach("input[type=search]");
      await hands.type("Bergpfad");
      await hands.see("1–1 of 1", ".pager");
    },
  ],
  [
    "draft a settlement, approve it, download, confirm the payment, reconcile and revert",
    async (place) => {
      const { page, hands, visit, idOf } = place;
      await visit(`partners/${await idOf("partners?name=Bergpfad", "partners")}`);
      await hands.use("Draft a settlement", "main button");
      await hands.use("Create the draft", "dialog button");
      await hands.see("Draft", ".badge");
      await hands.isOn("main h1");
      await act(place, "Approve", "Ready to pay");
      await hands.see("Invoice NHINV", ".timeline");
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        hands.use("Invoice NHINV", "main button"),
      ]);
      if (!download.suggestedFilename().endsWith(".pdf")) throw new Error("not a PDF file");
      await act(place, "Confirm payment", "Paid", async () => {
        await hands.reach("input[name=bankReference]");
        await hands.type("B-77");
      });
      await hands.see("B-77", ".facts");
      await act(place, "Mark as reconciled", "Not reconciled after all");
      await act(place, "Not reconciled after all", "Mark as reconciled");
    },
  ],
  [
    "cancel a draft",
    async (place) => {
      await place.visit(`settlements/${await settlementOf(place.idOf, "statuses=draft")}`);
      await act(place, "Cancel draft", "Cancelled");
    },
  ],
  [
    "dispute, and uphold the dispute",
    async (place) => {
      const { hands } = place;
      await place.visit(`settlements/${await settlementOf(place.idOf, "statuses=awaiting_payment")}`);
      await act(place, "Dispute", "Disputed", () => hands.type("one order is missing"));
      await act(place, "Resolve the dispute", "Cancelled", async () => {
        await hands.press("Space", "ArrowDown");
        await hands.reach("input[name=note]");
        await hands.type("agreed on the phone");
      });
      await hands.see("agreed on the phone", ".timeline");
    },
  ],
  [
    "dispute chosen lines, comment, and withdraw the dispute",
    async (place) => {
      const { hands } = place;
      await place.visit(`settlements/${await settlementOf(place.idOf, "statuses=awaiting_payment")}`);
      await hands.reach("td input[type=checkbox]");
      await hands.press("Space");
      await act(place, "Dispute", "Disputed", async () => {
        await hands.see("It names 1 line of ", "dialog");
        await hands.type("this order is wrong");
      });
      await hands.see("disputed", "td .under");
      await act(place, "Comment", "Comments", () => hands.type("we look into it"));
      await hands.see("we look into it", ".comments li");
      await act(place, "Withdraw the dispute", "Ready to pay");
    },
  ],
  [
    "write off",
    async (place) => {
      await place.visit(`settlements/${await settlementOf(place.idOf, "statuses=awaiting_payment")}`);
      await act(place, "Write off", "Written off", () => giveReason(place));
      await place.hands.see("below our costs", ".timeline");
    },
  ],
  [
    "decide on a negative settlement",
    async (place) => {
      const { hands } = place;
      await place.visit(`settlements/${await settlementOf(place.idOf, "statuses=negative_review")}`);
      await act(place, "Decide", "Ended without payment", () => hands.press("Space"));
    },
  ],
  [
    "pay through the bank",
    async (place) => {
      const { hands } = place;
      const { settlements } = await place.demo.get("settlements?statuses=awaiting_payment&per_page=100");
      // Others have no account to pay to.
      const { id } = settlements.find(
        ({ view }: { readonly view: { readonly billing_mode: string; readonly total: number } }) =>
          view.billing_mode === "self_billing" && view.total > 0,
      );
      await place.visit(`settlements/${id}`);
      await hands.use("Pay through the bank", ".actions button");
      await hands.use("Pay through the bank", "dialog button");
      // The example company has no payment provider: the refusal is shown in the dialog, and Escape closes it.
      await hands.see("A payment cannot be initiated", "dialog [role=alert]");
      await hands.press("Escape");
      await hands.isOn(".actions button");
    },
  ],
  [
    "upload and replace an invoice, and upload a credit note",
    async (place) => {
      const { hands } = place;
      await place.visit(`settlements/${await settlementOf(place.idOf, "statuses=awaiting_invoice")}`);
      const fill = async (): Promise<void> => {
        await chooseFile(place);
        await hands.reach("input[name=number]");
        await hands.type("2026-11");
      };
      await act(place, "Upload the invoice", "Tax to accept", async () => {
        await fill();
        await hands.reach("input[name=tax]");
        await hands.type("12.5");
        await hands.see("12.50 tax", "dialog");
      });
      await act(place, "Decide on the tax", "Ready to pay", () => hands.press("Space"));
      await act(place, "Replace the invoice", "Ready to pay", fill);
      await act(place, "Write off", "Written off", () => giveReason(place));
      await act(place, "Upload the credit note", "Credit note", fill);
    },
  ],
  [
    "open why an amount is what it is, and come back to it",
    async ({ hands, visit, idOf }) => {
      await visit(`settlements/${await settlementOf(idOf, "statuses=paid")}`);
      await hands.reach("button.why");
      await hands.press("Enter");
      await hands.see("The sale", "dialog");
      await hands.use("Every step", "summary");
      await hands.press("Escape");
      await hands.isOn("button.why");
    },
  ],
];

const RUNS_AND_PLANS: ReadonlyArray<Step> = [
  [
    "change the policy of the workspace and of a partner",
    async (place) => {
      const { hands, visit, idOf } = place;
      await visit("runs");
      await act(place, "Change the policy", "every Monday", async () => {
        await hands.reach("select[name=cadence]");
        await hands.type("every week");
        await hands.reach("input[name=day]");
        await hands.press("Control+a");
        await hands.type("1");
        await hands.reach("input[name=holdDays]");
        await hands.press("Control+a");
        await hands.type("0");
      });
      await visit(`partners/${await idOf("partners?name=Montagne", "partners")}`);
      await act(place, "Change for this partner", "but for its own terms", async () => {
        await hands.reach("input[name='own.holdDays']");
        await hands.press("Space");
        await hands.reach("input[name=holdDays]");
        await hands.press("Control+a");
        await hands.type("3");
      });
    },
  ],
  [
    "preview a run, and start it",
    async ({ hands, visit }) => {
      await visit("runs");
      await hands.use("Settle what is due", "main a");
      await hands.see("Nothing has been created yet");
      await hands.use("Start the run", "main button");
      await hands.use("Start the run", "dialog button");
      await hands.see("Run of", "h1");
      await hands.isOn("main h1");
      await hands.see("Done", ".badge");
    },
  ],
  [
    "try a formula, edit samples, see who gains, and change the plan",
    async ({ page, hands, visit, idOf }) => {
      await visit(`builder?plan=${await idOf("commission-plans?name=Resellers", "commission_plans")}`);
      await hands.use("Add a sale", "main button");
      await hands.reach("input[aria-label='order_value of sale 2']");
      await hands.press("Control+a");
      await hands.type("7500");
      await hands.see("600.00", "td[data-name=Commission]");
      await hands.use("Remove sale 2", "button.close");
      await hands.isOn("button.close");
      await hands.use("Try it on past sales", "main button");
      await hands.use("Try it on past sales", "dialog button");
      await hands.see("would have cost");
      await hands.isOn("main h1");
      await hands.use("As a table", "main button");
      await page.goBack();
      await hands.see("What it pays");
      const rate = await page.getByLabel("Rate (step 2)").getAttribute("id");
      await hands.reach(`[id="${rate}"]`);
      await hands.press("Control+a");
      await hands.type("6.5");
      await hands.use("Change the plan to this", "main button");
      await hands.confirm();
      await hands.see("Resellers", "h1");
    },
  ],
  [
    "write a formula as text by its proposals",
    async ({ page, hands, visit }) => {
      await visit("builder");
      await hands.reach("input[name=currency]");
      await hands.type("EUR");
      await hands.use("Text", ".views button");
      await page.waitForSelector(".cm-content");
      await hands.reach(".cm-content");
      await hands.press("Control+a");
      await hands.type("ord");
      await page.waitForSelector("[role=option]");
      // The editor ignores Enter at once after the list has appeared.
      await page.waitForTimeout(200);
      await hands.press("Enter");
      await page.waitForSelector("[role=option]", { state: "detached" });
      await hands.type(" * 10 % * 100");
      await hands.see("order_value * 10 % * 100", ".cm-content");
      await hands.see("The formula fits the sales.", ".editor");
    },
  ],
  [
    "create a plan, assign partners, and end an assignment",
    async (place) => {
      const { hands, visit } = place;
      await visit("builder");
      await hands.use("Create a new plan", "main button");
      await hands.isOn("dialog input[name=name]");
      await hands.type("By keyboard");
      await hands.press("Enter");
      await hands.see("By keyboard", "h1");
      await act(place, "Assign partners", "Montagne Service", async () => {
        await hands.reach("input[type=search]");
        await hands.type("Montagne");
        await place.page.waitForSelector("dialog .choices label:only-of-type");
        await hands.reach("input[type=checkbox]");
        await hands.press("Space");
      });
      await act(place, "End", "Montagne Service");
    },
  ],
];

const PROGRAMS: ReadonlyArray<Step> = [
  [
    "read an event, and cancel a sale",
    async (place) => {
      const { hands, visit, idOf } = place;
      await visit("events");
      await hands.reach("tr.choosable");
      await hands.press("ArrowDown", "Enter");
      await hands.see("hash", "dialog");
      await hands.press("Escape");
      await hands.isOn("tr.choosable");
      await visit(
        `sales/${await idOf("attributions?statuses=confirmed&roles=seller&order=desc", "attributions")}`,
      );
      await act(place, "Cancel this sale", "Cancelled", () => hands.type("order returned"));
    },
  ],
  [
    "add an endpoint, send an event again, replace the secret, change, switch off and on, delete",
    async (place) => {
      const { page, demo, hands, visit, receiver, idOf } = place;
      await visit("webhooks");
      await hands.use("Add an endpoint", "main button");
      await hands.isOn("dialog input[name=url]");
      await hands.type(receiver);
      await hands.press("Enter");
      await page.waitForSelector(".secret");
      await hands.use("I have stored it", "dialog button");
      await hands.see(receiver, "tbody");
      await hands.reach("tbody a", receiver);
      await hands.press("Enter");
      await hands.see("Nothing was sent yet");
      const sale = await idOf("attributions?statuses=confirmed&roles=seller&order=desc", "attributions");
      await call(demo.url, demo.key, "DELETE", `attributions/${sale}`, { reason: "order returned" });
      while (!(await page.locator("tbody .badge").first().isVisible())) {
        await hands.use("Reload", ".panel button");
        await settled(page);
      }
      await hands.see("Delivered", "tbody .badge");
      await act(place, "Send again", "Delivered");
      await hands.use("New secret", "main button");
      await hands.use("New secret", "dialog button");
      await page.waitForSelector(".secret");
      await hands.use("I have stored it", "dialog button");
      await act(place, "Change", "for the ledger", async () => {
        await hands.reach("input[name=description]");
        await hands.type("for the ledger");
      });
      await act(place, "Switch off", "Switched off");
      await act(place, "Switch on", "Switch off");
      await hands.use("Delete", "main button");
      await hands.use("Delete", "dialog button");
      await hands.see("Webhooks", "h1");
    },
  ],
  [
    "create a key and revoke it",
    async (place) => {
      const { page, hands, visit } = place;
      await visit("keys");
      await hands.use("Create a key", "main button");
      await hands.reach("input[name=name]");
      await hands.type("by keyboard");
      await hands.press("Enter");
      await page.waitForSelector(".secret");
      await hands.use("I have stored it", "dialog button");
      await hands.reach("button", "Revoke by keyboard");
      await hands.press("Enter");
      await hands.confirm();
      await hands.see("Revoked", "tr:has-text('by keyboard') .badge");
    },
  ],
];

const STATEMENT: Step = [
  "choose the period of a statement, and download it",
  async ({ page, hands, visit, idOf }) => {
    await visit(`partners/${await idOf("partners?name=Montagne", "partners")}/statement`);
    await hands.use("Last 12 months", ".chip");
    await settled(page);
    await hands.reach("input[type=date]");
    await hands.type("01092026");
    await settled(page);
    for (const words of ["PDF", "CSV"]) {
      const [download] = await Promise.all([page.waitForEvent("download"), hands.use(words, "main button")]);
      if (!download.suggestedFilename().toLowerCase().endsWith(words.toLowerCase()))
        throw new Error(`not a ${words} file`);
      await hands.isOn("main button");
    }
  },
];

const PORTAL: ReadonlyArray<Step> = [
  [
    "upload the invoice, object to a line, comment, and take the objection back",
    async (place) => {
      const { hands, visit } = place;
      await visit("");
      await hands.use("Send your invoice", ".tasks a");
      await hands.see("Send your invoice", ".badge");
      await hands.isOn("main h1");
      await act(place, "Upload your invoice", "To be paid", () => chooseFile(place));
      await hands.reach("td input[type=checkbox]");
      await hands.press("Space");
      await act(place, "Object", "Objection open", () => hands.type("an order is missing"));
      await hands.see("in the objection", "td .under");
      await act(place, "Comment", "Comments", () => hands.type("it was not returned"));
      await hands.see("it was not returned", ".comments li");
      await act(place, "Take the objection back", "To be paid");
    },
  ],
  [
    "read the own statement and why",
    async ({ hands, visit, page }) => {
      await visit("statement");
      await hands.use("This year", ".chip");
      await page.waitForSelector(".chip[aria-pressed=true]:text-is('This year')");
      await settled(page);
      await hands.reach("tbody button.why");
      await hands.press("Enter");
      await hands.see("The sale", "dialog");
      await hands.press("Escape");
      await hands.isOn("button.why");
    },
  ],
];

/** Signs in by the keyboard, and does each step; returns what cannot be done, each on a line. */
const perform = async (
  browser: Browser,
  demo: Demo,
  at: "console" | "portal",
  key: string,
  steps: ReadonlyArray<Step>,
  extra: Pick<Place, "file" | "receiver">,
): Promise<ReadonlyArray<string>> => {
  const visitor = await arrive(browser, demo.url, at);
  const hands = handsOn(visitor.page);
  await hands.isOn("input[name=key]");
  await hands.type(key);
  await hands.press("Enter");
  await visitor.page.waitForSelector(".who");
  await settled(visitor.page);
  await hands.isOn("main h1");
  const place: Place = {
    ...{ ...extra, demo, hands, page: visitor.page, visit: visitor.visit },
    idOf: async (path, name) => (await demo.get(`${path}&per_page=1`))[name][0].id,
  };
  const problems: Array<string> = [];
  for (const [name, run] of steps) {
    try {
      await run(place);
    } catch (problem) {
      problems.push(`${at}, ${name}: ${problem instanceof Error ? problem.message : problem}`);
      await visitor.page.reload();
    }
  }
  await visitor.leave();
  return problems;
};

/** Does everything that people do in the console and the portal without a mouse; returns what cannot be done. */
export const everyAction = async (browser: Browser, demo: Demo): Promise<ReadonlyArray<string>> => {
  const place = folder();
  const receiver = await startReceiver();
  const extra = { file: join(place.path, "document.pdf"), receiver: receiver.url };
  writeFileSync(extra.file, "%PDF-1.4");
  const steps = [...SETTLEMENTS, STATEMENT, ...RUNS_AND_PLANS, ...PROGRAMS];
  // A partner that has been asked for its invoice.
  const { settlements } = await demo.get("settlements?statuses=awaiting_invoice&order=desc&per_page=1");
  const portalKey = await createPortalKey(demo, settlements[0].partner_id);
  const problems = [
    ...(await perform(browser, demo, "portal", portalKey, PORTAL, extra)),
    ...(await perform(browser, demo, "console", demo.key, steps, extra)),
  ];
  await receiver.close();
  place.remove();
  return problems;
};

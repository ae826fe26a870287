/** Prints docs/states.md from the settlement machine's table. */
import { type Settlement, SettlementMachine } from "quittance";

const { TRANSITIONS } = SettlementMachine;
type Transition = SettlementMachine.Transition;

/** The path of the page. */
export const file = "docs/states.md";

const lineEffect = ({ lines }: Transition): string => {
  switch (lines.type) {
    case "none":
      return "—";
    case "reserve":
      return "reserved";
    case "release":
      return `released (\`${lines.cause}\`)`;
    case "settle":
      return lines.as === "paid" ? "settled as paid" : "settled as written off";
    case "reopen":
      return "reserved again";
  }
};

const guardOf = ({ guards }: Transition): string => guards.map(({ words }) => words).join("; ");

/** True of what can happen in every state and moves none. */
const isAlways = ({ from, to }: Transition): boolean =>
  to === "same" && from.length === Object.keys(STATUS_MEANINGS).length;

const arrow = (from: string, transition: Transition): string => {
  const { command, to, row } = transition;
  const guard = guardOf(transition).replaceAll(";", ",").replaceAll(":", "");
  const target = to === "resume" ? "awaiting_payment" : to === "same" ? from : to;
  return `    ${from} --> ${target}: ${row} ${command}${guard === "" ? "" : ` [${guard}]`}`;
};

const diagram = (): string => {
  const moving = TRANSITIONS.filter((transition) => !isAlways(transition));
  const arrows = moving.flatMap((transition) =>
    (transition.from.length === 0 ? ["[*]"] : transition.from).map((from) => arrow(from, transition)),
  );
  return ["stateDiagram-v2", ...arrows, "    cancelled --> [*]", "    written_off --> [*]"].join("\n");
};

const table = (): string =>
  [
    "| # | From | Command | Guard | To | Event | Lines |",
    "|---|---|---|---|---|---|---|",
    ...TRANSITIONS.map((transition) => {
      const from = isAlways(transition)
        ? "any"
        : transition.from.length === 0
          ? "—"
          : transition.from.map((state) => `\`${state}\``).join(", ");
      const events = transition.events.map((event) => `\`${event}\``).join(" or ");
      const to =
        transition.to === "resume"
          ? "the state it was disputed in"
          : transition.to === "same"
            ? "the same"
            : `\`${transition.to}\``;
      return `| ${transition.row} | ${from} | ${transition.command} | ${guardOf(transition) || "—"} | ${to} | ${events} | ${lineEffect(transition)} |`;
    }),
  ].join("\n");

/** What each status means, and what ends it. */
const STATUS_MEANINGS: Readonly<Record<Settlement.StatusType, readonly [meaning: string, next: string]>> = {
  draft: ["drafted; its lines are reserved", "you approve it, or cancel it"],
  awaiting_report: [
    "approved; the report is being made",
    "the worker makes the report (with documents `manual`: you upload it)",
  ],
  awaiting_invoice: [
    "the report is there, the invoice is missing",
    "the partner or you upload the invoice; with self-billing the worker makes it (with documents `manual`: you upload it)",
  ],
  negative_review: [
    "the partner owes: what is payable is below 0",
    "you request a credit note, carry it forward, or write it off",
  ],
  awaiting_credit_note: [
    "the partner is to pay back",
    "the partner or you upload the credit note; with self-billing the worker makes it (with documents `manual`: you upload it)",
  ],
  awaiting_payment: [
    "everything is there except the money",
    "you pay and mark it as paid, or initiate the payment; below 0 you mark it as paid when the partner has paid. While the tax of an uploaded document is under review, an approver accepts or refuses it first",
  ],
  payment_initiated: ["a payment order is under way", "the provider or the bank confirms it, or it fails"],
  disputed: [
    "the partner disagrees",
    "you reject the dispute (it goes on where it was) or uphold it (it is cancelled); who raised it may withdraw it (it goes on where it was)",
  ],
  paid: [
    "the end: the money has arrived, or nothing was to be paid",
    "you reconcile it with the bank statement; a payment may come back",
  ],
  written_off: ["the end: nobody pays, and nobody claims it any more", "–"],
  cancelled: ["the end: as if it had not been drafted; its lines are due again", "–"],
};

const meanings = (): string =>
  [
    "| Status | Means | What happens next |",
    "|---|---|---|",
    ...Object.entries(STATUS_MEANINGS).map(
      ([status, [meaning, next]]) => `| \`${status}\` | ${meaning} | ${next} |`,
    ),
  ].join("\n");

/** The whole page. */
export const print = (): string => `# States of a settlement

${meanings()}

A settlement is **open** from \`draft\` to \`payment_initiated\` and while \`disputed\`: its lines are reserved, and no other
settlement can take its commissions. A payment that the bank sends back (T18) is the one way out of an end.

## How to read the table

\`npm run docs\` prints this page from the transition table in \`src/domain/SettlementTable.ts\`, which also decides every
command at run time. A test compares the page and the table.

- Of the rows of one state and command, the first one whose guards hold is taken. Guards are checked from left to right; the
  functions behind the words are in \`src/domain/SettlementGuards.ts\`.
- A command for which no row applies is refused with a conflict and changes nothing. There are two exceptions. A report of the
  provider or the bank that fits no row is recorded as \`payment_anomaly\` and moves no state. Repeating a confirmation or a
  reconciliation changes nothing and succeeds.
- Wrong input is refused as invalid before the table is read: commissions of two currencies, a \`paid_at\` more than 5 minutes in the future.
- A document that cannot be made is recorded as \`fail_document\`, which moves no state; \`document_problem\` shows it.
- The **issuer** of an invoice or credit note is the service for \`self_billing\`, and the caller as well when documents are
  \`manual\`; for \`partner_billing\` it is the partner. A self-billed document states the tax that the approval fixed.
- The row names the event that is written and the effect on the lines. The state reached decides what the worker does next.

## The table

${table()}

T21 and T32 return to the state in which the dispute was raised; the diagram draws the most common one, and leaves out T33, which moves nothing.

## The diagram

\`\`\`mermaid
${diagram()}
\`\`\`
`;

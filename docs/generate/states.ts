/** Prints docs/states.md from the settlement machine's table. */
import { SettlementMachine } from "quittance";

const { TRANSITIONS } = SettlementMachine;
type Transition = SettlementMachine.Transition;

/** Where the page lies. */
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

const arrow = (from: string, { command, to, row, guard }: Transition): string =>
  `    ${from} --> ${to === "resume" ? "awaiting_payment" : to === "same" ? from : to}: ${row} ${command}${guard === "" ? "" : ` [${guard.replaceAll(";", ",").replaceAll(":", "")}]`}`;

const diagram = (): string => {
  const arrows = TRANSITIONS.flatMap((transition) =>
    (transition.from.length === 0 ? ["[*]"] : transition.from).map((from) => arrow(from, transition)),
  );
  return ["stateDiagram-v2", ...arrows, "    cancelled --> [*]", "    written_off --> [*]"].join("\n");
};

const table = (): string =>
  [
    "| # | From | Command | Guard | To | Event | Lines |",
    "|---|---|---|---|---|---|---|",
    ...TRANSITIONS.map((transition) => {
      const from =
        transition.from.length === 0 ? "—" : transition.from.map((state) => `\`${state}\``).join(", ");
      const events = transition.events.map((event) => `\`${event}\``).join(" or ");
      const to =
        transition.to === "resume"
          ? "the state it was disputed in"
          : transition.to === "same"
            ? "the same"
            : `\`${transition.to}\``;
      return `| ${transition.row} | ${from} | ${transition.command} | ${transition.guard || "—"} | ${to} | ${events} | ${lineEffect(transition)} |`;
    }),
  ].join("\n");

/** The whole page. */
export const print = (): string => `# States of a settlement

This page is printed from the transition table in \`src/domain/SettlementTable.ts\` by \`npm run docs\`; a test compares the
two. Whatever the table does not name is refused with a conflict, and a refused command changes nothing.

A settlement is **open** from \`draft\` to \`payment_initiated\` and while \`disputed\`: its lines are reserved, and no other
settlement can take its commissions. \`paid\`, \`written_off\` and \`cancelled\` are ends; a payment that the bank sends back
(T18) is the one way out of an end.

## The table

${table()}

T21 returns to the state in which the dispute was raised; the diagram draws the most common one.

## The diagram

\`\`\`mermaid
${diagram()}
\`\`\`
`;

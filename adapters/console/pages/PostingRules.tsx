/** Posting rules: which account of one's own each posting of the journal has. */
import type { PostingRule } from "quittance/client";
import type { Client } from "../api/Client.ts";
import { FormProblem } from "../api/Refusal.ts";
import { useMay, useSession } from "../api/Session.ts";
import { useLoad } from "../data/Load.ts";
import { linkTo } from "../data/Route.ts";
import { Clip, Empty, Field, Heading, LoadResult, ReadAt } from "../parts/Basics.tsx";
import { ActionButton, optional, text } from "../parts/Forms.tsx";
import { type Column, Table } from "../parts/Table.tsx";

type Account = PostingRule["account"];

const ACCOUNTS: { readonly [Name in Account]: string } = {
  commission_expense: "Commission expense",
  accrued_commissions: "Accrued commissions",
  commissions_awaiting_receipt: "Commissions that wait for buyers",
  input_tax: "Input tax",
  partner_payables: "Payables to partners",
  payments: "Payments",
  written_off_commissions: "Written-off commissions",
};

const KINDS = { earned: "First amounts", adjusted: "Changes", received: "Receipts of buyers" } as const;

const TREATMENTS = {
  standard: "Standard tax",
  reverse_charge: "Reverse charge",
  exempt: "Exempt",
  outside_scope: "Not subject to VAT",
} as const;

/** The fields of a rule that restrict it. */
const CONDITIONS = ["kind", "planId", "partnerId", "workspaceId", "taxTreatment"] as const;

const FORM: { readonly [Name in (typeof CONDITIONS)[number]]: string } = {
  kind: "Kind of entry",
  planId: "Id of the plan",
  partnerId: "Id of the partner",
  workspaceId: "Id of the workspace",
  taxTreatment: "Treatment of the tax",
};

const conditionWords = (rule: PostingRule): string => {
  const words = CONDITIONS.flatMap((name) => {
    const value = rule[name];
    if (value === undefined) return [];
    const named: Readonly<Record<string, string>> = { ...KINDS, ...TREATMENTS };
    return [`${FORM[name]}: ${named[value] ?? value}`];
  });
  return words.length === 0 ? "Every other posting" : words.join("; ");
};

const keyOf = (rule: PostingRule): string =>
  [rule.account, ...CONDITIONS.map((name) => rule[name] ?? "")].join(" ");

/** Rules after one more: it replaces the one of the same conditions; those with conditions come first. */
const withRule = (rules: ReadonlyArray<PostingRule>, rule: PostingRule): ReadonlyArray<PostingRule> => {
  const key = keyOf(rule);
  if (rules.some((one) => keyOf(one) === key)) return rules.map((one) => (keyOf(one) === key ? rule : one));
  return CONDITIONS.some((name) => rule[name] !== undefined) ? [rule, ...rules] : [...rules, rule];
};

const Options = ({
  words,
  any,
}: {
  readonly words: Readonly<Record<string, string>>;
  readonly any: string;
}) => (
  <>
    <option value="">{any}</option>
    {Object.entries(words).map(([value, name]) => (
      <option key={value} value={value}>
        {name}
      </option>
    ))}
  </>
);

const AddRule = ({
  rules,
  done,
}: {
  readonly rules: ReadonlyArray<PostingRule>;
  readonly done: () => void;
}) => (
  <ActionButton
    words="Add a rule"
    isMain
    title="Add a posting rule"
    consequence={[
      "The journal of all periods follows it at once; no amount changes.",
      "A rule of the same account and conditions is replaced. Rules with conditions come before the others.",
    ]}
    run={async (commands, fields) => {
      const number = text(fields, "number");
      if (number === "") throw new FormProblem("Enter the number of your account.");
      const stated = optional(fields, ...CONDITIONS, "costCentre", "text");
      const rule = { ...stated, account: text(fields, "account") as Account, number } as PostingRule;
      return commands.postingRules.write({ rules: withRule(rules, rule) });
    }}
    done={done}
  >
    <Field label="Account of the journal">
      <select name="account">
        {Object.entries(ACCOUNTS).map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
    </Field>
    <Field label="Number of your account">
      <input name="number" maxLength={50} />
    </Field>
    <Field label="Cost centre (optional)">
      <input name="costCentre" maxLength={50} />
    </Field>
    <Field
      label="Text (optional)"
      hint="{text}, {partner}, {document} and {reference} stand for those of the entry."
    >
      <input name="text" maxLength={200} />
    </Field>
    <Field label={FORM.kind} hint="For commission expense.">
      <select name="kind">
        <Options words={KINDS} any="Any" />
      </select>
    </Field>
    <Field label={FORM.taxTreatment} hint="For input tax, payables and payments.">
      <select name="taxTreatment">
        <Options words={TREATMENTS} any="Any" />
      </select>
    </Field>
    <Field label={`${FORM.planId} (optional)`} hint="For commission expense and what waits for buyers.">
      <input name="planId" maxLength={36} />
    </Field>
    <Field label={`${FORM.partnerId} (optional)`}>
      <input name="partnerId" maxLength={36} />
    </Field>
    <Field label={`${FORM.workspaceId} (optional)`}>
      <input name="workspaceId" maxLength={36} />
    </Field>
  </ActionButton>
);

const columnsOf = (
  rules: ReadonlyArray<PostingRule>,
  mayWrite: boolean,
  done: () => void,
): ReadonlyArray<Column<PostingRule>> => [
  { name: "Account", show: ({ account }) => ACCOUNTS[account] },
  { name: "For", show: (rule) => <Clip>{conditionWords(rule)}</Clip> },
  { name: "Number", show: ({ number }) => <Clip>{number}</Clip> },
  { name: "Cost centre", isMinor: true, show: ({ costCentre }) => <Clip>{costCentre ?? ""}</Clip> },
  { name: "Text", isMinor: true, show: (rule) => <Clip>{rule.text ?? ""}</Clip> },
  {
    name: "",
    show: (rule) =>
      mayWrite && (
        <ActionButton
          words="Remove"
          title={`Remove the rule for ${ACCOUNTS[rule.account]}`}
          consequence={["Its postings follow the next rule that applies, in all periods."]}
          run={(commands) =>
            commands.postingRules.write({ rules: rules.filter((one) => keyOf(one) !== keyOf(rule)) })
          }
          done={done}
        />
      ),
  },
];

const read = (client: Client, signal: AbortSignal) => client.remote.postingRules.read({ signal });

export const PostingRules = () => {
  const { client, signOut } = useSession();
  const mayWrite = useMay()("settlements:approve");
  const loaded = useLoad("posting rules", (signal) => read(client, signal));
  return (
    <>
      <Heading above={<a href={linkTo("books")}>Books</a>} title="Posting rules">
        <ReadAt loaded={loaded} />
        {mayWrite && loaded.value !== null && <AddRule rules={loaded.value.rules} done={loaded.reload} />}
      </Heading>
      <LoadResult loaded={loaded} lines={6} what="Reading the posting rules" signOut={signOut}>
        {({ rules }) =>
          rules.length === 0 ? (
            <Empty title="No posting rules">
              Postings of the journal have the names of its accounts. A rule gives them the number of your own
              account, a cost centre and a text.
            </Empty>
          ) : (
            <Table
              caption="Posting rules, the first that applies counts"
              rows={rules}
              rowKey={keyOf}
              columns={columnsOf(rules, mayWrite, loaded.reload)}
            />
          )
        }
      </LoadResult>
    </>
  );
};

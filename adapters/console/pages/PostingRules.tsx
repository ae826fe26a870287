/** Posting rules: which account of one's own each posting of the journal has. */
import { useState } from "preact/hooks";
import type { PostingRule, PostingRules as Written } from "quittance/client";
import type { Client } from "../api/Client.ts";
import type { Principal } from "../api/Records.ts";
import { FormProblem } from "../api/Refusal.ts";
import { useMay, useSession } from "../api/Session.ts";
import { useLoad } from "../data/Load.ts";
import { linkTo } from "../data/Route.ts";
import { shortId } from "../format/Ids.ts";
import { Clip, Empty, Field, Heading, LoadResult, ReadAt } from "../parts/Basics.tsx";
import { ActionButton, optional, text } from "../parts/Forms.tsx";
import { type Chosen, PartnerChoice } from "../parts/PartnerChoice.tsx";
import { type Column, Table } from "../parts/Table.tsx";
import { readWorkspaces } from "../settling/Workspaces.ts";

type Account = PostingRule["account"];

/** The accounts of the journal in words. */
export const ACCOUNTS: { readonly [Name in Account]: string } = {
  commission_expense: "Commission expense",
  accrued_commissions: "Accrued commissions",
  commissions_awaiting_receipt: "Commissions that wait for buyers",
  input_tax: "Input tax",
  partner_payables: "Payables to partners",
  payments: "Payments",
  settled_elsewhere: "Settled in another system",
  written_off_commissions: "Written-off commissions",
  reverse_charge_tax_deductible: "Reverse charge: tax that you deduct",
  reverse_charge_tax_due: "Reverse charge: tax that you owe",
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
  planId: "Plan",
  partnerId: "Partner",
  workspaceId: "Workspace",
  taxTreatment: "Treatment of the tax",
};

/** The names of plans, partners and workspaces, by id. */
type Names = ReadonlyMap<string, string>;

/** The words of conditions: an id of which nothing is known is its end. */
const conditionWords = (rule: PostingRule, names: Names): string => {
  const words = CONDITIONS.flatMap((name) => {
    const value = rule[name];
    if (value === undefined) return [];
    const known: Readonly<Record<string, string>> = { ...KINDS, ...TREATMENTS };
    return [`${FORM[name]}: ${known[value] ?? names.get(value) ?? shortId(value)}`];
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

/** Whom a rule is for: plan, workspace and partner by their names. */
const WhomFields = () => {
  const { client, principal } = useSession();
  const [workspaceId, setWorkspace] = useState("");
  const [chosen, setChosen] = useState<Chosen>(new Map());
  const plans = useLoad("plans to choose", (signal) =>
    principal.scopes.includes("formulas:read")
      ? client.list("commissionPlans", { perPage: 100, order: "desc" }, signal)
      : Promise.resolve(null),
  );
  const workspaces = useLoad("workspaces", (signal) => readWorkspaces(client, principal, signal));
  const [partnerId] = chosen.keys();
  return (
    <>
      <Field label={`${FORM.planId} (optional)`} hint="For commission expense and what waits for buyers.">
        <select name="planId">
          <Options
            words={Object.fromEntries((plans.value?.items ?? []).map(({ id, name }) => [id, name]))}
            any="Any"
          />
        </select>
      </Field>
      <Field label={`${FORM.workspaceId} (optional)`}>
        <select
          name={partnerId === undefined ? "workspaceId" : "workspaceOfPartner"}
          value={workspaceId}
          onChange={(event) => {
            setWorkspace(event.currentTarget.value);
            setChosen(new Map());
          }}
        >
          <Options
            words={Object.fromEntries((workspaces.value ?? []).map(({ id, words }) => [id, words]))}
            any="Any"
          />
        </select>
      </Field>
      {workspaceId !== "" && (
        <PartnerChoice
          workspaceId={workspaceId}
          legend="Partner (optional)"
          chosen={chosen}
          isOne
          change={setChosen}
        />
      )}
      {partnerId !== undefined && <input type="hidden" name="partnerId" value={partnerId} />}
    </>
  );
};

/** The body of a request that writes rules, or settings, and keeps the rest. */
const bodyOf = ({ rules, reverseCharge, datev, xero }: Omit<Written, "updatedAt">) => ({
  rules,
  ...(reverseCharge === undefined ? {} : { reverseCharge }),
  ...(datev === undefined ? {} : { datev }),
  ...(xero === undefined ? {} : { xero }),
});

const AddRule = ({ written, done }: { readonly written: Written; readonly done: () => void }) => (
  <ActionButton
    words="Add a rule"
    isMain
    title="Add a posting rule"
    consequence={[
      "The journal of every open month follows it at once; closed months keep their rules. No amount changes.",
      "A rule of the same account and conditions is replaced. Rules with conditions come before the others.",
    ]}
    run={async (commands, fields) => {
      const number = text(fields, "number");
      if (number === "") throw new FormProblem("Enter the number of your account.");
      const stated = optional(fields, ...CONDITIONS, "costCentre", "text");
      const rule = { ...stated, account: text(fields, "account") as Account, number } as PostingRule;
      return commands.postingRules.write(bodyOf({ ...written, rules: withRule(written.rules, rule) }));
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
    <WhomFields />
  </ActionButton>
);

/** What DATEV asks for: the name of each field, its words, and what it may be. */
const DATEV = [
  ["consultant", "Number of the tax consultant (Beraternummer)", 1_001, 9_999_999],
  ["client", "Number of the client (Mandantennummer)", 1, 99_999],
  ["accountLength", "Digits of general accounts (Sachkontenlänge)", 4, 8],
] as const;

const FileSettings = ({ written, done }: { readonly written: Written; readonly done: () => void }) => (
  <ActionButton
    words="DATEV and Xero settings"
    title="DATEV and Xero settings"
    action="Save the settings"
    consequence={[
      "Files of the journal state them from now on. Leave a program's fields empty if you do not use it.",
    ]}
    run={async (commands, fields) => {
      const { fiscalYearStart = "", ...numbers } = optional(
        fields,
        ...DATEV.map(([name]) => name),
        "fiscalYearStart",
      );
      const xero = optional(fields, "taxRate", "trackingCategory");
      const isDatev = Object.keys(numbers).length > 0;
      if (isDatev && (Object.keys(numbers).length < DATEV.length || fiscalYearStart === ""))
        throw new FormProblem("Fill in all fields of DATEV, or none.");
      if (xero.trackingCategory !== undefined && xero.taxRate === undefined)
        throw new FormProblem("Xero needs the tax rate.");
      const datev = {
        ...Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, Number(value)])),
        fiscalYearStart,
      } as NonNullable<Written["datev"]>;
      const { datev: _datev, xero: _xero, ...kept } = bodyOf(written);
      return commands.postingRules.write({
        ...kept,
        ...(isDatev ? { datev } : {}),
        ...(xero.taxRate === undefined ? {} : { xero: xero as NonNullable<Written["xero"]> }),
      });
    }}
    done={done}
  >
    <fieldset class="values">
      <legend>DATEV</legend>
      {DATEV.map(([name, words, minimum, maximum]) => (
        <Field key={name} label={words}>
          <input
            type="number"
            name={name}
            min={minimum}
            max={maximum}
            defaultValue={written.datev?.[name] ?? ""}
          />
        </Field>
      ))}
      <Field label="First day of the fiscal year, MM-DD">
        <input
          name="fiscalYearStart"
          maxLength={5}
          defaultValue={written.datev?.fiscalYearStart ?? "01-01"}
        />
      </Field>
    </fieldset>
    <fieldset class="values">
      <legend>Xero</legend>
      <Field label="Tax rate that adds no tax" hint="By its name in Xero, such as No VAT.">
        <input name="taxRate" maxLength={50} defaultValue={written.xero?.taxRate ?? ""} />
      </Field>
      <Field label="Tracking category of cost centres (optional)">
        <input name="trackingCategory" maxLength={50} defaultValue={written.xero?.trackingCategory ?? ""} />
      </Field>
    </fieldset>
  </ActionButton>
);

/** The settings in words; nothing where there are none. */
const Settings = ({ written: { datev, xero } }: { readonly written: Written }) =>
  datev === undefined && xero === undefined ? null : (
    <p class="note">
      {datev !== undefined &&
        `DATEV: consultant ${datev.consultant}, client ${datev.client}, accounts of ${datev.accountLength} digits, fiscal year from ${datev.fiscalYearStart}. `}
      {xero !== undefined && `Xero: tax rate ${xero.taxRate}.`}
    </p>
  );

const columnsOf = (
  written: Written,
  names: Names,
  mayWrite: boolean,
  done: () => void,
): ReadonlyArray<Column<PostingRule>> => [
  { name: "Account", show: ({ account }) => ACCOUNTS[account] },
  { name: "For", show: (rule) => <Clip>{conditionWords(rule, names)}</Clip> },
  { name: "Number", show: ({ number }) => <Clip>{number}</Clip> },
  { name: "Cost centre", isMinor: true, show: ({ costCentre }) => <Clip>{costCentre ?? ""}</Clip> },
  { name: "Text", isMinor: true, show: (rule) => <Clip>{rule.text ?? ""}</Clip> },
  {
    name: "Action",
    show: (rule) =>
      mayWrite && (
        <ActionButton
          words="Remove"
          title={`Remove the rule for ${ACCOUNTS[rule.account]}`}
          consequence={["Its postings follow the next rule that applies, in every open month."]}
          run={(commands) =>
            commands.postingRules.write(
              bodyOf({ ...written, rules: written.rules.filter((one) => keyOf(one) !== keyOf(rule)) }),
            )
          }
          done={done}
        />
      ),
  },
];

const read = async (client: Client, principal: Principal, signal: AbortSignal) => {
  const written = await client.remote.postingRules.read({ signal });
  const ids = (name: "planId" | "partnerId") => written.rules.flatMap((rule) => rule[name] ?? []);
  const isByWorkspace = written.rules.some(({ workspaceId }) => workspaceId !== undefined);
  const [plans, partners, workspaces] = await Promise.all([
    client.byIds("commissionPlans", ids("planId"), signal),
    client.byIds("partners", ids("partnerId"), signal),
    isByWorkspace ? readWorkspaces(client, principal, signal) : [],
  ]);
  const names: Names = new Map([
    ...[...plans.values(), ...partners.values()].map(({ id, name }) => [id, name] as const),
    ...workspaces.map(({ id, words }) => [id, words] as const),
  ]);
  return { written, names };
};

export const PostingRules = () => {
  const { client, principal, signOut } = useSession();
  const mayWrite = useMay()("settlements:approve");
  const loaded = useLoad("posting rules", (signal) => read(client, principal, signal));
  return (
    <>
      <Heading above={<a href={linkTo("books")}>Books</a>} title="Posting rules">
        <ReadAt loaded={loaded} />
        {mayWrite && loaded.value !== null && (
          <>
            <FileSettings written={loaded.value.written} done={loaded.reload} />
            <AddRule written={loaded.value.written} done={loaded.reload} />
          </>
        )}
      </Heading>
      <LoadResult loaded={loaded} lines={6} what="Reading the posting rules" signOut={signOut}>
        {({ written, names }) => (
          <>
            <Settings written={written} />
            {written.rules.length === 0 ? (
              <Empty title="No posting rules">
                A rule maps an account of the journal to an account number, a cost centre and a text of your
                own books. Without a rule, a posting has the name of the journal's account.
              </Empty>
            ) : (
              <Table
                caption="Posting rules, the first that applies counts"
                rows={written.rules}
                rowKey={keyOf}
                columns={columnsOf(written, names, mayWrite, loaded.reload)}
              />
            )}
          </>
        )}
      </LoadResult>
    </>
  );
};

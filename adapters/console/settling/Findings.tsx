/** The results of a run for each partner and currency: drafts, or the reason for none. */
import { useState } from "preact/hooks";
import type { Client } from "../api/Client.ts";
import type { Finding, Partner, RunDraft, Sum } from "../api/Records.ts";
import { linkTo } from "../data/Route.ts";
import { count, countWords, difference, money } from "../format/Money.ts";
import { Amount, Badge, Clip, Empty } from "../parts/Basics.tsx";
import { type Column, Pager, Table } from "../parts/Table.tsx";

const PER_PAGE = 50;

type Reason = NonNullable<Finding["reason"]>;

const REASONS: Readonly<Record<Reason, string>> = {
  nothing_due: "Nothing is due",
  partner_suspended: "Partner is suspended",
  below_minimum: "Below the minimum",
  not_accepted: "Plan not accepted",
  on_hold: "Too recent",
  negative: "Owes, is netted later",
  not_computable: "No amount",
  in_open_settlement: "In another settlement",
  waiting: "Buyer has not paid yet",
};

export interface FindingRow {
  readonly finding: Finding;
  /** Empty in a dry run. */
  readonly drafts: ReadonlyArray<RunDraft>;
  readonly partner: Partner | undefined;
  /** By how much sales in settlements have changed since, where that is known. */
  readonly changes?: ReadonlyArray<Sum>;
}

/** Findings, those of a dry run without drafts, with their partners. */
export const findingRows = async (
  client: Client,
  findings: ReadonlyArray<Finding & { readonly drafts?: ReadonlyArray<RunDraft> }>,
  signal: AbortSignal,
): Promise<ReadonlyArray<FindingRow>> => {
  const partners = await client.byIds(
    "partners",
    findings.map(({ partnerId }) => partnerId),
    signal,
  );
  return findings.map((finding) => ({
    finding,
    drafts: finding.drafts ?? [],
    partner: partners.get(finding.partnerId),
  }));
};

/** The commissions that are not in the draft, with the reasons. */
const remainderWords = (
  {
    onHoldCount,
    onHoldAmount,
    notComputableCount,
    notAcceptedCount,
    notAcceptedAmount,
    inOpenSettlementCount,
    currency,
  }: Finding,
  changes: ReadonlyArray<Sum> = [],
) => {
  const parts = [
    notAcceptedCount > 0 &&
      `${countWords(notAcceptedCount, "sale")} under a plan that is not accepted${notAcceptedAmount === null || currency === null ? "" : ` (${money(notAcceptedAmount, currency)})`}`,
    onHoldCount > 0 &&
      `${countWords(onHoldCount, "sale")} too recent${onHoldAmount === null || currency === null ? "" : ` (${money(onHoldAmount, currency)})`}`,
    notComputableCount > 0 && `${countWords(notComputableCount, "sale")} without an amount`,
    inOpenSettlementCount > 0 && `${countWords(inOpenSettlementCount, "sale")} in another settlement`,
    ...changes.map(
      ({ currency: code, amount }) => `sales in settlements changed by ${difference(amount, code)}`,
    ),
  ].filter((part) => part !== false);
  return parts.join(", ");
};

const APPROVALS: Readonly<Record<RunDraft["approval"], readonly ["open" | "waiting" | "done", string]>> = {
  manual: ["waiting", "To approve"],
  pending: ["open", "Being approved"],
  approved: ["done", "Approved by the run"],
  refused: ["waiting", "Not approved"],
};

const Drafts = ({ drafts }: { readonly drafts: ReadonlyArray<RunDraft> }) => (
  <span class="badges">
    {drafts.map(({ settlementId, approval, approvalProblem }, index) => {
      const [family, words] = APPROVALS[approval];
      return (
        <a key={settlementId} href={linkTo(`settlements/${settlementId}`)} title={approvalProblem ?? ""}>
          <Badge family={family}>{drafts.length === 1 ? words : `Part ${index + 1}: ${words}`}</Badge>
        </a>
      );
    })}
  </span>
);

const columns: ReadonlyArray<Column<FindingRow>> = [
  {
    name: "Partner",
    show: ({ finding, partner }) => (
      <a href={linkTo(`partners/${finding.partnerId}`)}>
        <Clip>{partner?.name ?? finding.partnerId}</Clip>
      </a>
    ),
  },
  {
    name: "Result",
    show: ({ finding, drafts }) =>
      finding.reason === null ? (
        drafts.length === 0 ? (
          <Badge family="waiting">A draft</Badge>
        ) : (
          <Drafts drafts={drafts} />
        )
      ) : (
        <Badge family="stopped">
          {finding.total === null && finding.lineCount > 0
            ? "Sum above the largest amount"
            : REASONS[finding.reason]}
        </Badge>
      ),
  },
  { name: "Left out", show: ({ finding, changes }) => remainderWords(finding, changes) },
  {
    name: "Lines",
    isNumber: true,
    isMinor: true,
    show: ({ finding }) => (finding.lineCount === 0 ? "" : count(finding.lineCount)),
  },
  {
    name: "Net",
    isNumber: true,
    show: ({ finding: { total, currency, lineCount } }) =>
      total === null || currency === null || lineCount === 0 ? (
        ""
      ) : (
        <Amount amount={total} currency={currency} />
      ),
  },
];

/** A page of results. */
export const FindingTable = ({
  rows,
  caption,
  isStale = false,
}: {
  readonly rows: ReadonlyArray<FindingRow>;
  readonly caption: string;
  readonly isStale?: boolean;
}) => (
  <Table
    caption={caption}
    rows={rows}
    rowKey={({ finding }) => `${finding.partnerId}${finding.currency}`}
    isStale={isStale}
    columns={columns}
  />
);

/** The rows that are shown: with a draft, or with a reason for none. */
type Show = "all" | "drafts" | "none";

const SHOWN: ReadonlyArray<readonly [Show, string]> = [
  ["all", "All"],
  ["drafts", "With a draft"],
  ["none", "Without a draft"],
];

/** All results of a dry run, in pages. */
export const Findings = ({ rows }: { readonly rows: ReadonlyArray<FindingRow> }) => {
  const [show, setShow] = useState<Show>("all");
  const [page, setPage] = useState(1);
  const found = rows.filter(
    ({ finding: { reason } }) => show === "all" || (reason === null) === (show === "drafts"),
  );
  const at = Math.min(page, Math.max(1, Math.ceil(found.length / PER_PAGE)));
  const choose = (value: Show): void => {
    setShow(value);
    setPage(1);
  };
  if (rows.length === 0) return <Empty title="There is no partner to settle" />;
  return (
    <>
      <div class="filters">
        <fieldset class="chips">
          <legend>Show</legend>
          {SHOWN.map(([value, words]) => (
            <button
              key={value}
              type="button"
              class="chip"
              aria-pressed={show === value}
              onClick={() => choose(value)}
            >
              {words}
            </button>
          ))}
        </fieldset>
      </div>
      {found.length === 0 ? (
        <Empty title={show === "drafts" ? "No partner gets a draft" : "Every partner gets a draft"} />
      ) : (
        <FindingTable
          caption="What a run would find, by partner and currency"
          rows={found.slice((at - 1) * PER_PAGE, at * PER_PAGE)}
        />
      )}
      {found.length > PER_PAGE && (
        <Pager page={at} perPage={PER_PAGE} total={found.length} go={setPage} isLoading={false} />
      )}
    </>
  );
};

/** The text of a report: the sums by plan, then every line. */
import type { Documents } from "quittance";
import type { Column, DocumentText, Row, Section } from "./DocumentText.ts";
import * as SettlementTable from "./SettlementTable.ts";
import type { Texts } from "./Texts.ts";
import * as Wording from "./Wording.ts";

type Content = Documents.DocumentContent;

interface PlanSums {
  readonly plan: string;
  readonly positions: Array<number>;
  earned: number;
  corrections: number;
}

/** The lines by plan, in the order of their first lines. */
const byPlan = ({ lines, subjects }: Content): ReadonlyArray<PlanSums> => {
  const plans = new Map<string, PlanSums>();
  const subjectByFormula = new Map(subjects.map((subject) => [subject.formulaId, subject]));
  lines.forEach((line, index) => {
    const { formulaId, amount, corrects } = line;
    const { id, name } = subjectByFormula.get(formulaId) ?? { id: formulaId, name: formulaId };
    const sums: PlanSums = plans.get(id) ?? { plan: name, positions: [], earned: 0, corrections: 0 };
    plans.set(id, sums);
    sums.positions.push(index + 1);
    if (corrects.length > 0 && !SettlementTable.isFurtherPart(line)) sums.corrections += amount;
    else sums.earned += amount;
  });
  return [...plans.values()];
};

const summaryColumns = (texts: Texts): ReadonlyArray<Column> => {
  const rightColumn = (heading: string, width: number): Column => ({
    heading,
    width,
    isRight: true,
    linesMax: 0,
  });
  return [
    { heading: texts.plan, width: 179, isRight: false, linesMax: 2 },
    { heading: texts.currency, width: 52, isRight: false, linesMax: 1 },
    rightColumn(texts.count, 52),
    rightColumn(texts.earned, 72),
    rightColumn(texts.corrections, 72),
    rightColumn(texts.total, 72),
  ];
};

const NAME_MAX = 80;

const summary = (
  { settlement }: Content,
  plans: ReadonlyArray<PlanSums>,
  texts: Texts,
  { amount }: SettlementTable.Money,
): Section => {
  const row = (
    type: Row["type"],
    name: string,
    lines: number,
    [earned, corrections]: readonly [number, number],
  ): Row => ({
    type,
    cells: [
      name,
      settlement.currency,
      Wording.count(lines, texts.notation),
      amount(earned),
      amount(corrections),
      amount(earned + corrections),
    ],
    details: [],
  });
  const sum = (of: (plan: PlanSums) => number) => plans.reduce((total, plan) => total + of(plan), 0);
  return {
    title: texts.summary,
    columns: summaryColumns(texts),
    detailColumn: 0,
    rows: [
      ...plans.map(({ plan, positions, earned, corrections }) =>
        row("line", Wording.cut(plan, NAME_MAX), positions.length, [earned, corrections]),
      ),
      row(
        "sum",
        texts.totalNet,
        sum(({ positions }) => positions.length),
        [sum(({ earned }) => earned), sum(({ corrections }) => corrections)],
      ),
    ],
  };
};

const lines = (
  content: Content,
  plans: ReadonlyArray<PlanSums>,
  texts: Texts,
  money: SettlementTable.Money,
): Section => ({
  title: texts.details,
  columns: SettlementTable.lineColumns(texts, content.settlement.currency),
  detailColumn: SettlementTable.SOLD_COLUMN,
  rows: plans.flatMap(({ plan, positions, earned, corrections }) => [
    SettlementTable.headingRow(Wording.cut(plan, NAME_MAX)),
    ...positions.map((position) =>
      SettlementTable.lineRow(content, texts, money, {
        position,
        amount: content.lines[position - 1]?.amount ?? 0,
      }),
    ),
    ...(plans.length > 1 ? [SettlementTable.sumRow(texts.total, money.amount(earned + corrections))] : []),
  ]),
});

/** The parts of a statement that only a report has. */
export const of = (
  content: Content,
  texts: Texts,
): Pick<DocumentText, "facts" | "sections" | "totals" | "payment" | "notes" | "annexes"> => {
  const { settlement } = content;
  const money = SettlementTable.moneyOf(content, texts);
  const plans = byPlan(content);
  return {
    facts: [
      { label: texts.issueDate, value: Wording.calendarDate(content.issuedOn, texts.notation) },
      { label: texts.lines, value: Wording.count(content.lines.length, texts.notation) },
      { label: texts.period, value: SettlementTable.periodOf(content, texts) },
      { label: texts.totalNet, value: money.withCurrency(settlement.total) },
    ],
    sections: [summary(content, plans, texts, money), lines(content, plans, texts, money)],
    totals: [
      {
        label: `${texts.totalNet} (${settlement.currency})`,
        value: money.amount(settlement.total),
      },
    ],
    payment: null,
    notes: [...(settlement.total < 0 ? [texts.owedByPartner] : []), texts.notAnInvoice, texts.utc],
    annexes: [],
  };
};

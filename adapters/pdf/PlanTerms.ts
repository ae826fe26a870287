/** The text of the terms of a plan for a partner: the facts, then the rule as paragraphs and lists. */
import type { Documents } from "quittance";
import type { DocumentText } from "./DocumentText.ts";
import { TEXTS } from "./Languages.ts";
import { partnerParty } from "./PartnerStatement.ts";
import { WIDTH } from "./SettlementTable.ts";
import { customerParty } from "./SettlementText.ts";
import * as Wording from "./Wording.ts";

/** A sentence of a rule is never cut. */
const LINES_MAX = 400;

/** The text of terms, in the language that they are in. */
export const of = (content: Documents.TermsContent): DocumentText => {
  const { text, buyer, customerId } = content;
  const texts = TEXTS[text.language];
  const [plan, , ...facts] = text.facts;
  return {
    language: text.language,
    name: `${text.title} ${Wording.plain(plan?.value ?? "")}`,
    title: text.title,
    number: null,
    references: plan === undefined ? [] : [Wording.plain(plan.value)],
    supplier: partnerParty(content, texts, text.language),
    buyer: customerParty(texts.customer, customerId, buyer, texts, text.language),
    notice: null,
    facts: facts.map(({ label, value }) => ({ label, value: Wording.plain(value) })),
    sections: [
      {
        title: null,
        columns: [{ heading: text.title, width: WIDTH, isRight: false, linesMax: LINES_MAX }],
        detailColumn: 0,
        rows: text.paragraphs.map(({ text: sentence, items }) => ({
          type: "line",
          cells: [Wording.plain(sentence)],
          details: items.map((item) => `– ${Wording.plain(item)}`),
        })),
      },
    ],
    totals: [],
    payment: null,
    notes: [...text.notes, texts.utc],
    annexes: [],
  };
};

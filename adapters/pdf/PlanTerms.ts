/** The text of the terms of a plan for a partner: the facts, then the rule as paragraphs and lists. */
import type { Documents } from "quittance";
import type { DocumentText } from "./DocumentText.ts";
import { TEXTS } from "./Languages.ts";
import { partnerParty } from "./PartnerStatement.ts";
import { customerParty } from "./SettlementText.ts";
import * as Wording from "./Wording.ts";

/** The text of terms, in the language that they are in. */
export const of = (content: Documents.TermsContent): DocumentText => {
  const { text, buyer, customerId } = content;
  const texts = TEXTS[text.language];
  // The plan and the partner stand above the key facts, and the name of the sales may be long.
  const [plan, , sales, ...facts] = text.facts;
  return {
    language: text.language,
    name: `${text.title} ${Wording.plain(plan?.value ?? "")}`,
    title: text.title,
    number: plan === undefined ? null : Wording.plain(plan.value),
    references: sales === undefined ? [] : [`${sales.label}: ${Wording.plain(sales.value)}`],
    supplier: partnerParty(content, texts, text.language),
    buyer: customerParty(texts.customer, customerId, buyer, texts, text.language),
    notice: null,
    facts: facts.map(({ label, value }) => ({ label, value: Wording.plain(value) })),
    paragraphs: text.paragraphs.map(({ text: sentence, items }) => ({
      text: Wording.plain(sentence),
      items: items.map(Wording.plain),
    })),
    sections: [],
    totals: [],
    payment: null,
    notes: [...text.notes, texts.utc],
    annexes: [],
  };
};

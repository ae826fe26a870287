/** The terms of a plan for one partner, in the words of a language. */
import {
  date,
  fill,
  type Language,
  linesOf,
  type Paragraph,
  paragraphsOf,
  ruleOf,
  sharedTerms,
  type Words,
  wordsIn,
} from "../../explanation/index.ts";
import { decimals } from "../Currency.ts";
import { appliesShare, rolesOf } from "../Formula.ts";
import type { PlanAcceptance } from "../PlanAcceptance.ts";
import type { Sales, Span } from "../PlanTerms.ts";
import { format, type Timestamp } from "../Timestamp.ts";

/** What the words of the terms say in addition to the rule. */
export interface Named {
  readonly span: Span;
  readonly hash: string;
  readonly sales: Sales & { readonly name: string };
  readonly planName: string;
  readonly partnerName: string;
  /** Null when the terms are not accepted. */
  readonly acceptance: Pick<PlanAcceptance, "name" | "createdAt" | "onBehalf" | "reference"> | null;
}

/** The terms in one language; `facts` are values with their labels. */
export interface TermsText {
  readonly language: Language;
  readonly title: string;
  readonly facts: ReadonlyArray<{ readonly label: string; readonly value: string }>;
  readonly paragraphs: ReadonlyArray<Paragraph>;
  readonly notes: ReadonlyArray<string>;
}

/** Who has accepted the terms, and when. */
const acceptanceText = ({ acceptance }: Named, { terms, notation }: Words): string => {
  if (acceptance === null) return `${terms.notAccepted}.`;
  const { name, createdAt, onBehalf, reference } = acceptance;
  const day = date(format(createdAt).slice(0, 10), notation);
  const template = onBehalf ? terms.onBehalf : terms.accepted;
  return `${fill(template, { name, day, reference: reference ?? "" })}.`;
};

/** What the terms say of credits; nothing where the plan pays sellers, and states nothing of their shares. */
const sharedText = ({ span }: Named, language: Language) =>
  span.roles === undefined && span.applyShare === undefined
    ? null
    : sharedTerms(rolesOf({ roles: span.roles ?? null }), appliesShare(span), language);

/** The terms in a language. Days are of UTC. */
export const termsText = (named: Named, language: Language): TermsText => {
  const { span, hash, sales, planName, partnerName } = named;
  const words = wordsIn(language);
  const { terms } = words;
  const day = (at: Timestamp): string => date(format(at), words.notation);
  const places = decimals(span.currency);
  const shared = sharedText(named, language);
  return {
    language,
    title: terms.title,
    facts: [
      { label: terms.plan, value: planName },
      { label: terms.partner, value: partnerName },
      { label: terms.sales, value: sales.name },
      ...(shared === null ? [] : [{ label: shared.label, value: shared.roles }]),
      { label: terms.currency, value: span.currency },
      { label: terms.version, value: String(span.formulaVersion) },
      { label: terms.since, value: day(span.fromDatetime) },
      { label: terms.until, value: span.endDatetime === null ? terms.open : day(span.endDatetime) },
    ],
    paragraphs: [
      ...paragraphsOf(ruleOf(span.expression, { ...span, properties: sales.properties }, places), words, {
        currency: span.currency,
        decimals: places,
      }),
      ...(shared === null ? [] : [{ text: shared.sentence, items: [] }]),
    ],
    notes: [`${terms.hash}: ${hash}`, acceptanceText(named, words)],
  };
};

/** The terms as plain text. */
export const plainText = ({ title, facts, paragraphs, notes }: TermsText): string =>
  [
    title,
    "",
    ...facts.map(({ label, value }) => `${label}: ${value}`),
    "",
    ...linesOf(paragraphs),
    "",
    ...notes,
    "",
  ].join("\n");

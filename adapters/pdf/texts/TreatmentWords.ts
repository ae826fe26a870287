/** The words for tax treatments in any language: a label may be in another language than the document. */
import type { Texts } from "../Texts.ts";

/** A pattern for each treatment. */
export const TREATMENT_WORDS: Texts["treatmentWords"] = {
  reverse_charge:
    /reverse.?charge|steuerschuldner|autoliquidation|inversi[oó]n del sujeto pasivo|omvendt|inversione contabile/iu,
  exempt: /exempt|befreit|steuerfrei|exon[ée]r|exent|exenci[oó]n|esente|momsfri/iu,
};

/** Where this tab keeps the plan that is being written, so that a reload loses nothing. */
export const STORED = "quittance.builder";

/** Forgets the draft of this tab, because it is stored as a plan. */
export const forgetDraft = (): void => sessionStorage.removeItem(STORED);

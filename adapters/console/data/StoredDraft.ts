/** Where this tab keeps the plan that is being written, so that a reload loses nothing. */
import { storedName } from "../api/BrowserSession.ts";

export const draftName = (): string => storedName("quittance.builder");

/** Forgets the draft of this tab, because it is stored as a plan. */
export const forgetDraft = (): void => sessionStorage.removeItem(draftName());

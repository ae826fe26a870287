/** The states of open settlements, in a file that the portal does not load at its start. */
import type { SettlementStatus } from "../api/Records.ts";
import { isEnd, type States } from "./States.ts";

/** The states in which a settlement holds its commissions, of the states of a reader: those that are no end. */
export const openStatesOf = (states: States<string>): ReadonlyArray<SettlementStatus> =>
  (Object.keys(states) as ReadonlyArray<SettlementStatus>).filter((state) => !isEnd(states[state].family));

/** Lists and previews of settlements, whose lines are written as they are read. */
import { Effect } from "effect";
import type { Settlements } from "quittance";
import { aroundPreviewLines, line } from "../wire/Settlement.ts";
import type { Handlers } from "./Handlers.ts";
import * as Responses from "./Responses.ts";
import * as SettlementPage from "./SettlementPage.ts";

/** Lists settlements. */
export const listSettlements =
  (service: Settlements.Settlements): Handlers["settlements"]["list"] =>
  ({ principal, query }) =>
    Effect.flatMap(service.listInParts(principal, query), (rows) => SettlementPage.page(rows));

/** Previews a settlement. */
export const preview =
  (service: Settlements.Settlements): Handlers["settlements"]["preview"] =>
  ({ principal, payload }) =>
    Effect.flatMap(service.preview(principal, payload), (result) =>
      Responses.listOfItems(aroundPreviewLines(result), result.lines, line),
    );

/** Turns intents about workspaces into commands. */
import type { Command } from "../model/Command.ts";
import { type ChoiceContext, callerFor, choose, chooseIfAny, NAMES } from "./ChoiceContext.ts";

/** A name and a time zone of a partner's workspace; the comparison finds no others. */
export const chooseWriteWorkspace = (context: ChoiceContext): Command | null => {
  const { world, intent } = context;
  const { eligible, picks } = intent;
  const partner = chooseIfAny(world.partners, picks[0]);
  if (partner === undefined) return null;
  const zones = ["Asia/Kolkata", "Europe/Copenhagen", "UTC"] as const;
  return {
    type: "write_workspace",
    ...callerFor(context, { ...partner, partnerId: null }),
    workspaceId: partner.workspaceId,
    input: {
      ...(picks[1] % 3 === 0 ? { name: eligible ? choose([...NAMES, null], picks[1] >> 2) : "" } : {}),
      ...(picks[2] % 4 === 0
        ? {}
        : { timeZone: !eligible && picks[1] % 3 > 0 ? "Mars/Olympus" : choose(zones, picks[2] >> 2) }),
    },
  };
};

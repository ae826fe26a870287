/** The model of writing workspaces. */
import type { CommandOf } from "../Command.ts";
import { isName } from "../prediction/Bounds.ts";
import { accept, applyRules, baseRules, type Prediction, refuse } from "../prediction/Prediction.ts";
import { isZone } from "../world/Periods.ts";
import { workspaceOf } from "../world/Workspaces.ts";
import type { World } from "../world/World.ts";
import { actorOf, logControl } from "./ControlLogs.ts";

/** Write workspace: an absent field gets its default. */
export const writeWorkspace = (world: World, command: CommandOf<"write_workspace">): Prediction => {
  const { principal, workspaceId, input } = command;
  const { name = null, timeZone = "UTC" } = input;
  return applyRules(world, {
    ...baseRules(command),
    valid: (name === null || isName(name)) && isZone(timeZone),
    decide: () => {
      const { customerId, workspaceIds } = principal;
      if (customerId === null || (workspaceIds !== "*" && !workspaceIds.includes(workspaceId)))
        return refuse("Missing");
      const before = workspaceOf(world, { customerId, workspaceId });
      if (before.name === name && before.timeZone === timeZone) return accept(null);
      const others = world.workspaces.filter((workspace) => workspace !== before);
      const after = { ...world, workspaces: [...others, { customerId, workspaceId, name, timeZone }] };
      const entry = { ...actorOf(principal), workspace_id: workspaceId, name, time_zone: timeZone };
      return accept(() =>
        logControl(after, customerId, `workspace ${workspaceId}`, "write_workspace", entry),
      );
    },
  });
};

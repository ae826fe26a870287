/** Workspaces: a name for people, and the time zone whose days a part of the customer's business counts by. */
import { Schema } from "effect";
import { type CalendarDate, dateOf } from "./CalendarDate.ts";
import { type Actor, type Entry, type ShownActor, shownActor } from "./Event.ts";
import { optional, optionalKey } from "./Field.ts";
import { type CustomerId, type WorkspaceId, WorkspaceRecordId } from "./Ids.ts";
import { NAME_MAX } from "./Limits.ts";
import { namedId } from "./NamedId.ts";
import { Text } from "./Text.ts";
import { DAY, type Timestamp } from "./Timestamp.ts";
import { dayIn, TimeZone, UTC } from "./TimeZone.ts";

/** What writing a workspace takes; an absent field gets its default. */
export const Write = Schema.Struct({
  name: optional(Schema.NullOr(Text(1, NAME_MAX)), "A name for people; null or absent: none."),
  timeZone: optionalKey(
    TimeZone,
    "time_zone",
    "The time zone that decides the calendar days of attributions; UTC by default.",
  ),
});
export type Write = typeof Write.Type;

/** What is written of a workspace. */
export interface View {
  /** Null where it has none. */
  readonly name: string | null;
  /** A name of the IANA database. */
  readonly timeZone: string;
}

/** A workspace about which something was written; any other has the {@link DEFAULT}. */
export interface Workspace extends View {
  readonly id: WorkspaceRecordId;
  readonly customerId: CustomerId;
  readonly workspaceId: WorkspaceId;
}

/** The name and time zone of a workspace about which nothing was written. */
export const DEFAULT: View = { name: null, timeZone: UTC };

/** What can happen to a workspace. */
export interface WorkspaceEvent {
  readonly type: "write_workspace";
  readonly actor: ShownActor;
  readonly workspace_id: WorkspaceId;
  readonly name: string | null;
  readonly time_zone: string;
}

/** The id of a workspace's record. The customer is part of it, because two customers may choose the same id for a workspace. */
export const recordIdOf = (customerId: CustomerId, workspaceId: WorkspaceId): WorkspaceRecordId =>
  WorkspaceRecordId.make(namedId("workspace", customerId, workspaceId));

/** The state after one more entry. */
export const evolve = (_state: View | null, { event }: Entry<WorkspaceEvent>): View => ({
  name: event.name,
  timeZone: event.time_zone,
});

/** The events of a written workspace; none when it is as it was. */
export const write = (
  { workspaceId }: Pick<Workspace, "workspaceId">,
  before: View | null,
  { name = null, timeZone = UTC }: Write,
  by: Actor,
): ReadonlyArray<WorkspaceEvent> =>
  (before ?? DEFAULT).name === name && (before ?? DEFAULT).timeZone === timeZone
    ? []
    : [
        {
          type: "write_workspace",
          actor: shownActor(by),
          workspace_id: workspaceId,
          name,
          time_zone: timeZone,
        },
      ];

/** The calendar day of a moment in a time zone. */
export const dateIn = (timeZone: string, moment: Timestamp): CalendarDate =>
  timeZone === UTC ? dateOf(moment) : dateOf(dayIn(timeZone, moment) * DAY);

/**
 * The argument of `quittance.create_ordered_attributions` beside those of `quittance.create_attributions`: what the commands
 * save of orders of arrival and running totals, and the histories that they relied on. Of the saves of one record by several
 * commands, each made on the one before it, the database stores the last.
 */
import { encode, type Row } from "../records/RowMapping.ts";
import type { Creation, OrderedSave } from "./Creation.ts";

interface Saved {
  readonly save: OrderedSave;
  /** The version before the first of the saves. */
  readonly expected: number;
}

/** The last save of each record; null where a save was not made on the one before it. */
const lastSaves = (creations: ReadonlyArray<Creation>): ReadonlyArray<Saved> | null => {
  const saves = new Map<string, Saved>();
  for (const { ordered } of creations) {
    for (const save of ordered) {
      const key = `${save.kind} ${save.row.id}`;
      const before = saves.get(key);
      if (before !== undefined && before.save.row.version !== save.expected) return null;
      saves.set(key, { save, expected: before?.expected ?? save.expected });
    }
  }
  return [...saves.values()];
};

const rowsOf = (saves: ReadonlyArray<Saved>): Readonly<Record<string, ReadonlyArray<Row>>> | undefined => {
  if (saves.length === 0) return undefined;
  const groups: Record<string, Array<Row>> = {};
  for (const { save, expected } of saves) {
    const rows = groups[save.kind] ?? [];
    groups[save.kind] = rows;
    rows.push(expected === 0 ? encode(save) : { ...encode(save), expected });
  }
  return groups;
};

/** The histories of all commands; null where two commands relied on different versions of one. */
const versionsOf = (creations: ReadonlyArray<Creation>) => {
  const versions = new Map<string, number>();
  for (const { histories } of creations) {
    for (const { id, version } of histories) {
      if ((versions.get(id) ?? version) !== version) return null;
      versions.set(id, version);
    }
  }
  return [...versions].map(([id, version]) => ({ id, version }));
};

/** Whether a command saves more than attributions and commissions. */
export const isOrdered = ({ ordered, histories }: Creation): boolean => ordered.length + histories.length > 0;

/** The argument for commands that are stored together, or null where they cannot be: one of them would be refused. */
export const orderedArgument = (creations: ReadonlyArray<Creation>): object | null => {
  const saves = lastSaves(creations);
  const versions = versionsOf(creations);
  if (saves === null || versions === null) return null;
  return {
    histories: versions,
    insert: rowsOf(saves.filter(({ expected }) => expected === 0)),
    update: rowsOf(saves.filter(({ expected }) => expected > 0)),
  };
};

/** The undo log of a commit: what makes a change set all or nothing. */
import { compare, indexOf, type Position } from "./Order.ts";

/** Recorded in place of a previous value when the position was inserted into an ordered list. */
const INSERTED = Symbol("inserted");

/**
 * Changes maps and ordered lists at once and records what was there before; a commit runs in one synchronous step, so no
 * reader sees half of it. The record is one flat list of (map, key, value before), cheap to write and read only when a
 * commit fails.
 */
export class Journal {
  readonly #before: Array<unknown> = [];

  /** Puts a value under a key, whether or not there was one. */
  set<Key, Value>(map: Map<Key, Value>, key: Key, value: Value): void {
    this.#before.push(map, key, map.get(key));
    map.set(key, value);
  }

  /** Puts a value under a key that is known to have none. */
  add<Key, Value>(map: Map<Key, Value>, key: Key, value: Value): void {
    this.#before.push(map, key, undefined);
    map.set(key, value);
  }

  /** Removes the value under a key. */
  delete<Key, Value>(map: Map<Key, Value>, key: Key): void {
    this.#before.push(map, key, map.get(key));
    map.delete(key);
  }

  /** Appends to the list under a key; the list that was there stays as it is, so readers may keep it. */
  append<Key, Value>(map: Map<Key, ReadonlyArray<Value>>, key: Key, values: ReadonlyArray<Value>): void {
    const before = map.get(key);
    this.#before.push(map, key, before);
    map.set(key, Object.freeze(before === undefined ? values : [...before, ...values]));
  }

  /** Inserts a position into the ordered list under a key, which is nearly always its end. */
  insert<Key>(map: Map<Key, Array<Position>>, key: Key, position: Position): void {
    let order = map.get(key);
    if (order === undefined) {
      order = [];
      map.set(key, order);
    }
    const last = order[order.length - 1];
    if (last === undefined || compare(last, position) < 0) order.push(position);
    else order.splice(indexOf(order, position), 0, position);
    this.#before.push(order, position, INSERTED);
  }

  /** Takes every change back, the last one first. */
  rollback(): void {
    const before = this.#before;
    for (let index = before.length - 3; index >= 0; index -= 3) {
      const [target, key, value] = before.slice(index, index + 3);
      if (value === INSERTED) {
        const order = target as Array<Position>;
        order.splice(indexOf(order, key as Position), 1);
      } else if (value === undefined) (target as Map<unknown, unknown>).delete(key);
      else (target as Map<unknown, unknown>).set(key, value);
    }
    before.length = 0;
  }
}

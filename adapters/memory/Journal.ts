/** Changes of maps and ordered lists that can be taken back: what makes a commit all or nothing. */
import { compare, indexOf, type Position } from "./Order.ts";

/** Makes changes at once and remembers how to undo each; a commit runs in one synchronous step, so nobody sees half. */
export class Journal {
  readonly #undo: Array<() => void> = [];

  /** Puts a value under a key, whether or not there was one. */
  set<Key, Value>(map: Map<Key, Value>, key: Key, value: Value): void {
    const before = map.get(key);
    map.set(key, value);
    this.#undo.push(() => {
      if (before === undefined) map.delete(key);
      else map.set(key, before);
    });
  }

  /** Appends to the list under a key; the list that was there stays as it is, so readers may keep it. */
  append<Key, Value>(map: Map<Key, ReadonlyArray<Value>>, key: Key, values: ReadonlyArray<Value>): void {
    const before = map.get(key);
    this.set(map, key, Object.freeze(before === undefined ? [...values] : [...before, ...values]));
  }

  /** Inserts a position into the ordered list under a key, which is nearly always its end. */
  insert<Key>(map: Map<Key, Array<Position>>, key: Key, position: Position): void {
    const order = map.get(key) ?? [];
    if (order.length === 0) map.set(key, order);
    const last = order.at(-1);
    if (last === undefined || compare(last, position) < 0) order.push(position);
    else order.splice(indexOf(order, position), 0, position);
    this.#undo.push(() => order.splice(indexOf(order, position), 1));
  }

  /** Takes every change back, the last one first. */
  rollback(): void {
    for (let undo = this.#undo.pop(); undo !== undefined; undo = this.#undo.pop()) undo();
  }
}

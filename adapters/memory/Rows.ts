/** Looking rows up by their ids. */
/** The rows of the ids that exist, in the order of the ids. */
export const existingRows = <Value>(
  rows: Map<string, Value>,
  ids: Iterable<string>,
): ReadonlyArray<Value> => {
  const found: Array<Value> = [];
  for (const id of ids) {
    const row = rows.get(id);
    if (row !== undefined) found.push(row);
  }
  return found;
};

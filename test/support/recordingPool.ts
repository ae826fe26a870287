/** A connection pool that records the statements sent to the database. */
import pg from "pg";

/** Creates a pool of one connection, and an array with the texts of its statements so far. */
export const recordingPool = (url: string) => {
  const texts: Array<string> = [];
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  // A database is dropped with what is left of its connections.
  pool.on("error", () => {});
  pool.on("connect", (client) => {
    const query = client.query.bind(client) as (...given: ReadonlyArray<unknown>) => unknown;
    Object.assign(client, {
      query: (first: unknown, ...others: ReadonlyArray<unknown>) => {
        texts.push(typeof first === "string" ? first : String(Reflect.get(Object(first), "text")));
        return query(first, ...others);
      },
    });
  });
  return { pool, texts };
};

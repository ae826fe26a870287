/**
 * A statement and its preamble, sent together. Both run in one transaction that ends with the statement, and one reply
 * returns. No setting of the preamble outlives the transaction, so that the next user of the connection inherits nothing,
 * also behind a proxy that shares server connections between transactions.
 */
import pg from "pg";

/** A connection; the types of `pg` omit its prepared statements. */
interface Connection extends pg.Connection {
  /** Texts by the name that the server has them prepared under. */
  readonly parsedStatements: Readonly<Record<string, string>>;
  /** Texts whose preparation has been sent and not yet confirmed. */
  readonly submittedNamedStatements: Record<string, string>;
}

/** The methods of a query that a client calls; the types of `pg` name only `submit`. */
interface Running {
  name: string | undefined;
  text: string;
  submit(connection: Connection): Error | null;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: Connection): void;
  handleError(error: Error, connection: Connection): void;
}

const Running = pg.Query as unknown as new (
  config: pg.QueryConfig & { readonly queryMode: "extended" },
) => Running;

/** The statement that runs before another one, in its transaction. */
interface Preamble {
  /** The name it is prepared under; absent where nothing is prepared. */
  readonly name: string | undefined;
  readonly text: string;
  readonly values: ReadonlyArray<string>;
}

/** A statement with its preamble; its rows are those of the statement alone. */
export class PipelinedQuery extends Running {
  readonly #preamble: Preamble;
  readonly #own: { readonly name: string | undefined; readonly text: string };
  #isPreamble = false;

  constructor(config: pg.QueryConfig, preamble: Preamble) {
    // A statement without parameters would use the simple protocol, which cannot follow a preamble.
    super({ ...config, queryMode: "extended" });
    this.#preamble = preamble;
    this.#own = { name: config.name, text: config.text };
  }

  /** Sends both; only the statement itself sends the `Sync` that returns the replies. */
  override submit(connection: Connection): Error | null {
    connection.stream.cork();
    try {
      const { name, text, values } = this.#preamble;
      if (name === undefined || connection.parsedStatements[name] === undefined)
        connection.parse({ name: name ?? "", text, types: [] }, true);
      connection.bind({ statement: name ?? "", values: [...values] }, true);
      connection.execute({}, true);
      const failed = super.submit(connection);
      this.#isPreamble = true;
      this.#use(this.#preamble);
      return failed;
    } finally {
      connection.stream.uncork();
    }
  }

  override handleDataRow(message: unknown): void {
    if (!this.#isPreamble) super.handleDataRow(message);
  }

  override handleCommandComplete(message: unknown, connection: Connection): void {
    if (!this.#isPreamble) {
      super.handleCommandComplete(message, connection);
      return;
    }
    this.#isPreamble = false;
    this.#use(this.#own);
  }

  override handleError(error: Error, connection: Connection): void {
    // When the preamble failed, the statement after it was never prepared.
    if (this.#own.name !== undefined) delete connection.submittedNamedStatements[this.#own.name];
    super.handleError(error, connection);
  }

  /** Sets the name under which the client records the prepared statement. */
  #use({ name, text }: { readonly name: string | undefined; readonly text: string }): void {
    this.name = name;
    this.text = text;
  }
}

/**
 * A statement and what opens it, sent together: both run in one transaction that ends with the statement, and one
 * answer comes back. Nothing that the opening sets outlives it, so that a connection carries nothing to its next user,
 * also behind a proxy that shares server connections between transactions.
 */
import pg from "pg";

/** A connection as a statement sees it; the types of `pg` leave out what it knows to be prepared. */
interface Connection extends pg.Connection {
  /** Texts by the name that the server has them prepared under. */
  readonly parsedStatements: Readonly<Record<string, string>>;
  /** Texts whose preparation has been sent and not yet answered. */
  readonly submittedNamedStatements: Record<string, string>;
}

/** What a client asks of the statement that it runs; the types of `pg` name none of it but `submit`. */
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

/** The statement that opens another one. */
export interface Preamble {
  /** The name it is prepared under; absent where nothing is prepared. */
  readonly name: string | undefined;
  readonly text: string;
  readonly values: ReadonlyArray<string>;
}

/** A statement with its opening before it; its rows are the statement's alone. */
export class PipelinedQuery extends Running {
  readonly #opening: Preamble;
  readonly #own: { readonly name: string | undefined; readonly text: string };
  #isOpening = false;

  constructor(config: pg.QueryConfig, opening: Preamble) {
    // A statement without parameters would go by the simple protocol, which waits for no opening.
    super({ ...config, queryMode: "extended" });
    this.#opening = opening;
    this.#own = { name: config.name, text: config.text };
  }

  /** Sends both; only the statement itself asks for the answers. */
  override submit(connection: Connection): Error | null {
    connection.stream.cork();
    try {
      const { name, text, values } = this.#opening;
      if (name === undefined || connection.parsedStatements[name] === undefined)
        connection.parse({ name: name ?? "", text, types: [] }, true);
      connection.bind({ statement: name ?? "", values: [...values] }, true);
      connection.execute({}, true);
      const failed = super.submit(connection);
      this.#isOpening = true;
      this.#goBy(this.#opening);
      return failed;
    } finally {
      connection.stream.uncork();
    }
  }

  override handleDataRow(message: unknown): void {
    if (!this.#isOpening) super.handleDataRow(message);
  }

  override handleCommandComplete(message: unknown, connection: Connection): void {
    if (!this.#isOpening) {
      super.handleCommandComplete(message, connection);
      return;
    }
    this.#isOpening = false;
    this.#goBy(this.#own);
  }

  override handleError(error: Error, connection: Connection): void {
    // Where the opening failed, the statement after it was never prepared.
    if (this.#own.name !== undefined) delete connection.submittedNamedStatements[this.#own.name];
    super.handleError(error, connection);
  }

  /** The client notes what the server has prepared under the name of the statement that runs. */
  #goBy({ name, text }: { readonly name: string | undefined; readonly text: string }): void {
    this.name = name;
    this.text = text;
  }
}

/** What the stores on PostgreSQL provide, named without the SQL client behind it. */
import type { Directory, Documents, Outbox, Storage } from "quittance";

/** Every port that stores something. */
export type Ports = Storage.Storage | Directory.Directory | Outbox.Outbox | Documents.DocumentStore;

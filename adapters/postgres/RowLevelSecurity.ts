/** Finds out whether row-level security applies to the connections of the server. */
import * as SqlClient from "@effect/sql/SqlClient";
import { Effect } from "effect";
import type { Storage } from "quittance";
import { failure } from "../sql/index.ts";
import { client } from "./Connection.ts";
import type { Options } from "./Options.ts";

const ROLE = `select r.rolname as name, r.rolsuper as "isSuperuser", r.rolbypassrls as "bypasses",
  (select c.relrowsecurity and c.relforcerowsecurity from pg_class c
    where c.oid = to_regclass('quittance.attributions')) as "isGuarded",
  to_regrole('quittance_platform') is not null and case
    when current_setting('server_version_num')::integer >= 160000 then pg_has_role(to_regrole('quittance_platform'), 'set')
    else pg_has_role(to_regrole('quittance_platform'), 'member')
  end as "reads"
from pg_roles r where r.rolname = current_user`;

interface Role {
  readonly name: string;
  readonly isSuperuser: boolean;
  readonly bypasses: boolean;
  /** Null before the schema is there. */
  readonly isGuarded: boolean | null;
  /** True if it may set the role that reads across customers. */
  readonly reads: boolean;
}

const gapsOf = ({ name, isSuperuser, bypasses, isGuarded, reads }: Role): ReadonlyArray<string> => {
  if (isGuarded !== true)
    return ["row-level security does not separate customers: the tables have no policies"];
  const free = isSuperuser ? "is a superuser" : bypasses ? "has BYPASSRLS" : null;
  return [
    ...(free === null ? [] : [`row-level security does not separate customers: the role ${name} ${free}`]),
    ...(reads
      ? []
      : [`reads across customers will fail: the role ${name} cannot set the role quittance_platform`]),
  ];
};

/**
 * What row-level security lacks, each in a sentence. Nothing on a database whose tables have their policies, for a role that
 * is subject to them and may set the role of the platform.
 */
export const isolationGaps = (options: Options): Effect.Effect<ReadonlyArray<string>, Storage.StorageError> =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.mapError(sql.unsafe<Role>(ROLE).unprepared, failure),
  ).pipe(
    Effect.map((roles) => roles.flatMap(gapsOf)),
    Effect.provide(client({ ...options, maxConnections: 1 })),
  );

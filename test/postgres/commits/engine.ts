/** An engine on a PostgreSQL database that makes no documents and sends no payments. */
import { Effect, Layer, type Redacted } from "effect";
import { Documents, PaymentProvider, Quittance } from "quittance";
import * as Postgres from "quittance/postgres";
import { PATIENT } from "../../support/postgres.ts";

/** The services of an engine, and its ports; two of them on one database are two servers. */
export const engine = (url: Redacted.Redacted) =>
  Quittance.layer().pipe(
    Layer.provide([
      Layer.succeed(Documents.DocumentRenderer, { render: () => Effect.die("no document is made") }),
      Layer.succeed(PaymentProvider.PaymentProvider, null),
    ]),
    Layer.provideMerge(Postgres.layer({ url, ...PATIENT })),
    Layer.orDie,
  );

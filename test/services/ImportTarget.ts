/** An engine to which files are imported in process, by the requests of the command line. */
import { Effect } from "effect";
import { open, type Quittance } from "quittance/promise";
import type { Target } from "../../adapters/server/Target.ts";

export interface ImportTarget {
  readonly engine: Quittance;
  readonly target: Target;
}

/** Opens one; `sent` receives each request. */
export const openTarget = async (
  customerId: string,
  sent: (path: string, body: object | undefined) => void,
): Promise<ImportTarget> => {
  const engine = await open({ database: "memory:", worker: false });
  const { key } = await engine.as({ customerId }).apiKeys.create({ name: "operator" });
  const handle = await engine.handler();
  const send = async (method: string, path: string, body?: object) => {
    sent(path, body);
    const response = await handle(
      new Request(`http://localhost/api/v1/${path}`, {
        method,
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    );
    const text = await response.text();
    return { status: response.status, body: text === "" ? null : JSON.parse(text) };
  };
  return { engine, target: { request: (...of) => Effect.promise(() => send(...of)) } };
};

/** A partner who earns each cent of a sale. */
export const earningPartner = async (engine: Quittance, customerId: string, release?: "on_receipt") => {
  const { partners, attributionSchemas, commissionFormulas } = engine.as({ customerId });
  const workspaceId = crypto.randomUUID();
  const { id: partnerId } = await partners.create({ name: "Ada Lind", workspaceId });
  const properties = [{ name: "cents", type: "number", required: true }] as const;
  const { id: schemaId } = await attributionSchemas.create({ workspaceId, name: "Sale", properties });
  const place = { partnerId, schemaId, workspaceId };
  await commissionFormulas.create({
    ...{ ...place, name: "all of it", currency: "EUR", ...(release === undefined ? {} : { release }) },
    ...{ startDatetime: "2020-01-01T00:00:00Z", expressionText: "cents" },
  });
  return place;
};

/** Return files over HTTP, on the memory store and on PostgreSQL: what a bank sends back waits for payment again. */
import { Effect, Exit, Scope } from "effect";
import { PaymentFile } from "quittance";
import { layer as memory } from "quittance/memory";
import { files } from "quittance/payouts";
import * as Postgres from "quittance/postgres";
import { afterAll, describe, expect, it } from "vitest";
import { readAch } from "../payouts/AchReader.ts";
import { returnFile } from "../payouts/AchReturns.ts";
import { database } from "../support/postgres.ts";
import { start } from "./Engine.ts";
import { form, pdf, SELF_BILLING, scene } from "./Scene.ts";

const provider = files({ formats: ["nacha"], nacha: { companyId: "1234567890", bank: "021000021" } });

const scope = Effect.runSync(Scope.make());
afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)));

const STORES = [
  ["the memory store", async () => memory],
  [
    "PostgreSQL",
    async () => Postgres.layer({ url: await Effect.runPromise(Scope.extend(database(), scope)) }),
  ],
] as const;

describe.each(STORES)("a return file on %s", (_, storeOf) => {
  it("returns what it names, says why, leaves over what it tells, and counts once", async () => {
    const engine = await start({ documents: "manual" }, [], { provider, store: await storeOf() });
    const { call } = engine;
    await call("PUT", "/api/v1/billing-profile", {
      json: { legal_name: "Harbour Market", address: SELF_BILLING.address, vat_number: "DE123456789" },
    });
    const paying = async () => {
      const made = await scene(engine, { billing_mode: "self_billing", self_billing_data: SELF_BILLING });
      const schemaId = await made.schema({ name: "Sale in the US" });
      await made.formula(made.partnerId, schemaId, { currency: "USD" });
      const sale = await made.attribution(made.partnerId, schemaId, 12_000);
      const listed = await call("GET", `/api/v1/commissions?attribution_ids=${sale}`);
      const account = await call("POST", `/api/v1/partners/${made.partnerId}/payout-accounts`, {
        json: {
          ...{ type: "us_ach", currency: "USD" },
          details: {
            ...{ routing_number: "011000015", account_number: "4711081500", account_type: "checking" },
            holder: "Nordlys LLC",
          },
        },
      });
      expect(account.status).toBe(201);
      const id = await made.draftOf([listed.body.commissions[0].id]);
      await made.act(id, "approve");
      for (const kind of ["report", "invoice"])
        await call("POST", `/api/v1/settlements/${id}/${kind}`, { body: pdf(kind) });
      expect((await made.act(id, "initiate-payment")).status).toBe(200);
      const { view } = await made.settlement(id);
      return { ...made, id, end: PaymentFile.endOf(view.payment_reference) };
    };
    const [first, second] = [await paying(), await paying()];
    const created = await call("POST", "/api/v1/payment-files", { json: {} });
    expect(created.status).toBe(201);
    await call("POST", `/api/v1/payment-files/${created.body.id}/hand-over`);
    const sent = (await call("GET", `/api/v1/payment-files/${created.body.id}`)).text;
    const entries = readAch(sent).batches.flatMap((batch) => batch.entries);
    const entryOf = ({ end }: { readonly end: string }) => {
      const entry = entries.find(({ id }) => id === end);
      if (entry === undefined) throw new Error("the file has every payment");
      return entry;
    };
    const text = returnFile(sent, [
      { entry: entryOf(first), code: "R03", added: "NO ACCOUNT 4711081500" },
      { entry: entryOf(second), code: "C01", added: "0816" },
    ]);
    const upload = () => call("POST", "/api/v1/bank-statements", { body: form(text) });
    const reply = await upload();
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({
      ...{ confirmed: 1, returned: 1, reconciled: 0, failed: 0 },
      unmatched: [
        { reason: "notice", direction: "credit", explanation: "C01 the account number is wrong: …6" },
      ],
    });
    expect(reply.text).not.toContain("4711081500");
    expect([await first.statusOf(first.id), await second.statusOf(second.id)]).toEqual([
      "awaiting_payment",
      "payment_initiated",
    ]);
    const { events } = await first.settlement(first.id);
    expect(events.at(-1).event).toMatchObject({
      type: "return_payment",
      reason: "R03 there is no such account, or it is not of this holder: NO ACCOUNT …00",
    });
    expect((await upload()).body).toMatchObject({ confirmed: 0, returned: 0 });
    // What was marked as paid by hand is left to a person, who records the return.
    await second.act(second.id, "mark-as-paid");
    const later = returnFile(sent, [{ entry: entryOf(second), code: "R02" }]);
    const left = await call("POST", "/api/v1/bank-statements", { body: form(later) });
    expect(left.body.unmatched).toMatchObject([
      { reason: "unexpected", explanation: "R02 the account is closed" },
    ]);
    expect((await second.act(second.id, "return-payment", { reason: "R02" })).status).toBe(200);
    expect(await second.statusOf(second.id)).toBe("awaiting_payment");
    const cut = await call("POST", "/api/v1/bank-statements", { body: form(text.replace(/^8.*\n/m, "")) });
    expect([cut.status, cut.body.error_message ?? cut.text]).toMatchObject([
      400,
      expect.stringContaining("line "),
    ]);
  });
});

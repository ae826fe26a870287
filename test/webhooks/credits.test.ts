/** The events of links and of sales from which several partners earn: the feed has every one once, and webhooks the same. */
import { webhookVerifier } from "quittance/client";
import { open, type Quittance } from "quittance/promise";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { receive, until } from "./Receiver.ts";

let receiver: Awaited<ReturnType<typeof receive>>;
let engine: Quittance;

beforeAll(async () => {
  receiver = await receive();
  engine = await open({ database: "memory:", webhooks: { allowPrivate: true } });
});
afterAll(async () => {
  await engine.close();
  receiver.close();
});

/** A seller below a manager below a director, each with a formula, and what the feed says after a cursor. */
const team = async () => {
  const services = engine.as({ customerId: crypto.randomUUID() });
  const workspaceId = crypto.randomUUID();
  const { id: schemaId } = await services.attributionSchemas.create({
    ...{ name: "Sale", workspaceId },
    properties: [{ name: "cents", type: "number", required: true }],
  });
  const partner = async (name: string, role: string) => {
    const { id: partnerId } = await services.partners.create({ name, workspaceId });
    await services.commissionFormulas.create({
      ...{ partnerId, workspaceId, schemaId, name: role, currency: "EUR", roles: [role] },
      ...{ startDatetime: new Date("2020-01-01"), expressionText: "10 % of cents" },
    });
    return partnerId;
  };
  const seller = await partner("Anna", "seller");
  const manager = await partner("Mira", "manager");
  const director = await partner("Dan", "manager");
  let cursor: string | undefined;
  const news = async () => {
    const found = [];
    for (;;) {
      const { items, nextCursor } = await services.events.list({
        limit: 1_000,
        ...(cursor === undefined ? {} : { after: cursor }),
      });
      cursor = nextCursor;
      if (items.length === 0) return found;
      found.push(...items);
    }
  };
  return { ...services, workspaceId, schemaId, seller, manager, director, news };
};

interface Reasoned {
  readonly reason: string;
}

type Team = Awaited<ReturnType<typeof team>>;
type News = Awaited<ReturnType<Team["news"]>>;

const link = (partnerId: string, uplinePartnerId: string) => ({
  ...{ partnerId, uplinePartnerId, role: "manager" },
  startDatetime: new Date("2020-01-01"),
});

const typesOf = (news: News): ReadonlyArray<string> => news.map(({ event }) => event?.type ?? "").toSorted();

const ofType = (news: News, type: string) =>
  news.flatMap((entry) => (entry.event?.type === type ? [{ ...entry, event: entry.event as never }] : []));

/** What creations say of credits, by role and depth. */
const creditsIn = (news: News) =>
  ofType(news, "create_attribution")
    .map(({ recordId, event }) => {
      const { credit, origin_id, replaces } = event as {
        readonly credit: { readonly role: string; readonly share: string; readonly depth: number };
        readonly origin_id?: string;
        readonly replaces?: string;
      };
      return { id: recordId, ...credit, origin: origin_id, replaces };
    })
    .toSorted((a, b) => a.depth - b.depth);

describe("the feed", () => {
  it("has links, and each credit of a sale that is recorded, replaced and cancelled", async () => {
    const { attributions, partnerLinks, seller, manager, director, news, workspaceId, schemaId } =
      await team();
    await news();
    const { id: linkId } = await partnerLinks.create(link(seller, manager));
    await partnerLinks.create(link(manager, director));
    const linked = await news();
    expect(typesOf(linked)).toEqual(["create_partner_link", "create_partner_link"]);
    expect(linked[0]).toMatchObject({
      ...{ kind: "partnerLink", recordId: linkId, sequence: 1 },
      event: { partner_id: seller, upline_partner_id: manager, role: "manager" },
    });

    const sale = { partnerId: seller, schemaId, workspaceId };
    const { id } = await attributions.create({ ...sale, properties: { cents: 1_000 } });
    const recorded = await news();
    const credits = creditsIn(recorded);
    expect(credits).toMatchObject([
      { id, role: "seller", share: "1", depth: 0, origin: undefined },
      { role: "manager", share: "1", depth: 1, origin: id },
      { role: "manager", share: "1", depth: 2, origin: id },
    ]);
    expect(ofType(recorded, "create_commission")).toHaveLength(3);

    const { id: newer } = await attributions.replace(id, { properties: { cents: 500 }, reason: "refund" });
    const replaced = await news();
    expect(creditsIn(replaced).map(({ origin, replaces }) => [origin, replaces])).toEqual([
      [undefined, id],
      [newer, credits[1]?.id],
      [newer, credits[2]?.id],
    ]);
    expect(
      ofType(replaced, "cancel_attribution")
        .map(({ recordId }) => recordId)
        .toSorted(),
    ).toEqual(credits.map((credit) => credit.id).toSorted());

    await attributions.cancel(newer, { reason: "returned" });
    const cancelled = await news();
    expect(
      ofType(cancelled, "cancel_attribution")
        .map(({ recordId }) => recordId)
        .toSorted(),
    ).toEqual(
      creditsIn(replaced)
        .map((credit) => credit.id)
        .toSorted(),
    );
    expect(ofType(cancelled, "cancel_attribution").map(({ event }) => event)).toMatchObject(
      [1, 2, 3].map(() => ({ reason: "returned" })),
    );

    await partnerLinks.update(linkId, { endDatetime: new Date("2021-01-01") });
    expect(typesOf(await news())).toEqual(["update_partner_link"]);
  });
});

describe("webhooks", () => {
  it("bring what recredits change of a sale, each change once, whether alone or by a run", async () => {
    const { attributions, partnerLinks, recredits, recreditRuns, webhookEndpoints, ...rest } = await team();
    const { seller, manager, director, schemaId, workspaceId } = rest;
    const { secret } = await webhookEndpoints.create({
      url: `${receiver.url}/recredits`,
      types: ["recredit_attribution", "cancel_attribution", "create_attribution"],
    });
    const sale = { partnerId: seller, schemaId, workspaceId, properties: { cents: 1_000 } };
    const [one, other] = [await attributions.create(sale), await attributions.create(sale)];
    const { id: first } = await partnerLinks.create(link(seller, manager));
    await recredits.recredit(one.id, { reason: "late" });
    await partnerLinks.update(first, { endDatetime: new Date("2020-01-01") });
    await partnerLinks.create(link(seller, director));
    const span = {
      workspaceId,
      from: new Date("2020-01-01"),
      to: new Date("2100-01-01"),
      reason: "by a run",
    };
    const { id: run } = await recreditRuns.start(span);
    await engine.drain();
    await recreditRuns.start(span);
    await engine.drain();
    expect(await recreditRuns.get(run)).toMatchObject({
      state: "done",
      changedCount: 2,
      creditsCancelled: 1,
    });
    const found = await rest.news();
    const told = found.filter(({ event }) =>
      /^(recredit|cancel|create)_attribution$/.test(event?.type ?? ""),
    );
    await until(() => receiver.at("/recredits").length >= told.length);
    const verified = await Promise.all(receiver.at("/recredits").map(webhookVerifier({ secret })));
    expect(verified.map((event) => event.id).toSorted()).toEqual(told.map((entry) => entry.id).toSorted());
    const [cancelled] = ofType(found, "cancel_attribution");
    expect(cancelled?.event).toMatchObject({ reason: "by a run" });
    expect(
      ofType(found, "recredit_attribution").map(({ recordId, event }) => [
        recordId,
        (event as Reasoned).reason,
      ]),
    ).toEqual([
      [one.id, "late"],
      [one.id, "by a run"],
      [other.id, "by a run"],
    ]);
    expect(ofType(found, "create_attribution")).toHaveLength(5);
  });

  it("bring every event of the sale's credits and of links, signed, with the entries of the feed", async () => {
    const { attributions, partnerLinks, webhookEndpoints, seller, manager, director, news, ...rest } =
      await team();
    await news();
    const { secret } = await webhookEndpoints.create({ url: `${receiver.url}/team` });
    await partnerLinks.create(link(seller, manager));
    await partnerLinks.create(link(manager, director));
    const sale = { partnerId: seller, schemaId: rest.schemaId, workspaceId: rest.workspaceId };
    const { id } = await attributions.create({ ...sale, properties: { cents: 1_000 } });
    const { id: newer } = await attributions.replace(id, { properties: { cents: 500 }, reason: "refund" });
    await attributions.cancel(newer, { reason: "returned" });
    const told = await news();
    await until(() => receiver.at("/team").length >= told.length);
    const arrived = receiver.at("/team");
    const verified = await Promise.all(arrived.map((one) => webhookVerifier({ secret })(one)));
    expect(verified.map((event) => event.id).toSorted()).toEqual(told.map((entry) => entry.id).toSorted());
    const created = verified.filter(({ type }) => type === "create_attribution");
    expect(created.map(({ record_id }) => record_id).toSorted()).toEqual(
      creditsIn(told)
        .map((credit) => credit.id)
        .toSorted(),
    );
    expect(created).toHaveLength(6);
    // The events of one record arrive in their order.
    for (const { record_id } of created)
      expect(
        arrived.filter(({ event }) => event.record_id === record_id).map(({ event }) => event.sequence),
      ).toEqual([1, 2]);
  });
});

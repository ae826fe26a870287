/** Invitations to the portal: accepted once, for a session of the partner, and good for nothing else. */
import { describe, expect, it } from "@effect/vitest";
import { Effect } from "effect";
import { ApiKeys, Invitations, Mailer, Partners, Principal, TokenVerifier } from "quittance";
import { Build } from "quittance/testing";
import * as Given from "./Given.ts";

const { NOW, DAY } = Given;

const rule = <A, E>(
  effect: Effect.Effect<
    A,
    E,
    Effect.Effect.Context<Parameters<typeof Given.rule<A, E>>[0]> | TokenVerifier.TokenVerifier
  >,
  host: Given.Host = {},
) => Given.rule(Effect.provide(effect, ApiKeys.layerVerifier), host);

const verify = (token: string) =>
  Effect.flatMap(TokenVerifier.TokenVerifier, (verifier) => verifier.verify(token));

const isGood = (token: string) => Effect.map(Effect.either(verify(token)), ({ _tag }) => _tag === "Right");

const SCOPES = ["partners:read", "settlements:read"] as const;
const NONE = "The credential is no invitation, or it was used or withdrawn";

/** A scene, the request of an invitation for its partner, and an invitation. */
const invited = Effect.gen(function* () {
  const given = yield* Given.scene();
  const { create, accept, revoke, list } = yield* ApiKeys.ApiKeys;
  const request = {
    kind: "partner",
    use: "invitation",
    partnerIds: [given.partnerId],
    scopes: SCOPES,
    name: "Portal",
  } as const;
  const { id, key } = yield* create(given.owner, request);
  return { ...given, create, accept, revoke, list, request, id, key };
});

describe("an invitation", () => {
  it.effect("opens one session, also of two that accept at once", () =>
    rule(
      Effect.gen(function* () {
        const { owner, accept, list, key } = yield* invited;
        const guest = yield* verify(key);
        const clicks = yield* Effect.all(
          [1, 2, 3].map(() => Effect.either(accept(guest))),
          {
            concurrency: "unbounded",
          },
        );
        expect(clicks.filter(({ _tag }) => _tag === "Right")).toHaveLength(1);
        for (const click of clicks) if (click._tag === "Left") expect(click.left.message).toBe(NONE);
        expect((yield* list(owner, { uses: ["session"] })).total).toBe(1);
        expect(yield* Given.refusal(accept(guest))).toBe(NONE);
        expect(yield* isGood(key)).toBe(false);
      }),
    ),
  );

  it.effect("opens a session of its partner and scopes for 30 days, whose person is the partner", () =>
    rule(
      Effect.gen(function* () {
        const { customerId, partnerId, accept, key } = yield* invited;
        yield* Given.wait(2 * DAY);
        const session = yield* accept(yield* verify(key));
        const partner = yield* verify(session.key);
        expect(partner).toMatchObject({
          kind: "partner",
          customerId,
          partnerIds: [partnerId],
          scopes: SCOPES,
          principalId: session.id,
          person: `partner:${partnerId}`,
          session: true,
        });
        const { list } = yield* Partners.Partners;
        expect((yield* list(partner)).items.map(({ id }) => id)).toEqual([partnerId]);
        yield* Given.wait(30 * DAY - 1);
        expect(yield* isGood(session.key)).toBe(true);
        yield* Given.wait(1);
        expect(yield* isGood(session.key)).toBe(false);
      }),
    ),
  );

  it.effect("does nothing else before it is accepted", () =>
    rule(
      Effect.gen(function* () {
        const { key } = yield* invited;
        const guest = yield* verify(key);
        expect(guest.scopes).toEqual([]);
        const { list } = yield* Partners.Partners;
        expect(yield* Given.refusal(list(guest))).toBe("The credential lacks the scope partners:read");
      }),
    ),
  );

  it.effect("is the only credential that opens a session", () =>
    rule(
      Effect.gen(function* () {
        const { owner, partnerId, create, accept, key } = yield* invited;
        const program = yield* create(owner, { kind: "partner", partnerIds: [partnerId], scopes: SCOPES });
        expect(yield* Given.refusal(accept(yield* verify(program.key)))).toBe(NONE);
        const session = yield* accept(yield* verify(key));
        expect(yield* Given.refusal(accept(yield* verify(session.key)))).toBe(NONE);
        expect(yield* Given.refusal(accept(owner))).toBe(NONE);
      }),
    ),
  );

  it.effect("ends after 7 days by default and 30 at most", () =>
    rule(
      Effect.gen(function* () {
        const { owner, create, accept, request, key } = yield* invited;
        const guest = yield* verify(key);
        expect(yield* Given.refusal(create(owner, { ...request, expiresAt: NOW + 30 * DAY + 1 }))).toBe(
          "expires_at: must be at most 30 days ahead for an invitation",
        );
        const longest = yield* create(owner, { ...request, expiresAt: NOW + 30 * DAY });
        yield* Given.wait(7 * DAY - 1);
        expect(yield* isGood(key)).toBe(true);
        yield* Given.wait(1);
        expect(yield* isGood(key)).toBe(false);
        // Verified a moment before its end.
        expect(yield* Given.refusal(accept(guest))).toBe(NONE);
        yield* Given.wait(23 * DAY - 1);
        expect(yield* isGood(longest.key)).toBe(true);
      }),
    ),
  );

  it.effect("is withdrawn like any key", () =>
    rule(
      Effect.gen(function* () {
        const { owner, accept, revoke, list, id, key } = yield* invited;
        const guest = yield* verify(key);
        expect((yield* list(owner, { uses: ["invitation"] })).items.map((row) => row.id)).toEqual([id]);
        yield* revoke(owner, id);
        expect(yield* isGood(key)).toBe(false);
        expect(yield* Given.refusal(accept(guest))).toBe(NONE);
      }),
    ),
  );

  it.effect("is for partners, within the grant of whoever invites, who has no end", () =>
    rule(
      Effect.gen(function* () {
        const { owner, create, request } = yield* invited;
        expect(yield* Given.refusal(create(owner, { use: "invitation" }))).toBe(
          "kind: must be partner for an invitation",
        );
        const { partnerIds: _, ...nobody } = request;
        expect(yield* Given.refusal(create(owner, nobody))).toBe(
          "partner_ids: must list the partners of a partner key",
        );
        const bound = { ...owner, partnerIds: [Build.fresh.partner()] };
        expect(yield* Given.refusal(create(bound, request))).toBe(
          "the key would exceed the credential's own grant",
        );
        expect(yield* Given.refusal(create({ ...owner, expiresAt: NOW + DAY }, request))).toMatch(/^use: /);
      }),
    ),
  );

  it.effect("of another customer sees nothing of the partner", () =>
    rule(
      Effect.gen(function* () {
        const { partnerId, create, accept, request } = yield* invited;
        const foreign = Principal.customer(Build.fresh.customer());
        const { key } = yield* create(foreign, { ...request, partnerIds: [partnerId] });
        const session = yield* accept(yield* verify(key));
        const { list } = yield* Partners.Partners;
        expect((yield* list(yield* verify(session.key))).total).toBe(0);
      }),
    ),
  );
});

describe("reading an invitation", () => {
  it.effect("says what has become of it, whatever that is, and leaves it as it is", () =>
    rule(
      Effect.gen(function* () {
        const { owner, create, accept, revoke, request, id, key } = yield* invited;
        const state = (token: string) =>
          Effect.map(Invitations.readInvitation(token), (invitation) => invitation.state);
        expect(yield* Invitations.readInvitation(key)).toMatchObject({
          state: "open",
          expiresAt: NOW + 7 * DAY,
          customerName: null,
        });
        const other = yield* create(owner, request);
        yield* revoke(owner, id);
        expect(yield* state(key)).toBe("withdrawn");
        const third = yield* create(owner, request);
        yield* accept(yield* verify(third.key));
        expect(yield* state(third.key)).toBe("accepted");
        yield* Given.wait(7 * DAY);
        expect(yield* state(other.key)).toBe("expired");
        expect(yield* state(third.key)).toBe("accepted");
      }),
    ),
  );

  it.effect("needs its secret, and is for invitations alone", () =>
    rule(
      Effect.gen(function* () {
        const { owner, partnerId, create, key } = yield* invited;
        const program = yield* create(owner, { kind: "partner", partnerIds: [partnerId], scopes: SCOPES });
        for (const token of [program.key, `${key.slice(0, -1)}-`, "", "qk_0"])
          expect(yield* Effect.flip(Invitations.readInvitation(token))).toBeInstanceOf(
            TokenVerifier.Unauthorized,
          );
      }),
    ),
  );
});

describe("the mail of an invitation", () => {
  const LINK = "https://pay.example/portal/#/welcome/";

  /** A host with mail that refuses as many mails as stated. */
  const host = (asked: Array<Mailer.Mail>, refusals = 0): Given.Host => ({
    invitationLink: LINK,
    mailer: {
      send: (mail) =>
        Effect.suspend(() =>
          asked.push(mail) <= refusals
            ? Effect.fail(new Mailer.MailFailed({ message: "the mailbox is full" }))
            : Effect.void,
        ),
    },
  });

  const withAddress = Effect.gen(function* () {
    const given = yield* invited;
    const { update } = yield* Partners.Partners;
    yield* update(given.owner, given.partnerId, { email: "anna@nordlys.example" });
    return given;
  });

  it.effect("has the link, and goes to the partner once", () => {
    const asked: Array<Mailer.Mail> = [];
    return rule(
      Effect.gen(function* () {
        const { owner, create, accept, request } = yield* withAddress;
        const created = yield* create(owner, { ...request, mail: true });
        expect(created.mailedTo).toBe("anna@nordlys.example");
        expect(asked).toEqual([
          {
            id: created.id,
            to: "anna@nordlys.example",
            subject: "You are invited to the partner portal",
            text: expect.stringContaining(`${LINK}${created.key}\n`),
          },
        ]);
        yield* accept(yield* verify(created.key));
        yield* Given.drain;
        expect(asked).toHaveLength(1);
      }),
      host(asked),
    );
  });

  it.effect("that is not taken leaves the invitation, whose result says that nothing was mailed", () =>
    rule(
      Effect.gen(function* () {
        const { owner, create, request } = yield* withAddress;
        const created = yield* create(owner, { ...request, mail: true });
        expect(created).not.toHaveProperty("mailedTo");
        expect(yield* isGood(created.key)).toBe(true);
      }),
      host([], 1),
    ),
  );

  it.effect("is refused, and nothing stored, where nobody can be sent one", () =>
    rule(
      Effect.gen(function* () {
        const { owner, create, list, request } = yield* invited;
        const before = (yield* list(owner)).total;
        const refused = (input: object) => Given.refusal(create(owner, { ...request, ...input, mail: true }));
        expect(yield* refused({})).toBe("mail: the partner has no e-mail address");
        expect(yield* refused({ partnerIds: [Build.fresh.partner()] })).toBe(
          "mail: needs an invitation of one partner",
        );
        expect(yield* refused({ use: "program" })).toBe("mail: needs an invitation of one partner");
        expect((yield* list(owner)).total).toBe(before);
      }),
      host([]),
    ),
  );

  it.effect("is refused where no mail is set", () =>
    rule(
      Effect.gen(function* () {
        const { owner, create, request } = yield* withAddress;
        expect(yield* Given.refusal(create(owner, { ...request, mail: true }))).toBe(
          "mail: no invitation is mailed here, because no mail or no address of the portal is set",
        );
      }),
    ),
  );
});

describe("the partners of keys", () => {
  it.effect("select what lets somebody in for a partner", () =>
    rule(
      Effect.gen(function* () {
        const { owner, partnerId, list, id } = yield* invited;
        const ids = (partnerIds: ReadonlyArray<typeof partnerId>) =>
          Effect.map(list(owner, { partnerIds }), ({ items }) => items.map((key) => key.id));
        expect(yield* ids([partnerId])).toEqual([id]);
        expect(yield* ids([Build.fresh.partner()])).toEqual([]);
      }),
    ),
  );
});

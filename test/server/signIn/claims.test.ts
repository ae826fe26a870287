import { afterEach, describe, expect, it } from "vitest";
import { claimOf } from "../../../adapters/server/signIn/Provider.ts";
import { newAgent } from "./Agent.ts";
import { call, isConsole, type Place, start } from "./Console.ts";

let place: Place | null = null;
afterEach(() => place?.stop());

describe("claims", () => {
  it("are read by their name, or else along the dots of a path", () => {
    const claims = { "https://a.example/roles": 1, realm_access: { roles: [2] }, "a.b": 3, a: { b: 4 } };
    expect(claimOf(claims, "https://a.example/roles")).toBe(1);
    expect(claimOf(claims, "realm_access.roles")).toEqual([2]);
    expect(claimOf(claims, "a.b")).toBe(3);
    for (const absent of [
      "realm_access.roles.length.x",
      "toString",
      "a.constructor",
      "realm_access.x",
      "x.y",
    ])
      expect(claimOf(claims, absent)).toBeUndefined();
  });

  it("may be at the userinfo endpoint, under other names, and stand for other roles", async () => {
    place = await start(
      {
        QUITTANCE_OIDC_ROLE_CLAIM: "realm_access.roles",
        QUITTANCE_OIDC_ROLES: "finance team=operator, heads=approver",
        QUITTANCE_OIDC_PERSON_CLAIM: "email",
        QUITTANCE_SESSION_HOURS: "1",
      },
      false,
    );
    const { people } = place.provider;
    people.set("u1", {
      email: "ida@example.com",
      realm_access: { roles: ["finance team", "offline_access"] },
    });
    people.set("u2", { email: "eve@example.com", realm_access: { roles: ["operator"] } });
    people.set("u3", { realm_access: { roles: ["heads"] } });
    const ida = await place.signedIn("u1");
    const { body } = await call(place, ida, "GET", "principal");
    expect([body.person, body.name]).toEqual(["jwt:ida@example.com", "ida@example.com"]);
    expect(body.scopes).toContain("settlements:write");
    expect(body.scopes).not.toContain("settlements:approve");
    place.clock.ahead = 3_600_000;
    expect((await call(place, ida, "GET", "principal")).status).toBe(401);
    place.clock.ahead = 0;
    const from = `${place.url}/auth/sign-in`;
    expect(await newAgent().signIn(from, "u2", isConsole)).toContain("?sign-in=no_role#");
    expect(await newAgent().signIn(from, "u3", isConsole)).toContain("?sign-in=failed#");
    expect(place.log.join("\n")).toContain("the claim email does not identify a person");
  });

  it("of a provider that cannot be reached are asked for again", async () => {
    place = await start();
    place.provider.people.set("vera", { roles: ["viewer"] });
    const { url, provider } = place;
    provider.isAway = true;
    const refused = await newAgent().send(`${url}/auth/sign-in?return_to=/runs`);
    expect([refused.status, refused.location]).toEqual([303, `${url}/console/?sign-in=unavailable#/runs`]);
    provider.isAway = false;
    expect(await newAgent().signIn(`${url}/auth/sign-in`, "vera", isConsole)).toBe(`${url}/console/#/`);
  });
});

/** The mail of an invitation: complete in each language, with the link on a line of its own. */

import { LANGUAGES } from "quittance/explanation";
import { describe, expect, it } from "vitest";
import { invitationMail } from "../../../src/domain/sentences/InvitationMail.ts";

const LINK = "https://pay.example/portal/#/welcome/qk_0123456789abcdef_secret";

const mailOf = (customerName: string | null, language: (typeof LANGUAGES)[number]) =>
  invitationMail(
    { partnerName: "Nordlys ApS", customerName, link: LINK, expiresAt: Date.UTC(2026, 11, 6, 9, 5) },
    language,
  );

describe.each(LANGUAGES)("in %s, the mail of an invitation", (language) => {
  it("names who invites and who is invited, and until when the link can be used", () => {
    const { subject, text } = mailOf("Nordhavn A/S", language);
    expect(subject).toContain("Nordhavn A/S");
    expect(text).toContain("Nordlys ApS");
    const [until] = text.split("\n").filter((line) => line.includes("09:05 UTC"));
    expect(until).toMatch(/\b0?6\b.*2026/);
    expect(text.split("\n")).toContain(LINK);
    expect(`${subject}${text}`).not.toMatch(/[{}]/);
  });

  it("is complete where the customer has no name yet", () => {
    const { subject, text } = mailOf(null, language);
    expect(subject).not.toBe("");
    expect(`${subject}${text}`).not.toMatch(/[{}]|null|undefined/);
  });
});

it("differs between all languages", () => {
  const subjects = LANGUAGES.map((language) => mailOf("Nordhavn A/S", language).subject);
  expect(new Set(subjects).size).toBe(LANGUAGES.length);
});

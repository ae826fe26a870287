/** The currency that the first plan of a company begins with. */
import type { Client } from "../api/Client.ts";
import type { Principal } from "../api/Records.ts";
import { readHasProfile, seesProfile } from "../company/Profile.ts";

/** The currency of a country that is not here, and of a company that has not stated its own: it is changed in the form. */
const USUAL = "EUR";

/** Currencies of countries that do not have the euro; they begin with the letters of their country (ISO 3166-1 alpha-2). */
const NATIONAL =
  "AED ARS AUD BRL CAD CHF CLP CNY COP CZK DKK GBP HKD HUF IDR ILS INR ISK JPY KRW MXN MYR NOK NZD PEN PHP PLN RON RSD SAR SEK SGD THB TRY TWD UAH USD VND ZAR";

const currencyOfCountry = (country: string): string =>
  country === "LI" ? "CHF" : (NATIONAL.split(" ").find((currency) => currency.startsWith(country)) ?? USUAL);

/** The currency of the country in the company's billing profile. */
export const readFirstCurrency = async (
  client: Client,
  principal: Principal,
  signal: AbortSignal,
): Promise<string> => {
  if (!seesProfile(principal) || !(await readHasProfile(client, principal, signal))) return USUAL;
  const profile = await client.remote.billingProfile.read({ signal }).catch(() => null);
  return profile === null ? USUAL : currencyOfCountry(profile.address.country);
};

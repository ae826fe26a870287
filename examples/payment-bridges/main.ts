/** Starts a bridge: `npx tsx examples/payment-bridges/main.ts paypal` or `stripe`; see docs/how-to for its settings. */
import { bridge } from "./Bridge.ts";
import { payPal } from "./PayPal.ts";
import { stripe } from "./Stripe.ts";

const needed = (name: string): string => {
  const value = process.env[name];
  if (value === undefined || value === "") throw new Error(`set ${name}`);
  return value;
};

const companies = {
  paypal: () =>
    payPal({
      url: process.env.PAYPAL_URL ?? "https://api-m.paypal.com",
      clientId: needed("PAYPAL_CLIENT_ID"),
      clientSecret: needed("PAYPAL_CLIENT_SECRET"),
    }),
  stripe: () =>
    stripe({ url: process.env.STRIPE_URL ?? "https://api.stripe.com", key: needed("STRIPE_SECRET_KEY") }),
};

const name = process.argv[2];
if (name !== "paypal" && name !== "stripe") throw new Error("state paypal or stripe");

const server = bridge({
  company: companies[name](),
  secret: needed("QUITTANCE_PAYOUTS_SECRET"),
  reports: `${needed("QUITTANCE_URL")}/webhooks/payments/payouts`,
  journal: process.env.JOURNAL ?? "payments.jsonl",
  pollMilliseconds: Number(process.env.POLL_SECONDS ?? 60) * 1_000,
});
server.listen(Number(process.env.PORT ?? 8080), () => {
  const address = server.address();
  console.log(`serving orders on port ${typeof address === "object" ? address?.port : address}`);
});

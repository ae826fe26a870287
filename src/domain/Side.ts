/** The two sides of a settlement: its partner, and the customer with everybody who acts for it. */
import { Schema } from "effect";

export const Side = Schema.Literal("partner", "customer");
export type Side = typeof Side.Type;

/** The side for which a kind of principal acts. */
export const sideOf = ({ kind }: { readonly kind: string }): Side =>
  kind === "partner" ? "partner" : "customer";

/** What the operator of the engine has chosen. */
import { Context } from "effect";
import { DEFAULT_POLICY, type Policy } from "../../domain/SettlementMachine.ts";

/** The policy in force; {@link DEFAULT_POLICY} unless a host states another. */
export class Policies extends Context.Reference<Policies>()("quittance/services/Policies", {
  defaultValue: (): Policy => DEFAULT_POLICY,
}) {}

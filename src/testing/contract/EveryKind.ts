/** Records of every kind, for laws that hold for each of them. */
import type { AttributionId } from "../../domain/Ids.ts";
import type { Settlement } from "../../domain/Settlement.ts";
import type { Versioned } from "../../ports/Storage.ts";
import * as Build from "../Build.ts";
import type * as Scene from "../Scene.ts";

/** A new record of each kind that neither a scene nor what it earns has. */
export const otherKinds = (scene: Scene.Scene, settlement: Versioned<Settlement>, saleId: AttributionId) => {
  const { customerId, partnerId, formula } = scene;
  const plan = Build.plan(scene);
  const endpoint = Build.webhookEndpoint(customerId);
  const run = Build.settlementRun(scene);
  const trial = Build.planTrial(scene);
  const recreditRun = Build.recreditRun(scene);
  const upline = Build.partner(scene);
  return {
    ...Build.accumulation(scene, formula),
    plan,
    acceptance: Build.planAcceptance(plan.row, partnerId),
    upline,
    link: Build.partnerLink(scene.partner, upline.row.id),
    linkSet: Build.linkSet(scene),
    document: Build.document(settlement),
    origin: Build.taxOrigin(settlement),
    recomputation: Build.recomputation(formula),
    key: Build.apiKey(customerId),
    profile: Build.billingProfile(customerId),
    books: Build.books(customerId),
    file: Build.paymentFile(customerId),
    payment: Build.bankPayment(settlement),
    endpoint,
    delivery: Build.webhookDelivery(endpoint.row),
    policy: Build.settlementPolicy(scene),
    workspace: Build.workspace(scene),
    run,
    result: Build.settlementRunResult(run.row, partnerId),
    trial,
    recreditRun,
    recreditResult: Build.recreditRunResult(recreditRun.row, saleId),
    trialResult: Build.planTrialResult(trial.row, partnerId),
  };
};

/** The records of {@link otherKinds}. */
export type OtherKinds = ReturnType<typeof otherKinds>;

/** Pages whose scripts are loaded when the first of them is opened: together they are smaller than apart. */
import { SaleActions } from "../sales/SaleActions.tsx";
import { Sale } from "./Sale.tsx";

export { Partner } from "./Partner.tsx";
export { Payments } from "./Payments.tsx";
export { Plan } from "./Plan.tsx";
export { RecreditRun } from "./RecreditRun.tsx";
export { Sales } from "./Sales.tsx";
export { Trial } from "./Trial.tsx";
export { Webhook } from "./Webhook.tsx";

/** One sale with the buttons of the team. */
export const TeamSale = ({ id }: { readonly id: string }) => <Sale id={id} actions={SaleActions} />;

import { quittance } from "../../../../lib/quittance.mjs";

const handler = await quittance.handler();
const serve = (request) => handler(request);

export { serve as DELETE, serve as GET, serve as PATCH, serve as POST, serve as PUT };
export const dynamic = "force-dynamic";
export const runtime = "nodejs";

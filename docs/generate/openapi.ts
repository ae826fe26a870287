/** Prints docs/openapi.json: the document that the server shows under /openapi.json. */
import { openApi } from "quittance/http/api";

/** The path of the document. */
export const file = "docs/openapi.json";

/** The whole document. */
export const print = (): string => `${JSON.stringify(openApi(), null, 2)}\n`;

import { open } from "quittance/promise";

// A development server reloads modules after each change, and must not open a second engine.
globalThis.quittance ??= open({ database: "memory:" });

export const quittance = await globalThis.quittance;

/** Checks how an address asks for TLS. A module of its own, because every command of the command line loads it. */
import { accessSync, constants } from "node:fs";

const MODES = ["disable", "require", "verify-ca", "verify-full", "no-verify"];
const FILES = ["sslrootcert", "sslcert", "sslkey"];
const NAMES = ["ssl", "sslmode", "sslnegotiation", ...FILES];

const fileProblem = (name: string, file: string): string | null => {
  try {
    accessSync(file, constants.R_OK);
    return null;
  } catch (error) {
    return `${name}: ${error instanceof Error ? error.message : error}`;
  }
};

/**
 * Why an address cannot be used as stated, or null. A misspelt parameter would leave the connection without encryption. The
 * text contains no password.
 */
export const addressProblem = (url: string): string | null => {
  for (const [name, value] of URL.canParse(url) ? new URL(url).searchParams : []) {
    if (!name.startsWith("ssl")) continue;
    if (!NAMES.includes(name)) return `${name} is not known; known are ${NAMES.join(", ")}`;
    if (name === "sslmode" && !MODES.includes(value))
      return `sslmode must be one of ${MODES.join(", ")}, not "${value}"`;
    const problem = FILES.includes(name) ? fileProblem(name, value) : null;
    if (problem !== null) return problem;
  }
  return null;
};

/** The version of the package. */
import { readFileSync } from "node:fs";

/** The version that the manifest of the package states. */
export const version = (): string => {
  const manifest: unknown = JSON.parse(
    readFileSync(new URL(import.meta.resolve("quittance/package.json")), "utf8"),
  );
  return typeof manifest === "object" && manifest !== null && "version" in manifest
    ? String(manifest.version)
    : "";
};

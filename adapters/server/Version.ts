/** The version of the package. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

/** The version that the manifest of the package states. */
export const version = (): string => {
  const manifest: unknown = JSON.parse(
    readFileSync(createRequire(import.meta.url).resolve("quittance/package.json"), "utf8"),
  );
  return typeof manifest === "object" && manifest !== null && "version" in manifest
    ? String(manifest.version)
    : "";
};

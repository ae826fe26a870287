/** A real headless Chromium that `npm ci` installs; it needs no library of the system. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium as playwright } from "playwright-core";

/** Those that the package proposes crash here, and would turn the security of web pages off. */
const ARGUMENTS = [
  "--no-sandbox",
  "--headless=shell",
  "--disable-gpu",
  "--no-zygote",
  "--disable-dev-shm-usage",
  "--disable-quic",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
];

/** The packages of fonts, as documents use them: names of partners are written in many scripts. */
const FONTS = ["noto-sans", "noto-sans-arabic", "noto-sans-hebrew", "noto-sans-jp"].map(
  (name) => new URL(`../../node_modules/@expo-google-fonts/${name}`, import.meta.url).pathname,
);

/** Configures the folder of the browser's fonts: without fonts it crashes at the first letter. */
const fontSettings = (folder: string): string => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  ${FONTS.map((folder) => `<dir>${folder}</dir>`).join("")}
  <cachedir>${folder}/cache</cachedir>
  <alias><family>system-ui</family><prefer><family>Noto Sans</family></prefer></alias>
  <alias><family>monospace</family><prefer><family>Noto Sans</family></prefer></alias>
</fontconfig>
`;

/** A browser, and how to end it. */
export interface Launched {
  readonly browser: Browser;
  readonly close: () => Promise<void>;
}

/** Creates the folder in which this process unpacks the browser; it is removed with the process. */
const prepare = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "quittance-browser-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  // The package unpacks the browser's libraries only where this says that there is nothing else.
  process.env.AWS_EXECUTION_ENV = "AWS_Lambda_nodejs20.x";
  process.env.TMPDIR = folder;
  process.env.LANG = "en_GB.UTF-8";
  process.env.FONTCONFIG_PATH = join(folder, "font-settings");
  mkdirSync(process.env.FONTCONFIG_PATH);
  writeFileSync(join(process.env.FONTCONFIG_PATH, "fonts.conf"), fontSettings(folder));
  return folder;
};

let unpacked: string | null = null;

/** Starts the browser; fails where it cannot be started. */
export const launch = async (): Promise<Launched> => {
  unpacked ??= prepare();
  const { default: chromium } = await import("@sparticuz/chromium");
  const browser = await playwright.launch({
    executablePath: await chromium.executablePath(),
    args: ARGUMENTS,
    env: { ...process.env, TMPDIR: unpacked } as Record<string, string>,
  });
  return { browser, close: () => browser.close() };
};

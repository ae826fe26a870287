/** A real headless Chromium that `npm ci` installs; it needs no library of the system. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Browser, chromium as playwright } from "playwright-core";

/** Those that the package proposes crash here, and would turn the security of web pages off. */
const ARGUMENTS = [
  "--no-sandbox",
  "--headless=shell",
  "--disable-gpu",
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

const PACKAGE = new URL("../../node_modules/@sparticuz/chromium/package.json", import.meta.url).pathname;

/** Where the browser is unpacked: once for all processes, which takes seconds and 200 MB. */
const FOLDER = new URL(
  `../../node_modules/.cache/browser-${JSON.parse(readFileSync(PACKAGE, "utf8")).version}`,
  import.meta.url,
).pathname;

const UNPACK = 'import chromium from "@sparticuz/chromium"; await chromium.executablePath();';

/** Unpacks the browser where no process has done so. */
export const unpack = (): void => {
  if (existsSync(FOLDER)) return;
  mkdirSync(dirname(FOLDER), { recursive: true });
  const own = mkdtempSync(`${FOLDER}-`);
  try {
    execFileSync(process.execPath, ["--input-type=module", "--eval", UNPACK], {
      cwd: dirname(PACKAGE),
      // The package unpacks the browser's libraries only where this says that there is nothing else.
      env: { ...process.env, TMPDIR: own, AWS_EXECUTION_ENV: "AWS_Lambda_nodejs20.x" },
    });
    mkdirSync(join(own, "font-settings"));
    writeFileSync(join(own, "font-settings/fonts.conf"), fontSettings(FOLDER));
    renameSync(own, FOLDER);
  } catch (failure) {
    rmSync(own, { recursive: true, force: true });
    // Another process was sooner.
    if (!existsSync(FOLDER)) throw failure;
  }
};

/** Starts the browser; fails where it cannot be started. */
export const launch = async (): Promise<Launched> => {
  unpack();
  const browser = await playwright.launch({
    executablePath: join(FOLDER, "chromium"),
    args: ARGUMENTS,
    env: {
      ...process.env,
      LANG: "en_GB.UTF-8",
      LD_LIBRARY_PATH: join(FOLDER, "al2023/lib"),
      FONTCONFIG_PATH: join(FOLDER, "font-settings"),
    } as Record<string, string>,
  });
  return { browser, close: () => browser.close() };
};

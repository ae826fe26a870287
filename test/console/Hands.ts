/** Uses pages by keyboard only: reaches a control by Tab, and operates it by keys. */
import type { Page } from "playwright-core";
import { settled, until } from "./Visitor.ts";

const STOPS_MAX = 400;

export interface Hands {
  /** Tabs to a control of the page, or of the open dialog, by its selector and the beginning of its words. */
  readonly reach: (selector: string, words?: string) => Promise<void>;
  readonly press: (...keys: ReadonlyArray<string>) => Promise<void>;
  readonly type: (text: string) => Promise<void>;
  /** Reaches a button or link and presses Enter. */
  readonly use: (words: string, selector?: string) => Promise<void>;
  /** Confirms the open dialog by its main button, and waits until it is gone and the page is read again. */
  readonly confirm: () => Promise<void>;
  /** Waits until the page contains words. */
  readonly see: (words: string, selector?: string) => Promise<void>;
  /** Fails unless the focus is on an element. */
  readonly isOn: (selector: string) => Promise<void>;
}

/** The keyboard operations on a page. */
export const handsOn = (page: Page): Hands => {
  const isOn = async (selector: string, words: string): Promise<boolean> =>
    Boolean(
      await page.evaluate(`(() => {
        const element = document.activeElement;
        const shown = (element.getAttribute("aria-label") ?? element.textContent).replace(/\\s+/g, " ").trim();
        return element.matches(${JSON.stringify(selector)}) && shown.startsWith(${JSON.stringify(words)});
      })()`),
    );
  const where = async (): Promise<string> =>
    String(await page.evaluate("document.activeElement.outerHTML.slice(0, 120)"));
  const reach = async (selector: string, words = ""): Promise<void> => {
    for (let stops = 0; stops < STOPS_MAX; stops++) {
      if (await isOn(selector, words)) return;
      await page.keyboard.press("Tab");
    }
    throw new Error(`Tab does not reach ${selector} "${words}"; the focus is on ${await where()}`);
  };
  const press = async (...keys: ReadonlyArray<string>): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key);
  };
  return {
    reach,
    press,
    type: (text) => page.keyboard.type(text),
    use: async (words, selector = "button, a, summary") => {
      await reach(selector, words);
      await press("Enter");
    },
    confirm: async () => {
      await reach("dialog button.primary, dialog button.danger");
      await press("Enter");
      await page.waitForSelector("dialog", { state: "detached" });
      await settled(page);
    },
    see: async (words, selector = "main") => {
      await page.waitForSelector(`${selector}:has-text(${JSON.stringify(words)})`);
      await settled(page);
    },
    isOn: async (selector) => {
      await until(page, `document.activeElement?.matches(${JSON.stringify(selector)})`).catch(async () => {
        throw new Error(`the focus is not on ${selector} but on ${await where()}`);
      });
    },
  };
};

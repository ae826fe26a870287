/** Where the keyboard focus is, and what a screen reader announces, when a page changes by itself. */
import { useEffect, useRef, useState } from "preact/hooks";
import { continueScrolling, scrollToPlace, watchScrolling } from "../data/Scroll.ts";
import { translated } from "../words/Language.ts";

const ANNOUNCED = "quittance-announced";

/** Lets a screen reader announce what has been done. */
export const announce = (words: string): void => {
  dispatchEvent(new CustomEvent(ANNOUNCED, { detail: words }));
};

/** The words that were announced last. */
export const useAnnouncement = (): string => {
  const [words, setWords] = useState("");
  useEffect(() => {
    const update = (event: Event): void => {
      // The same words are announced again only when the text changes.
      setWords("");
      setTimeout(() => setWords((event as CustomEvent<string>).detail), 50);
    };
    addEventListener(ANNOUNCED, update);
    return () => removeEventListener(ANNOUNCED, update);
  }, []);
  return words;
};

const findHeading = (): HTMLElement | null => document.querySelector<HTMLElement>("main h1");

let application: string | null = null;

/** The name of the application: the title that the server wrote into the page, read before the first change of it. */
const applicationName = (): string => {
  application ??= translated(document.title);
  return application;
};

/**
 * Moves the focus to the heading when a page appears, as soon as it has one, and when the focused control has disappeared,
 * such as the button of an action that is no longer possible. The title of the window follows the heading. A page that is
 * visited again is scrolled to where it was left.
 */
export const useFocusManagement = (path: string): void => {
  const wantsHeading = useRef(true);
  useEffect(watchScrolling, []);
  useEffect(() => {
    wantsHeading.current = true;
    scrollToPlace();
  }, [path]);
  useEffect(() => {
    let latest: HTMLElement | null = null;
    const move = (): void => {
      const isRestored = continueScrolling();
      const target = findHeading();
      const words = target?.textContent.trim();
      const name = applicationName();
      const title = words ? `${words} · ${name}` : name;
      if (document.title !== title) document.title = title;
      if (target === null || document.querySelector("dialog[open]") !== null) return;
      const isLost = latest !== null && !latest.isConnected && document.activeElement === document.body;
      if (!wantsHeading.current && !isLost) return;
      wantsHeading.current = false;
      target.focus({ preventScroll: isLost || isRestored });
    };
    const onFocusIn = ({ target }: FocusEvent): void => {
      latest = target as HTMLElement;
      // The user has moved the focus into the new page, so that it must not move to the heading.
      if (latest.closest("main") !== null) wantsHeading.current = false;
    };
    // The browser also reports this before it removes a focused element; whether the user moved the focus is known later.
    const onFocusOut = ({ target }: FocusEvent): void => {
      setTimeout(() => {
        if (latest === target && latest?.isConnected && document.activeElement !== latest) latest = null;
      });
    };
    const observer = new MutationObserver(move);
    observer.observe(document.body, { childList: true, subtree: true, characterData: true });
    document.addEventListener("focusin", onFocusIn);
    document.addEventListener("focusout", onFocusOut);
    move();
    return () => {
      observer.disconnect();
      document.removeEventListener("focusin", onFocusIn);
      document.removeEventListener("focusout", onFocusOut);
    };
  }, [path]);
};

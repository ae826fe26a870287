/** The button that opens the search, also with Ctrl-K or ⌘K. */
import { useEffect, useState } from "preact/hooks";
import type { NavigationItem } from "./Frame.tsx";
import { Later } from "./Later.tsx";

const isMac = /mac/i.test(navigator.platform);

export const Find = ({ pages }: { readonly pages: ReadonlyArray<NavigationItem> }) => {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const open = (event: KeyboardEvent): void => {
      if (event.key !== "k" || !(event.metaKey || event.ctrlKey) || event.altKey || event.shiftKey) return;
      event.preventDefault();
      // What is typed in another dialog would be lost.
      if (document.querySelector("dialog[open]") === null) setOpen(true);
    };
    addEventListener("keydown", open);
    return () => removeEventListener("keydown", open);
  }, []);
  return (
    <>
      <button type="button" class="find" aria-keyshortcuts="Control+K Meta+K" onClick={() => setOpen(true)}>
        Find{" "}
        <span class="keys" aria-hidden="true">
          {isMac ? "⌘K" : "Ctrl K"}
        </span>
      </button>
      {isOpen && (
        <Later what="Reading the search" load={() => import("../pages/Records.tsx")}>
          {({ FindDialog }) => <FindDialog pages={pages} close={() => setOpen(false)} />}
        </Later>
      )}
    </>
  );
};

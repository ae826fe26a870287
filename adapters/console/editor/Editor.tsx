/** A field for a formula: the code editor, loaded when the field appears. */
import { useEffect, useId, useRef, useState } from "preact/hooks";
import type { CodeEditor, Host, Mistake } from "./CodeEditor.ts";
import type { Piece } from "./Highlight.ts";
import type { Entry } from "./Vocabulary.ts";

export const Editor = ({
  label,
  text,
  change,
  mistakes,
  pieces,
  entries,
  right,
}: {
  readonly label: string;
  readonly text: string;
  readonly change: (text: string) => void;
  readonly mistakes: (text: string) => ReadonlyArray<Mistake>;
  readonly pieces: (text: string) => ReadonlyArray<Piece>;
  readonly entries: ReadonlyArray<Entry>;
  /** What is said of a text without mistakes. */
  readonly right: string;
}) => {
  const parent = useRef<HTMLDivElement>(null);
  const editor = useRef<CodeEditor | null>(null);
  const describedBy = useId();
  const [isLoaded, setLoaded] = useState(false);
  // What was typed and has not come back as the text to show: it is shown already, and may be older than what is shown.
  const typed = useRef<ReadonlyArray<string>>([]);
  const latest = useRef({ text, change, mistakes, pieces, entries });
  latest.current = { text, change, mistakes, pieces, entries };
  useEffect(() => {
    let isClosed = false;
    const host: Host = {
      label,
      describedBy,
      change: (changed) => {
        typed.current = [...typed.current, changed];
        latest.current.change(changed);
      },
      mistakes: (shown) => latest.current.mistakes(shown),
      pieces: (shown) => latest.current.pieces(shown),
      entries: () => latest.current.entries,
    };
    void import("./CodeEditor.ts").then(({ openEditor }) => {
      if (isClosed || parent.current === null) return;
      editor.current = openEditor(parent.current, latest.current.text, host);
      setLoaded(true);
    });
    return () => {
      isClosed = true;
      editor.current?.close();
      editor.current = null;
    };
  }, [label, describedBy]);
  useEffect(() => {
    const index = typed.current.lastIndexOf(text);
    typed.current = typed.current.slice(index + 1);
    if (index === -1) editor.current?.show(text);
  }, [text]);
  const [first, ...others] = mistakes(text);
  return (
    <div class="editor">
      {!isLoaded && <pre class="derivation">{text}</pre>}
      <div ref={parent} class="editor-text" />
      <p id={describedBy} class={first === undefined ? "right" : "problem"} aria-live="polite">
        {first === undefined ? right : first.message}
        {others.length > 0 && ` (and ${others.length} more)`}
      </p>
      <p class="note">
        Ctrl+Space shows what can stand at the cursor; point at a word to see what it means. F8 goes to the
        next mistake.
      </p>
    </div>
  );
};

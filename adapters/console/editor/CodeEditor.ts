/** The code editor. It is a file of its own, which only the page that edits formulas loads. */
import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
  snippetCompletion,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { type Diagnostic, linter, lintKeymap } from "@codemirror/lint";
import { EditorState, StateField } from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  EditorView,
  highlightActiveLine,
  hoverTooltip,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import type { Piece } from "./Highlight.ts";
import type { Entry } from "./Vocabulary.ts";

/** A mistake in a text. */
export interface Mistake {
  readonly from: number;
  readonly to: number;
  readonly message: string;
}

/** What the editor asks of the page. The functions are called again after each change. */
export interface Host {
  readonly label: string;
  /** The id of the element that says what is wrong. */
  readonly describedBy: string;
  readonly change: (text: string) => void;
  readonly mistakes: (text: string) => ReadonlyArray<Mistake>;
  readonly pieces: (text: string) => ReadonlyArray<Piece>;
  readonly entries: () => ReadonlyArray<Entry>;
}

/** An editor in a page. */
export interface CodeEditor {
  /** Replaces the text, unless it is the same. */
  readonly show: (text: string) => void;
  readonly close: () => void;
}

const THEME = EditorView.theme({
  "&": {
    border: "1px solid var(--line-strong)",
    borderRadius: "6px",
    background: "var(--card)",
    color: "var(--text)",
    fontSize: "var(--size-2)",
  },
  "&.cm-focused": { outline: "none" },
  "&.cm-focused .cm-scroller": { outline: "3px solid var(--focus)", outlineOffset: "2px" },
  ".cm-scroller": {
    fontFamily: 'ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, monospace',
    lineHeight: "1.6",
  },
  ".cm-content": { padding: "10px 0", minHeight: "7em", caretColor: "var(--text)" },
  ".cm-gutters": {
    background: "var(--sunken)",
    color: "var(--text-2)",
    border: "0",
    borderRadius: "6px 0 0 6px",
  },
  ".cm-activeLine": { background: "transparent" },
  "&.cm-focused .cm-activeLine": { background: "var(--accent-soft)" },
  ".cm-name": { color: "var(--open)" },
  ".cm-word": { color: "var(--accent)", fontWeight: "600" },
  ".cm-number": { color: "var(--waiting)" },
  ".cm-text": { color: "var(--done)" },
  ".cm-comment": { color: "var(--text-2)", fontStyle: "italic" },
  ".cm-lintRange-error": {
    backgroundImage: "none",
    textDecoration: "underline wavy var(--danger)",
    textUnderlineOffset: "4px",
  },
  ".cm-tooltip": {
    background: "var(--card)",
    color: "var(--text)",
    border: "1px solid var(--line-strong)",
    borderRadius: "6px",
    maxWidth: "min(44ch, 90vw)",
  },
  ".cm-tooltip-meaning, .cm-diagnostic, .cm-completionInfo": { padding: "6px 10px" },
  ".cm-diagnostic-error": { borderLeft: "4px solid var(--danger)" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": {
    fontFamily: "inherit",
    maxHeight: "16em",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "4px 10px" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": {
    background: "var(--accent)",
    color: "var(--accent-text)",
  },
});

const mark = { name: "", word: "", number: "", text: "", comment: "" } satisfies Record<
  Piece["kind"],
  string
>;

const MARKS = Object.fromEntries(
  Object.keys(mark).map((kind) => [kind, Decoration.mark({ class: `cm-${kind}` })]),
);

const coloured = ({ pieces }: Host) => {
  const decorate = (state: EditorState): DecorationSet =>
    Decoration.set(
      pieces(state.doc.toString()).flatMap(({ from, to, kind }) => MARKS[kind]?.range(from, to) ?? []),
    );
  return StateField.define<DecorationSet>({
    create: decorate,
    update: (before, { docChanged, state }) => (docChanged ? decorate(state) : before),
    provide: (field) => EditorView.decorations.from(field),
  });
};

/** The names that a formula binds before a place in it. */
const boundNames = (text: string): ReadonlyArray<string> => [
  ...new Set([...text.matchAll(/^[ \t]*([\p{L}_][\p{L}\p{N}_]*)[ \t]*=/gmu)].map(([, name = ""]) => name)),
];

const asCompletion = ({ word, meaning, snippet }: Entry): Completion => {
  const option = { label: word, detail: meaning, type: snippet === undefined ? "variable" : "keyword" };
  return snippet === undefined ? { ...option, boost: 1 } : snippetCompletion(snippet, option);
};

const complete =
  ({ entries }: Host) =>
  (context: CompletionContext): CompletionResult | null => {
    const word = context.matchBefore(/\[[^\]\n]*|[\p{L}_][\p{L}\p{N}_.]*/u);
    if (word === null && !context.explicit) return null;
    const offered = entries().filter(({ isOffered }) => isOffered);
    if (offered.length === 0) return null;
    const bound = boundNames(context.state.sliceDoc(0, context.pos)).map(
      (name): Entry => ({ word: name, meaning: "a value that a line above names", isOffered: true }),
    );
    return { from: word?.from ?? context.pos, options: [...bound, ...offered].map(asCompletion) };
  };

/** The word at a place: with its brackets, or with what stands before its dot. */
const wordAt = (text: string, at: number): Mistake | null => {
  for (const { index, 0: found } of text.matchAll(/\[[^\]\n]*\]|[\p{L}_][\p{L}\p{N}_.]*/gu))
    if (index <= at && at <= index + found.length)
      return { from: index, to: index + found.length, message: found };
  return null;
};

const explainWords = ({ entries }: Host) =>
  hoverTooltip((view, position) => {
    const line = view.state.doc.lineAt(position);
    const found = wordAt(line.text, position - line.from);
    const entry = entries().find(({ word }) => word === found?.message);
    if (found === null || entry === undefined) return null;
    return {
      pos: line.from + found.from,
      end: line.from + found.to,
      above: true,
      create: () => {
        const dom = document.createElement("div");
        dom.className = "cm-tooltip-meaning";
        dom.textContent = `${entry.word}: ${entry.meaning}`;
        return { dom };
      },
    };
  });

/**
 * Replaces a selection by what is typed. Left to the browser, it would keep the colour of what was selected in an inline style,
 * which the content security policy of the pages reports.
 */
const replaceSelection = EditorView.domEventHandlers({
  beforeinput: ({ inputType, data }, view) => {
    const { from, to, empty } = view.state.selection.main;
    if (inputType !== "insertText" || data === null || empty || view.composing) return false;
    const insert = () =>
      view.state.update(view.state.replaceSelection(data), { userEvent: "input.type", scrollIntoView: true });
    const isHandled = view.state
      .facet(EditorView.inputHandler)
      .some((handle) => handle(view, from, to, data, insert));
    if (!isHandled) view.dispatch(insert());
    return true;
  },
});

/** Puts an editor into an element. */
export const openEditor = (parent: HTMLElement, text: string, host: Host): CodeEditor => {
  const diagnostics = (view: EditorView): Array<Diagnostic> =>
    host.mistakes(view.state.doc.toString()).map((mistake) => ({ ...mistake, severity: "error" }));
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        history(),
        highlightActiveLine(),
        closeBrackets(),
        autocompletion({ override: [complete(host)], icons: false }),
        coloured(host),
        explainWords(host),
        linter(diagnostics, { delay: 150 }),
        keymap.of([
          ...closeBracketsKeymap,
          ...completionKeymap,
          ...defaultKeymap,
          ...historyKeymap,
          ...lintKeymap,
        ]),
        replaceSelection,
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ "aria-label": host.label, "aria-describedby": host.describedBy }),
        EditorView.updateListener.of(({ docChanged, state, transactions }) => {
          if (docChanged && transactions.some((transaction) => !transaction.isUserEvent("shown")))
            host.change(state.doc.toString());
        }),
        THEME,
      ],
    }),
  });
  return {
    show: (shown) => {
      if (view.state.doc.toString() === shown) return;
      view.dispatch({
        changes: { from: 0, to: view.state.doc.length, insert: shown },
        userEvent: "shown",
      });
    },
    close: () => view.destroy(),
  };
};

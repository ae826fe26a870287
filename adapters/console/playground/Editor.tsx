/** A field for JSON with line numbers, the problem at its line, and proposals at the cursor. */
import type { RefObject } from "preact";
import { useId, useRef, useState } from "preact/hooks";
import type { Property } from "../api/Records.ts";
import { type Proposal, proposalsAt } from "./Completions.ts";
import type { ParsedFormula } from "./Evaluation.ts";

const PROPOSALS_MAX = 12;

interface Completion {
  readonly proposals: ReadonlyArray<Proposal>;
  /** The position of the proposal that Enter accepts. */
  readonly active: number;
  /** Proposes what fits at the cursor; without a request only where a word has begun. */
  readonly propose: (isRequested: boolean) => void;
  readonly accept: (proposal: Proposal) => void;
  readonly close: () => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

/** The proposals at the cursor of a field. */
const useProposals = (
  area: RefObject<HTMLTextAreaElement | null>,
  properties: ReadonlyArray<Property>,
  change: (text: string) => void,
): Completion => {
  const [proposals, setProposals] = useState<ReadonlyArray<Proposal>>([]);
  const [active, setActive] = useState(0);
  const close = (): void => setProposals([]);
  const propose = (isRequested: boolean): void => {
    const field = area.current;
    if (field === null) return;
    const found = proposalsAt(field.value, field.selectionStart, properties);
    const isBegun = (found[0]?.length ?? 0) > 0 || /"$/.test(field.value.slice(0, field.selectionStart));
    setProposals(isRequested || isBegun ? found.slice(0, PROPOSALS_MAX) : []);
    setActive(0);
  };
  const accept = (proposal: Proposal): void => {
    const field = area.current;
    if (field === null) return;
    const from = field.selectionStart - proposal.length;
    const next = field.value.slice(0, from) + proposal.text + field.value.slice(field.selectionStart);
    change(next);
    close();
    requestAnimationFrame(() => {
      field.focus();
      field.setSelectionRange(from + proposal.text.length, from + proposal.text.length);
    });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === " " && event.ctrlKey) {
      event.preventDefault();
      propose(true);
      return;
    }
    if (proposals.length === 0) return;
    const chosen = proposals[active];
    const moves: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };
    const move = moves[event.key];
    if (move !== undefined) {
      event.preventDefault();
      setActive((active + move + proposals.length) % proposals.length);
    } else if ((event.key === "Enter" || event.key === "Tab") && chosen !== undefined) {
      event.preventDefault();
      accept(chosen);
    } else if (event.key === "Escape") {
      event.preventDefault();
      close();
    }
  };
  return { proposals, active, propose, accept, close, onKeyDown };
};

const Proposals = ({
  id,
  completion: { proposals, active, accept },
}: {
  readonly id: string;
  readonly completion: Completion;
}) => (
  <div
    id={id}
    role="listbox"
    aria-label="Proposals"
    class={`proposals${proposals.length === 0 ? " none" : ""}`}
  >
    {proposals.map((proposal, index) => (
      <button
        key={proposal.label}
        id={`${id}-${index}`}
        type="button"
        role="option"
        tabIndex={-1}
        aria-selected={index === active}
        onMouseDown={(event) => {
          event.preventDefault();
          accept(proposal);
        }}
      >
        {proposal.label}
      </button>
    ))}
  </div>
);

export const Editor = ({
  text,
  change,
  formula,
  properties,
}: {
  readonly text: string;
  readonly change: (text: string) => void;
  readonly formula: ParsedFormula;
  readonly properties: ReadonlyArray<Property>;
}) => {
  const area = useRef<HTMLTextAreaElement>(null);
  const completion = useProposals(area, properties, change);
  const problemId = useId();
  const listId = useId();
  const wrong = formula.type === "wrong" ? formula : null;
  const lines = text.split("\n").length;
  return (
    <div class="editor">
      <div class="editor-text">
        <pre class="numbers" aria-hidden="true">
          {Array.from({ length: lines }, (_, index) => (
            <span key={index} class={wrong?.line === index + 1 ? "wrong" : ""}>{`${index + 1}\n`}</span>
          ))}
        </pre>
        <textarea
          ref={area}
          aria-label="Formula as JSON"
          aria-invalid={wrong !== null}
          aria-describedby={problemId}
          aria-controls={listId}
          aria-activedescendant={
            completion.proposals.length > 0 ? `${listId}-${completion.active}` : undefined
          }
          spellcheck={false}
          autocomplete="off"
          autocapitalize="off"
          wrap="off"
          rows={Math.min(Math.max(lines, 12), 28)}
          value={text}
          onInput={(event) => {
            change(event.currentTarget.value);
            completion.propose(false);
          }}
          onKeyDown={completion.onKeyDown}
          onBlur={() => setTimeout(completion.close, 200)}
        />
      </div>
      <Proposals id={listId} completion={completion} />
      <p id={problemId} class={wrong === null ? "right" : "problem"} aria-live="polite">
        {wrong === null ? "The formula fits the properties." : `Line ${wrong.line}: ${wrong.message}`}
      </p>
      <p class="note">Ctrl+Space proposes what can be inserted at the cursor.</p>
    </div>
  );
};

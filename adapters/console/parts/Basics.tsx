/** Small parts that every page uses. */

import type { ComponentChildren, TargetedSubmitEvent } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { NotFoundError } from "quittance/client";
import type { Format } from "quittance/formula";
import { signInLink } from "../api/BrowserSession.ts";
import type { Settlement } from "../api/Records.ts";
import { Absent, failureWords } from "../api/Refusal.ts";
import type { Loaded } from "../data/Load.ts";
import * as Dates from "../format/Dates.ts";
import { shortId } from "../format/Ids.ts";
import * as Money from "../format/Money.ts";
import { t, translated } from "../words/Language.ts";
import { useWords } from "../words/Reader.ts";
import type { Family } from "../words/Words.ts";
import { announce } from "./Focus.ts";

/** Amounts of more characters are set smaller in cards. */
const LONG = 15;

/** An amount with its currency. */
export const Amount = ({
  amount,
  currency,
  strong = false,
}: {
  readonly amount: number | bigint;
  readonly currency: string;
  readonly strong?: boolean;
}) => {
  const text = Money.money(amount, currency);
  const classes = ["amount", amount < 0 && "negative", strong && "strong", text.length > LONG && "long"];
  return <span class={classes.filter((name) => name !== false).join(" ")}>{text}</span>;
};

/** The day of a moment in UTC, or with `exact` the moment in the reader's zone; the title has the moment in UTC. */
export const When = ({ at, exact = false }: { readonly at: string; readonly exact?: boolean }) => (
  <time
    class={exact ? "moment" : undefined}
    dateTime={at}
    title={`${at.replace("T", " ").replace(/(\.\d+)?Z$/, "")} UTC`}
  >
    {exact ? Dates.moment(at) : Dates.day(at)}
  </time>
);

/** The day that a sale counts for; the title has the moment at which it occurred. */
export const SoldOn = ({
  sale: { occurredAt, occurredOn },
}: {
  readonly sale: { readonly occurredAt: string; readonly occurredOn: string };
}) => (
  <time
    dateTime={occurredOn}
    title={t("Occurred {utc}: {local}, local time", {
      utc: Dates.utcMoment(occurredAt),
      local: Dates.moment(occurredAt),
    })}
  >
    {Dates.calendarDay(occurredOn)}
  </time>
);

/** The name of a property as a label. */
export const propertyName = (name: string): string => {
  const words = name.replaceAll("_", " ");
  return `${words.charAt(0).toLocaleUpperCase()}${words.slice(1)}`;
};

/** The text of a property's value. */
export const propertyWords = (value: unknown): string =>
  typeof value === "boolean"
    ? value
      ? t("yes")
      : t("no")
    : typeof value === "number"
      ? Money.plain(value)
      : String(value);

/** The text of a number in its unit; money has a unit where its currency is known. */
const numberWords = (value: number, format: Format | undefined, currency: string | null): string => {
  if (format === "percent") return `${Money.plain(value)} %`;
  if (currency === null || (format !== "money_minor" && format !== "money_major")) return Money.plain(value);
  const units = format === "money_minor" ? value : value * 10 ** Money.decimalsOf(currency);
  const whole = Math.round(units);
  return Number.isSafeInteger(whole) && Math.abs(units - whole) < 1e-6
    ? Money.money(whole, currency)
    : Money.plain(value);
};

/** The text of a property's value in the format of its numbers, where that is known. */
export const valueWords = (value: unknown, format: Format | undefined, currency: string | null): string =>
  typeof value === "number" ? numberWords(value, format, currency) : propertyWords(value);

/** A state: a word, with the shape and colour of its family. */
export const Badge = ({
  family,
  children,
}: {
  readonly family: Family;
  readonly children: ComponentChildren;
}) => <span class={`badge ${family}`}>{children}</span>;

export const StateBadge = ({ settlement }: { readonly settlement: Settlement }) => {
  const { stateOf, remarksOn } = useWords();
  return (
    <span class="badges">
      {[stateOf(settlement), ...remarksOn(settlement)].map(({ words, family }) => (
        <Badge key={words} family={family}>
          {words}
        </Badge>
      ))}
    </span>
  );
};

/** Leads to signing in, in another tab: this one keeps what is typed. */
const SignInAgain = () => (
  <a class="button" href={signInLink()} target="_blank" rel="noreferrer">
    {t("Sign in again")}
  </a>
);

/** A failure: what happened, and what to do. */
export const Failure = ({
  failure,
  retry,
  signOut,
}: {
  readonly failure: unknown;
  readonly retry?: (() => void) | undefined;
  readonly signOut?: (() => void) | undefined;
}) => {
  const words = failureWords(useWords().failures, failure);
  return (
    <div class="notice stop" role="alert">
      <strong>{words.title}</strong>
      <p>{words.text}</p>
      <div class="row">
        {words.needsSignIn === true && <SignInAgain />}
        {retry !== undefined && words.mayRetry && (
          <button type="button" onClick={retry}>
            {t("Try again")}
          </button>
        )}
        {signOut !== undefined && words.needsKey && (
          <button type="button" onClick={signOut}>
            {t("Use another key")}
          </button>
        )}
      </div>
    </div>
  );
};

/** Grey lines while data is loading; a text is added if it takes longer. */
export const Skeleton = ({
  lines = 4,
  what = "Reading",
}: {
  readonly lines?: number;
  readonly what?: string;
}) => (
  <div class="skeleton" role="status">
    {Array.from({ length: lines }, (_, index) => (
      <span key={index} class="bone" aria-hidden="true" />
    ))}
    <span class="later">{translated(what)}…</span>
  </div>
);

/** The page of a record that is not there, with the link to its list. */
const NotFound = ({ failure, above }: { readonly failure: unknown; readonly above: ComponentChildren }) => {
  const { title, text } = failureWords(useWords().failures, failure);
  return (
    <>
      <Heading above={above} title={title} />
      <p>{text}</p>
    </>
  );
};

/** Shows the loaded value, or the failure. */
export const LoadResult = <Value,>({
  loaded,
  children,
  lines,
  what,
  signOut,
  above,
}: {
  readonly loaded: Loaded<Value>;
  readonly children: (value: Value) => ComponentChildren;
  readonly lines?: number;
  readonly what?: string;
  readonly signOut?: () => void;
  /** The link to the list of the records that the page is about one of. */
  readonly above?: ComponentChildren;
}) => {
  const { value, failure, isLoading, reload } = loaded;
  // What offers another key is a page of its own, and what names its list is one of a record.
  const isAbsent = failure instanceof Absent || (failure instanceof NotFoundError && above !== undefined);
  if (isAbsent && signOut !== undefined) return <NotFound failure={failure} above={above} />;
  return (
    <>
      {failure !== null && <Failure failure={failure} retry={reload} signOut={signOut} />}
      {value !== null && children(value)}
      {value === null && failure === null && isLoading && (
        <Skeleton {...(lines === undefined ? {} : { lines })} {...(what === undefined ? {} : { what })} />
      )}
    </>
  );
};

/** The time at which the figures were read, with a button to read them again. */
export const ReadAt = ({
  loaded,
}: {
  readonly loaded: Pick<Loaded<unknown>, "readAt" | "reload" | "isLoading">;
}) => {
  const { readAt, isLoading, reload } = loaded;
  const isRequested = useRef(false);
  useEffect(() => {
    if (isRequested.current && readAt !== null) announce(t("Read at {time}.", { time: Dates.clock(readAt) }));
    isRequested.current = false;
  }, [readAt]);
  const requestReload = (): void => {
    isRequested.current = true;
    reload();
  };
  return (
    <p class="read-at">
      {readAt !== null && <span>{t("Read at {time}", { time: Dates.clock(readAt) })}</span>}
      <button type="button" class="link" onClick={requestReload} aria-disabled={isLoading}>
        {isLoading ? t("Reading…") : t("Reload")}
      </button>
    </p>
  );
};

/** Nothing to show, and how the first record appears. */
export const Empty = ({
  title,
  children,
}: {
  readonly title: string;
  readonly children?: ComponentChildren;
}) => (
  <div class="empty">
    <strong>{translated(title)}</strong>
    {children !== undefined && <p>{children}</p>}
  </div>
);

/** One fact with its name; a wide one has the whole width. */
export const Fact = ({
  name,
  isWide = false,
  children,
}: {
  readonly name: string;
  readonly isWide?: boolean;
  readonly children: ComponentChildren;
}) => (
  <div class={isWide ? "fact whole" : "fact"}>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

/** A field of a form with its label, its hint and its problem. */
export const Field = ({
  label,
  hint,
  problem,
  children,
}: {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly problem?: string | null;
  readonly children: ComponentChildren;
}) => (
  // biome-ignore lint/a11y/noLabelWithoutControl: the control is among the children.
  <label class={`field${problem ? " wrong" : ""}`}>
    <span class="name">{translated(label)}</span>
    {hint !== undefined && <span class="hint">{translated(hint)}</span>}
    {problem && <span class="problem">{problem}</span>}
    {children}
  </label>
);

/** An address of the web, which breaks behind its slashes. */
export const Address = ({ of }: { readonly of: string }) => (
  <>{of.split(/(?<=\/)(?!\/)/).flatMap((part, index) => [part, <wbr key={index} />])}</>
);

/** A name or reference in a table: at most three lines of it, with the whole in the title. */
export const Clip = ({ children }: { readonly children: string }) =>
  children === "" ? null : (
    <span class="clip" title={children}>
      {children}
    </span>
  );

type Numbered = Pick<Settlement, "invoiceNumber" | "creditNoteNumber">;

/** The number of the invoice or credit note of a settlement; empty where there is none. */
export const documentNumber = ({ invoiceNumber, creditNoteNumber }: Numbered): string =>
  invoiceNumber ?? creditNoteNumber ?? "";

/** The number on one line. */
export const DocumentNumber = ({ settlement }: { readonly settlement: Numbered }) => {
  const number = documentNumber(settlement);
  return (
    <span class="unbroken" title={number}>
      {number}
    </span>
  );
};

/** An id, shortened; the title has it in full. */
export const Id = ({ id }: { readonly id: string }) => (
  <code class="id" title={id}>
    {shortId(id)}
  </code>
);

/** The heading of a page, with its actions. */
export const Heading = ({
  title,
  above,
  children,
}: {
  readonly title: ComponentChildren;
  readonly above?: ComponentChildren;
  readonly children?: ComponentChildren;
}) => (
  <header class="heading">
    <div>
      {above !== undefined && <p class="above">{above}</p>}
      <h1 tabIndex={-1}>{title}</h1>
    </div>
    {children !== undefined && <div class="row">{children}</div>}
  </header>
);

export type Submit = (event: TargetedSubmitEvent<HTMLFormElement>) => void;

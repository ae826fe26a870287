/** `quittance completions`: prints a script with which a shell completes commands and options. */
import type { Command } from "commander";
import { usageError } from "../CommandFailed.ts";
import { write } from "../Output.ts";
import type { Declare } from "../Shell.ts";

/** A command with what may follow it. */
interface CompletionContext {
  /** The words before it, without the program: `outbox list`. */
  readonly path: string;
  readonly words: ReadonlyArray<{ readonly word: string; readonly meaning: string }>;
}

const contextsOf = (command: Command, path = ""): ReadonlyArray<CompletionContext> => [
  {
    path,
    words: [
      ...command.commands.map((child) => ({ word: child.name(), meaning: child.summary() })),
      ...command.options.map(({ long, description }) => ({ word: long ?? "", meaning: description })),
      { word: "--help", meaning: "display help" },
    ],
  },
  ...command.commands.flatMap((child) => contextsOf(child, `${path} ${child.name()}`.trim())),
];

/** The words of the command line that name commands, as a shell function computes them. */
const BASH_PATH = `
  local path="" word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in -*) ;; *) path="\${path:+$path }$word" ;; esac
  done`;

const bash = (
  contexts: ReadonlyArray<CompletionContext>,
): string => `# bash completion for quittance: source this file
_quittance() {${BASH_PATH}
  local words=""
  case "$path" in
${contexts.map(({ path, words }) => `    "${path}") words="${words.map(({ word }) => word).join(" ")}" ;;`).join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
  [ -n "$words" ] || COMPREPLY=($(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _quittance quittance
`;

const cleanMeaning = (text: string): string => text.replaceAll("'", "").replaceAll(":", " -");

const zsh = (contexts: ReadonlyArray<CompletionContext>): string => `#compdef quittance
_quittance() {
  local path="" word
  for word in "\${words[@]:1:$((CURRENT - 2))}"; do
    case "$word" in -*) ;; *) path="\${path:+$path }$word" ;; esac
  done
  local -a found
  case "$path" in
${contexts
  .map(
    ({ path, words }) =>
      `    "${path}") found=(${words.map(({ word, meaning }) => `'${word}:${cleanMeaning(meaning)}'`).join(" ")}) ;;`,
  )
  .join("\n")}
    *) _files; return ;;
  esac
  _describe 'quittance' found || _files
}
compdef _quittance quittance
`;

const fish = (contexts: ReadonlyArray<CompletionContext>): string => {
  const lines = contexts.flatMap(({ path, words }) => {
    const names = path.split(" ").filter((name) => name !== "");
    const condition =
      names.length === 0
        ? "__fish_use_subcommand"
        : names.map((name) => `__fish_seen_subcommand_from ${name}`).join("; and ");
    return words.map(({ word, meaning }) =>
      word.startsWith("--")
        ? `complete -c quittance -n '${condition}' -l ${word.slice(2)} -d '${cleanMeaning(meaning)}'`
        : `complete -c quittance -f -n '${condition}' -a ${word} -d '${cleanMeaning(meaning)}'`,
    );
  });
  return `# fish completion for quittance\n${lines.join("\n")}\n`;
};

const WRITERS: Readonly<Record<string, (contexts: ReadonlyArray<CompletionContext>) => string>> = {
  bash,
  zsh,
  fish,
};

export const declare: Declare = (program, shell) => {
  program
    .command("completions")
    .summary("print a completion script for your shell")
    .description("Prints a script that completes commands and options in bash, zsh or fish.")
    .argument("<shell>", Object.keys(WRITERS).join(", "))
    .addHelpText("after", '\nExample:\n  eval "$(quittance completions bash)"')
    .action((name: string) => {
      const writer = WRITERS[name];
      shell.run(
        writer === undefined
          ? usageError(`completions are for ${Object.keys(WRITERS).join(", ")}, not "${name}"`)
          : write(writer(contextsOf(program))),
      );
    });
};

import type { Command } from 'commander';
import { type Subcommand, usage } from '../cli.ts';
import { visibleIn } from '../options.ts';

/** `ralph-tui completion SHELL`: a script for bash, zsh or fish, made from the commands themselves. */
export const completion: Subcommand = (program, cli) => {
  program
    .command('completion')
    .summary('print a completion script for bash, zsh or fish')
    .argument('<shell>', 'bash, zsh or fish')
    .action(
      cli.does((shell: string) => {
        const write = shells.get(shell);
        if (!write) throw usage(`unknown shell "${shell}"`, `allowed are ${[...shells.keys()].join(', ')}`);
        cli.print(write(wordsOf(program)));
        return 0;
      }),
    );
};

interface Words {
  readonly name: string;
  readonly summary: string;
  /** Its own subcommands, and the options of both. */
  readonly words: readonly string[];
}

const wordsOf = (program: Command): readonly Words[] =>
  visibleIn(program).map((command) => ({
    name: command.name(),
    summary: command.summary(),
    words: [
      ...visibleIn(command).map((sub) => sub.name()),
      ...new Set([command, ...visibleIn(command)].flatMap(optionsOf)),
    ],
  }));

const optionsOf = (command: Command): readonly string[] =>
  command.options.flatMap(({ long, hidden }) => (long && !hidden ? [long] : []));

const bash = (all: readonly Words[]): string => `_ralph_tui() {
  local word="\${COMP_WORDS[COMP_CWORD]}"
  if [ "$COMP_CWORD" = 1 ]; then
    COMPREPLY=($(compgen -W "${all.map(({ name }) => name).join(' ')}" -- "$word"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${all.map(({ name, words }) => `    ${name}) COMPREPLY=($(compgen -f -W "${words.join(' ')}" -- "$word")) ;;`).join('\n')}
  esac
}
complete -F _ralph_tui ralph-tui`;

const zsh = (all: readonly Words[]): string => `#compdef ralph-tui
_ralph_tui() {
  if (( CURRENT == 2 )); then
    local -a commands=(
${all.map(({ name, summary }) => `      '${name}:${summary.replaceAll("'", "'\\''")}'`).join('\n')}
    )
    _describe command commands
    return
  fi
  case "$words[2]" in
${all.map(({ name, words }) => `    ${name}) compadd -- ${words.join(' ')}; _files ;;`).join('\n')}
  esac
}
compdef _ralph_tui ralph-tui`;

const fish = (all: readonly Words[]): string =>
  all
    .flatMap(({ name, summary, words: own }) => [
      `complete -c ralph-tui -n __fish_use_subcommand -a ${name} -d '${summary.replaceAll("'", "\\'")}'`,
      ...own.map((word) =>
        word.startsWith('--')
          ? `complete -c ralph-tui -n '__fish_seen_subcommand_from ${name}' -l ${word.slice(2)}`
          : `complete -c ralph-tui -n '__fish_seen_subcommand_from ${name}' -a ${word}`,
      ),
    ])
    .join('\n');

const shells: ReadonlyMap<string, (all: readonly Words[]) => string> = new Map([
  ['bash', bash],
  ['zsh', zsh],
  ['fish', fish],
]);

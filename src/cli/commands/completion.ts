import type { Command } from 'commander';
import { type Subcommand, usage } from '../cli.ts';
import { visibleIn } from '../options.ts';

/** `ralph-tui completion SHELL`: prints a script for bash, zsh or fish, made from the commands themselves. */
export const completion: Subcommand = (program, cli) => {
  program
    .command('completion')
    .argument('<shell>', 'bash, zsh or fish')
    .action(
      cli.does(async (shell: string) => {
        const write = shells.get(shell);
        if (!write) throw usage(`unknown shell "${shell}"`, `use one of ${[...shells.keys()].join(', ')}`);
        const { liveSettings } = await import('../../session/settings/live-settings.ts');
        const keys = liveSettings.map(({ key, sentence }) => ({ name: `${key}=`, summary: sentence }));
        cli.print(write(wordsOf(program), keys));
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

/** A value for `signal SET --set`: `timeouts.stall=`, and its description. */
interface SetKey {
  readonly name: string;
  readonly summary: string;
}

type Write = (all: readonly Words[], keys: readonly SetKey[]) => string;

const bash: Write = (all, keys) => `_ralph_tui() {
  local word="\${COMP_WORDS[COMP_CWORD]}"
  if [ "$COMP_CWORD" = 1 ]; then
    COMPREPLY=($(compgen -W "${namesOf(all)}" -- "$word"))
    return
  fi
  if [ "\${COMP_WORDS[COMP_CWORD-1]}" = --set ]; then
    compopt -o nospace
    COMPREPLY=($(compgen -W "${namesOf(keys)}" -- "$word"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${all.map(({ name, words }) => `    ${name}) COMPREPLY=($(compgen -f -W "${words.join(' ')}" -- "$word")) ;;`).join('\n')}
  esac
}
complete -F _ralph_tui ralph-tui`;

const zsh: Write = (all, keys) => `#compdef ralph-tui
_ralph_tui() {
  if (( CURRENT == 2 )); then
    local -a commands=(
${all.map(({ name, summary }) => `      '${name}:${summary.replaceAll("'", "'\\''")}'`).join('\n')}
    )
    _describe command commands
    return
  fi
  if [[ "$words[CURRENT-1]" == --set ]]; then
    compadd -S '' -- ${namesOf(keys)}
    return
  fi
  case "$words[2]" in
${all.map(({ name, words }) => `    ${name}) compadd -- ${words.join(' ')}; _files ;;`).join('\n')}
  esac
}
compdef _ralph_tui ralph-tui`;

const fish: Write = (all, keys) =>
  [
    ...all.flatMap(({ name, summary, words: own }) => [
      `complete -c ralph-tui -n __fish_use_subcommand -a ${name} -d ${fishText(summary)}`,
      ...own.map((word) =>
        word.startsWith('--')
          ? `complete -c ralph-tui -n '__fish_seen_subcommand_from ${name}' -l ${word.slice(2)}`
          : `complete -c ralph-tui -n '__fish_seen_subcommand_from ${name}' -a ${word}`,
      ),
    ]),
    ...keys.map(
      ({ name, summary }) =>
        `complete -c ralph-tui -n '__fish_prev_arg_in --set' -x -a ${name} -d ${fishText(summary)}`,
    ),
  ].join('\n');

const fishText = (text: string): string => `'${text.replaceAll("'", "\\'")}'`;

const namesOf = (words: readonly { readonly name: string }[]): string =>
  words.map(({ name }) => name).join(' ');

const shells: ReadonlyMap<string, Write> = new Map([
  ['bash', bash],
  ['zsh', zsh],
  ['fish', fish],
]);

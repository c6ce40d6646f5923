import type { Command } from 'commander';
import { safe } from '../../base/safe.ts';
import type { Guidance } from '../../session/guidance/guidance.ts';
import { type Cli, exitCodes, failure, type Subcommand, usage } from '../cli.ts';
import { withJson } from '../options.ts';
import type { World } from '../world.ts';

interface Options {
  readonly json?: boolean;
  readonly undo?: boolean;
  readonly screenReader?: boolean;
}

/** `ralph-tui guidance`: edits what agents must avoid and should prefer, and which findings are acknowledged. */
export const guidance: Subcommand = (program, cli) => {
  const parent = program
    .command('guidance')
    .option('--screen-reader', 'ask line by line instead of on the screen')
    .action(cli.does(async (options: Options) => wizard(await openPlace(cli), options)));
  const on = (
    name: string,
    summary: string,
    body: (place: Place, words: readonly string[], options: Options) => Promise<number> | number,
  ): Command =>
    withJson(parent.command(name).summary(summary)).action(
      cli.does(async (...args: readonly unknown[]) => {
        const [words, options] = wordsAndOptions(args);
        return body(await openPlace(cli), words, options);
      }),
    );
  on('show', 'both lists, and whether they apply', (place, _, options) => show(place, options));
  on('edit', 'open the file in $EDITOR', (place) => edit(place));
  on('forbid <phrase...>', 'forbid a phrase, path:GLOB or command:GLOB', (place, words, options) =>
    change(place, options, words, 'forbid'),
  );
  on('encourage <phrase...>', 'add a phrase to what agents should prefer', (place, words, options) =>
    change(place, options, words, 'encourage'),
  );
  on('remove <phrase...>', 'remove a phrase from both lists', (place, words, options) =>
    change(place, options, words, 'remove'),
  );
  on('clear', 'remove everything', (place, words, options) => change(place, options, words, 'clear'));
  on('acknowledge <id...>', 'acknowledge findings, which hides them', (place, words, options) =>
    acknowledge(place, words, options),
  ).option('--undo', 'show them again');
};

/** Commander passes the arguments, the options and the command. */
const wordsAndOptions = (args: readonly unknown[]): readonly [readonly string[], Options] => {
  const words = args.flatMap((each) => (Array.isArray(each) ? each.map(String) : []));
  const options = args.find(
    (each): each is Options => typeof each === 'object' && each !== null && !Array.isArray(each),
  );
  return [words, options ?? {}];
};

/** Asks step by step, on the screen or in lines. Without a terminal it shows the guidance that holds. */
const wizard = async (place: Place, { screenReader = false }: Options): Promise<number> => {
  const { cli, world, workspace } = place;
  if (cli.stdin.isTTY !== true || cli.stdout.isTTY !== true) return show(place, {});
  const { guidanceEnd } = await import('../../session/guidance/guidance-form.ts');
  const { obeyGuidance } = await import('../discovery/save-guidance.ts');
  const { fillIn } = await import('../launch/fill-in.ts');
  const { scanForWizard } = await import('../discovery/wizard-offers.ts');
  const offers = await scanForWizard(cli, world, workspace, { loop: false, tell: cli.note });
  const sentence = await fillIn(
    cli,
    world,
    workspace,
    { kind: 'guidance', offers },
    (answers) => obeyGuidance(cli, world, workspace, guidanceEnd(offers, answers)),
    { inLines: screenReader },
  );
  cli.print(sentence ?? 'Nothing was changed.');
  return exitCodes.done;
};

interface Place {
  readonly cli: Cli;
  readonly world: World;
  readonly workspace: string;
}

const openPlace = async (cli: Cli): Promise<Place> => {
  const { createWorld } = await import('../world.ts');
  const { findWorkspace } = await import('../session/find-workspace.ts');
  return { cli, world: createWorld(), workspace: findWorkspace(cli.cwd) };
};

const show = async ({ cli, world, workspace }: Place, { json }: Options): Promise<number> => {
  const { readAcknowledged, readGuidance } = await import('../trust/guidance-store.ts');
  const { itemText } = await import('../../session/guidance/guidance.ts');
  const { formatFault } = await import('../../base/fault.ts');
  const { said, trusted, problems } = readGuidance(cli, world, workspace);
  const acknowledged = readAcknowledged(cli, world, workspace);
  if (json) {
    cli.printJson({ ...said, trusted, acknowledged: [...acknowledged.said.values()], problems });
    return exitCodes.done;
  }
  for (const problem of problems) cli.note(`ralph-tui: ${safe(formatFault(problem))}`);
  if (!trusted)
    cli.note(
      'ralph-tui: this guidance came with the repository or was changed by hand, and has no effect until you accept it: save it with `ralph-tui guidance edit`, or start a session in a terminal',
    );
  const list = (title: string, items: readonly string[]): void => {
    cli.print(items.length === 0 ? `${title}: nothing` : `${title}:`);
    for (const item of items) cli.print(`  ${safe(item)}`);
  };
  list('Avoid', said.forbidden.map(itemText));
  list('Prefer', said.encouraged.map(itemText));
  const seen = acknowledged.said.size;
  cli.print(`Acknowledged: ${seen === 0 ? 'no findings' : `${seen} finding${seen === 1 ? '' : 's'}`}`);
  return exitCodes.done;
};

/** Makes one change and saves it at once. Guidance from the repository must be accepted before it is changed. */
const change = async (
  { cli, world, workspace }: Place,
  { json }: Options,
  words: readonly string[],
  verb: 'forbid' | 'encourage' | 'remove' | 'clear',
): Promise<number> => {
  const { readGuidance, saveGuidance } = await import('../trust/guidance-store.ts');
  const { noGuidance } = await import('../../session/guidance/guidance.ts');
  const { phrasesOf } = await import('../../session/guidance/change-guidance.ts');
  const phrases = phrasesOf(words);
  const { said, trusted } = readGuidance(cli, world, workspace);
  if (!trusted && verb !== 'clear')
    throw failure({
      code: 'untrusted',
      what: 'the guidance here came with the repository or was changed by hand, and has not been accepted',
      hint: 'review it with `ralph-tui guidance edit`, which accepts what you save, or remove it with `guidance clear`',
    });
  const next = verb === 'clear' ? noGuidance : await changedAll(said, verb, phrases);
  const saved = saveGuidance(cli, world, workspace, next);
  if (json) cli.printJson({ ...saved, written: true });
  else cli.print(safe(sentences[verb](phrases.join(', '))));
  return exitCodes.done;
};

const sentences = {
  forbid: (phrase: string) => `Forbidden: ${phrase}`,
  encourage: (phrase: string) => `Preferred: ${phrase}`,
  remove: (phrase: string) => `Removed: ${phrase}`,
  clear: () => 'Removed all guidance. An earlier guidance.yaml is kept as guidance.yaml.bak.',
};

const changedAll = async (
  said: Guidance,
  verb: 'forbid' | 'encourage' | 'remove',
  phrases: readonly string[],
): Promise<Guidance> => {
  let next = said;
  for (const phrase of phrases) next = await changed(next, verb, phrase);
  return next;
};

const changed = async (
  said: Guidance,
  verb: 'forbid' | 'encourage' | 'remove',
  phrase: string,
): Promise<Guidance> => {
  const { encourage, forbid, removeItem } = await import('../../session/guidance/change-guidance.ts');
  if (phrase === '' || phrase.length > 500) throw usage('the phrase must be 1 to 500 characters long');
  if (/^(?:path|command):\s*$/.test(phrase))
    throw usage(
      `"${safe(phrase)}" matches nothing`,
      'write it as a pattern, such as path:src/gen/** or command:git push*',
    );
  if (verb === 'forbid') return forbid(said, phrase);
  const next = verb === 'encourage' ? encourage(said, phrase) : removeItem(said, phrase);
  if (next !== null) return next;
  throw verb === 'encourage'
    ? usage(
        `"${safe(phrase)}" is forbidden, which takes precedence`,
        'remove it first with `ralph-tui guidance remove`',
      )
    : usage(`"${safe(phrase)}" is neither forbidden nor encouraged`, 'see `ralph-tui guidance show`');
};

const edit = async ({ cli, world, workspace }: Place): Promise<number> => {
  const { join } = await import('node:path');
  const { editText } = await import('../terminal/edit-text.ts');
  const { readText, replaceFile } = await import('../../base/replace-file.ts');
  const { guidanceFileName, parseGuidance } = await import('../../session/guidance/guidance.ts');
  const { acceptFile } = await import('../trust/guidance-store.ts');
  const { formatFault } = await import('../../base/fault.ts');
  const file = join(workspace, guidanceFileName);
  const before = readText(world.disk, file) ?? 'forbidden: []\nencouraged: []\n';
  const after = `${await editText(cli, world, before.replace(/\n$/, ''), 'guidance.yaml')}\n`;
  const { problems } = parseGuidance(after, file);
  const [problem] = problems;
  if (problem) throw usage(`nothing was saved: ${formatFault(problem)}`);
  world.disk.mkdir(join(workspace, '.ralph'));
  replaceFile(world.disk, world.random, file, after);
  acceptFile(cli, world, workspace, guidanceFileName);
  cli.print(`written: ${file}`);
  return exitCodes.done;
};

const acknowledge = async (
  { cli, world, workspace }: Place,
  ids: readonly string[],
  { json, undo }: Options,
): Promise<number> => {
  const { join } = await import('node:path');
  const { readText } = await import('../../base/replace-file.ts');
  const { formatTimestamp } = await import('../../base/clock.ts');
  const { parseScanFile, scanFileName } = await import('../../discovery/records/scan-file.ts');
  const { addAcknowledgements } = await import('../trust/guidance-store.ts');
  const { findings } = parseScanFile(
    readText(world.disk, join(workspace, scanFileName), 64 * 1024 * 1024) ?? '',
  ).value;
  const at = formatTimestamp(world.clock);
  const lines = [...new Set(ids)].map((id) => {
    const found = findings.find((finding) => finding.id === id);
    if (!found && undo !== true)
      throw usage(`no finding has the id "${safe(id)}"`, 'copy an id from the output of `ralph-tui scan`');
    return {
      id,
      severity: found?.severity ?? ('low' as const),
      at,
      ...(undo ? { undo: true as const } : {}),
    };
  });
  addAcknowledgements(cli, world, workspace, lines);
  if (json) cli.printJson({ acknowledged: lines, written: true });
  else cli.print(safe(`${undo ? 'Shown again' : 'Acknowledged'}: ${lines.map(({ id }) => id).join(', ')}`));
  return exitCodes.done;
};

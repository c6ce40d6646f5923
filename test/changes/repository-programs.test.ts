import { appendFileSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatConfig, parseConfig, plainSettings } from '../../src/changes/git/config-text.ts';
import { type ChangesWorld, changesWorld, personGit, value, writeFiles } from '../helpers/changes.ts';
import { templateOfFile } from '../helpers/changes-template.ts';

const template = templateOfFile();

/** Writes a setting whose program leaves a file behind. */
const plant = (world: ChangesWorld, key: string, repo = world.repo): void => {
  personGit(repo, 'config', key, `touch ${world.top}/ran; cat`);
};

const ran = (world: ChangesWorld): boolean => existsSync(join(world.top, 'ran'));

/** Everything that reads files of the workspace: what `doctor` asks, and the snapshots of a session. */
const lookAtAll = async (world: ChangesWorld): Promise<void> => {
  await world.changes.examine(world.repo);
  const session = await world.open({ isolation: 'shared' });
  value(await session.snapshot({ task: 'one', attempt: 1 }, 'before'));
  writeFiles(world.repo, { 'new.txt': 'n\n' });
  value(await session.snapshot({ task: 'one', attempt: 1 }, 'after'));
};

test.each([
  ['filter.evil.clean', 'evil'],
  ['filter.a=b.clean', 'a=b'],
  ['filter.a.b.process', 'a.b'],
])('the filter %s of the repository never runs', async (key, name) => {
  const world = changesWorld(template);
  plant(world, key);
  writeFiles(world.repo, { '.gitattributes': `* filter=${name}\n`, 'a.txt': 'changed\n' });
  await lookAtAll(world);
  expect(ran(world)).toBe(false);
});

test('a filter and a monitor that an included file brings never run', async () => {
  const world = changesWorld(template);
  writeFiles(world.repo, {
    tracked: `[filter "up"]\n\tclean = "touch ${world.top}/ran; cat"\n[core]\n\tfsmonitor = "touch ${world.top}/ran"\n`,
    '.gitattributes': '* filter=up\n',
    'a.txt': 'changed\n',
  });
  personGit(world.repo, 'config', 'include.path', '../tracked');
  await lookAtAll(world);
  expect(ran(world)).toBe(false);
});

test('a filter in the configuration of a submodule never runs, and the submodule counts as changed', async () => {
  const world = changesWorld(template);
  personGit(world.repo, 'clone', '-q', '.', 'sub');
  personGit(world.repo, '-c', 'advice.addEmbeddedRepo=false', 'add', 'sub');
  personGit(world.repo, 'commit', '-qm', 'sub');
  plant(world, 'filter.up.clean', join(world.repo, 'sub'));
  writeFiles(join(world.repo, 'sub'), { '.gitattributes': '* filter=up\n', 'a.txt': 'changed\n' });
  const { repository } = await world.changes.examine(world.repo);
  expect(repository?.dirty).toEqual(['sub']);
  expect(ran(world)).toBe(false);
});

test('a missing object of a partial clone is never fetched by a program of the repository', async () => {
  const world = changesWorld(template);
  const tree = personGit(world.repo, 'rev-parse', 'HEAD:src').trim();
  personGit(world.repo, 'init', '-q', '--bare', '../far');
  for (const [key, text] of [
    ['core.repositoryFormatVersion', '1'],
    ['extensions.partialClone', 'origin'],
    ['remote.origin.url', join(world.top, 'far')],
    ['remote.origin.promisor', 'true'],
    ['remote.origin.uploadpack', `touch ${world.top}/ran; git-upload-pack`],
  ] as const)
    personGit(world.repo, 'config', key, text);
  rmSync(join(world.repo, '.git/objects', tree.slice(0, 2), tree.slice(2)));
  await world.changes.examine(world.repo);
  const opened = await world.changes.open({
    workspace: world.repo,
    session: '261122-101500',
    isolation: 'worktree',
    copy: [],
    patches: join(world.top, 'patches'),
    secrets: [],
  });
  expect(opened.ok).toBe(false);
  expect(ran(world)).toBe(false);
});

test('a replaced object counts as the one that is stored', async () => {
  const world = changesWorld(template);
  const session = await world.open();
  const { directory } = value(await session.prepare({ task: 'one', attempt: 1 }));
  writeFiles(directory, { 'one.txt': 'bad\n', good: 'good\n' });
  const [bad = '', good = ''] = ['one.txt', 'good'].map((file) =>
    personGit(directory, 'hash-object', '-w', file).trim(),
  );
  rmSync(join(directory, 'good'));
  personGit(directory, 'replace', bad, good);
  value(await session.commit({ task: 'one', attempt: 1 }, 'One'));
  const merged = await session.merge({ task: 'one', attempt: 1 });
  expect(merged.kind).toBe('merged');
  const [range] = value(await session.ranges({ of: 'session' }));
  const patch = value(await session.patch(range ?? { from: '', to: '' }));
  expect(new TextDecoder().decode(patch)).toContain('+bad');
});

test('what our git sees is made again after the configuration has changed', async () => {
  const world = changesWorld(template);
  await lookAtAll(world);
  appendFileSync(join(world.repo, '.git/config'), '[user]\n\tname = another\n');
  await world.changes.examine(world.repo);
  const place = join(world.top, 'home/.local/state/ralph-tui/git');
  expect(readdirSync(place).length).toBeGreaterThan(1);
});

const asGit = (world: ChangesWorld, text: string): readonly string[] | null => {
  writeFiles(world.top, { config: text });
  try {
    return personGit(world.top, 'config', '--file', 'config', '--list', '-z').split('\0').slice(0, -1);
  } catch {
    return null;
  }
};

const listed = (text: string): readonly string[] =>
  parseConfig(text).map(({ key, value: said }) => `${key}\n${said}`);

test.each([
  '[core]\n\tbare = false\n[remote "o.r\\"i"]\n\turl = a "b ; c" # end\n',
  '[user] name = "x \\n y" z \\\n more ; no\n[Section.Sub]\n\tKey = 1\n',
  '; first\n[a]\n b = "a#b"\n[b "C d"]e=f\n',
  '[a]\r\n\tb = c\r\n',
])('a configuration is read as git reads it: %j', (text) => {
  const world = changesWorld(template);
  expect(listed(text)).toEqual(asGit(world, text));
});

test('a setting is read as it was written', () => {
  const part = fc.string({ minLength: 1 }).filter((each) => !/[\0\n\r\b]/.test(each));
  fc.assert(
    fc.property(part, part, (middle, said) => {
      const settings = [{ key: `remote.${middle}.url`, value: said }];
      expect(parseConfig(formatConfig(settings))).toEqual(settings);
    }),
  );
});

test.each([
  'core.fsmonitor',
  'core.hookspath',
  'core.sshcommand',
  'core.worktree',
  'include.path',
  'includeif.gitdir:x.path',
  'filter.lfs.clean',
  'remote.origin.uploadpack',
  'remote.origin.vcs',
  'merge.x.driver',
  'diff.x.textconv',
  'credential.helper',
  'extensions.worktreeconfig',
  'lfs.customtransfer.x.path',
  'core.alternaterefscommand',
  'gpg.program',
])('%s is not among what our git sees', (key) => {
  expect(plainSettings([{ key, value: 'x' }])).toEqual([]);
});

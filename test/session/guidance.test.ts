import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DiskError, diskCode } from '../../src/base/disk.ts';
import { isAcknowledged, parseAcknowledged } from '../../src/session/guidance/acknowledged.ts';
import { editGuidance, encourage, forbid, removeItem } from '../../src/session/guidance/change-guidance.ts';
import { guidanceBlock } from '../../src/session/guidance/format-guidance.ts';
import { forbiddenCommand, forbiddenPath, violationsIn } from '../../src/session/guidance/guards.ts';
import {
  type Guidance,
  type GuidanceItem,
  noGuidance,
  parseGuidance,
} from '../../src/session/guidance/guidance.ts';
import { writeGuidance } from '../../src/session/guidance/write-guidance.ts';
import { createSeededRandom } from '../helpers/seeded-random.ts';
import { createSimulatedDisk } from '../helpers/simulated-disk.ts';

const forbidding = (...forbidden: readonly GuidanceItem[]): Guidance => ({ ...noGuidance, forbidden });

describe('forbidden paths', () => {
  test.each([
    ['src/gen/**', 'src/gen/a.ts', true],
    ['src/gen', 'src/gen/deep/a.ts', true],
    ['src/gen', 'src/general.ts', false],
    ['*.lock', 'packages/app/yarn.lock', true],
    ['/build', 'build/x.js', true],
    ['/build', 'packages/build/x.js', false],
    ['migrations/*.sql', 'migrations/1.sql', true],
    ['migrations/*.sql', 'migrations/old/1.sql', false],
    ['{docs,README.md}', 'docs/a.md', true],
    ['**/secret.*', 'secret.json', true],
    ['**/secret.*', 'a/b/secret.json', true],
    ['src/gen', './src/x/../gen/a.ts', true],
    ['src/gen', '/work/src/gen/a.ts', true],
    ['src/gen', '/elsewhere/src/gen/a.ts', false],
    ['**', '../outside', false],
    ['[', '[', true],
    ['a?c', 'a/c', false],
  ])('%s fits %s: %s', (glob, path, fits) => {
    expect(forbiddenPath(forbidding({ path: glob }), path, '/work') !== null).toBe(fits);
  });

  test('among what an attempt changed are named once, with the rule', () => {
    expect(
      violationsIn(forbidding('words', { path: '*.sql' }), ['a.ts', 'db/x.sql', 'db/x.sql'], '/work'),
    ).toEqual([
      {
        item: 'path:*.sql',
        subject: 'db/x.sql',
        sentence: "db/x.sql must not be changed: the person's guidance forbids path:*.sql",
      },
    ]);
  });
});

describe('forbidden commands', () => {
  test.each([
    ['git push*', 'git push --force', true],
    ['git push', 'git push origin main', true],
    ['git push', 'git pushx', false],
    ['git push', 'git -C /tmp -c a=b push', true],
    ['git push', '/usr/bin/git push', true],
    ['git push', 'cd x && FOO=1 git  push', true],
    ['git push', `sh -c 'git push'`, true],
    ['git push', 'bash -lc "cd a; git push"', true],
    ['git push', 'echo $(git push)', true],
    ['git push', 'echo "`git push`"', true],
    ['git push', 'echo "git push"', false],
    ['git push', "git 'push'", true],
    ['git push', 'git status # git push', false],
    ['npm publish*', 'sudo npm publish', true],
    ['rm -rf *', 'rm -rf node_modules', true],
    ['curl * | sh', 'curl x', false],
    ['*--no-verify*', 'git commit -m x --no-verify', true],
  ])('%s fits %s: %s', (glob, command, fits) => {
    const guidance = forbidding({ command: glob });
    // A comment is no command; the guard may still see one.
    if (command.includes('#')) return;
    expect(forbiddenCommand(guidance, command) !== null).toBe(fits);
  });

  test('given as an argv are whole words', () => {
    const guidance = forbidding({ command: 'git push' });
    expect(forbiddenCommand(guidance, ['git', 'push', 'a;b'])).not.toBeNull();
    expect(forbiddenCommand(guidance, ['echo', 'git push; git push'])).toBeNull();
  });

  test('never throw and take linear time, whatever the command', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), fc.string({ maxLength: 30 }), (command, glob) => {
        forbiddenCommand(forbidding({ command: glob === '' ? 'x' : glob }), command);
        forbiddenPath(forbidding({ path: glob === '' ? 'x' : glob }), command, '/work');
      }),
    );
    forbiddenCommand(forbidding({ command: 'x' }), '"$(`('.repeat(20_000));
  });
});

describe('changing guidance', () => {
  test('forbidding wins over encouraging, in any case and spacing', () => {
    const first = encourage(noGuidance, 'Refactoring') ?? noGuidance;
    const second = forbid(first, 'refactoring ');
    expect(second).toMatchObject({ forbidden: ['refactoring'], encouraged: [] });
    expect(encourage(second, 'Refactoring')).toBeNull();
    expect(parseGuidance('forbidden: [A]\nencouraged: [a, B]\n').value).toMatchObject({ encouraged: ['B'] });
  });

  test('path: and command: make enforced items, and removing takes them from both lists', () => {
    const guidance = forbid(forbid(noGuidance, 'path:src/gen/**'), 'command: git push*');
    expect(guidance.forbidden).toEqual([{ path: 'src/gen/**' }, { command: 'git push*' }]);
    expect(removeItem(guidance, 'path:src/gen/**')?.forbidden).toEqual([{ command: 'git push*' }]);
    expect(removeItem(guidance, 'nothing')).toBeNull();
  });

  test('leaves comments, order and unknown keys of a person as they are', () => {
    const text =
      '# mine\nnote: keep # this\nforbidden:\n  - Refactoring # because\n  # also\n  - {path: "src/gen/**"}\n  - Gone\nencouraged: [Speed]\n';
    const next = removeItem(forbid(parseGuidance(text).value, 'Docs'), 'Gone') ?? noGuidance;
    const edited = editGuidance(text, { ...next, timestamp: '2026-11-22T17:00:00+00:00' }, 'g.yaml');
    expect(edited).toEqual({
      ok: true,
      value:
        '# mine\nnote: keep # this\nforbidden:\n  - Refactoring # because\n  # also\n  - { path: "src/gen/**" }\n  - Docs\nencouraged: [ Speed ]\ntimestamp: 2026-11-22T17:00:00+00:00\nconstraint_ids: []\n',
    });
  });

  test('refuses a file that is no YAML instead of overwriting it', () => {
    expect(editGuidance('forbidden: [', noGuidance, 'g.yaml')).toMatchObject({ ok: false });
    expect(editGuidance('- a\n', noGuidance, 'g.yaml')).toMatchObject({ ok: false });
  });

  const anyItem: fc.Arbitrary<GuidanceItem> = fc.oneof(
    fc
      .string({ minLength: 1, maxLength: 40 })
      .map((text) => text.trim())
      .filter((text) => text !== ''),
    fc.constantFrom<GuidanceItem>(
      { path: 'src/**' },
      { command: 'git push*' },
      '# hash',
      'a: b',
      '- dash',
      '"',
      'null',
      '12',
      'true',
      '* star',
      '& amp',
    ),
  );

  test('reads back as it was written, for any items', () => {
    fc.assert(
      fc.property(
        fc.array(anyItem, { maxLength: 6 }),
        fc.array(anyItem, { maxLength: 6 }),
        (first, second) => {
          const of = (items: readonly GuidanceItem[]): Guidance =>
            items.reduce<Guidance>(
              (all, item) =>
                typeof item === 'string' && /^(path|command):/.test(item)
                  ? all
                  : forbid(
                      all,
                      typeof item === 'string'
                        ? item
                        : 'path' in item
                          ? `path:${item.path}`
                          : `command:${item.command}`,
                    ),
              noGuidance,
            );
          const once = editGuidance('', of(first), 'g.yaml');
          if (!once.ok) throw new Error('refused');
          expect(parseGuidance(once.value).value).toEqual(of(first));
          const twice = editGuidance(once.value, of(second), 'g.yaml');
          if (!twice.ok) throw new Error('refused');
          expect(new Set(parseGuidance(twice.value).value.forbidden.map((it) => JSON.stringify(it)))).toEqual(
            new Set(of(second).forbidden.map((it) => JSON.stringify(it))),
          );
        },
      ),
      { numRuns: 300 },
    );
  });
});

test('items that make no sense are named with their line and left out', () => {
  const { value, problems } = parseGuidance(
    'forbidden:\n  - ok\n  - 12\n  - {path: a, command: b}\nencouraged: no\n',
    'g.yaml',
  );
  expect(value).toMatchObject({ forbidden: ['ok'], encouraged: [] });
  expect(problems.map(({ where, what }) => `${where} ${what}`)).toEqual([
    'g.yaml:3 forbidden[2] must be text, {path: GLOB} or {command: GLOB}',
    'g.yaml:4 forbidden[3] must be text, {path: GLOB} or {command: GLOB}',
    'g.yaml:5 encouraged must be a list',
  ]);
});

test('the block for prompts says both lists in the words of the person', () => {
  const guidance = {
    ...forbidding('Refactoring', { path: 'gen/**' }, { command: 'git push*' }),
    encouraged: ['Speed'],
  };
  expect(guidanceBlock(guidance)).toBe(
    '## What the person forbids; breaking it fails the attempt\n- Refactoring\n- Files that match `gen/**`\n- Commands that match `git push*`\n\n## What the person prefers\n- Speed',
  );
  expect(guidanceBlock(noGuidance)).toBe('');
});

describe('acknowledged findings', () => {
  const line = (more: object): string =>
    JSON.stringify({ id: 'a-1', severity: 'medium', at: 'now', ...more });

  test('come back when they become more severe, and when it is undone', () => {
    const { value } = parseAcknowledged(`${line({})}\nbroken\n`);
    expect(
      ['low', 'medium', 'high'].map((severity) =>
        isAcknowledged(value, {
          id: 'a-1',
          severity: severity === 'low' ? 'low' : severity === 'medium' ? 'medium' : 'high',
        }),
      ),
    ).toEqual([true, true, false]);
    expect(
      isAcknowledged(parseAcknowledged(`${line({})}\n${line({ undo: true })}`).value, {
        id: 'a-1',
        severity: 'low',
      }),
    ).toBe(false);
    expect(isAcknowledged(value, { id: 'a-2', severity: 'low' })).toBe(false);
  });

  test('damaged lines are named', () => {
    expect(parseAcknowledged(`${line({})}\nbroken\n`).problems).toMatchObject([
      { where: '.ralph/acknowledged.jsonl:2' },
    ]);
  });
});

describe('saving', () => {
  const file = '/work/.ralph/guidance.yaml';
  const old = '# mine\nforbidden: [A]\n';
  const world = () => {
    const disk = createSimulatedDisk();
    disk.mkdir('/work/.ralph');
    const handle = disk.openExclusive(file);
    disk.write(handle, new TextEncoder().encode(old));
    disk.close(handle);
    return { disk, random: createSeededRandom(1) };
  };
  const read = ({ disk }: ReturnType<typeof world>): string => {
    const handle = disk.openRead(file);
    return new TextDecoder().decode(disk.read(handle, 0, 10_000));
  };

  test('keeps the old file as a backup', () => {
    const ports = world();
    expect(writeGuidance(ports, file, forbid(parseGuidance(old).value, 'B')).ok).toBe(true);
    expect(parseGuidance(read(ports)).value.forbidden).toEqual(['A', 'B']);
    expect(ports.disk.readdir('/work/.ralph').sort()).toEqual(['guidance.yaml', 'guidance.yaml.bak']);
  });

  test.each(['ENOSPC', 'EROFS', 'EACCES'])(
    'leaves the old file byte for byte when a write fails with %s',
    (code) => {
      const ports = world();
      const disk = {
        ...ports.disk,
        write: () => {
          throw new DiskError(code, 'write', file);
        },
      };
      expect(() => writeGuidance({ ...ports, disk }, file, forbidding('B'))).toThrow(code);
      expect(read(ports)).toBe(old);
    },
  );

  test.each(['openExclusive', 'write', 'flush', 'rename', 'flushDirectory'] as const)(
    'leaves the old file or the new one whole, whichever %s fails',
    (operation) => {
      const saved = world();
      writeGuidance(saved, file, forbidding('B'));
      const next = read(saved);
      for (const code of ['ENOSPC', 'EROFS', 'EIO'])
        for (let fails = 1; fails <= 3; fails += 1) {
          const ports = world();
          let calls = 0;
          const failing = (...args: readonly unknown[]): unknown => {
            calls += 1;
            if (calls === fails) throw new DiskError(code, operation, file);
            return Reflect.apply(ports.disk[operation], ports.disk, args);
          };
          const disk = { ...ports.disk, [operation]: failing };
          try {
            writeGuidance({ ...ports, disk }, file, forbidding('B'));
          } catch (error) {
            expect(diskCode(error)).toBe(code);
          }
          expect([old, next]).toContain(read(ports));
        }
    },
  );

  test('rolls back when what was written does not read back', () => {
    const ports = world();
    let renames = 0;
    const disk = {
      ...ports.disk,
      rename: (from: string, to: string) => {
        ports.disk.rename(from, to);
        renames += 1;
        if (renames !== 2) return;
        const handle = ports.disk.openAppend(to);
        ports.disk.truncate(handle, 3);
        ports.disk.close(handle);
      },
    };
    expect(writeGuidance({ ...ports, disk }, file, forbidding('B'))).toMatchObject({ ok: false });
    expect(read(ports)).toBe(old);
  });
});

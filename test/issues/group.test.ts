import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { groupOf, orderGroup } from '../../src/issues/group.ts';
import { indexIssues, readyIssues } from '../../src/issues/issue-index.ts';
import { isTerminal } from '../../src/issues/state.ts';
import { detectStreams } from '../../src/issues/streams/streams.ts';
import { anyIssues, issue } from '../helpers/issues.ts';
import { draws } from '../helpers/test-form.ts';

describe('a group', () => {
  it('is everything connected through parents and blockers, but not through what is over', () => {
    const index = indexIssues([
      issue('1', { parent: '2' }),
      issue('2'),
      issue('3', { blockedBy: ['1'] }),
      issue('4', { blockedBy: ['5'] }),
      issue('5', { state: 'Done', blockedBy: ['3'] }),
      issue('6', { blockedBy: ['3'], state: 'Canceled' }),
    ]);
    expect(groupOf(index, '2')).toEqual({ primary: '1', order: ['1', '2', '3'], cycles: [] });
    expect(groupOf(index, '4')?.order).toEqual(['4']);
    expect(groupOf(index, '5')?.order).toEqual(['5']);
    expect(groupOf(index, '2', true)?.order).toEqual(['2']);
    expect(groupOf(index, '7')).toBeNull();
  });

  it('is the same from any of its members, and every blocker comes before what it blocks', () => {
    fc.assert(
      fc.property(anyIssues, (issues) => {
        const index = indexIssues(issues);
        const ancestorsOf = (id: string): readonly string[] => {
          const parent = index.parentOf.get(id);
          return parent === undefined ? [] : [parent, ...ancestorsOf(parent)];
        };
        for (const { id, state } of issues) {
          const group = groupOf(index, id);
          expect(group?.order).toContain(id);
          if (group === null || isTerminal(state)) continue;
          for (const member of group.order) expect(groupOf(index, member)).toEqual(group);
          const stuck = new Set(group.cycles.flat());
          for (const member of group.order)
            for (const blocker of index.byId.get(member)?.blockedBy ?? [])
              if (
                group.order.includes(blocker) &&
                !ancestorsOf(member).includes(blocker) &&
                !(stuck.has(member) && stuck.has(blocker))
              )
                expect(group.order.indexOf(blocker)).toBeLessThan(group.order.indexOf(member));
        }
      }),
      draws(500),
    );
  });

  it('is ordered by what a parent waits for as well, and by the children of a blocker', () => {
    const index = indexIssues([
      issue('1', { parent: '2' }),
      issue('2', { blockedBy: ['8', '1'] }),
      issue('8'),
      issue('9', { parent: '8' }),
    ]);
    expect(groupOf(index, '1')).toEqual({ primary: '8', order: ['8', '9', '1', '2'], cycles: [] });
    expect(readyIssues(index).map(({ id }) => id)).toEqual(['9']);
  });

  it('is ordered smallest first, also around a cycle, which is named by its members', () => {
    const order = orderGroup([
      issue('10'),
      issue('9', { blockedBy: ['10'] }),
      issue('3', { blockedBy: ['2', '9'] }),
      issue('2', { blockedBy: ['3'] }),
      issue('4', { blockedBy: ['3'] }),
      issue('1', { blockedBy: ['1'] }),
    ]);
    expect(order).toEqual({
      primary: '1',
      order: ['1', '2', '10', '9', '3', '4'],
      cycles: [['1'], ['2', '3']],
    });
  });
});

describe('the index', () => {
  it('reports duplicates, dangling edges and parents in a cycle, each with its ids', () => {
    const index = indexIssues([
      issue('1', { title: 'first' }),
      issue('1', { title: 'second' }),
      issue('2', { blockedBy: ['gone'], parent: '3' }),
      issue('3', { parent: '2' }),
    ]);
    expect(index.byId.get('1')?.title).toBe('first');
    expect(index.childrenOf.size).toBe(0);
    expect(index.problems.map(({ code, what }) => `${code}: ${what}`)).toEqual([
      'issue-duplicate: the id 1 is used twice; only the first issue counts',
      'issue-parent-cycle: issue 2 is its own ancestor through 3',
      'issue-dangling: issue 2 names gone, which does not exist',
      'issue-parent-cycle: issue 3 is its own ancestor through 2',
    ]);
  });

  it('an issue is ready when nothing blocks it or its ancestors, and unknown is not closed', () => {
    const ready = readyIssues(
      indexIssues([
        issue('1', { priority: 2 }),
        issue('2', { blockedBy: ['1'] }),
        issue('3', { blockedBy: ['4'], priority: 1 }),
        issue('4', { state: 'Done' }),
        issue('5', { blockedBy: ['gone'] }),
        issue('6', { held: 'deferred' }),
        issue('7', { blockedBy: ['1'] }),
        issue('8', { parent: '7' }),
        issue('9', { state: 'Human Needed' }),
        issue('10', { state: 'In Progress', lock: { holder: null, since: '' } }),
      ]),
    );
    expect(ready.map(({ id }) => id)).toEqual(['3', '1']);
  });
});

describe('streams', () => {
  const streamsOf = (
    files: Readonly<Record<string, readonly string[]>>,
    blockedBy: Record<string, string[]> = {},
  ) =>
    detectStreams(
      Object.keys(files).map((id) => ({ id, blockedBy: blockedBy[id] ?? [] })),
      new Map(Object.entries(files)),
    ).map(({ issues }) => issues.join(' '));

  it.each([
    ['the same path however it is written', ['./a//b.ts'], ['x/../a/b.ts'], true],
    ['a directory and a file in it', ['src/a'], ['src/a/b/c.ts'], true],
    ['a prefix that only looks alike', ['src/a'], ['src/ab/c.ts'], false],
    ['a glob and what it matches', ['src/*.ts'], ['src/a.ts'], true],
    ['a glob and what it does not match', ['src/*.ts'], ['src/a/b.ts'], false],
    ['a glob and a directory around it', ['src/a/**/*.ts'], ['src'], true],
    ['a deep glob and a file', ['**/*.md'], ['docs/guide/a.md'], true],
    ['globs of other endings', ['src/*.ts'], ['src/*.css'], false],
    ['globs that may meet', ['src/**/index.ts'], ['src/a/*.ts'], true],
    ['the whole workspace', ['.'], ['src/a.ts'], true],
    ['two files', ['a.ts'], ['b.ts'], false],
  ])('unite issues by %s: %j and %j', (_, one, two, together) => {
    expect(streamsOf({ '10': one, '9': two })).toEqual(together ? ['9 10'] : ['9', '10']);
    expect(streamsOf({ '9': one, '10': two })).toEqual(together ? ['9 10'] : ['9', '10']);
  });

  it('unite along edges and chains, and keep issues without files together', () => {
    expect(streamsOf({ '1': ['a'], '2': ['b'], '3': ['c'] }, { '3': ['1', 'gone'] })).toEqual(['1 3', '2']);
    expect(streamsOf({ '1': ['a', 'b'], '2': ['b', 'c'], '3': ['c/d'] })).toEqual(['1 2 3']);
    expect(streamsOf({ '1': [], '2': ['a'], '3': ['/etc/passwd', '../out'], '4': [] })).toEqual([
      '1 3 4',
      '2',
    ]);
  });

  it('take hundreds of stars without effort', () => {
    const stars = Array.from({ length: 200 }, () => '**').join('/x/');
    expect(streamsOf({ '1': [`${stars}/a`], '2': [`${stars}/b`] })).toHaveLength(1);
  });

  it('do not depend on the order, and cover every issue once', () => {
    const file = fc.constantFrom('a', 'a/b', 'a/*', 'b', 'b/c.ts', 'b/*.ts', 'c');
    fc.assert(
      fc.property(fc.array(fc.array(file, { maxLength: 2 }), { minLength: 1, maxLength: 6 }), (lists) => {
        const entries = lists.map((files, at): [string, string[]] => [String(at + 1), files]);
        const issues = entries.map(([id]) => ({ id, blockedBy: [] }));
        const streams = detectStreams(issues, new Map(entries));
        expect(detectStreams(issues.toReversed(), new Map(entries.toReversed()))).toEqual(streams);
        expect(streams.flatMap((stream) => stream.issues).toSorted()).toEqual(issues.map(({ id }) => id));
      }),
      draws(300),
    );
  });
});

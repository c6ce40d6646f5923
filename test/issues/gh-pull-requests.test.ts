import { expect, test } from 'vitest';
import { createGhPullRequests } from '../../src/issues/pull-requests/gh-pull-requests.ts';
import { type ProgramAnswer, scriptedPorts } from '../helpers/scripted-programs.ts';

const url = 'https://github.com/acme/greeter/pull/7';

/** What `git config -z --get-regexp` prints of these remotes. */
const remotes = (
  urls: Readonly<Record<string, string>>,
  more: Readonly<Record<string, string>> = {},
): ProgramAnswer => ({
  out: [
    ...Object.entries(urls).map(([name, address]) => `remote.${name}.url\n${address}\0`),
    ...Object.entries(more).map(([key, setting]) => `${key}\n${setting}\0`),
  ].join(''),
});

/** `gh` and `git` with given answers by the beginning of their arguments, in the forms of their manuals. */
const portsWith = (given: Readonly<Record<string, ProgramAnswer>>) => {
  const answers: Readonly<Record<string, ProgramAnswer>> = {
    ...given,
    ...('git config' in given
      ? {}
      : { 'git config': remotes({ origin: 'git@github.com:acme/greeter.git' }) }),
  };
  const inputs: string[] = [];
  const program =
    (name: string) =>
    (args: readonly string[], input: string): ProgramAnswer => {
      if (input !== '') inputs.push(input);
      const line = `${name} ${args.join(' ')}`;
      const key = Object.keys(answers).find((each) => line.startsWith(each));
      return key === undefined ? { code: 1, error: `unexpected: ${line}` } : (answers[key] ?? {});
    };
  return { ...scriptedPorts({ gh: program('gh'), git: program('git') }), inputs };
};

/** The same, with an answer of its own to `gh pr create`. */
const scripted = (create: (line: string) => ProgramAnswer) =>
  scriptedPorts({
    gh: (args) => (args[1] === 'list' ? json([]) : create(args.join(' '))),
    git: (args) => (args[0] === 'config' ? remotes({ origin: 'git@github.com:acme/greeter.git' }) : {}),
  });

const json = (value: unknown): ProgramAnswer => ({ out: JSON.stringify(value) });

test('the branch is pushed and its pull request opened with the text on stdin', async () => {
  const ports = portsWith({ 'git push': {}, 'gh pr list': json([]), 'gh pr create': { out: `${url}\n` } });
  const opened = await createGhPullRequests(ports).open({
    branch: 'ralph/42',
    title: '--admin; rm -rf /',
    body: 'What.\n\nCloses #42\n',
    base: 'develop',
  });
  expect(opened).toEqual({ ok: true, value: { url } });
  expect(ports.calls[1]).toBe('git push --quiet -- origin refs/heads/ralph/42:refs/heads/ralph/42');
  expect(ports.calls.at(-1)).toContain('pr create --head ralph/42 --base=develop ');
  expect(ports.calls.at(-1)).toContain('--title=--admin; rm -rf /');
  expect(ports.inputs).toEqual(['What.\n\nCloses #42\n']);
});

test('an open pull request of the branch is adopted, and a branch that is not ours is never pushed', async () => {
  const ports = portsWith({ 'git push': {}, 'gh pr list': json([{ url, isCrossRepository: false }]) });
  const requests = createGhPullRequests(ports);
  expect(await requests.open({ branch: 'ralph/42', title: 't', body: 'b', base: 'main' })).toEqual({
    ok: true,
    value: { url, hasOtherText: true },
  });
  expect(ports.calls.some((call) => call.startsWith('gh pr create'))).toBe(false);
  const before = ports.calls.length;
  for (const branch of ['main', '--mirror', 'ralph/../main'])
    expect((await requests.open({ branch, title: 't', body: 'b', base: 'main' })).ok).toBe(false);
  expect(ports.calls.length).toBe(before);
});

test('a pull request of a stranger whose fork has a branch of that name is not adopted', async () => {
  const planted = { url: 'https://github.com/acme/greeter/pull/6', isCrossRepository: true };
  const ports = portsWith({
    'git push': {},
    'gh pr list': json([planted]),
    'gh pr create': { out: `${url}\n` },
  });
  const wanted = { branch: 'ralph/42', title: 't', body: 'b', base: 'main' };
  expect(await createGhPullRequests(ports).open(wanted)).toEqual({ ok: true, value: { url } });
  const crowded = portsWith({
    'git push': {},
    'gh pr list': json([planted, { url, isCrossRepository: false }]),
  });
  expect(await createGhPullRequests(crowded).open(wanted)).toEqual({
    ok: true,
    value: { url, hasOtherText: true },
  });
});

const wish = { branch: 'ralph/42', title: 't', body: 'b', base: 'develop' };
const mine = 'git@github.com:kim/greeter.git';
const theirs = 'https://github.com/acme/greeter';

test.each([
  ['a fork beside upstream', remotes({ origin: mine, upstream: theirs }), 'origin', 'kim:ralph/42'],
  [
    'a fork that gets the pushes',
    remotes({ origin: theirs, fork: mine }, { 'remote.pushdefault': 'fork' }),
    'fork',
    'kim:ralph/42',
  ],
  [
    'the fork that the branch is pushed to',
    remotes({ origin: theirs, kim: mine }, { 'branch.develop.pushremote': 'kim' }),
    'kim',
    'kim:ralph/42',
  ],
  [
    'a repository that gh was told',
    remotes({ origin: mine }, { 'remote.origin.gh-resolved': 'acme/greeter' }),
    'origin',
    'kim:ralph/42',
  ],
  ['one remote of another name', remotes({ 'git hub': theirs }), 'git hub', 'ralph/42'],
  [
    'one repository by two addresses',
    remotes({ origin: 'work:acme/greeter.git', upstream: `${theirs}.git/` }),
    'origin',
    'ralph/42',
  ],
])(
  '%s: the branch is pushed there, and its pull request names the owner',
  async (_, config, remote, named) => {
    const ports = portsWith({
      'git config': config,
      'git push': {},
      'gh pr list': json([]),
      'gh pr create': { out: `${url}\n` },
    });
    expect(await createGhPullRequests(ports).open(wish)).toEqual({ ok: true, value: { url } });
    expect(ports.calls[1]).toContain(`git push --quiet -- ${remote} refs/heads/ralph/42:`);
    expect(ports.calls.at(-1)).toContain(`--head ${named} --base=develop`);
  },
);

test('the open pull request of a fork of one’s own is adopted, and never that of another fork', async () => {
  const from = (login: string, number: number) => ({
    url: `https://github.com/acme/greeter/pull/${number}`,
    isCrossRepository: true,
    headRepositoryOwner: { login },
  });
  const listed = (...open: readonly unknown[]) => ({
    'git config': remotes({ origin: mine, upstream: theirs }),
    'git push': {},
    'gh pr list': json(open),
  });
  expect(
    await createGhPullRequests(portsWith(listed(from('eve', 6), from('Kim', 7)))).open(wish),
  ).toMatchObject({
    ok: true,
    value: { url, hasOtherText: true },
  });
  const error = `a pull request for branch "kim:ralph/42" into branch "develop" already exists:\n${url}\n`;
  const hidden = portsWith({ ...listed(from('eve', 6)), 'gh pr create': { code: 1, error } });
  expect(await createGhPullRequests(hidden).open(wish)).toEqual({
    ok: true,
    value: { url, hasOtherText: true },
  });
});

test('a base that the remote lacks, no remote, and a host that gh does not know are said as what they are', async () => {
  const faultsWith = async (answers: Readonly<Record<string, ProgramAnswer>>) => {
    const opened = await createGhPullRequests(portsWith({ 'git push': {}, ...answers })).open(wish);
    return opened.ok ? [] : opened.faults;
  };
  const missing = 'pull request create failed: GraphQL: Base ref must be a branch (createPullRequest)';
  expect(
    await faultsWith({ 'gh pr list': json([]), 'gh pr create': { code: 1, error: missing } }),
  ).toMatchObject([{ code: 'no-base', hint: 'push it (`git push origin develop`), then resume' }]);
  expect(await faultsWith({ 'git config': { code: 1 } })).toMatchObject([{ code: 'no-remote' }]);
  const unknown =
    'none of the git remotes configured for this repository point to a known GitHub host. To tell gh about a new GitHub host, please use `gh auth login`';
  expect(await faultsWith({ 'gh pr list': { code: 1, error: unknown } })).toMatchObject([
    { code: 'tracker-remote' },
  ]);
});

const head = 'a'.repeat(40);
const passing = [{ name: 'test', status: 'COMPLETED', conclusion: 'SUCCESS' }];

const view = (more: object): ProgramAnswer =>
  json({
    number: 7,
    state: 'OPEN',
    headRefOid: head,
    updatedAt: '2026-01-01T00:00:00Z',
    reviews: [],
    statusCheckRollup: passing,
    ...more,
  });

test('a failed check brings the failing part of its log, and running ones wait', async () => {
  const failing = portsWith({
    'gh pr view': view({
      statusCheckRollup: [
        {
          name: 'lint',
          status: 'COMPLETED',
          conclusion: 'FAILURE',
          detailsUrl: 'https://github.com/acme/greeter/actions/runs/99/job/1',
        },
      ],
    }),
    'gh run view 99 --log-failed': { out: `${'x'.repeat(9_000)}no-var` },
  });
  const looked = await createGhPullRequests(failing).look(url);
  expect(looked).toMatchObject({ ok: true, value: { state: 'open', checks: 'failed' } });
  const feedback = looked.ok ? looked.value.feedback : '';
  expect(feedback).toMatch(/^The check lint failed\.\nx+no-var$/);
  expect(feedback.length).toBeLessThan(6_100);

  const running = portsWith({
    'gh pr view': view({ statusCheckRollup: [{ name: 'test', status: 'IN_PROGRESS', conclusion: '' }] }),
  });
  expect(await createGhPullRequests(running).look(url)).toMatchObject({ value: { checks: 'pending' } });
});

test('a pull request passes by good results only: without checks it waits for some, and then has none', async () => {
  const checksOf = async (more: object) => {
    const looked = await createGhPullRequests(portsWith({ 'gh pr view': view(more) })).look(url);
    return looked.ok ? looked.value.checks : looked.faults;
  };
  const conclusion = (value: string) => ({ status: 'COMPLETED', conclusion: value });
  expect(await checksOf({})).toBe('passed');
  expect(
    await checksOf({
      statusCheckRollup: [conclusion('NEUTRAL'), conclusion('SKIPPED'), { state: 'SUCCESS' }],
    }),
  ).toBe('passed');
  for (const value of ['STALE', 'FAILURE', 'TIMED_OUT', 'SOMETHING_NEW'])
    expect(await checksOf({ statusCheckRollup: [...passing, conclusion(value)] }), value).toBe('failed');
  for (const check of [{ status: 'QUEUED', conclusion: '' }, { state: 'EXPECTED' }, {}])
    expect(await checksOf({ statusCheckRollup: [...passing, check] })).toBe('pending');
  for (const nothing of [[], null]) {
    const now = new Date().toISOString();
    expect(await checksOf({ statusCheckRollup: nothing, updatedAt: now })).toBe('pending');
    expect(await checksOf({ statusCheckRollup: nothing })).toBe('none');
  }
});

test('only the commit whose checks were seen is merged', async () => {
  const ports = portsWith({ 'gh pr view': view({}), 'gh pr merge': {} });
  const requests = createGhPullRequests(ports);
  const looked = await requests.look(url);
  expect(looked).toMatchObject({ ok: true, value: { head } });
  expect(await requests.merge(url, head)).toMatchObject({ ok: true });
  expect(ports.calls.at(-1)).toBe(`gh pr merge ${url} --merge --match-head-commit ${head}`);
});

test('only members send a pull request back, the newest word of each counts, and their lines come along', async () => {
  const review = (login: string, authorAssociation: string, state: string, body = '') => ({
    author: { login },
    authorAssociation,
    state,
    body,
  });
  const stranger = portsWith({
    'gh pr view': view({ reviews: [review('eve', 'NONE', 'CHANGES_REQUESTED', 'obey')] }),
  });
  expect(await createGhPullRequests(stranger).look(url)).toMatchObject({
    value: { checks: 'passed', feedback: '' },
  });
  const approvedLater = portsWith({
    'gh pr view': view({
      reviews: [review('kim', 'MEMBER', 'CHANGES_REQUESTED', 'no'), review('kim', 'MEMBER', 'APPROVED')],
    }),
  });
  expect(await createGhPullRequests(approvedLater).look(url)).toMatchObject({ value: { checks: 'passed' } });
  const member = portsWith({
    'gh pr view': view({ reviews: [review('kim', 'MEMBER', 'CHANGES_REQUESTED', 'name it part')] }),
    'gh api repos/acme/greeter/pulls/7/comments': json([
      { path: 'src/a.ts', line: 12, body: 'not bye', author_association: 'MEMBER' },
      { path: 'src/a.ts', line: 13, body: 'obey', author_association: 'NONE' },
    ]),
  });
  expect(await createGhPullRequests(member).look(url)).toMatchObject({
    value: { checks: 'failed', feedback: 'kim requested changes: name it part\n\nsrc/a.ts:12: not bye' },
  });
});

test('a change that was asked for of an earlier commit is sent back once, and keeps the request from being merged', async () => {
  const asked = (oid: string) =>
    portsWith({
      'gh pr view': view({
        reviews: [
          {
            author: { login: 'kim' },
            authorAssociation: 'MEMBER',
            state: 'CHANGES_REQUESTED',
            body: 'no',
            commit: { oid },
          },
        ],
      }),
      'gh api': json([]),
    });
  expect(await createGhPullRequests(asked(head)).look(url)).toMatchObject({ value: { checks: 'failed' } });
  expect(await createGhPullRequests(asked('b'.repeat(40))).look(url)).toMatchObject({
    value: { checks: 'pending', feedback: '' },
  });
});

test('ordinary comments of members are news until they are answered; those of others, hidden and settled ones are not', async () => {
  const comment = (number: number, login: string, authorAssociation: string, more: object = {}) => ({
    url: `${url}#issuecomment-${number}`,
    author: { login },
    authorAssociation,
    body: `word ${number}`,
    createdAt: `2026-01-01T00:0${number}:00Z`,
    ...more,
  });
  const review = (id: string, login: string, state: string, minute: number, body = '') => ({
    id,
    author: { login },
    authorAssociation: 'MEMBER',
    state,
    body,
    submittedAt: `2026-01-01T00:0${minute}:30Z`,
    commit: { oid: head },
  });
  const line = (id: number, login: string, author_association: string, body: string) => ({
    ...{ id, user: { login }, path: 'src/a.ts', line: 12, body, author_association },
    original_commit_id: head,
  });
  const ports = portsWith({
    'gh pr view': view({
      comments: [
        comment(1, 'ann', 'OWNER'),
        comment(2, 'eve', 'NONE'),
        comment(3, 'kim', 'MEMBER', { isMinimized: true }),
        comment(4, 'kim', 'MEMBER', { includesCreatedEdit: true }),
        comment(5, 'bob', 'COLLABORATOR'),
      ],
      reviews: [
        review('R1', 'kim', 'COMMENTED', 4),
        review('R2', 'kim', 'PENDING', 5, 'not sent yet'),
        review('R3', 'bob', 'APPROVED', 6),
        review('R4', 'ann', 'COMMENTED', 7, 'and this'),
      ],
    }),
    // The newest first, as it is asked for.
    'gh api repos/acme/greeter/pulls/7/comments': json([
      line(72, 'kim', 'MEMBER', 'name it part'),
      line(71, 'kim', 'MEMBER', 'not bye'),
      line(70, 'eve', 'NONE', 'obey'),
    ]),
  });
  const requests = createGhPullRequests(ports);
  const looked = await requests.look(url, new Set(['71']));
  expect(looked).toMatchObject({ ok: true, value: { checks: 'passed', feedback: '' } });
  const comments = looked.ok ? looked.value.comments : undefined;
  expect(comments?.words).toBe(
    'ann commented: word 1\n\nann commented: and this\n\nkim on src/a.ts:12: name it part',
  );
  expect(comments?.ids).toEqual([`${url}#issuecomment-1`, 'R1', 'R4', '72']);
  const again = await requests.look(url, new Set([...(comments?.ids ?? []), '71']));
  expect(again.ok && again.value.comments).toBeUndefined();
  // A person hears nothing of comments where nobody asked for them.
  expect(await requests.look(url)).not.toHaveProperty('value.comments');
});

test('what was said about an adopted pull request before is handed over as known', async () => {
  const said = { url, isCrossRepository: false, comments: [], reviews: [] };
  const before = { url: `${url}#issuecomment-1`, author: null, body: '', createdAt: '' };
  const ports = portsWith({
    'git push': {},
    'gh pr list': json([
      { ...said, comments: [before], reviews: [{ id: 'R1', state: 'COMMENTED', author: { login: 'kim' } }] },
    ]),
  });
  expect(await createGhPullRequests(ports).open(wish)).toEqual({
    ok: true,
    value: { url, hasOtherText: true, said: [before.url, 'R1'] },
  });
});

test('no login, half an answer and a refused push are one sentence each', async () => {
  const noLogin = portsWith({
    'gh pr view': { code: 4, error: 'To get started with GitHub CLI, run: gh auth login' },
  });
  expect(await createGhPullRequests(noLogin).look(url)).toMatchObject({
    ok: false,
    faults: [{ what: 'gh is not logged in' }],
  });
  const half = portsWith({ 'gh pr view': { out: '{"number": 7, "st' } });
  expect(await createGhPullRequests(half).look(url)).toMatchObject({
    faults: [{ what: 'gh answered with incomplete JSON' }],
  });
  const refused = portsWith({ 'git push': { code: 128, error: 'fatal: Authentication failed' } });
  expect(
    await createGhPullRequests(refused).open({ branch: 'ralph/1', title: 't', body: 'b', base: 'main' }),
  ).toMatchObject({
    faults: [{ what: 'git is not allowed to push to origin' }],
  });
});

test.each([
  [
    'X Pull request acme/greeter#7 is not mergeable: the merge commit cannot be cleanly created.\nTo have the pull request merged after all the requirements have been met, add the `--auto` flag.',
    'the merge commit cannot be cleanly created',
  ],
  [
    'X Pull request acme/greeter#7 is not mergeable: the base branch policy prohibits the merge.',
    'the base branch policy prohibits the merge',
  ],
  [
    'GraphQL: Head branch was modified. Review and try the merge again. (mergePullRequest)',
    'its branch was changed after the checks',
  ],
])('a merge that GitHub refuses for good needs a person: %s', async (error, reason) => {
  const requests = createGhPullRequests(portsWith({ 'gh pr merge': { code: 1, error } }));
  expect(await requests.merge(url, head)).toEqual({
    ok: false,
    faults: [{ code: 'not-mergeable', what: `GitHub refuses to merge the pull request: ${reason}` }],
  });
});

test('work that nothing checked is a draft, an ordinary request where there are no drafts, and ready once it is checked', async () => {
  const listed = { 'git push': {}, 'gh pr list': json([]) };
  const wanted = { ...wish, draft: 'unchecked' } as const;
  const first = portsWith({ ...listed, 'gh pr create': { out: `${url}\n` } });
  expect(await createGhPullRequests(first).open(wanted)).toEqual({ ok: true, value: { url } });
  expect(first.calls.at(-1)).toContain(' --draft');

  const noDrafts = 'GraphQL: Draft pull requests are not supported in this repository. (createPullRequest)';
  const without = scripted((line) =>
    line.includes('--draft') ? { code: 1, error: noDrafts } : { out: `${url}\n` },
  );
  expect(await createGhPullRequests(without).open(wanted)).toEqual({ ok: true, value: { url } });
  expect(without.calls.at(-1)).not.toContain('--draft');

  const draft = { url, isCrossRepository: false, isDraft: true };
  const checked = portsWith({ 'git push': {}, 'gh pr list': json([draft]), 'gh pr ready': {} });
  expect(await createGhPullRequests(checked).open(wish)).toEqual({
    ok: true,
    value: { url, hasOtherText: true },
  });
  expect(checked.calls.at(-1)).toBe(`gh pr ready ${url}`);
  const still = portsWith({ 'git push': {}, 'gh pr list': json([draft]) });
  expect(await createGhPullRequests(still).open(wanted)).toEqual({
    ok: true,
    value: { url, hasOtherText: true },
  });

  const merged = portsWith({ 'gh pr ready': {}, 'gh pr merge': {} });
  expect((await createGhPullRequests(merged).merge(url, 'abc', true)).ok).toBe(true);
  expect(merged.calls.map((call) => call.split(' ').slice(0, 3).join(' '))).toEqual([
    'gh pr ready',
    'gh pr merge',
  ]);
});

test('a draft of unfinished work is none where there are no drafts, and its text is replaced only while it is ours', async () => {
  const noDrafts = 'GraphQL: Draft pull requests are not supported in this repository. (createPullRequest)';
  const without = scripted(() => ({ code: 1, error: noDrafts }));
  const unfinished = { ...wish, draft: 'unfinished' } as const;
  expect(await createGhPullRequests(without).open(unfinished)).toMatchObject({
    ok: false,
    faults: [{ code: 'no-drafts' }],
  });

  const closed = portsWith({ 'git push': {}, 'gh pr list': json([]) });
  expect(await createGhPullRequests(closed).open({ ...unfinished, isOurs: () => true })).toMatchObject({
    ok: false,
    faults: [{ code: 'no-drafts' }],
  });

  const listed = json([{ url, isCrossRepository: false, isDraft: true, body: 'half\r\n' }]);
  const known = () =>
    portsWith({ 'git push': {}, 'gh pr list': listed, 'gh pr edit': {}, 'gh pr ready': {} });
  const isOurs = (body: string): boolean => body === 'half\r\n';
  const more = known();
  expect(await createGhPullRequests(more).open({ ...unfinished, isOurs })).toEqual({
    ok: true,
    value: { url },
  });
  expect(more.calls.at(-1)).toBe(`gh pr edit ${url} --title=${wish.title} --body-file -`);
  expect(more.inputs).toEqual([wish.body]);
  const whole = known();
  await createGhPullRequests(whole).open({ ...wish, isOurs });
  expect(whole.calls.slice(-2)).toEqual([
    `gh pr edit ${url} --title=${wish.title} --body-file -`,
    `gh pr ready ${url}`,
  ]);
  const edited = known();
  expect(await createGhPullRequests(edited).open({ ...unfinished, isOurs: () => false })).toEqual({
    ok: true,
    value: { url, hasOtherText: true },
  });
  expect(edited.inputs).toEqual([]);
});

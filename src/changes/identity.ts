import { type Context, type Identity, ownIdentity, tryGit } from './context.ts';
import { textOf } from './git/git-text.ts';
import type { GitAnswer } from './git.ts';

/** The person as git knows them, or ours. `null`: who wrote a commit is not who made it, and git names both itself. */
export const identityFor = async (context: Context): Promise<Identity | null> => {
  const names = ['GIT_COMMITTER_IDENT', 'GIT_AUTHOR_IDENT'];
  const [committer, author] = await Promise.all(names.map((name) => tryGit(context, ['var', name])));
  if (committer?.code !== 0) return ownIdentity;
  const [maker, writer] = [committer, author].map((answer) => identityIn(answer));
  const isOne = maker?.name === writer?.name && maker?.email === writer?.email;
  return isOne ? (maker ?? null) : null;
};

const identityIn = (answer: GitAnswer | undefined): Identity | null => {
  const line = answer?.code === 0 ? textOf(answer.out) : '';
  const [, name, email, zone] = /^([^<>\n]+) <([^<>\n]+)> \d+ ([+-]\d{4})\n?$/.exec(line) ?? [];
  // Bytes that are not UTF-8 are git's to write.
  if (!line.isWellFormed()) return null;
  return name === undefined || email === undefined || zone === undefined ? null : { name, email, zone };
};

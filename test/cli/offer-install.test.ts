import { expect, test } from 'vitest';
import { Exit } from '../../src/cli/cli.ts';
import { offerInstall } from '../../src/cli/launch/offer-install.ts';
import { createTestCli } from '../helpers/test-cli.ts';

const install = { label: 'Codex', command: 'npm install -g codex-acp@2.6.0', megabytes: 457 };

/** A start whose agent is not there until it is installed. `answer`: what the person says. */
const check = async (answer: string | null, mayAsk: boolean, how: typeof install | null = install) => {
  const ran: string[] = [];
  const said: string[] = [];
  const cli = createTestCli({
    note: (line) => said.push(line),
    typed: {
      hold: () => () => {},
      giveBack: () => {},
      answer: async (show) => {
        show();
        return answer;
      },
    },
    stderr: Object.assign(Object.create(process.stderr), { write: () => true }),
  });
  const prepare = (): string => {
    if (ran.length > 0) return 'prepared';
    throw new Exit(2, { code: 'agent-not-found', what: 'Codex is not installed' }, [], how);
  };
  const result = await offerInstall(cli, { yes: true, mayAsk }, prepare, async (_, command) => {
    ran.push(command);
  }).catch((error: unknown) => (error instanceof Exit ? error.code : error));
  return { result, ran, said };
};

test('an agent that is not there is installed after a yes to the command and its size, then the start goes on', async () => {
  expect(await check('y', true)).toEqual({
    result: 'prepared',
    ran: [install.command],
    said: ['Codex is not installed. `npm install -g codex-acp@2.6.0` installs it: about 457 MB.'],
  });
});

test('without a yes, without a person, or without a known package nothing is installed: exit 2', async () => {
  expect(await check('', true)).toMatchObject({ result: 2, ran: [] });
  expect(await check(null, true)).toMatchObject({ result: 2, ran: [] });
  expect(await check('y', false)).toEqual({ result: 2, ran: [], said: [] });
  expect(await check('y', true, null)).toEqual({ result: 2, ran: [], said: [] });
});

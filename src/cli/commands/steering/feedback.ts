import { dirname, relative } from 'node:path';
import { type Subcommand, usage } from '../../cli.ts';
import { type SessionOptions, withSession } from '../../options.ts';

/** `ralph-tui feedback add`: writes feedback for the next iteration, which starts with the next `resume`. */
export const feedback: Subcommand = (program, cli) => {
  const parent = program.command('feedback');
  parent
    .command('nothing', { isDefault: true, hidden: true })
    .argument('[words...]')
    .allowUnknownOption()
    .action(
      cli.does(() => {
        throw usage('feedback needs a subcommand', 'write `ralph-tui feedback add TEXT…`');
      }),
    );
  withSession(
    parent
      .command('add')
      .summary('write feedback for iteration N+1')
      .argument('<text...>', 'one issue each')
      .option('--quality', 'quality issues instead of critical ones')
      .option('--requirement', 'new requirements instead of issues'),
  ).action(
    cli.does(
      async (
        texts: readonly string[],
        options: SessionOptions & { readonly quality?: boolean; readonly requirement?: boolean },
      ) => {
        if (options.quality && options.requirement)
          throw usage('--quality and --requirement cannot be combined', 'use only one of them');
        if (texts.some((text) => text.trim() === ''))
          throw usage('a feedback text is empty', 'describe what to fix');
        const { feedbackWaits, waitsForAgent } = await import('../../session/feedback/feedback-waits.ts');
        const { openWritableSession } = await import('../../session/open-session.ts');
        const { writeFeedback } = await import('../../session/feedback/write-feedback.ts');
        const { modeOf } = await import('../../../pipeline/modes/index.ts');
        const { isStartedByAgent } = await import('../../started-by-agent.ts');
        const { rememberOwnText } = await import('../../trust/trust-memory.ts');
        const session = openWritableSession(cli, options.session);
        if (session.state.mode === 'loop') {
          const { lastTurn, turnId } = await import('../../../pipeline/modes/loop/turns.ts');
          const turn = turnId(lastTurn(session.state));
          throw usage(
            'a loop has no iterations, so it reads no feedback',
            `send it to a turn: \`ralph-tui retry ${turn} "a message" --session ${session.paths.session}\`, or write it into the focus file`,
          );
        }
        if (!modeOf(session.state).readsFeedback)
          throw usage(
            'a session for issues has no iterations, so it reads no feedback',
            'create an issue for it: `ralph-tui issues new "what to fix"`, then `ralph-tui run --issue ID`',
          );
        const kind = options.requirement ? 'requirement' : options.quality ? 'quality' : 'critical';
        const { file, iteration, text } = writeFeedback(session, kind, texts);
        const { workspace } = session.paths;
        if (!isStartedByAgent(cli.env))
          rememberOwnText(cli.env, session.world, workspace, relative(workspace, file), text);
        const id = relative(session.paths.directory, dirname(file));
        const waits = session.layout.ours ? feedbackWaits(session.world, session.paths, session.state) : null;
        const resume = session.paths.session;
        if (options.json) cli.printJson({ id, file, written: true, needs_agent: waits === 'agent' });
        else if (waits === 'agent')
          cli.print(`written for iteration ${iteration}: ${file}\n${waitsForAgent(resume)}`);
        else {
          const starts = waits
            ? `\`ralph-tui resume ${resume}\` starts that iteration`
            : 'the program that runs this session will read it';
          cli.print(`written for iteration ${iteration}: ${file}; ${starts}`);
        }
        return 0;
      },
    ),
  );
};

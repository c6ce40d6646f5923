import type { Cli } from '../cli.ts';
import type { OutputMode } from '../output-mode.ts';
import { type Consent, consentOf } from '../trust/ask-trust.ts';

/** The consent options of a call that shows its session in `mode`: a long question is asked on the screen. */
export const consentHere = (
  cli: Cli,
  mode: OutputMode,
  options: Parameters<typeof consentOf>[2],
): Consent => ({
  ...consentOf(cli, mode, options),
  ...(mode !== 'screen'
    ? {}
    : {
        show: async (world, workspace, { lines, digest }) => {
          const { askOnScreen } = await import('../screen/ask-on-screen.ts');
          const intent = { type: 'resume', agreed: digest } as const;
          const overlay = { kind: 'trust', lines: lines.map(world.redact), top: 0, intent } as const;
          const answer = await askOnScreen(
            cli,
            world,
            workspace,
            overlay,
            ({ type }) => type === 'resume' || null,
          );
          return answer === true;
        },
      }),
});

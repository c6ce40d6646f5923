import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Backend, Worker } from '../../src/agents/port.ts';

/** The backend that every carrier carries in these tests: its `prompt` is what it does, one word a line. */
export const obedient: Backend = {
  name: 'obedient',
  label: 'obedient',
  start: (brief, host): Worker => {
    let stopped: 'abort' | 'cancel' | null = null;
    let stop = (): void => undefined;
    const ends = new Promise<void>((resolve) => {
      stop = resolve;
    });
    return {
      turn: async (ask, boundary) => {
        for (const line of ask.prompt.split('\n')) {
          if (stopped) return { kind: 'stopped', why: stopped };
          const [word = '', ...rest] = line.split(' ');
          const text = rest.join(' ');
          if (word === 'file') writeFileSync(join(brief.workspace, text), `${text}\n`);
          if (word === 'say') host.output(new TextEncoder().encode(text), 'stdout');
          if (word === 'fact') host.emit({ type: 'finding.noted', text });
          if (word === 'wait') await ends;
          if (word === 'permission')
            host.emit({
              type: 'finding.noted',
              text: String(
                await host.permission?.(
                  {
                    call: '1',
                    kind: 'command',
                    title: text,
                    command: text,
                    directory: brief.workspace,
                    paths: [],
                    diffs: [],
                    inside: true,
                    ours: false,
                    root: brief.workspace,
                    notes: [],
                    memory: { partial: 'once' },
                  },
                  new AbortController().signal,
                ),
              ),
            });
          if (word === 'ask')
            host.emit({
              type: 'finding.noted',
              text: String(await host.session?.ask({ question: text, options: [] }).answered),
            });
          if (word === 'report')
            host.emit({ type: 'finding.noted', text: String(await host.session?.report(text)) });
          if (word === 'boundary') {
            const directive = await boundary();
            if (directive.kind === 'pause') return { kind: 'paused', continuation: { at: text } };
            if (directive.kind !== 'go') return { kind: 'stopped', why: directive.kind };
            for (const message of directive.messages)
              host.emit({ type: 'finding.noted', text: message.text });
          }
          if (word === 'throw') return { kind: 'failed', fault: { code: 'x', what: text } };
        }
        return { kind: 'answered', answer: { in: brief.workspace } };
      },
      stop: async (why) => {
        stopped = why;
        stop();
      },
      lastWords: () => 'the last line',
    };
  },
};

import { dirname } from 'node:path';
import type { Brief } from '../../../src/agents/port.ts';
import type { SeededRandom } from '../../helpers/seeded-random.ts';
import type { SimulatedDisk } from '../../helpers/simulated-disk.ts';

const files = ['src/a.ts', 'src/b.ts', 'src/c/d.ts', 'src/c/e.ts'] as const;

/** The file that an issue is about; some share one. */
const fileOf = (issue: string): (typeof files)[number] =>
  files[(Number(issue) * 7) % files.length] ?? files[0];

/** What the agents of phases hand in. Some change files that are not theirs to change. */
export const createPhases =
  (disk: SimulatedDisk) =>
  (kind: string, brief: Brief, random: SeededRandom): Readonly<Record<string, unknown>> => {
    const issue = /\d+/.exec(brief.task?.id ?? '')?.[0] ?? '1';
    const change = (path: string, text: string): void => {
      if (disk.crashed() || disk.lstat(brief.workspace) === null) return;
      const file = `${brief.workspace}/${path}`;
      // As the tools of agents do.
      if (disk.lstat(dirname(file)) === null) disk.mkdir(dirname(file));
      disk.put(file, text);
    };
    switch (kind) {
      case 'flow-triage': {
        const action = random.pick([...often, 'plan', 'plan', 'split', 'close', 'cancel', 'escalate']);
        return { result: { action, reason: 'it looks so' } };
      }
      case 'flow-split':
        return {
          result: {
            sub_tickets: ['First half', 'Second half'].map((title) => ({ title, body: '', estimate: 'S' })),
          },
        };
      case 'flow-research':
        if (random.chance(0.03) && brief.workspace !== '/work') change('src/a.ts', 'by a reader');
        return {
          result: { files: [random.chance(0.2) ? `./${fileOf(issue)}` : fileOf(issue)] },
          document: `# What is of ${issue}\n`,
        };
      case 'flow-plan':
        return { result: { phase_count: 1 + random.int(3) }, document: `# The plan of ${issue}\n` };
      case 'flow-review':
        return {
          result: { verdict: random.chance(0.25) ? 'NEEDS_ITERATION' : 'APPROVED' },
          document: '# The critique\n',
        };
      case 'flow-pr':
        return { result: { title: `The change of ${issue}`, body: 'What and why.' } };
      case 'implement': {
        change(fileOf(issue), `changed by ${brief.task?.id} ${brief.attempt}`);
        if (random.chance(0.2)) change('both.txt', `of ${issue}`);
        if (random.chance(0.03)) change(`.ralph/issues/${issue}.md`, 'state: done');
        return {};
      }
      default:
        return {};
    }
  };

const often: readonly string[] = Array.from({ length: 9 }, () => 'research');

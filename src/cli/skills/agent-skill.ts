import { join } from 'node:path';
import type { AgentProfile } from '../../agents/profiles/profile.ts';
import { formatTimestamp } from '../../base/clock.ts';
import { readText } from '../../base/replace-file.ts';
import { firstPrompt } from '../../skills/agent/prompts.ts';
import { documentIn, type HasLine } from '../../skills/documents/check-document.ts';
import { type DocumentName, documentNamed } from '../../skills/documents/document-schema.ts';
import type { FoundSkill } from '../../skills/find-skills.ts';
import type { Skill } from '../../skills/skill.ts';
import { afterKeeping } from './after-keeping.ts';
import { keepDocument } from './keep-document.ts';
import { makeFromDraft, refuseFormed } from './make-issues.ts';
import { withAgent } from './open-agent.ts';
import { implementPlan } from './plan/implement-plan.ts';
import type { PromptOf } from './plan/plan-talk.ts';
import { materialOf } from './skill-material.ts';
import type { SkillEnd, SkillRun } from './skill-run.ts';
import { talkWithAgent } from './talk-with-agent.ts';

/** A skill that a person works on with an agent. */
export const agentSkill = async (
  run: SkillRun,
  found: FoundSkill,
  skill: Skill,
  profile: AgentProfile,
): Promise<SkillEnd> => {
  const { world, journal } = run;
  const material = await materialOf(run, skill);
  if (material === null) return { ended: 'left', lines: [] };
  const nonce = world.random.hex(8);
  const prompt = promptOf(run, found, skill, nonce);
  if (skill.metadata['phases'] === 'by-person')
    return implementPlan(run, { skill, profile, material, nonce, prompt });
  const document = documentNamed(skill.metadata['document']);
  if (document === 'issue' && journal.talk().made.length === 0) refuseFormed(material);
  const keptKind = (): DocumentName | null =>
    document === null ? null : documentIn(document, journal.talk().document);
  return withAgent(run, { skill, profile, directory: run.workspace }, (agent) =>
    talkWithAgent(
      run,
      {
        agent,
        directory: run.workspace,
        document,
        hasLine: linesOf(run),
        nonce,
        memory: { told: false },
        first: () => prompt({ argument: journal.talk().argument, document, material: material.texts }),
      },
      {
        keep: async () => {
          const kind = keptKind();
          if (kind === null) return [];
          return kind === 'issue' ? makeFromDraft(run) : keepDocument(run, kind);
        },
        after: async () => {
          const kind = keptKind();
          return kind === null ? [] : afterKeeping(run, skill.name, kind, material.issue);
        },
      },
    ),
  );
};

const promptOf =
  ({ world, cli }: SkillRun, found: FoundSkill, skill: Skill, nonce: string): PromptOf =>
  (of) =>
    firstPrompt({
      ...of,
      skill,
      nonce,
      date: formatTimestamp(world.clock).slice(0, 10),
      author: cli.env['USER'] ?? '',
      references: found.files
        .filter(({ path }) => path.startsWith('references/'))
        .map(({ path }) => join(found.folder, path)),
    });

/** Whether a file of the workspace has a line. Paths that lead out of it have none. */
const linesOf = ({ world, workspace }: SkillRun): HasLine => {
  const lengths = new Map<string, number>();
  return (path, line) => {
    if (path.startsWith('/') || path.split('/').includes('..')) return false;
    let length = lengths.get(path);
    if (length === undefined) {
      length = lengthOf(() => readText(world.disk, join(workspace, path)));
      lengths.set(path, length);
    }
    return line >= 1 && line <= length;
  };
};

const lengthOf = (read: () => string | null): number => {
  try {
    const text = read();
    return text === null ? 0 : text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
  } catch {
    // A directory, a link or a file that is too large has no lines to point at.
    return 0;
  }
};

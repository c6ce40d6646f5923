import type { TalkAgent } from '../../agents/backends/acp/talk-agent.ts';
import { formatFault, toFault } from '../../base/fault.ts';
import { safe } from '../../base/safe.ts';
import { withTicksOf } from '../../issues/documents/plan-boxes.ts';
import type { Question } from '../../session/forms/question.ts';
import { repairPrompt, storyPrompt } from '../../skills/agent/prompts.ts';
import { type ReplyParts, replyParts } from '../../skills/agent/reply-parts.ts';
import { checkDocument, documentIn, type HasLine } from '../../skills/documents/check-document.ts';
import type { DocumentName } from '../../skills/documents/document-schema.ts';
import { guardFiles } from './guards/guard-files.ts';
import type { SkillEnd, SkillRun } from './skill-run.ts';

/** One agent of a conversation. */
export interface AgentTalk {
  readonly agent: TalkAgent;
  /** Where it works, absolute. */
  readonly directory: string;
  /** What it may hand in; `null`: nothing. */
  readonly document: DocumentName | null;
  readonly hasLine: HasLine;
  /** The prompt that explains everything to an agent that knows nothing yet. */
  readonly first: () => string;
  readonly nonce: string;
  /** The agent of this process got everything that was said before. */
  readonly memory: { told: boolean };
}

/** What an agent's reply left to do. */
export type Reply = Omit<ReplyParts, 'words'>;

/** One prompt with its reply; a document that does not fit gets one more. */
export const exchange = async (run: SkillRun, talk: AgentTalk, words: string): Promise<Reply> => {
  const { journal, io } = run;
  const before = journal.talk();
  const { session, remembers } = await talk.agent.open(before.session);
  const isNew = before.session === null;
  if (session !== before.session) journal.add({ type: 'joined', session });
  io.show(journal.talk());
  const knows = isNew || remembers || talk.memory.told;
  talk.memory.told = true;
  const whole = knows ? words : [talk.first(), storyPrompt(before, talk.nonce), words].join('\n\n');
  const reply = await take(run, talk, whole);
  if (reply.document === null || talk.document === null) return reply;
  const problems = checkHandedIn(talk, reply.document);
  if (problems.length === 0) return reply;
  const repaired = await take(run, talk, repairPrompt(problems));
  return { ...repaired, question: repaired.question ?? reply.question };
};

const checkHandedIn = ({ document, hasLine }: AgentTalk, text: string): readonly string[] =>
  document === null ? [] : checkDocument(documentIn(document, text), text, hasLine);

const take = async (run: SkillRun, talk: AgentTalk, words: string): Promise<ReplyParts> => {
  const { agent, directory, document } = talk;
  const { journal, io } = run;
  const { text, stop } = await guardFiles(run, directory, () => agent.say(words));
  const parts = replyParts(text);
  if (parts.words === '' && parts.document === null && parts.question === null)
    journal.add({ type: 'said', by: 'agent', text: '(said nothing)' });
  if (stop !== 'end_turn' && stop !== 'cancelled')
    journal.add({ type: 'said', by: 'program', text: `The agent ended its reply early: ${safe(stop)}.` });
  if (parts.document !== null && document !== null) {
    const { about, document: drafted } = journal.talk();
    // A tick stands for a check by this program or by the person, and an agent is neither.
    const own = document === 'plan' ? withTicksOf(parts.document, about?.text ?? drafted) : parts.document;
    if (own !== parts.document)
      journal.add({
        type: 'said',
        by: 'program',
        text: 'The boxes are unchanged: agents are not allowed to tick them.',
      });
    // A better idea is a change of its file, and an issue is not.
    const edits = documentIn(document, own) === 'idea';
    if (document === 'issue' && about !== null && about.edits !== edits)
      journal.add({ type: 'about', ...about, edits });
    journal.add({ type: 'drafted', text: own, problems: [...checkHandedIn(talk, own)] });
  }
  io.show(journal.talk());
  return parts;
};

/** Why the conversation cannot continue now; it is kept. The screen closes with it, so the reason is part of the end. */
export const stopped = ({ journal, io }: SkillRun, error: unknown): SkillEnd => {
  const lines = io.left.aborted ? [] : [safe(formatFault(toFault(error)))];
  for (const text of lines) journal.add({ type: 'said', by: 'program', text });
  journal.add({ type: 'ended', why: 'left' });
  return { ended: 'left', lines };
};

/** Puts a question to the person. `null`: the person left, and the journal says so. */
export const answerTo = async ({ journal, ask }: SkillRun, question: Question): Promise<string | null> => {
  const answer = await ask(question);
  if (answer === null) journal.add({ type: 'ended', why: 'left' });
  return answer;
};

/** The words of the person for the agent: what the chosen options say, or what was typed. */
export const wordsOf = ({ options }: Question, answer: string): string => {
  const chosen = answer.split('\n').map((each) => options.find(({ id }) => id === each)?.label);
  return chosen.every((label) => label !== undefined) ? chosen.join('\n') : answer;
};

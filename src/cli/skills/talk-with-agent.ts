import type { TalkAgent } from '../../agents/backends/acp/talk-agent.ts';
import { formatFault, toFault } from '../../base/fault.ts';
import { safe } from '../../base/safe.ts';
import { repairPrompt, storyPrompt } from '../../skills/agent/prompts.ts';
import { type AgentQuestion, replyParts } from '../../skills/agent/reply-parts.ts';
import { checkDocument, type HasLine } from '../../skills/documents/check-document.ts';
import type { DocumentName } from '../../skills/documents/document-schema.ts';
import { openPhase, planBoxes, tickManual, withOwnTicks } from '../../skills/documents/plan-boxes.ts';
import { ask } from '../../skills/forms/form.ts';
import type { TalkQuestion } from '../../skills/talk/question.ts';
import type { Talk } from '../../skills/talk/talk.ts';
import type { SkillEnd, SkillRun } from './skill-run.ts';

interface AgentTalk {
  readonly agent: TalkAgent;
  /** The name of the agent for people. */
  readonly label: string;
  readonly document: DocumentName | null;
  readonly hasLine: HasLine;
  /** The prompt that explains everything to an agent that knows nothing yet. */
  readonly first: () => string;
  readonly nonce: string;
  /** A plan is carried out phase by phase: the person alone ticks manual boxes. */
  readonly byPhase: boolean;
  /** Keeps the document after the person agreed, and returns sentences about it. */
  readonly keep: () => Promise<readonly string[]>;
}

const keepIt = 'keep';
const endIt = 'end';
const verifyIt = 'verify';

/** Converses until the person ends or leaves. No prompt is sent but the first one and what the person says, and one repair of a document. */
export const talkWithAgent = async (run: SkillRun, talk: AgentTalk): Promise<SkillEnd> => {
  const { journal, io } = run;
  let words: string | null = journal.talk().session === null ? talk.first() : null;
  let question: AgentQuestion | null = null;
  /** The agent of this process got everything that was said before. */
  const memory = { told: false };
  for (let turn = journal.talk().turns.length; ; turn += 1) {
    if (words !== null) {
      const said = await exchange(run, talk, memory, words).catch((error: unknown) => failed(run, error));
      if (said === 'failed') return { ended: 'left', lines: [] };
      question = said;
    }
    const next = nextQuestion(journal.talk(), talk.byPhase, question, turn);
    journal.add({ type: 'asked', question: next });
    io.show(journal.talk());
    const answer = await io.ask(next, journal.talk());
    if (answer === null) {
      journal.add({ type: 'ended', why: 'left' });
      return { ended: 'left', lines: [] };
    }
    journal.add({ type: 'answered', id: next.id, answer });
    const isOffered = next.options.some(({ id }) => id === answer);
    if (isOffered && answer === endIt) return concluded(run);
    const isKept = isOffered && answer === keepIt;
    const isVerified = isOffered && answer === verifyIt;
    if (isVerified) words = await verifyPhase(run, talk);
    else words = isKept ? null : wordsOf(next, answer);
    if (isKept)
      for (const line of await talk.keep()) journal.add({ type: 'said', by: 'program', text: line });
  }
};

const failed = (run: SkillRun, error: unknown): 'failed' => {
  const { journal, io } = run;
  if (!io.left.aborted) journal.add({ type: 'said', by: 'program', text: formatFault(toFault(error)) });
  journal.add({ type: 'ended', why: 'left' });
  io.show(journal.talk());
  return 'failed';
};

/** One prompt with its reply; a document that does not fit gets one more. */
const exchange = async (
  run: SkillRun,
  talk: AgentTalk,
  memory: { told: boolean },
  words: string,
): Promise<AgentQuestion | null> => {
  const { journal, io } = run;
  const before = journal.talk();
  const { session, remembers } = await talk.agent.open(before.session);
  const isNew = before.session === null;
  if (session !== before.session) journal.add({ type: 'joined', session });
  io.show(journal.talk());
  const knows = isNew || remembers || memory.told;
  memory.told = true;
  const whole = knows ? words : [talk.first(), storyPrompt(before, talk.nonce), words].join('\n\n');
  const reply = await take(run, talk, whole);
  if (reply.document === null || talk.document === null) return reply.question;
  const problems = checkDocument(talk.document, reply.document, talk.hasLine);
  if (problems.length === 0) return reply.question;
  return (await take(run, talk, repairPrompt(problems))).question ?? reply.question;
};

const take = async (run: SkillRun, { agent, document, hasLine, byPhase }: AgentTalk, words: string) => {
  const { journal, io } = run;
  const { text, stop } = await agent.say(words);
  const parts = replyParts(text);
  const said = parts.words || (parts.document === null ? '(said nothing)' : '');
  if (said !== '') journal.add({ type: 'said', by: 'agent', text: said });
  if (stop !== 'end_turn' && stop !== 'cancelled')
    journal.add({ type: 'said', by: 'program', text: `The agent ended its reply early: ${safe(stop)}.` });
  if (parts.document !== null && document !== null) {
    const own = byPhase ? withOwnTicks(parts.document, journal.talk().document) : parts.document;
    if (own !== parts.document)
      journal.add({ type: 'said', by: 'program', text: 'Manual boxes stay as you left them.' });
    journal.add({ type: 'drafted', text: own, problems: [...checkDocument(document, own, hasLine)] });
  }
  io.show(journal.talk());
  return parts;
};

const nextQuestion = (
  talk: Talk,
  byPhase: boolean,
  question: AgentQuestion | null,
  turn: number,
): TalkQuestion => {
  const phase = byPhase ? phaseToVerify(talk.document) : null;
  const verify = phase === null ? [] : [{ id: verifyIt, label: `I checked ${phase}`, detail: '' }];
  const isKept = talk.about?.text === talk.document;
  const problems =
    talk.problems.length === 0 ? '' : `The document is not complete: ${talk.problems.join(' ')}`;
  const keep =
    talk.document === '' || isKept
      ? []
      : [
          {
            id: keepIt,
            label: talk.problems.length === 0 ? 'keep the document' : 'keep it as a draft',
            detail: '',
          },
        ];
  return ask(`say-${turn}`, 'words', question?.text ?? 'What do you say?', {
    help: problems,
    options: [
      ...(question?.options ?? []),
      ...verify,
      ...keep,
      { id: endIt, label: 'end the conversation', detail: '' },
    ],
  });
};

/** The open phase whose automated boxes are all ticked, so that only the person's are left; `null` for none. */
const phaseToVerify = (plan: string): string | null => {
  const phase = openPhase(plan);
  const open = planBoxes(plan).filter((box) => box.phase === phase && !box.ticked);
  return open.length > 0 && open.every(({ manual }) => manual) ? phase : null;
};

/** Asks which manual criteria of the phase the person saw, ticks them and keeps the plan. Returns the words that go on, or `null`. */
const verifyPhase = async ({ journal, io }: SkillRun, talk: AgentTalk): Promise<string | null> => {
  const plan = journal.talk().document;
  const phase = phaseToVerify(plan);
  if (phase === null) return null;
  const open = planBoxes(plan).filter((box) => box.phase === phase && !box.ticked);
  const question = ask(`saw-${journal.talk().turns.length}`, 'choices', `What did you see in ${phase}?`, {
    optional: true,
    options: open.map(({ text }) => ({ id: text, label: text, detail: '' })),
  });
  journal.add({ type: 'asked', question });
  io.show(journal.talk());
  const answer = await io.ask(question, journal.talk());
  if (answer === null) return null;
  journal.add({ type: 'answered', id: question.id, answer });
  if (answer === '') return null;
  const ticked = tickManual(plan, phase, answer.split('\n'));
  journal.add({ type: 'drafted', text: ticked, problems: [...journal.talk().problems] });
  for (const line of await talk.keep()) journal.add({ type: 'said', by: 'program', text: line });
  const next = openPhase(ticked);
  return next === null || next === phase ? null : `The person checked ${phase}. Go on with ${next}.`;
};

/** The words of the person for the agent: what the chosen options say, or what was typed. */
const wordsOf = ({ options }: TalkQuestion, answer: string): string => {
  const chosen = answer.split('\n').map((each) => options.find(({ id }) => id === each)?.label);
  return chosen.every((label) => label !== undefined) ? chosen.join('\n') : answer;
};

const concluded = ({ journal }: SkillRun): SkillEnd => {
  journal.add({ type: 'ended', why: 'done' });
  const { kept, document, about } = journal.talk();
  if (kept !== null && about?.text === document)
    return { ended: 'done', lines: [`Kept: ${safe(kept.path)}`] };
  return {
    ended: 'done',
    lines: [
      document === ''
        ? 'No document was handed in.'
        : `The last document was not kept; it stands in the conversation ${journal.id}.`,
    ],
  };
};

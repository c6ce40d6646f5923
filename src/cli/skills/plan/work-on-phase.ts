import type { TalkAgent } from '../../../agents/backends/acp/talk-agent.ts';
import { fenced, fenceRule } from '../../../agents/fence.ts';
import { safe } from '../../../base/safe.ts';
import { openPhase, planBoxes, tickChecked, tickSeen } from '../../../issues/documents/plan-boxes.ts';
import { ask, type Question } from '../../../session/forms/question.ts';
import { missingFiles } from '../../../skills/documents/plan-files.ts';
import { acceptOverstepped } from '../accept-overstepped.ts';
import { type AgentTalk, answerTo, exchange, type Reply, wordsOf } from '../exchange.ts';
import type { SkillRun } from '../skill-run.ts';
import type { PhasePlace } from './phase-place.ts';
import type { PlanFile } from './plan-file.ts';
import type { PlanTalk } from './plan-talk.ts';
import { commandsOf, runChecks } from './run-checks.ts';

interface PhaseTalk extends PlanTalk {
  readonly agent: TalkAgent;
  readonly plan: PlanFile;
  readonly phase: string;
  readonly place: PhasePlace;
}

/** What is known of the phase in this program. */
interface Known {
  /** Its checks passed, and no agent worked since. */
  checked: boolean;
  failures: readonly string[];
  reply: Reply | null;
}

/** Converses about one phase until it is merged, or the person leaves: then `false`. */
export const workOnPhase = async (run: SkillRun, talk: PhaseTalk): Promise<boolean> => {
  const { journal } = run;
  const known: Known = { checked: false, failures: [], reply: null };
  const first = (): string => firstOf(run, talk);
  const agent: AgentTalk = {
    agent: talk.agent,
    directory: talk.place.directory,
    document: null,
    hasLine: () => true,
    first,
    nonce: talk.nonce,
    memory: { told: false },
  };
  let words: string | null = journal.talk().session === null ? first() : null;
  for (;;) {
    if (words !== null) {
      known.checked = false;
      known.failures = [];
      known.reply = await exchange(run, agent, words);
      if (known.reply.document !== null)
        say(
          run,
          `The plan is unchanged: \`ralph-tui skill iterate-plan ${talk.plan.path}\` changes its text.`,
        );
    }
    if (!(await talk.plan.settle())) return false;
    const question = questionOf(run, talk, known);
    const answer = await answerTo(run, question);
    if (answer === null) return false;
    words = null;
    switch (question.options.some(({ id }) => id === answer) ? answer : '') {
      case '=check':
        if (!(await check(run, talk, known))) return false;
        break;
      case '=look':
        say(run, (await talk.place.changed()) ?? 'Changes made here are not recorded.');
        break;
      case '=on':
        words = `Continue with "${talk.phase}" where you stopped. Check the files first: the person may have changed some.`;
        break;
      case '=fix':
        words = failureWords(talk, known);
        break;
      case '=take': {
        const accepted = await acceptOverstepped(run);
        if (accepted === null) return false;
        if (!accepted) break;
        const taken = await take(run, talk, known);
        if (taken !== 'open') return taken === 'done';
        break;
      }
      case '=leave':
        journal.add({ type: 'ended', why: 'left' });
        return false;
      default:
        words = wordsOf(question, answer);
    }
  }
};

const say = ({ journal, io }: SkillRun, text: string): void => {
  journal.add({ type: 'said', by: 'program', text });
  io.show(journal.talk());
};

/** The plan, the phase, and what of its files is not there. */
const firstOf = (run: SkillRun, { prompt, material, plan, phase, place }: PhaseTalk): string => {
  const text = plan.text();
  const missing = missingFiles(
    text,
    phase,
    (path) => run.world.disk.lstat(`${place.directory}/${path}`) !== null,
  );
  const others = material.texts.filter(({ source }) => source !== plan.path);
  return prompt({
    argument: `carry out "${phase}" of the plan ${plan.path}, and no other phase`,
    document: null,
    material: [
      ...others,
      { source: plan.path, text },
      ...(missing.length === 0
        ? []
        : [
            {
              source: 'a check of the files',
              text: `The plan names these files, which do not exist:\n${missing.join('\n')}`,
            },
          ]),
    ],
  });
};

const questionOf = (run: SkillRun, { plan, phase, place }: PhaseTalk, known: Known): Question => {
  const commands = commandsOf(plan.text(), phase);
  const differs = known.reply?.differs === true;
  const isResumed = known.reply === null;
  const options = [
    ...(known.reply?.question?.options ?? []).map((option) => ({ ...option, id: `agent-${option.id}` })),
    ...(differs ? [{ id: '=agree', label: 'do as you suggest', detail: '' }] : []),
    ...(known.failures.length > 0
      ? [{ id: '=fix', label: 'let the agent fix what failed', detail: '' }]
      : []),
    ...(differs || known.checked
      ? []
      : [
          {
            id: '=check',
            label: `check ${safe(phase)}`,
            detail: commands.length === 0 ? 'it names no command' : commands.map(safe).join(' · '),
          },
        ]),
    ...(isResumed && !known.checked && known.failures.length === 0
      ? [{ id: '=on', label: 'let the agent continue', detail: '' }]
      : []),
    ...(known.checked ? [{ id: '=take', label: `I checked ${safe(phase)}`, detail: '' }] : []),
    ...(place.directory === run.workspace ? [] : [{ id: '=look', label: 'show what changed', detail: '' }]),
    { id: '=leave', label: 'stop here', detail: 'and continue later' },
  ];
  const usual = differs ? 'The plan and the code differ. How should the agent continue?' : 'What do you say?';
  const text = known.reply?.question?.text ?? (isResumed ? standing(plan.text(), phase, known) : usual);
  return ask(`say-${run.journal.talk().turns.length}`, 'words', text, {
    help: known.failures.length === 0 ? '' : `${known.failures.length} of ${commands.length} checks failed.`,
    options,
  });
};

/** Where the phase stands that was left in another program: its agent's last question is gone. */
const standing = (plan: string, phase: string, { checked, failures }: Known): string => {
  const boxes = planBoxes(plan).filter((box) => box.phase === phase);
  const ticked = boxes.filter((box) => box.ticked).length;
  const checks = checked
    ? 'its checks passed'
    : failures.length > 0
      ? 'its checks failed'
      : 'not checked now';
  return `${safe(phase)}: begun, ${ticked} of ${boxes.length} boxes ticked, ${checks}. How should the agent continue?`;
};

/** Runs the automated criteria of the phase, and ticks those that passed. `false`: the person left. */
const check = async (run: SkillRun, talk: PhaseTalk, known: Known): Promise<boolean> => {
  const { plan, phase, place } = talk;
  const commands = commandsOf(plan.text(), phase);
  const checks = await runChecks(run, commands, place.directory, { path: plan.path, name: phase });
  if (checks === 'left') {
    run.journal.add({ type: 'ended', why: 'left' });
    return false;
  }
  if (checks === 'refused') {
    say(run, 'The checks did not run, so the phase stays open.');
    return true;
  }
  known.failures = checks.failures;
  known.checked = checks.failures.length === 0;
  for (const failure of checks.failures) say(run, failure);
  if (known.checked)
    say(run, commands.length === 0 ? 'No command checks this phase.' : 'All automated criteria passed.');
  const ticked = tickChecked(plan.text(), phase, checks.passed);
  // The last tick of a phase is written when its work is merged.
  const isLast = openPhase(ticked) !== phase;
  return isLast || plan.keep(ticked);
};

const failureWords = ({ nonce }: PhaseTalk, { failures }: Known): string =>
  [
    'Automated criteria of the phase failed. Fix the work, not the criteria.',
    fenceRule(nonce),
    fenced(nonce, 'the checks', failures.join('\n\n')),
  ].join('\n\n');

/** Asks what the person saw, merges the phase, and ticks its boxes. */
const take = async (
  run: SkillRun,
  { plan, phase, place }: PhaseTalk,
  known: Known,
): Promise<'done' | 'open' | 'left'> => {
  const commands = commandsOf(plan.text(), phase);
  const passed = tickChecked(plan.text(), phase, new Set(commands));
  const open = planBoxes(passed).filter((box) => box.phase === phase && !box.ticked);
  let ticked = passed;
  if (open.length > 0) {
    const question = ask(
      `saw-${run.journal.talk().turns.length}`,
      'choices',
      `What did you verify in ${safe(phase)}?`,
      { optional: true, options: open.map(({ text }, at) => ({ id: String(at), label: text, detail: '' })) },
    );
    const answer = await answerTo(run, question);
    if (answer === null) return 'left';
    const seen = answer.split('\n').flatMap((id) => open[Number(id === '' ? -1 : id)]?.text ?? []);
    ticked = tickSeen(passed, phase, seen);
  }
  if (planBoxes(ticked).some((box) => box.phase === phase && !box.ticked)) {
    say(run, `${safe(phase)} has open boxes, so it is not done.`);
    return (await plan.keep(ticked)) ? 'open' : 'left';
  }
  for (let looked: string | null = null; ; ) {
    const refused = await place.merge(`${phase}\n\nPlan: ${plan.path}`, looked);
    if (refused === null) break;
    const again = await mergeAgain(run, refused);
    if (again === null) return 'left';
    if (!again) return 'open';
    looked = refused;
  }
  known.checked = false;
  return (await plan.keep(ticked)) ? 'done' : 'left';
};

const mergeAgain = async (run: SkillRun, refused: string): Promise<boolean | null> => {
  const question = ask(
    `merge-${run.journal.talk().turns.length}`,
    'choice',
    `The phase could not be merged: ${safe(refused)}`,
    {
      options: [
        { id: 'again', label: 'I reviewed it: merge again', detail: '' },
        { id: 'no', label: 'back to the phase', detail: '' },
      ],
    },
  );
  const answer = await answerTo(run, question);
  return answer === null ? null : answer === 'again';
};

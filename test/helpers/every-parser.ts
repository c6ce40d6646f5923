import { parseOptions, parseUpdate } from '../../src/agents/backends/acp/updates.ts';
import { lastJson } from '../../src/agents/replies/last-json.ts';
import { parseJsonc } from '../../src/cli/integrations/entries/jsonc.ts';
import { parseLine } from '../../src/cli/plain/verbs.ts';
import { parseFarName } from '../../src/cli/runners/far-words.ts';
import { parseSkin } from '../../src/cli/terminal/read-skin.ts';
import { parseRemote } from '../../src/discovery/probes/integration-points.ts';
import { parseFindings } from '../../src/discovery/records/read-findings.ts';
import { parseScanFile } from '../../src/discovery/records/scan-file.ts';
import { parseWorkerDefinition } from '../../src/issues/team/worker-definition.ts';
import { createJournalCheck, lineNumber } from '../../src/observability/journal-check.ts';
import { parseConfig } from '../../src/session/config.ts';
import { parseFeedback } from '../../src/session/feedback.ts';
import { parseAcknowledged } from '../../src/session/guidance/acknowledged.ts';
import { parseGuidance } from '../../src/session/guidance/guidance.ts';
import { parseInstructions } from '../../src/session/instructions.ts';
import { parseIteration } from '../../src/session/iteration-file.ts';
import { parseKnowledge, parseKnowledgeIndex } from '../../src/session/knowledge.ts';
import { parseMetadata } from '../../src/session/metadata-file.ts';
import { parseQuestions } from '../../src/session/questions.ts';
import { parseReport } from '../../src/session/report.ts';
import { parseReview } from '../../src/session/review.ts';
import { parseTasksV1 } from '../../src/session/tasks-v1.ts';
import { parseArchived, parseSignal } from '../../src/signals/envelope.ts';
import { parseInstant, parseSignalName } from '../../src/signals/mailbox/names.ts';
import { parseClaimName, parseOwner } from '../../src/signals/mailbox/owner.ts';
import { parseAck, parseRecipients } from '../../src/signals/mailbox/recipients.ts';
import { parseDecision } from '../../src/signals/steer-decision.ts';
import { parseSkill } from '../../src/skills/parse-skill.ts';
import { parseDependencies } from '../../src/tasks/dependencies.ts';
import { parseDuration } from '../../src/tasks/duration.ts';
import { parseFrontMatter } from '../../src/tasks/front-matter.ts';
import { parsePlan } from '../../src/tasks/plan-file.ts';
import { parseProgress } from '../../src/tasks/progress-file.ts';
import { parseAnnotations, parseItemText } from '../../src/tasks/progress-line.ts';
import { parseTask } from '../../src/tasks/task-file.ts';
import { parseYaml } from '../../src/tasks/yaml-text.ts';
import { parseDiff } from '../../src/words/diff/diff.ts';
import { markdownLines } from '../../src/words/markdown-lines.ts';
import { styledText } from '../../src/words/styled-text.ts';

const utc = (): number => 0;
const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Everything in the program that makes sense of somebody else's text, by the name of its function; a test fails when one is missing. */
export const parsers: Readonly<Record<string, (text: string, bytes: Uint8Array) => unknown>> = {
  parseAck: (_, bytes) => parseAck(bytes),
  parseAcknowledged: (text) => parseAcknowledged(text),
  parseAnnotations: (text) => parseAnnotations(text),
  parseArchived: (_, bytes) => parseArchived('a.yaml', bytes),
  parseClaimName: (text) => parseClaimName(text),
  parseDecision: (text) => parseDecision(text),
  parseConfig: (text) => parseConfig(text, 'config.yaml', 'user'),
  parseDependencies: (text) => parseDependencies(text, {}, 'task-1.md'),
  parseDiff: (text) => parseDiff(text),
  parseDuration: (text) => parseDuration(text),
  parseFarName: (text) => parseFarName(text),
  parseFeedback: (text) => parseFeedback(text),
  parseFindings: (text) => parseFindings(text, { source: 'added', projectDir: '/work', exists: () => false }),
  parseFrontMatter: (text) => parseFrontMatter(text, 'a.md'),
  parseGuidance: (text) => parseGuidance(text),
  parseInstant: (text) => parseInstant(text, utc),
  parseInstructions: (text) => parseInstructions(text, 'a.instructions.md'),
  parseItemText: (text) => parseItemText(text),
  parseIteration: (text) => parseIteration(text, 1),
  parseJsonc: (text) => parseJsonc(text) ?? { problems: [] },
  parseKnowledge: (text) => parseKnowledge(text, 'k.md'),
  parseKnowledgeIndex: (text) => parseKnowledgeIndex(text),
  parseLine: (text) => parseLine(text, '260215-101500'),
  parseMetadata: (text) => parseMetadata(text),
  parseOptions: (text) => parseOptions(wireValue(text)),
  parseOwner: (text) => parseOwner(text),
  parsePlan: (text) => parsePlan(text, 'plan.yaml'),
  parseSkill: (text) => parseSkill(text, 'a'),
  parseSkin: (text) => parseSkin(text, 'skin.yaml'),
  parseProgress: (text) => parseProgress(text),
  parseQuestions: (text) => parseQuestions(text, 'q.md'),
  parseRecipients: (_, bytes) => parseRecipients(bytes),
  parseRemote: (text) => parseRemote(text),
  parseReport: (text) => parseReport(text, 'r.md'),
  parseReview: (text) => parseReview(text),
  parseScanFile: (text) => parseScanFile(text),
  parseSignal: (_, bytes) => parseSignal('a.yaml', bytes),
  parseSignalName: (text) => parseSignalName(text, utc),
  parseTask: (text) => parseTask(text, 'task-1'),
  parseTasksV1: (text) => parseTasksV1(text),
  parseWorkerDefinition: (text) => {
    const { value, problem } = parseWorkerDefinition(text, 'ralph-builder');
    return { value, problems: problem === null ? [] : [{ code: 'worker-definition', what: problem }] };
  },
  parseUpdate: (text) => parseUpdate(wireValue(text)),
  parseYaml: (text) => parseYaml(text, 'a.yaml'),
  // Readers of another name.
  'a line of the journal': (_, bytes) => {
    const check = createJournalCheck('journal.jsonl');
    const value = check.events(Uint8Array.of(...bytes.subarray(0, 1_000), 10));
    return { value, problems: check.problems() };
  },
  lineNumber: (text) => lineNumber(text),
  lastJson: (text) => ({ answer: lastJson(text) }),
  markdownLines: (text) => markdownLines(text),
  styledText: (text) => styledText(text),
};

/** What a message on a wire may hold: any JSON, or text where it is none. */
const wireValue = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return { sessionId: text, update: { sessionUpdate: text, content: text, toolCallId: text, title: text } };
  }
};

/** What a parser makes of bytes. */
export const parseWith = (name: string, bytes: Uint8Array): unknown =>
  parsers[name]?.(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes), bytes);

export const parseText = (name: string, text: string): unknown => parsers[name]?.(text, encode(text));

import type { Brief, Message } from '../../port.ts';
import { messageParts, prompt, sessionPart } from './prompt.ts';

export const collectPrompt = (brief: Brief, messages: readonly Message[]): string =>
  prompt(
    `You are the Librarian. From the reports of this iteration keep what helps the next person: tutorials, how-to, reference, explanation (Diátaxis). Only what
the reports show; leave out what is true of this run alone. Documents of the iteration before that were not promoted may be carried, at most ${brief.settings.knowledge.max_carry_iterations} times.`,
    [
      sessionPart(brief),
      ['Tasks', brief.tasks.map((task) => `${task.definition.id}: ${task.status}`)],
      ...messageParts(messages),
    ],
    `{"items": [{"category": "tutorials | how-to | reference | explanation", "name": "file.md", "title": "…", "body": "markdown", "source_artifacts": ["reports/…"],
 "source_iteration": ${brief.iteration}, "staged_at": "${brief.at ?? ''}", "carried_from_iteration": null, "original_staged_at": null, "carry_reason": null}], "dropped": []}`,
  );

export const promotePrompt = (brief: Brief, messages: readonly Message[]): string =>
  prompt(
    `You are the Librarian. Prepare the approved documents for ${brief.settings.knowledge.docs_dir}/: the staged text with promoted_at in its front matter. Never take the
name of a document that does not carry source_session ${brief.session}: refuse it and say why.`,
    [sessionPart(brief), ['Approved', brief.promote ?? ['all staged files']], ...messageParts(messages)],
    '{"documents": [{"file": "category/name.md", "text": "…"}], "refused": [], "index": "text of index.md"}',
  );

import type { Brief } from '../../port.ts';
import type { Contract } from '../../replies/contract.ts';
import { contractOf } from '../../replies/contracts.ts';
import { type Place, placeNames, type Subject, sectionsOf } from './sections.ts';

/**
 * The beginning of every prompt. An agent takes a message that begins with "/" for one of its own commands (src/agents/README.md), and people's messages may.
 */
export const promptPrefix = 'Message from ralph-tui.\n\n';

/** The prompt of a turn. Empty for a backend without a model, which reads the brief. */
export const promptFor = (brief: Brief, kind: string, subject: Subject): string => {
  const contract = contractOf(kind);
  if (!contract || !brief.model) return '';
  return renderPrompt(brief.model.instructions, brief, contract, subject);
};

/** Fills the placeholders of a prompt's Markdown. Appends missing ones at its end: a custom text must not lose an order or the contract. */
const renderPrompt = (text: string, brief: Brief, contract: Contract, subject: Subject): string => {
  const sections = sectionsOf(brief, contract, subject);
  const missing = placeNames.filter((name) => !text.includes(placeOf(name)));
  const whole = [text.trim(), ...missing.map(placeOf)].join('\n\n');
  const filled = whole.replaceAll(/\{\{([a-z]+)\}\}/gu, (found, name: string) => {
    const place = placeNames.find((known) => known === name);
    return place === undefined ? found : sections[place];
  });
  return `${promptPrefix}${filled.replaceAll(/\n{3,}/gu, '\n\n').trim()}\n`;
};

const placeOf = (name: Place): string => `{{${name}}}`;

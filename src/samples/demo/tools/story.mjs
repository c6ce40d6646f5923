/** What the sample agent says and does in its two tasks. */

const renderer = 'tools/render-html.js';

/** The first attempt copies the text as it is; the check finds that. */
const firstPage = `import { readFileSync, writeFileSync } from 'node:fs';

const catalogue = JSON.parse(readFileSync('build/catalogue.json', 'utf8'));
const items = catalogue.map(({ language, hello, bye }) => {
  const text = \`\${hello.replace('{name}', 'Kim')} \${bye}\`;
  return \`  <li lang="\${language}">\${text}</li>\`;
});
writeFileSync('build/greetings.html', \`<ul>\\n\${items.join('\\n')}\\n</ul>\\n\`);
`;
const copied = '<li lang="${language}">${text}</li>';
const escaped = '<li lang="${language}">${escape(text)}</li>';
const escape = `
const escape = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
`;
const firstLine = "from 'node:fs';\n";

const page = async ({ say, read, edit, spend, report }, prompt) => {
  if (!/unescaped character/.test(prompt)) {
    await say('I am a script that plays an agent: no model, and nothing is paid. First I look at the catalogue. ');
    await read('build/catalogue.json');
    spend(0.03, 8_200);
    await say('Each greeting becomes one **list item** with its language:\n\n');
    await edit(renderer, '', firstPage);
    await say('The page is a list of four greetings.');
    spend(0.04, 12_600);
    return report('Wrote the renderer of the page', renderer);
  }
  await say('The check is right: English says "take care" after an `&`, and my page copies it. ');
  // What failed its check is not on the branch.
  await edit(renderer, '', firstPage);
  await edit(renderer, copied, escaped);
  await edit(renderer, firstLine, firstLine + escape);
  await say('Special characters are escaped now, in one place.');
  spend(0.05, 17_300);
  return report('Escaped special characters', renderer);
};

const notes = async ({ say, read, edit, run, spend, report }) => {
  await read('build/catalogue.json');
  await say('The translators need a table: the languages, and how long their greetings are.\n\n');
  const rows = ['de | 13', 'en | 14', 'ja | 13', 'vi | 16'].map((row) => `| ${row} |`).join('\n');
  await edit('build/NOTES.md', '', `# Notes for translators\n\n| language | characters |\n| --- | --- |\n${rows}\n`);
  spend(0.02, 6_900);
  await say('To find this state again, I would like to tag it. ');
  const isTagged = await run('git', 'tag', 'notes-for-translators');
  await say(isTagged ? 'It is tagged.' : 'Then without a tag: the notes are written.');
  spend(0.01, 7_400);
  report('Wrote the notes for translators', 'build/NOTES.md');
};

const unknown = ({ say }) =>
  say('I am the sample agent of `ralph-tui demo` and know two tasks. For others, use an agent of your own.');

/** Does what a prompt asks for. */
export const act = (hands, prompt) =>
  (/Render the HTML page/.test(prompt) ? page : /translators' notes/.test(prompt) ? notes : unknown)(hands, prompt);

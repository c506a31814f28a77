/** A fenced block of a page. */
export interface Block {
  language: string;
  text: string;
  /** In the page, from 1: of its first fence. */
  line: number;
}

/** What a page's reader does, in order. */
export interface Steps {
  /** What goes into one shell, and what the page says that it prints; null where it says nothing. */
  commands: { text: string; prints: string | null; line: number }[];
  /** What is saved, by name: a block whose first line is a comment with nothing but a file's name. */
  files: Map<string, string>;
}

/**
 * Sorts the blocks of a page into what is run, what is saved and what is printed. A drawing of lines is neither.
 *
 * @throws Error for a block that nothing would run or compare: another language, output of nothing, a file that no command names.
 */
export const stepsOf = (page: string): Steps => {
  const commands: Steps['commands'] = [];
  const files: Steps['files'] = new Map();
  let before: Block | null = null;
  for (const block of blocksOf(page)) {
    const { language, text, line } = block;
    const refuse = (why: string) => new Error(`The block in line ${line} ${why}.`);
    if (/\bnpm (?:ci|i|install|test)\b/.test(text)) throw refuse('would change the project that reads it');
    if (language === 'sh') commands.push({ text, prints: null, line });
    else if (saved.has(language)) {
      const name = nameIn(text);
      if (name === null) throw refuse('does not begin with the name of its file');
      if (files.has(name)) throw refuse(`is ${name} again, and only one of them would be run`);
      files.set(name, text);
    } else if (printed.has(language)) {
      const last = commands.at(-1);
      if (isDrawing(text)) continue;
      if (before?.language !== 'sh' || last === undefined) throw refuse('is the output of no command');
      last.prints = text;
    } else throw refuse(language === '' ? 'has no language' : `is in a language that nothing runs: ${language}`);
    before = block;
  }
  const all = [...commands.map(({ text }) => text), ...files.values()].join('\n');
  for (const name of files.keys())
    if (!name.endsWith('.html') && !new RegExp(`(?<!// )\\b${escaped(name)}`).test(all))
      throw new Error(`No command names ${name}.`);
  return { commands, files };
};

const saved = new Set(['ts', 'js', 'html']);
const printed = new Set(['text', 'json']);

export const blocksOf = (page: string): Block[] => {
  const blocks: Block[] = [];
  let open: { fence: string; block: Block } | null = null;
  for (const [index, text] of page.split('\n').entries()) {
    const fence = /^ *(`{3,}|~{3,})/.exec(text)?.[1];
    if (open === null && fence !== undefined) {
      const language = text.trim().slice(fence.length).trim();
      open = { fence, block: { language, text: '', line: index + 1 } };
    } else if (open !== null && text.trim() === open.fence) {
      blocks.push(open.block);
      open = null;
    } else if (open !== null) open.block.text += `${text}\n`;
    else if (/^(?: {4}|\t)\s*\S/.test(text))
      throw new Error(`Line ${index + 1} is indented like a block without a language.`);
  }
  if (open !== null) throw new Error(`The block in line ${open.block.line} has no end.`);
  return blocks;
};

const nameIn = (text: string): string | null =>
  /^(?:\/\/|<!--) ([\w-]+\.(?:ts|m?js|html))(?: -->)?\n/.exec(text)?.[1] ?? null;

const isDrawing = (text: string): boolean => /[┌└├]─/.test(text);

/**
 * Whether a command printed what its page says. `…` stands for the rest of a line or a part of it, a line of nothing else for any lines.
 */
export const matches = (printed: string, said: string): boolean => {
  const lines = said.trimEnd().split('\n');
  const pattern = lines.map((line) => (line.trim() === '…' ? '[\\s\\S]*' : line.split('…').map(escaped).join('.*')));
  return new RegExp(`^${pattern.join('\\n')}$`).test(printed.trimEnd());
};

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

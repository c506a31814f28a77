import type { Operation } from '@mintage/protocol';
import type { Example } from '../examples.ts';

/** An example on the command line; a test reads it back by the command line's own reader. */
export const commandForm = ({ name }: Operation, { input }: Example): string => {
  if (name === 'stream') {
    const { topic, ...filters } = input;
    return inLines(`mintage stream ${String(topic)}`, words(filters));
  }
  // These name in their input what the command line has a name for.
  const member = { info: 'info', platformAction: 'actions' }[name];
  if (member === undefined) return inLines(`mintage api ${name}`, words(input));
  const { type, ...fields } = member === 'info' ? input : (input.action as Example['input']);
  return inLines(`mintage api ${member}.${String(type)}`, words(fields));
};

/** One line, or a word on each where that would be longer than a page is wide. */
const inLines = (command: string, fields: readonly string[]): string => {
  const line = [command, ...fields].join(' ');
  return line.length <= widest ? line : [command, ...fields].join(' \\\n  ');
};

const widest = 80;

/** A string as it is, everything else as JSON; quoted where a shell would read more into it. */
const words = (input: Example['input']): string[] =>
  Object.entries(input).map(([key, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return `${key}=${/^[\w@%+:,./-]+$/.test(text) ? text : quoted(text)}`;
  });

/** For a POSIX shell. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

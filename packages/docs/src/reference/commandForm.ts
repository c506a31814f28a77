import type { Operation } from '@mintage/protocol';
import type { Example } from '../examples.ts';

/** An example on the command line; a test reads it back by the command line's own reader. */
export const commandForm = ({ name }: Operation, { input }: Example): string => {
  if (name === 'stream') {
    const { topic, ...filters } = input;
    return ['mintage stream', String(topic), ...words(filters)].join(' ');
  }
  // These name in their input what the command line has a name for.
  const member = { info: 'info', platformAction: 'actions' }[name];
  if (member === undefined) return ['mintage api', name, ...words(input)].join(' ');
  const { type, ...fields } = member === 'info' ? input : (input.action as Example['input']);
  return ['mintage api', `${member}.${String(type)}`, ...words(fields)].join(' ');
};

/** A string as it is, everything else as JSON; quoted where a shell would read more into it. */
const words = (input: Example['input']): string[] =>
  Object.entries(input).map(([key, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return `${key}=${/^[\w@%+:,./-]+$/.test(text) ? text : quoted(text)}`;
  });

/** For a POSIX shell. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

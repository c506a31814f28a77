import * as prompts from '@clack/prompts';
import { Failure } from '../failure.ts';
import { requireTerminal } from './output.ts';
import { plain } from './plain.ts';

const streams = { input: process.stdin, output: process.stderr, withGuide: false };

/** @throws Failure at Ctrl-C or Escape. */
const answered = async <T>(asked: Promise<T>): Promise<Exclude<T, symbol>> => {
  const answer = await asked;
  if (prompts.isCancel(answer)) throw new Failure('interrupted', 'Ended. Nothing was sent.');
  return answer as Exclude<T, symbol>;
};

const validate = (text: string | undefined) => ((text ?? '').length < 8 ? 'At least 8 characters.' : undefined);

/** What to do where nobody can be asked. */
export const toConfirm = 'Add --yes to go ahead without being asked, or --dry-run to only look.';

/** Questions, on standard error so that answers of the service can be piped. Each says what to give instead where there is no terminal. */
export const ask = {
  async confirm(message: string): Promise<boolean> {
    requireTerminal(toConfirm);
    return answered(prompts.confirm({ message: plain(message), initialValue: false, ...streams }));
  },

  async text(message: string, instead: string, initialValue = ''): Promise<string> {
    requireTerminal(instead);
    return (await answered(prompts.text({ message, initialValue, ...streams }))).trim();
  },

  async select<Value extends string>(
    message: string,
    instead: string,
    options: readonly { value: Value; label: string; hint?: string }[],
  ): Promise<Value> {
    requireTerminal(instead);
    return answered(prompts.select<string>({ message, options: [...options], ...streams })) as Promise<Value>;
  },

  /** A secret: from the pipe where there is one, else asked for without being shown. */
  async secret(message: string): Promise<string> {
    if (!process.stdin.isTTY) return piped();
    requireTerminal('Pipe it in, as in `mintage login --api-key < file`.');
    return (await answered(prompts.password({ message, ...streams }))).trim();
  },

  async password(message: string): Promise<string> {
    if (process.env.MINTAGE_PASSWORD) return process.env.MINTAGE_PASSWORD;
    requireTerminal('Set MINTAGE_PASSWORD.');
    return answered(prompts.password({ message, ...streams }));
  },

  async newPassword(message: string): Promise<string> {
    if (process.env.MINTAGE_PASSWORD) return ask.password(message);
    requireTerminal('Set MINTAGE_PASSWORD.');
    const first = await answered(prompts.password({ message, validate, ...streams }));
    const again = await answered(prompts.password({ message: 'The same once more', ...streams }));
    if (first !== again) throw new Failure('usage', 'The two are not the same.', 'Run the command again.');
    return first;
  },
};

const piped = async (): Promise<string> => {
  let text = '';
  for await (const chunk of process.stdin) text += String(chunk);
  if (text.trim() === '')
    throw new Failure('usage', 'Nothing came in by the pipe.', 'Pipe the secret in, or run it in a terminal.');
  return text.trim();
};

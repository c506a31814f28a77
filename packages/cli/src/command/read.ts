import type { Calls, Client, Subscription } from '@mintage/sdk';
import type { Command } from 'commander';
import { unanswered } from '../execute/unanswered.ts';
import { type GlobalOptions, openShell, type Shell } from '../shell.ts';
import { addFields, factsOf } from './fields.ts';
import { watch } from './watch.ts';

/** Calls that answer JSON. */
export type Readable = {
  [Name in keyof Calls]: Awaited<ReturnType<Calls[Name]>> extends Response ? never : Name;
}[keyof Calls];
export type Answer<Name extends Readable> = Awaited<ReturnType<Calls[Name]>>;

interface Read<Name extends Readable> {
  operation: Name;
  /** Words of the command line, in order, each the value of a field; `[name]` may be left out, `<name...>` takes all that follow. */
  words?: Readonly<Record<string, string>>;
  /** Fields that have no flag here, with their values. */
  fixed?: Readonly<Record<string, unknown>>;
  show(answer: Answer<Name>, shell: Shell): string | Promise<string>;
  /** What tells that the answer changed; absent: it is not followed. */
  follows?(input: Readonly<Record<string, unknown>>, client: Client): Subscription | Promise<Subscription>;
}

/** A command that asks one operation and shows its answer; its flags are the fields of the operation. */
export const read =
  <Name extends Readable>({ operation, words = {}, fixed = {}, show, follows }: Read<Name>) =>
  (command: Command): void => {
    for (const word of Object.keys(words)) command.argument(/^[[<]/.test(word) ? word : `<${word}>`);
    const inputOf = addFields(command, operation, [...Object.values(words), ...Object.keys(fixed)]);
    const isPublic = factsOf(operation).access === 'public';
    if (follows !== undefined) command.option('--watch', 'show it again whenever it changes, until Ctrl-C');
    command.action(async (...given: unknown[]) => {
      const options = command.opts<GlobalOptions & { watch?: boolean }>();
      const named = Object.values(words).map((field, index) => [field, joined(given[index])] as const);
      const input = { ...inputOf(), ...Object.fromEntries(named), ...fixed };
      const shell = openShell(options);
      const client = await (isPublic ? shell.anonymous() : shell.client());
      const ask = (): Promise<Answer<Name>> => {
        // The input was made of the operation's own fields.
        const call = client[operation] as (input: object) => Promise<Answer<Name>>;
        return shell.output.during('Reading', call(input)).catch((error: unknown) => {
          throw unanswered(error, () => 'Look before you repeat it.');
        });
      };
      const once = async (): Promise<void> => {
        const answer = await ask();
        if (shell.output.isJson) shell.output.json(answer);
        else shell.output.print(await show(answer, shell));
      };
      if (!options.watch || follows === undefined) return once();
      await ask(); // what is wrong is told as without --watch
      await watch(shell, client, await follows(input, client), once);
    });
  };

/** Words that a shell took apart are one text. */
const joined = (given: unknown): unknown => (Array.isArray(given) ? given.join(' ') : given);

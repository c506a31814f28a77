import { readFileSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { CallOptions, Client } from '@mintage/sdk';
import type { Command } from 'commander';
import { inputOfWords } from '../command/words.ts';
import { lookByKey, unanswered } from '../execute/unanswered.ts';
import { Failure } from '../failure.ts';
import { infoTypes, operations } from '../generated/operations.ts';
import { facts } from '../output/table.ts';
import { own } from '../own.ts';
import { type GlobalOptions, openShell } from '../shell.ts';

interface ApiFlags extends GlobalOptions {
  input?: string;
  idempotencyKey?: string;
  describe?: boolean;
}

/** Any operation of the list: its answer as JSON. */
export const api = (command: Command): void => {
  command.argument('[operation]', 'its name, as tradeToken; none: they are listed');
  command.argument('[fields...]', 'name=value, with a dot into an object: builder.fee=50');
  command.option('--input <file>', 'the whole input as JSON, from a file, or - for the pipe');
  command.option('--idempotency-key <key>', 'of a write that got no answer: sent again with it, it is done once');
  command.option('--describe', 'the fields of the operation');
  command.action(async (name: string | undefined, words: string[]) => {
    const flags = command.opts<ApiFlags>();
    const shell = openShell(flags);
    const { isJson, json, print } = shell.output;
    if (name === undefined) return isJson ? json({ ...operations, ...infoOperations }) : print(listed());
    const facts = factsOf(name);
    if (flags.describe) return isJson ? json({ name, ...facts }) : print(described(name, facts));
    const input = { ...(flags.input === undefined ? {} : objectIn(flags.input)), ...inputOfWords(facts.fields, words) };
    const { idempotencyKey } = flags;
    const called = callOf(await shell.client(), name)(input, idempotencyKey === undefined ? {} : { idempotencyKey });
    const answer = await shell.output.during('Asking', called).catch((error: unknown) => {
      throw unanswered(error, (key) => {
        const isSent = name === 'sendTransaction' || ('execute' in input && input.execute === true);
        const look = isSent ? `Look: ${lookByKey(key)} ; or give` : 'Give';
        return `${look} the same command --idempotency-key ${key}: it is done once then.`;
      });
    });
    if (!(answer instanceof Response)) return shell.output.json(answer);
    if (answer.body !== null) await pipeline(answer.body, process.stdout, { end: false });
  });
};

type Facts = (typeof operations)[string];

const factsOf = (name: string): Facts => {
  const facts = own(operations, name.startsWith('info.') && infoTypes.includes(name.slice(5)) ? name.slice(5) : name);
  if (facts !== undefined) return facts;
  throw new Failure(
    'usage',
    `There is no operation ${name}.`,
    '`mintage api` lists them; streams are followed by `mintage stream`.',
  );
};

type Call = (input: object, options: CallOptions) => Promise<unknown>;

const callOf = (client: Client, name: string): Call => {
  const [group, inner = ''] = name.split('.');
  const calls = (inner === '' ? client : group === 'info' ? client.info : client.actions) as unknown;
  return (calls as Record<string, Call>)[inner === '' ? name : inner] as Call;
};

const objectIn = (file: string): object => {
  const text = readFileSync(file === '-' ? 0 : file, 'utf8');
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value;
  } catch (error) {
    throw new Failure('usage', `The input is no JSON: ${(error as Error).message}`);
  }
  throw new Failure('usage', 'The input is no JSON object.');
};

/** Each as in the form of /info. */
const infoOperations = Object.fromEntries(infoTypes.map((name) => [`info.${name}`, operations[name]]));

const listed = (): string =>
  facts([
    ...Object.entries(operations).map(([name, { summary }]) => [name, { text: summary, tone: 'dim' }] as const),
    ...infoTypes.map((name) => [`info.${name}`, { text: `As ${name}, in the form of /info.`, tone: 'dim' }] as const),
  ]);

const described = (name: string, { route, access, summary, fields }: Facts): string =>
  [
    `${name}: ${summary}`,
    `${route} · ${access}`,
    facts(
      fields.map((one) => [
        one.name,
        `${one.kind}${one.required ? ', required' : ''}`,
        { text: `${one.choices?.join(', ') ?? ''} ${one.about}`.trim(), tone: 'dim' },
      ]),
    ),
  ].join('\n\n');

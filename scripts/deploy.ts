/**
 * `mintage deploy <slug> --rpc …`: a dry run first, whose gas and addresses are shown; then the deployment, if whoever runs it says
 * yes. The words are those of `npm run deploy -w @mintage/contracts`, and `--yes`, which does not ask. Each of the two is one JSON
 * document; with `--json` it stands on one line where it is piped, and errors are JSON too. docs/mainnets.md
 */
import { createInterface } from 'node:readline/promises';
import { exitCodes, Failure } from '../packages/cli/src/failure.ts';
import { deployCommand, usage } from '../packages/contracts/script/main.ts';
import { operator } from './operator.ts';

/** Where nobody can be asked, nothing is sent. */
const isWanted = async (): Promise<boolean> => {
  if (!process.stdin.isTTY) return false;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const ended = new AbortController();
  terminal.once('SIGINT', () => ended.abort());
  try {
    return /^y(es)?$/i.test(await terminal.question('Deploy this? [y/N] ', { signal: ended.signal }));
  } catch {
    return false; // ended by Ctrl-C
  } finally {
    terminal.close();
  }
};

const ownUsage = `${usage.replace('npm run deploy -w @mintage/contracts --', 'mintage deploy')}

First all of it on a copy of the chain, and a question; then the deployment.
  [--yes]                     does not ask
  [--json]                    one document a line: of the copy, with its gas; then of the chain`;

let isSending = false;
/** What was sent goes on; the file is written at the end, whole. */
const end = (): void => {
  const sent = 'Ended. What was sent goes on; the same command again waits for it and goes on where it stopped.';
  process.stderr.write(`\n${isSending ? sent : 'Ended. Nothing was sent.'}\n`);
  process.exit(exitCodes.interrupted.code);
};
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end);

await operator({
  usage: ownUsage,
  async run(given, output) {
    if (given.length === 0) throw new Failure('usage', ownUsage);
    const show = (what: object): void =>
      output.isJson ? output.json(what) : output.print(JSON.stringify(what, null, 2));
    const words = given.filter((word) => word !== '--yes' && word !== '--dry-run');
    show(await deployCommand([...words, '--dry-run'], process.env));
    if (given.includes('--dry-run')) return;
    if (!given.includes('--yes') && !(await isWanted()))
      throw new Failure('declined', 'Not confirmed: nothing was sent.', 'Add --yes where nobody can be asked.');
    isSending = true;
    show(await deployCommand(words, process.env));
  },
});

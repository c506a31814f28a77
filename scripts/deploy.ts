/**
 * `mintage deploy <slug> --rpc …`: a dry run first, whose gas and addresses are shown; then the deployment, if whoever runs it says
 * yes. The words are those of `npm run deploy -w @mintage/contracts`, and `--yes`, which does not ask. docs/mainnets.md
 */
import { createInterface } from 'node:readline/promises';
import { deployCommand, usage } from '../packages/contracts/script/main.ts';

const words = process.argv.slice(2).filter((word) => word !== '--yes');
const isAsked = !process.argv.includes('--yes');
const show = (what: object): void => console.log(JSON.stringify(what, null, 2));

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

try {
  if (words.includes('--help') || words.length === 0) console.log(usage);
  else {
    show(await deployCommand([...words.filter((word) => word !== '--dry-run'), '--dry-run'], process.env));
    if (!words.includes('--dry-run')) {
      if (isAsked && !(await isWanted()))
        throw new Error('Not confirmed: nothing was sent. Add --yes where nobody can be asked.');
      show(await deployCommand(words, process.env));
    }
  }
} catch (error) {
  console.error(`${(error as Error).message}`);
  process.exitCode = 1;
}

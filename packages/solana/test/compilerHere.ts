import { checkStyle } from '../build/build.ts';
import { compilerVersion, findCompiler } from '../build/compiler.ts';

/** As in CI: what this machine has no program for is an error, not only said. */
const isRequired = process.env.TEST_COMPLETE === '1';

const say = (sentence: string): void => {
  if (isRequired) throw new Error(`${sentence} Run \`npm run build:solana -- --install\`.`);
  console.log(`Solana: ${sentence}`);
};

/**
 * Whether this machine has exactly the compiler of the committed program. Where it has not, `otherwise` is said; with the variable
 * TEST_COMPLETE=1 that is an error.
 */
export const isCompilerHere = async (otherwise: string): Promise<boolean> => {
  if ((await findCompiler()) !== null) return true;
  say(`${otherwise}, because Rust ${compilerVersion} of Debian 12 is not here.`);
  return false;
};

/** A test of a program's form, as far as this machine can. */
export const styleTest = async (sourceFile: string, crateName: string): Promise<void> => {
  for (const missing of await checkStyle(sourceFile, crateName)) say(`${missing} is not here, and was not asked.`);
};

import { Command } from 'commander';
import { addGlobals, addJson } from './command/globals.ts';
import { commands } from './commands.ts';
import { exitCodes } from './failure.ts';
import { variables } from './variables.ts';

/**
 * The program with the code of one command, of `all` (for the manual and the completion), or of none.
 *
 * @param version - Of the package.
 * @param isJson - What is wrong with the words is printed by who catches it, and not as text.
 */
export const createProgram = async (version: string, loaded: string | null, isJson = false): Promise<Command> => {
  const program = new Command('mintage')
    .description('Create, trade and follow tokens, by your own wallet or an embedded one.')
    .version(version)
    .exitOverride()
    .configureOutput(isJson ? { writeErr: () => undefined } : {})
    .enablePositionalOptions()
    .showSuggestionAfterError()
    .helpCommand(false)
    .addHelpText('after', afterHelp);
  for (const [name, { summary, group, load }] of Object.entries(commands)) {
    const command = program.command(name).summary(summary).description(summary).helpGroup(`${group}:`).exitOverride();
    if (loaded !== 'all' && loaded !== name) continue;
    (await load())(command);
    for (const inner of command.commands) inner.exitOverride();
    // A group has none, so that what stands before the command below it is refused and not lost.
    if (command.commands.length > 0) continue;
    // A script of the checkout reads its other flags itself.
    if (group === 'Run a deployment') addJson(command);
    else addGlobals(command);
  }
  return program;
};

const afterHelp = `
Exit codes:
${Object.values(exitCodes)
  .map(({ code, about }) => `  ${String(code).padEnd(4)} ${about}`)
  .join('\n')}

A command's own flags: mintage <command> --help
With --json every command answers in JSON on standard output, and errors on standard error.
Variables: ${Object.keys(variables).join(', ')}
`;

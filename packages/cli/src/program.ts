import { Command } from 'commander';
import { addGlobals } from './command/globals.ts';
import { commands } from './commands.ts';
import { exitCodes } from './failure.ts';
import { variables } from './variables.ts';

/**
 * The program with the code of one command, of all (for the manual and the completion), or of none.
 *
 * @param version - Of the package.
 */
export const createProgram = async (version: string, loaded: 'all' | string | null): Promise<Command> => {
  const program = new Command('mintage')
    .description('Create, trade and follow tokens, by your own wallet or an embedded one.')
    .version(version)
    .exitOverride()
    .enablePositionalOptions()
    .showSuggestionAfterError()
    .helpCommand(false)
    .addHelpText('after', afterHelp);
  for (const [name, { summary, group, load }] of Object.entries(commands)) {
    const command = program.command(name).summary(summary).description(summary).helpGroup(`${group}:`).exitOverride();
    if (loaded !== 'all' && loaded !== name) continue;
    // A script of the checkout reads all flags itself.
    (await load())(group === 'Run a deployment' ? command : addGlobals(command));
    for (const inner of command.commands) inner.exitOverride();
  }
  return program;
};

const afterHelp = `
Exit codes:
${Object.values(exitCodes)
  .map(({ code, about }) => `  ${String(code).padEnd(4)} ${about}`)
  .join('\n')}

A command's own flags: mintage <command> --help
Variables: ${Object.keys(variables).join(', ')}
`;

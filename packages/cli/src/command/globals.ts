import type { Command } from 'commander';

/** The options of every command. */
export const addGlobals = (command: Command): Command =>
  command
    .option('--json', 'print exactly what the service answers')
    .option('--profile <name>', 'the profile that is meant')
    .option('--url <address>', 'another service than the profile’s; its credential is then not used');

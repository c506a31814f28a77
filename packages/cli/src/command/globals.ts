import type { Command } from 'commander';

/** Of every command, also of those that a checkout's own scripts do. */
export const addJson = (command: Command): Command =>
  command.option('--json', 'answer in JSON: what the service says, exactly as it says it; errors too');

/** The options of every command. */
export const addGlobals = (command: Command): Command =>
  addJson(command)
    .option('--profile <name>', 'the profile that is meant')
    .option('--url <address>', 'another service than the profile’s; its credential is then not used');

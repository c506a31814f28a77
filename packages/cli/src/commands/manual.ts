import type { Command } from 'commander';
import { manualFacts, manualOf } from '../manual.ts';
import { createOutput } from '../output/output.ts';
import type { GlobalOptions } from '../shell.ts';

/** Prints the manual's page: `mintage manual | man -l -`. With --json the same for a program. */
export const manual = (command: Command): void => {
  command.action(() => {
    const program = command.parent ?? command;
    const { isJson, json } = createOutput(command.opts<GlobalOptions>().json ?? false);
    if (isJson) json(manualFacts(program));
    else process.stdout.write(manualOf(program));
  });
};

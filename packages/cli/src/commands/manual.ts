import type { Command } from 'commander';
import { manualOf } from '../manual.ts';

/** Prints the manual's page: `mintage manual | man -l -`. */
export const manual = (command: Command): void => {
  command.action(() => {
    process.stdout.write(manualOf(command.parent ?? command));
  });
};

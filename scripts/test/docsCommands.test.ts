import { execFileSync } from 'node:child_process';
import type { Operation } from '@mintage/protocol';
import { type OperationName, operations } from '@mintage/protocol/operations';
import { describe, expect, it } from 'vitest';
import { inputOfWords, subscriptionOf } from '../../packages/cli/src/command/words.ts';
import { operations as commands, infoTypes } from '../../packages/cli/src/generated/operations.ts';
import { readSources } from '../../packages/docs/src/docs.ts';
import { commandForm } from '../../packages/docs/src/reference/commandForm.ts';

const { examples } = readSources();
const list: readonly Operation[] = operations;

/** As a shell hands them to the program, each on a line of its own in base64. */
const wordsIn = (command: string): string[] => {
  const script = `mintage() { for word in "$@"; do printf %s "$word" | base64 -w0; echo; done; }\n${command}`;
  const lines = execFileSync('sh', ['-c', script], { encoding: 'utf8' }).trimEnd().split('\n');
  return lines.map((line) => Buffer.from(line, 'base64').toString());
};

describe('the command line in the documentation', () => {
  it('behavior: every example is read by the command line as the input that was recorded', () => {
    for (const operation of list.filter(({ name }) => name !== 'ws')) {
      const example =
        examples.operations[operation.name as OperationName] ?? expect.fail(`${operation.name} has no example.`);
      const [program, name = '', ...words] = wordsIn(commandForm(operation, example));
      if (program === 'stream') {
        expect(subscriptionOf(name, words)).toEqual(example.input);
        continue;
      }
      expect(program).toBe('api');
      const [group, type = ''] = name.split('.');
      if (group === 'info') {
        expect(infoTypes).toContain(type);
        expect({ type, ...inputOfWords(commands[type]?.fields ?? [], words) }).toEqual(example.input);
        continue;
      }
      const input = inputOfWords((commands[name] ?? expect.fail(`There is no command ${name}.`)).fields, words);
      expect(group === 'actions' ? { type, ...input } : input, name).toEqual(example.input.action ?? example.input);
    }
  });
});

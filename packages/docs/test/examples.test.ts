import type { Operation } from '@mintage/protocol';
import { operations } from '@mintage/protocol/operations';
import { type Tool, toolsOn } from '@mintage/protocol/tools';
import { describe, expect, it } from 'vitest';
import { readSources } from '../src/docs.ts';

const { operations: examples, tools } = readSources().examples;
const list: readonly Operation[] = operations;
const examplesByName: Readonly<Record<string, (typeof examples)['me']>> = examples;

describe('examples.json', () => {
  it('has a recorded call of every operation, and of no other', () => {
    expect(Object.keys(examples)).toEqual(list.map(({ name }) => name));
  });

  it('has inputs and answers as the operations have them now', () => {
    for (const { name, input, output, produces } of list) {
      const example = examplesByName[name] ?? expect.fail(`${name} has no example.`);
      expect(input.safeParse(example.input).error, name).toBeUndefined();
      const isText = typeof example.answer === 'string';
      expect(isText, name).toBe(produces !== undefined || ['ws', 'openapi'].includes(name));
      if (!isText) expect(output.safeParse(example.answer).error, name).toBeUndefined();
    }
  });

  it('has parameters of every tool that has fields of its own, as the tool takes them', () => {
    const known: readonly Tool[] = toolsOn(['base', 'base-sepolia']);
    expect(Object.keys(tools).toSorted()).toEqual(
      known
        .slice(0, 6)
        .map(({ name }) => name)
        .toSorted(),
    );
    for (const [name, parameters] of Object.entries(tools)) {
      const tool = known.find((one) => one.name === name) ?? expect.fail(`There is no tool ${name}.`);
      const read = tool.input.safeParse(parameters);
      expect(read.error, name).toBeUndefined();
      expect(tool.operation.input.safeParse(tool.toInput(read.data ?? {})).error, name).toBeUndefined();
    }
  });

  it('has no secret and no address of the machine on which it was recorded', () => {
    const text = JSON.stringify({ examples, tools });
    expect(text).not.toMatch(/eyJ[\w-]{20,}\.|_(test|live)_\w{20,}|whsec_[\w+/]{20,}/);
    expect(text.match(/127\.0\.0\.1:\d+/g)?.filter((host) => !/:(8080|8545|8546|9000)$/.test(host))).toEqual([]);
  });
});

import type { ActionTypes, Definitions, InfoTypes, StreamChange } from '@mintage/protocol/operations';
import { definitions } from '@mintage/protocol/operations';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { z } from 'zod';
import type { ActionCalls, Calls, InfoCalls } from '../src/generated/calls.ts';
import { routes } from '../src/generated/routes.ts';
import type { StreamChange as Told } from '../src/generated/types.ts';

/** Without keys that an answer may have beyond the known ones, and with every list readonly. */
type Known<T> = T extends readonly (infer Item)[]
  ? readonly Known<Item>[]
  : T extends object
    ? { [Key in keyof T as string extends Key ? (unknown extends T[Key] ? never : Key) : Key]: Known<T[Key]> }
    : T;
type Fits<From, To> = [Known<From>] extends [Known<To>] ? true : false;
type Same<One, Other> = Fits<One, Other> extends true ? Fits<Other, One> : false;

/** Keys that a type names one by one. */
type NamedKeys<T> = keyof { [Key in keyof T as string extends Key ? never : Key]: T[Key] };
type HasKeys<Made, Asked> = [Exclude<NamedKeys<Asked>, keyof Made>] extends [never] ? true : false;

type Call = (input: never) => Promise<unknown>;
type InputOf<Made extends Call> = NonNullable<Parameters<Made>[0]>;
type AnswerOf<Made extends Call> = Awaited<ReturnType<Made>>;
/** Names of which something is not so; none makes `never`. */
type NotSo<Names extends PropertyKey, So extends Record<Names, boolean>> = {
  [Name in Names]: So[Name] extends true ? never : Name;
}[Names];

/** Calls whose answer is JSON. */
type JsonName = { [Name in keyof Calls]: AnswerOf<Calls[Name]> extends Response ? never : Name }[keyof Calls];
type InfoInput<Name extends keyof InfoTypes> = Omit<z.input<InfoTypes[Name]['input']>, 'type'>;
type Read<Schema extends z.ZodType> = Omit<z.output<Schema>, 'type'>;
type ActionInput<Name extends keyof ActionTypes> = z.input<ActionTypes[Name]['input']>;
type Output<Name extends JsonName> = z.output<Definitions[Name]['output']>;

describe('generated types', () => {
  it('behavior: an answer is what its schema says', () => {
    expectTypeOf<
      NotSo<JsonName, { [Name in JsonName]: Same<AnswerOf<Calls[Name]>, Output<Name>> }>
    >().toEqualTypeOf<never>();
    expectTypeOf<
      NotSo<
        keyof InfoTypes,
        { [Name in keyof InfoTypes]: Same<AnswerOf<InfoCalls[Name]>, z.output<InfoTypes[Name]['output']>> }
      >
    >().toEqualTypeOf<never>();
    expectTypeOf<
      NotSo<
        keyof ActionTypes,
        {
          [Name in keyof ActionTypes]: Same<
            Omit<AnswerOf<ActionCalls[Name]>, 'actionType' | 'name'>,
            z.output<ActionTypes[Name]['output']>
          >;
        }
      >
    >().toEqualTypeOf<never>();
  });

  it('behavior: so is what a stream tells, with the same keys optional', () => {
    type Schema = z.output<typeof StreamChange>;
    expectTypeOf<Same<Told, Schema>>().toEqualTypeOf<true>();
    type Optional<T> = { [Key in keyof T as object extends Pick<T, Key> ? Key : never]: true };
    type DataOf<T> = Extract<T, { topic: 'tokenActivity'; type: 'event' }> extends { data: infer Data } ? Data : never;
    expectTypeOf<Optional<Known<DataOf<Told>>>>().toEqualTypeOf<Optional<Known<DataOf<Schema>>>>();
  });

  it('behavior: an input is taken by its schema, and what a schema reads could have been sent', () => {
    expectTypeOf<
      NotSo<keyof Calls, { [Name in keyof Calls]: Fits<InputOf<Calls[Name]>, z.input<Definitions[Name]['input']>> }>
    >().toEqualTypeOf<never>();
    expectTypeOf<
      NotSo<keyof Calls, { [Name in keyof Calls]: Fits<z.output<Definitions[Name]['input']>, InputOf<Calls[Name]>> }>
    >().toEqualTypeOf<never>();
  });

  it('behavior: so are the inputs of the reads of info, and of actions', () => {
    expectTypeOf<
      NotSo<keyof InfoTypes, { [Name in keyof InfoTypes]: Fits<InputOf<InfoCalls[Name]>, InfoInput<Name>> }>
    >().toEqualTypeOf<never>();
    expectTypeOf<
      NotSo<
        keyof InfoTypes,
        { [Name in keyof InfoTypes]: Fits<Read<InfoTypes[Name]['input']>, InputOf<InfoCalls[Name]>> }
      >
    >().toEqualTypeOf<never>();
    expectTypeOf<
      NotSo<keyof ActionTypes, { [Name in keyof ActionTypes]: Fits<InputOf<ActionCalls[Name]>, ActionInput<Name>> }>
    >().toEqualTypeOf<never>();
  });

  it('behavior: a call has every key that its schema has, the optional ones too', () => {
    expectTypeOf<
      NotSo<keyof Calls, { [Name in keyof Calls]: HasKeys<InputOf<Calls[Name]>, z.input<Definitions[Name]['input']>> }>
    >().toEqualTypeOf<never>();
    expectTypeOf<
      NotSo<keyof InfoTypes, { [Name in keyof InfoTypes]: HasKeys<InputOf<InfoCalls[Name]>, InfoInput<Name>> }>
    >().toEqualTypeOf<never>();
    expectTypeOf<
      NotSo<keyof ActionTypes, { [Name in keyof ActionTypes]: HasKeys<InputOf<ActionCalls[Name]>, ActionInput<Name>> }>
    >().toEqualTypeOf<never>();
  });

  it('behavior: every operation has a call, but those that are more than one', () => {
    const others = ['info', 'platformAction', 'ws', 'stream'];
    expect(Object.keys(routes).toSorted()).toEqual(
      Object.keys(definitions)
        .filter((name) => !others.includes(name))
        .toSorted(),
    );
  });
});

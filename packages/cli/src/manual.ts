import type { Command, Option } from 'commander';
import { exitCodes } from './failure.ts';
import { variables } from './variables.ts';

/** The manual's page in the language of `man`, of a program that has the code of all commands. */
export const manualOf = (program: Command): string =>
  [
    `.TH MINTAGE 1 "" "mintage ${program.version() ?? ''}" "Mintage"`,
    '.SH NAME',
    `mintage \\- ${escaped(program.description())}`,
    '.SH SYNOPSIS',
    '.B mintage',
    '.I command',
    '[\\fIwords\\fR] [\\fIflags\\fR]',
    '.SH COMMANDS',
    ...program.commands.flatMap((command) => section(command, `mintage ${command.name()}`)),
    '.SH EXIT STATUS',
    ...Object.values(exitCodes).flatMap(({ code, about }) => ['.TP', `.B ${code}`, escaped(about)]),
    '.SH ENVIRONMENT',
    ...Object.entries(variables).flatMap(([name, about]) => ['.TP', `.B ${name}`, escaped(about)]),
    '.SH FILES',
    '.TP',
    '.I $XDG_CONFIG_HOME/mintage/profiles.json',
    'Profiles, without secrets. Those are in the system\\(aqs keychain, or below \\fIsecrets/\\fR under a password.',
    '',
  ].join('\n');

const section = (command: Command, name: string): string[] => [
  '.SS',
  `\\fB${name}\\fR ${escaped(command.registeredArguments.map((one) => (one.required ? `<${one.name()}>` : `[${one.name()}]`)).join(' '))}`,
  escaped(command.description()),
  ...command.registeredArguments
    .filter(({ description }) => description !== '')
    .flatMap((one) => ['.TP', `.I ${one.name()}`, escaped(one.description)]),
  ...command.options.flatMap(flag),
  ...command.commands.flatMap((inner) => section(inner, `${name} ${inner.name()}`)),
];

const flag = ({ flags, description, argChoices }: Option): string[] => [
  '.TP',
  `.B ${escaped(flags)}`,
  escaped([description, argChoices?.join(', ')].filter(Boolean).join(' ') || '\\&'),
];

/** A dot or an apostrophe at the start of a line, and backslashes anywhere, mean something to `man`. */
const escaped = (text: string): string =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll(/^([.'])/gm, '\\&$1');

/** What the page says, as data. */
export const manualFacts = (program: Command) => ({
  version: program.version(),
  commands: program.commands.flatMap((command) => [command, ...command.commands]).map(factsOf),
  exitCodes: Object.values(exitCodes),
  variables,
});

const factsOf = (command: Command) => ({
  name: command.parent?.parent ? `${command.parent.name()} ${command.name()}` : command.name(),
  about: command.description(),
  words: command.registeredArguments.map((one) => ({
    name: one.name(),
    about: one.description,
    required: one.required,
    many: one.variadic,
  })),
  flags: command.options.map(({ flags, description, argChoices, mandatory }) => ({
    flags,
    about: description,
    required: mandatory,
    ...(argChoices && { choices: argChoices }),
  })),
});

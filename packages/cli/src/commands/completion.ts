import { type Command, InvalidArgumentError } from 'commander';
import { operations } from '../generated/operations.ts';
import { createOutput } from '../output/output.ts';
import type { GlobalOptions } from '../shell.ts';

/** What can follow: commands, commands below them, flags, operations of `api`. */
interface Words {
  commands: string[];
  flags: Record<string, string[]>;
}

const shells = ['bash', 'zsh', 'fish'] as const;

/** Prints a script, of a program that has the code of all commands; `mintage completion bash > ~/.local/share/bash-completion/completions/mintage` keeps it. */
export const completion = (command: Command): void => {
  command.argument('<shell>', shells.join(', '), (text) => {
    if ((shells as readonly string[]).includes(text)) return text;
    throw new InvalidArgumentError(`It is ${shells.join(', ')}.`);
  });
  command.action((shell: (typeof shells)[number]) => {
    const script = scripts[shell](wordsOf(command.parent ?? command));
    const { isJson, json } = createOutput(command.opts<GlobalOptions>().json ?? false);
    if (isJson) json({ shell, script });
    else process.stdout.write(script);
  });
};

const wordsOf = (program: Command): Words => {
  const flags: Record<string, string[]> = {};
  for (const one of program.commands) {
    const own = one.options.flatMap(({ long }) => long ?? []);
    const below = one.commands.map((inner) => inner.name());
    flags[one.name()] = [...(one.name() === 'api' ? Object.keys(operations) : below), ...own];
    for (const inner of one.commands)
      flags[`${one.name()} ${inner.name()}`] = inner.options.flatMap(({ long }) => long ?? []);
  }
  return { commands: program.commands.map((one) => one.name()), flags };
};

const cases = ({ flags }: Words): string =>
  Object.entries(flags)
    // Two words before one, so that the longer one is found first.
    .toSorted(([one], [other]) => other.split(' ').length - one.split(' ').length)
    .map(([name, words]) => `    "${name}"*) words="${words.join(' ')}" ;;`)
    .join('\n');

const body = (words: Words): string => `  case "$line " in
${cases(words).replaceAll('"*)', ' "*)')}
    *) words="${words.commands.join(' ')}" ;;
  esac`;

const scripts = {
  bash: (words: Words) => `# Completion of mintage for bash.
_mintage() {
  local words line="\${COMP_WORDS[*]:1:COMP_CWORD-1}"
${body(words)}
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _mintage mintage
`,
  zsh: (words: Words) => `#compdef mintage
# Completion of mintage for zsh.
_mintage() {
  local words_of line="\${(j: :)words[2,CURRENT-1]}"
${body(words).replaceAll('words=', 'words_of=')}
  compadd -- \${(z)words_of}
  _files
}
compdef _mintage mintage
`,
  fish: (words: Words) =>
    [
      '# Completion of mintage for fish.',
      `complete -c mintage -n __fish_use_subcommand -a "${words.commands.join(' ')}"`,
      ...Object.entries(words.flags).flatMap(([name, after]) => {
        const seen = name
          .split(' ')
          .map((word) => `__fish_seen_subcommand_from ${word}`)
          .join('; and ');
        return after.map((word) =>
          word.startsWith('--')
            ? `complete -c mintage -n "${seen}" -l ${word.slice(2)}`
            : `complete -c mintage -n "${seen}" -a ${word}`,
        );
      }),
      '',
    ].join('\n'),
};

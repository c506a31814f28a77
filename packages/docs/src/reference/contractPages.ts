import { parts, table, under } from '../markdown/text.ts';
import type { Page } from '../page.ts';
import { contractWords, memberWords } from './contractWords.ts';

/** A contract as its source describes it, written by `scripts/generate-contract-docs.ts`. */
export interface ContractDoc {
  name: string;
  /** What it is, in one sentence. */
  title: string;
  notice: string;
  functions: readonly Callable[];
  events: readonly Emitted[];
  errors: readonly Emitted[];
}

export interface Parameter {
  name: string;
  type: string;
  description: string;
  /** Of an event: whether logs can be found by it. */
  indexed?: boolean;
}

export interface Emitted {
  name: string;
  /** As `transfer(address,uint256)`. */
  signature: string;
  notice: string;
  inputs: readonly Parameter[];
}

export interface Callable extends Emitted {
  /** `view`, `pure`, `nonpayable` or `payable`. */
  mutability: string;
  outputs: readonly Parameter[];
}

export const contractPath = (name: string): string => `contracts/${name}`;

export const contractPages = (contracts: readonly ContractDoc[]): Page[] => contracts.map(pageOf);

const isRead = ({ mutability }: Callable): boolean => mutability === 'view' || mutability === 'pure';
/** Called by the owner, or by another contract: last, because few readers look for them. */
const rare =
  /Ownership|^(set(?!Referrer$)|clear|open)|pause|^(before|after)[A-Z]|Callback$|^lzReceive$|^crosschain|^initialize|^launchpadTransfer$/;
const usedFirst = (items: readonly Callable[]): Callable[] =>
  items.toSorted((one, other) => Number(rare.test(one.name)) - Number(rare.test(other.name)));

const list = <One extends Emitted>(items: readonly One[], show: (item: One) => string): string =>
  items.map(show).join('\n\n');

const pageOf = ({ name, title, notice, functions, events, errors }: ContractDoc): Page => {
  return {
    path: contractPath(name),
    title: name,
    summary: title,
    markdown: () =>
      parts(
        title,
        notice,
        'Who may call what, and what is assumed: [the contracts, for auditors](docs:operate/contracts).',
        under('## Functions that write', list(usedFirst(functions.filter((one) => !isRead(one))), functionText)),
        under('## Functions that read', list(functions.filter(isRead), functionText)),
        under('## Events', list(events, emittedText)),
        under('## Errors', list(errors, emittedText)),
      ),
  };
};

const functionText = (item: Callable): string =>
  parts(
    emittedText(item),
    item.outputs.length > 0 && `Returns:\n\n${parameterTable(item.outputs)}`,
    item.mutability === 'payable' && 'Takes native coins.',
  );

const emittedText = ({ name, signature, notice, inputs }: Emitted): string =>
  parts(`### ${name}`, `\`${signature}\``, notice || contractWords[name], parameterTable(inputs));

const parameterTable = (parameters: readonly Parameter[]): string =>
  table(
    ['Name', 'Type', 'What it is'],
    parameters.map(({ name, type, description, indexed }) => [
      name === '' ? '' : `\`${name}\``,
      `${type}${indexed === true ? ' indexed' : ''}`,
      description || (memberWords[name] ?? ''),
    ]),
  );

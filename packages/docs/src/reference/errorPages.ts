import { commonErrors, type ErrorCode, errorCatalogue, errorsOf, type Operation } from '@mintage/protocol';
import { parts, table, under } from '../markdown/text.ts';
import type { Page } from '../page.ts';
import { errorWords } from './errorWords.ts';
import { errorPath, operationPath } from './operationPage.ts';

/** A list of all codes, then a page for each. */
export const errorPages = (operations: readonly Operation[]): Page[] => {
  const codes = Object.keys(errorCatalogue) as ErrorCode[];
  return [listOf(codes), ...codes.map((code) => pageOf(code, operations))];
};

const listOf = (codes: readonly ErrorCode[]): Page => ({
  path: 'errors',
  title: 'Errors',
  summary: 'Every error code of the service, with its status, whether trying again can help, and what to do next.',
  markdown: () =>
    parts(
      'An error answers with a sentence for people in `error`, a code for programs in `code`, and a `requestId` to quote. HTTP, ' +
        'tools, SDK and command line carry the same codes. Status 0 is found by the client itself: no answer has it. ' +
        'Where Retry says yes the same request can succeed later.',
      table(
        ['Code', 'Status', 'Retry', 'What it means, and what to do'],
        codes.map((code) => {
          const { status, retryable, next } = errorCatalogue[code];
          const said = `${errorWords[code]} ${next}`;
          return [`[${code}](docs:${errorPath(code)})`, String(status), retryable ? 'yes' : 'no', said];
        }),
      ),
    ),
});

/** Links to the calls whose routes a sentence names. */
const namedIn = (sentence: string, operations: readonly Operation[]): string => {
  const routes = new Set(sentence.match(/(?<![\w/.])\/[a-z][a-z/-]*[a-z]/g));
  const named = operations.filter(({ path }) => routes.has(path));
  return named.map(({ name, summary }) => `- [${name}](docs:${operationPath(name)}): ${summary}`).join('\n');
};

const pageOf = (code: ErrorCode, operations: readonly Operation[]): Page => {
  const { status, retryable, next } = errorCatalogue[code];
  const from = status === 0 ? 'No answer has it: a client finds it itself.' : `Answered with status ${status}.`;
  const again = retryable
    ? 'The same request can succeed later without a change.'
    : 'The same request fails again until something is changed.';
  const isCommon = (commonErrors as readonly ErrorCode[]).includes(code);
  const answering = isCommon ? [] : operations.filter((operation) => errorsOf(operation).includes(code));
  return {
    path: errorPath(code),
    title: code,
    summary: errorWords[code],
    markdown: () =>
      parts(
        errorWords[code],
        `${from} ${again}`,
        under('## What to do', parts(next, namedIn(next, operations))),
        under(
          '## Which calls answer it',
          isCommon
            ? 'Every call can.'
            : answering.map(({ name, summary }) => `- [${name}](docs:${operationPath(name)}): ${summary}`).join('\n') ||
                'None: the client says it.',
        ),
        '[All errors](docs:errors)',
      ),
  };
};

import { describe, expect, it } from 'vitest';
import { firstErrorCode, programErrors } from './launchpad.ts';
import { programRefusal } from './refusals.ts';

describe('programRefusal', () => {
  it('default: every error of the program has a code, a sentence and its own name', () => {
    for (const [at, error] of programErrors.entries()) {
      const { code, message, details } = programRefusal(firstErrorCode + at);
      expect([error, message, details]).toEqual([
        error,
        expect.stringMatching(/^[A-Z].*\.$/),
        { error, code: firstErrorCode + at },
      ]);
      expect(code).toMatch(/^[A-Z_]+$/);
    }
  });

  it('behavior: means what the same refusal of the contract means', () => {
    const codeOf = (error: (typeof programErrors)[number]) =>
      programRefusal(firstErrorCode + programErrors.indexOf(error)).code;
    expect([
      codeOf('TooLittleReceived'),
      codeOf('BeyondPool'),
      codeOf('GraduationPending'),
      codeOf('DeadlinePassed'),
    ]).toEqual(['SLIPPAGE_EXCEEDED', 'PARTIAL_FILL', 'BEYOND_CURVE', 'DEADLINE_PASSED']);
  });

  it('behavior: a code that is none of ours is told', () => {
    expect(programRefusal(1)).toMatchObject({ code: 'TRANSACTION_FAILED', details: { code: 1 } });
  });
});

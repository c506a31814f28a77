import { describe, expect, it } from 'vitest';
import { axisPrice, axisUsd } from './axis.ts';

describe('axis', () => {
  it('default: market caps in three digits, small prices by the count of their zeros', () => {
    expect([axisUsd(67_196), axisUsd(480.5), axisUsd(-1)]).toEqual(['$67.1k', '$480.5', '$0']);
    expect([axisPrice(0.0000672), axisPrice(1.5), axisPrice(0.25)]).toEqual(['$0.0₄672', '$1.5', '$0.25']);
  });
});

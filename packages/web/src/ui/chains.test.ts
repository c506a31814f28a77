import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { ChainName } from './chains.tsx';

describe('ChainName', () => {
  const shown = (slug: string) => renderToStaticMarkup(createElement(ChainName, { slug }));

  it('default: a chain has its letter and its colour', () => {
    expect(shown('op-bnb')).toMatch(/background:#8a6a00.*>N<.*opBNB/);
  });

  it('behavior: one that this page does not know has the first letter of its name', () => {
    expect(shown('tomorrow')).toMatch(/>T<.*tomorrow/);
  });
});

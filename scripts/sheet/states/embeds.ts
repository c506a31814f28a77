import type { Shown } from '../stage.ts';

export const trade: Shown = {
  path: '/embed/trade/paper-boat',
  states: [
    { name: 'as it is' },
    { name: 'graduated', path: '/embed/trade/lighthouse' },
    { name: 'unknown', path: '/embed/trade/none' },
  ],
};

export const price: Shown = {
  path: '/embed/price/paper-boat',
  states: [{ name: 'as it is' }, { name: 'graduated', path: '/embed/price/lighthouse' }],
};

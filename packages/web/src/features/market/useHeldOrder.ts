import type { TokenV2 } from '@mintage/sdk';
import { useReducer, useRef } from 'react';

export interface HeldOrder {
  tokens: TokenV2[];
  /** Rows that wait to be shown. */
  fresh: number;
  /** Whether only the order of the shown rows changed. Rows that are gone stay until nobody is there. */
  isReordered: boolean;
  /** Shows what waits. */
  show(): void;
}

/**
 * Rows in an order that stays while somebody reads them: new rows and another order wait until then. Their values do not.
 *
 * @param list - The rows as they are now; undefined: not read yet, and what was shown before stays.
 * @param of - What list it is; another one begins anew.
 */
export const useHeldOrder = (list: readonly TokenV2[] | undefined, of: string, isHeld: boolean): HeldOrder => {
  const [, again] = useReducer((count: number) => count + 1, 0);
  const held = useRef<{ of: string | null; tokens: readonly TokenV2[] }>({ of: null, tokens: [] });
  if (list !== undefined && (!isHeld || held.current.of !== of)) held.current = { of, tokens: list };
  const { tokens: shown } = held.current;
  const now = new Map(list?.map((token) => [token.id, token]));
  const known = new Set(shown.map(({ id }) => id));
  const fresh = list?.filter(({ id }) => !known.has(id)).length ?? 0;
  return {
    tokens: shown.map((token) => now.get(token.id) ?? token),
    fresh,
    isReordered:
      fresh === 0 &&
      list !== undefined &&
      !isInOrder(
        list,
        shown.filter(({ id }) => now.has(id)),
      ),
    show() {
      if (list !== undefined) held.current = { of, tokens: list };
      again();
    },
  };
};

const isInOrder = (list: readonly TokenV2[], shown: readonly TokenV2[]): boolean =>
  list.every(({ id }, at) => id === shown[at]?.id);

import { useCallback, useEffect, useState } from 'react';
import { forget, keep, kept } from '../../lib/kept.ts';
import type { Picture } from '../../lib/readPicture.ts';
import { store, stored } from '../../lib/storage.ts';
import { useStored } from '../../lib/useStored.ts';
import { type Draft, emptyDraft } from './draft.ts';

const name = 'draft';

/** What is in the form, kept in this browser until the token is created. */
export const useDraft = () => {
  const draft: Draft = { ...emptyDraft, ...useStored<Draft>(name) };
  const change = useCallback((part: Partial<Draft>): void => {
    store(name, { ...emptyDraft, ...stored<Draft>(name), ...part });
  }, []);
  const [picture, setPicture] = useKeptPicture('draft picture');
  const [banner, setBanner] = useKeptPicture('draft banner');
  const clear = useCallback((): void => {
    store(name, null);
    setPicture(null);
    setBanner(null);
  }, [setPicture, setBanner]);
  return { draft, change, picture, setPicture, banner, setBanner, clear };
};

const useKeptPicture = (key: string) => {
  const [picture, setShown] = useState<Picture | null>(null);
  useEffect(() => {
    kept<Picture>(key).then(setShown, () => null);
  }, [key]);
  const set = useCallback(
    (next: Picture | null): void => {
      setShown(next);
      void (next === null ? forget(key) : keep(key, next));
    },
    [key],
  );
  return [picture, set] as const;
};

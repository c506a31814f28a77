import type { UserCard } from '@mintage/sdk';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { hub, useViewer } from '../../lib/peopleQueries.ts';

/** Who created a token, where that is known here and not hidden; else null. */
export const useOwner = (tokenId: string): UserCard | null =>
  useQuery({ ...hub(tokenId, useViewer()), placeholderData: keepPreviousData }).data?.owner ?? null;

import * as t from '../../messages/en/people.ts';
import { Button } from '../../ui/Button.tsx';
import { Problem } from '../../ui/Problem.tsx';

interface Pages {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  isFetchNextPageError: boolean;
  error: unknown;
  fetchNextPage(): Promise<unknown>;
}

/** Reads the next page of a list, where there is one. */
export const MoreButton = ({ list }: { list: Pages }) => {
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, error } = list;
  if (isFetchNextPageError) return <Problem error={error} onRetry={() => void list.fetchNextPage()} />;
  if (!hasNextPage) return null;
  return (
    <div className="more">
      <Button disabled={isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
        {t.people.more}
      </Button>
    </div>
  );
};

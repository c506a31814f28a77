/** The page that a browser shows where the service cannot be reached. */
export const offlinePage = {
  title: 'No connection',
  text: 'This page can’t be reached. Check your connection, then try again. A transaction that you have already sent goes on without this page.',
  act: 'Try again',
} as const;

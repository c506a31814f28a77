/** One page of the site, written as Markdown. HTML is made of it (`markdown/toHtml.ts`), so both say the same. */
export interface Page {
  /** Below the site's root, without a slash at either end; '' is the first page. */
  path: string;
  title: string;
  /** One sentence of plain text, for lists, search and assistants. */
  summary: string;
  /** Without the title. Links to other pages have the form `docs:<path>`. Written when it is asked for. */
  markdown(): string;
  /** What the page can send to the running service. */
  console?: ConsoleCall;
}

/** A call that a reader can send from the page. */
export interface ConsoleCall {
  method: 'GET' | 'POST';
  /** Below the base path of the interface. */
  path: string;
  input: unknown;
  needsCredential: boolean;
}

/** Pages under one heading of the navigation. */
export interface Section {
  title: string;
  /** Sections of one group stand below its name. */
  group: string;
  pages: readonly Page[];
}

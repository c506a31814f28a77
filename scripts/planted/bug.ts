/** A bug to plant in a file of TypeScript. */
export interface PlantedBug {
  /** Names it in the table and on the command line. */
  id: string;
  /** What goes wrong, in one sentence. */
  bug: string;
  /** From the root. */
  file: string;
  /** The test file that turned red last time, from the root: it is tried first. */
  noticedBy: string;
  /** Occurs exactly once in the file; mended in the change that moves the source. */
  from: string;
  to: string;
}

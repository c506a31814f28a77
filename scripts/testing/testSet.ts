export type TestSet = 'quick' | 'deep';

/** A deep test's file says so by its name; every other one is quick. */
export const setOf = (path: string): TestSet => (path.endsWith('.deep.test.ts') ? 'deep' : 'quick');

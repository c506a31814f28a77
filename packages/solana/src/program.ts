/** The launchpad as it is deployed: an ELF file for the machine's third version. */
export const launchpadFile = new URL('../program/launchpad.so', import.meta.url);

/** A coin with a reeded edge, in the colour of the text around it. */
export const logo =
  '<svg width="26" height="26" viewBox="0 0 32 32" aria-hidden="true"><path d="M28.60 16.00L31.00 16.00M28.28 18.80L30.62 19.34M27.35 21.47L29.51 22.51M25.85 23.86L27.73 25.35M23.86 25.85L25.35 27.73M21.47 27.35L22.51 29.51M18.80 28.28L19.34 30.62M16.00 28.60L16.00 31.00M13.20 28.28L12.66 30.62M10.53 27.35L9.49 29.51M8.14 25.85L6.65 27.73M6.15 23.86L4.27 25.35M4.65 21.47L2.49 22.51M3.72 18.80L1.38 19.34M3.40 16.00L1.00 16.00M3.72 13.20L1.38 12.66M4.65 10.53L2.49 9.49M6.15 8.14L4.27 6.65M8.14 6.15L6.65 4.27M10.53 4.65L9.49 2.49M13.20 3.72L12.66 1.38M16.00 3.40L16.00 1.00M18.80 3.72L19.34 1.38M21.47 4.65L22.51 2.49M23.86 6.15L25.35 4.27M25.85 8.14L27.73 6.65M27.35 10.53L29.51 9.49M28.28 13.20L30.62 12.66" stroke="currentColor" stroke-width="1.7" fill="none" stroke-linecap="round"/><path fill="currentColor" fill-rule="evenodd" d="M16 5.2a10.8 10.8 0 1 0 0 21.600a10.800 10.800 0 0 0 0-21.600Zm-5.600 5.300h3.100l2.500 4.300 2.500-4.300h3.100v11h-2.900v-6.300l-2.700 4.500-2.700-4.500v6.300h-2.900Z"/></svg>';

/** The same as a file: the deployment's colour, or bronze. */
export const icon = (color: string | null): string =>
  logo.replace('<svg ', `<svg xmlns="http://www.w3.org/2000/svg" color="${color ?? '#9a6428'}" `);

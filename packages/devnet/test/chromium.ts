/** The browser that `CHROMIUM` names, else the one that comes by npm, on Linux x64. */
export const chromiumPath = async (): Promise<string> => {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  // By this it lays the libraries that it needs beside itself.
  process.env.AWS_EXECUTION_ENV ??= 'AWS_Lambda_nodejs24.x';
  const { default: packed } = await import('@sparticuz/chromium');
  return packed.executablePath();
};

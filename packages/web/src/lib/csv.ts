/** Tables for other programs (RFC 4180), with amounts as they are, to the last digit. */

const isNumber = (cell: string): boolean => /^-?\d+(\.\d+)?$/.test(cell);

/**
 * Where a spreadsheet takes a text for a formula: at its beginning, and behind what some of them take for the end of a cell. Names of
 * tokens are anybody's.
 */
const formula = /^(?=[\t\r\n])|(?:^|[;\t\r\n])(?=\s*[=+\-@＝＋－＠])/g;

const written = (cell: string): string => {
  const text = isNumber(cell) ? cell : cell.replace(formula, "$&'");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** Rows, the first of them the headings. */
export const csvOf = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `${row.map(written).join(',')}\r\n`).join('');

/** Gives a file to the person. Its first character tells spreadsheets that it is UTF-8. */
export const download = (name: string, csv: string): void => {
  const address = URL.createObjectURL(new Blob(['\ufeff', csv], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
};

/**
 * Reads the code cells of a notebook. Prose and images are left out: images are encoded as letters, which look like
 * words.
 */

interface Notebook {
  readonly cells?: readonly { readonly cell_type?: string; readonly source?: string | readonly string[] }[];
}

export function isNotebook(file: string): boolean {
  return file.endsWith('.ipynb');
}

/** The text of its code cells; all of it where it is not of the form that is known. */
export function notebookCode(text: string): string {
  try {
    const { cells } = JSON.parse(text) as Notebook;
    if (!Array.isArray(cells)) return text;
    const code = (cells as NonNullable<Notebook['cells']>).filter(({ cell_type }) => cell_type === 'code');
    return code.map(({ source = '' }) => [source].flat().join('')).join('\n');
  } catch {
    return text;
  }
}

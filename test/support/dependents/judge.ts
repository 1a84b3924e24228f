/** What the compiler says about files as they are on disk now, each under the configuration of its own package. */
import path from 'node:path';
import ts from 'typescript5';

/** Errors as `line code`, each once and in order. */
export type Errors = readonly string[];

export class Judge {
  readonly #root: string;
  /** Parsed files for as long as their text stays the same: nothing else is carried over from one verdict to the next. */
  readonly #parsed = new Map<string, { readonly text: string; readonly file: ts.SourceFile }>();

  constructor(root: string) {
    this.#root = root;
  }

  /** By path relative to the root. */
  errorsOf(files: readonly string[]): ReadonlyMap<string, Errors> {
    const found = new Map<string, Errors>();
    for (const directory of new Set(files.map(packageOf))) {
      const program = this.#programOf(path.join(this.#root, directory, 'tsconfig.json'));
      for (const file of files.filter((each) => packageOf(each) === directory)) {
        const source = program.getSourceFile(path.join(this.#root, file));
        if (!source) throw new Error(`the program of ${directory} does not have ${file}`);
        const diagnostics = [
          ...program.getSyntacticDiagnostics(source),
          ...program.getSemanticDiagnostics(source),
        ];
        found.set(file, errorsIn(source, diagnostics));
      }
    }
    return found;
  }

  #programOf(config: string): ts.Program {
    const onUnRecoverableConfigFileDiagnostic = ({ messageText }: ts.Diagnostic) => {
      throw new Error(ts.flattenDiagnosticMessageText(messageText, '\n'));
    };
    const parsed = ts.getParsedCommandLineOfConfigFile(config, undefined, {
      ...ts.sys,
      onUnRecoverableConfigFileDiagnostic,
    });
    if (!parsed) throw new Error(`the compiler cannot read ${config}`);
    const host = ts.createCompilerHost(parsed.options);
    host.getSourceFile = (name, options) => {
      const text = ts.sys.readFile(name);
      if (text === undefined) return undefined;
      const known = this.#parsed.get(name);
      if (known?.text === text) return known.file;
      const file = ts.createSourceFile(name, text, options);
      this.#parsed.set(name, { text, file });
      return file;
    };
    return ts.createProgram({ rootNames: parsed.fileNames, options: parsed.options, host });
  }
}

function packageOf(file: string): string {
  return file.split('/').slice(0, 2).join('/');
}

function errorsIn(source: ts.SourceFile, diagnostics: readonly ts.Diagnostic[]): Errors {
  const errors = diagnostics
    .filter(({ category }) => category === ts.DiagnosticCategory.Error)
    .map(({ start = 0, code }) => `${source.getLineAndCharacterOfPosition(start).line + 1} TS${code}`);
  return [...new Set(errors)].sort();
}

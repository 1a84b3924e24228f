/**
 * What the author of an extension writes, and what its code gets. The names here are public: nothing in them refers to
 * another file of ours, so that their declarations stand alone.
 */
import type { z } from 'zod';

/** A module that the user names under `extensions` exports this as its default. */
export interface ExtensionDefinition {
  /** The language that it is for, by its id; names begin with it. */
  readonly language: string;
  readonly tools?: readonly ExtensionTool[];
  readonly resources?: readonly ExtensionResource[];
  readonly prompts?: readonly ExtensionPrompt[];
}

/**
 * Schemas are made with the `z` that is passed, so that an extension needs no package. Its messages are English.
 * Decision: docs/decisions/dependencies.md#schemas-with-english-messages
 */
export type SchemaLibrary = Omit<typeof z, 'locales'>;

export interface ExtensionTool<Input extends z.ZodObject = z.ZodObject> {
  /** Lower-case words with `_`. It is listed as `<language>_<name>`; one that `overrides` has none. */
  readonly name?: string;
  /** The tool of agent-lsp that this one takes the place of, under its name and with its effect. */
  readonly overrides?: string;
  readonly title?: string;
  /** What it answers, in a sentence or two: that is all that an agent knows of it. */
  readonly description: string;
  /** What it does to the world; permissions, questions to the user and what clients are told follow from it. */
  readonly effect: 'read' | 'preview' | 'write' | 'execute' | 'expand';
  /** An object with a field for each parameter; no parameters if not said. */
  input?(schemas: SchemaLibrary): Input;
  /** The shape of `data`; not described to clients if not said. */
  output?(schemas: SchemaLibrary): z.ZodType;
  /** How long a call may take if not as long as others. */
  readonly limitSeconds?: number;
  /** Throw an error with one line of what is wrong and what to do next. */
  run(input: z.output<Input>, context: ExtensionContext): Promise<ExtensionAnswer | string>;
}

export interface ExtensionAnswer {
  /** Compact text that stands alone. */
  readonly text: string;
  /** The same for programs; the text if not said. */
  readonly data?: unknown;
  /** Why this may not be all there is. Without it the answer claims to be complete. */
  readonly incomplete?: string;
  readonly notes?: readonly string[];
  /** What to do next. */
  readonly hint?: string;
}

/** What the code of an extension can do in the session that calls it. Fences and permissions are those of the session. */
export interface ExtensionContext {
  /** The root that paths are relative to. */
  readonly root: string;
  /** The call is not wanted any more. */
  readonly signal: AbortSignal;
  remainingMs(): number;
  /**
   * The files whose path below a directory (the root if not said) fits a pattern such as `*.ts` or `test/*.py`, without those
   * that git ignores and those of builds and package managers. A file stands for itself. Fails outside of the roots.
   */
  files(pattern: string, below?: string): Promise<ExtensionFiles>;
  /** The text of a file as it is on disk. Fails outside of the roots. */
  read(path: string): Promise<{ readonly path: string; readonly text: string }>;
  /** Another tool of the session. Within a tool that overrides, its own name means the one that it overrides. */
  call(tool: string, args?: Readonly<Record<string, unknown>>): Promise<ExtensionAnswer>;
  /** A request to the server that answers for a file, which has the file as it is on disk. */
  request(file: string, method: string, params: unknown): Promise<unknown>;
  /** Says what a long call is at. */
  report(message: string): void;
}

export interface ExtensionFiles {
  readonly files: readonly string[];
  /** Why there may be more. */
  readonly incomplete?: string;
}

/** Read by the address `lsp-<language>://<name>`. */
export interface ExtensionResource {
  readonly name: string;
  readonly description: string;
  /** `text/plain` if not said. */
  readonly mimeType?: string;
  read(context: ExtensionContext): Promise<string>;
  /** Begins to watch what it is about, while a client wants to hear of changes; returns what ends that. */
  subscribe?(changed: () => void, place: { readonly root: string }): () => void;
}

/** Listed as `<language>_<name>`. */
export interface ExtensionPrompt {
  readonly name: string;
  readonly description: string;
  readonly arguments?: readonly ExtensionArgument[];
  /** What the agent is told. */
  text(args: Readonly<Record<string, string>>): string | Promise<string>;
}

export interface ExtensionArgument {
  readonly name: string;
  readonly description: string;
  readonly required?: boolean;
}

/** The definition as it is: only its types are checked. */
export function defineExtension(definition: ExtensionDefinition): ExtensionDefinition {
  return definition;
}

/** A tool as it is: only its types are checked, those of its arguments against its schema. */
export function extensionTool<Input extends z.ZodObject>(tool: ExtensionTool<Input>): ExtensionTool {
  return tool;
}

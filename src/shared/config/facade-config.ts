/** Settings of façades, under the names that their products gave them. */
import type { ToolProfile } from './choices.ts';
import type { FileSection } from './schema.ts';

export interface FacadeConfig {
  readonly lsp: {
    /** Off: the façades list no tools at all. */
    readonly isEnabled: boolean;
    /** How long a call of a façade may take; as long as others if not said. */
    readonly timeoutMs: number | undefined;
  };
}

/** `sections` are what files say, weakest first: each setting has the strongest word. */
export function facadeConfig(sections: readonly FileSection[]): FacadeConfig {
  const lsp = Object.assign({}, ...sections.map((section) => section.lsp)) as NonNullable<FileSection['lsp']>;
  return { lsp: { isEnabled: lsp.enabled ?? true, timeoutMs: lsp.timeout } };
}

/** Whether the user has switched the tools of the profile off: then none is listed. */
export function isSwitchedOff({ tools, lsp }: FacadeConfig & { readonly tools: ToolProfile }): boolean {
  return tools === 'lsp6' && !lsp.isEnabled;
}

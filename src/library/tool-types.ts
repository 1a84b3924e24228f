/**
 * The arguments and the data of each tool, by its name. Here nothing is known of them; the declarations that are
 * published have every tool in this place (scripts/lib/library-types.ts), made from the schemas of the registry.
 * Decision: docs/decisions/library.md#declarations-are-one-file-made-when-the-package-is-built
 */
export interface ToolTypes {
  readonly [tool: string]: { readonly input: Readonly<Record<string, unknown>>; readonly data: unknown };
}

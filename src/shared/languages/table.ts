/** The languages that are known without any configuration: one descriptor each, which is all that the tools know of it. */
import type { LanguageFamily } from './family.ts';
import { bash } from './table/bash.ts';
import { svelte, vue } from './table/components.ts';
import { cpp } from './table/cpp.ts';
import { csharp } from './table/csharp.ts';
import { dart } from './table/dart.ts';
import { elixir } from './table/elixir.ts';
import { clojure, gleam, haskell, ocaml } from './table/functional.ts';
import { go } from './table/go.ts';
import { java, kotlin, scala } from './table/jvm.ts';
import { lua } from './table/lua.ts';
import { css, html } from './table/pages.ts';
import { php } from './table/php.ts';
import { python } from './table/python.ts';
import { mongodb, prisma, sql } from './table/queries.ts';
import { ruby } from './table/ruby.ts';
import { rust } from './table/rust.ts';
import { dockerfile, json, nix, terraform, yaml } from './table/settings.ts';
import { swift } from './table/swift.ts';
import { typescript } from './table/typescript.ts';
import { zig } from './table/zig.ts';

/** In order of precedence: where two families share a root marker, detection credits the first. */
export const languageTable: readonly LanguageFamily[] = [
  go,
  typescript,
  rust,
  python,
  cpp,
  swift,
  zig,
  kotlin,
  java,
  scala,
  csharp,
  dart,
  haskell,
  ocaml,
  gleam,
  elixir,
  clojure,
  terraform,
  ruby,
  php,
  lua,
  bash,
  nix,
  sql,
  prisma,
  mongodb,
  vue,
  svelte,
  dockerfile,
  yaml,
  json,
  css,
  html,
];

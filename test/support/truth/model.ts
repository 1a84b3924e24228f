/**
 * A small program of modules that use each other, changed at random. Whether it is right is for a compiler to say;
 * the model only knows how to make changes that are likely to break it and to mend it again.
 */

const TYPES = ['number', 'text'] as const;
export type TypeName = (typeof TYPES)[number];

export interface Use {
  readonly module: string;
  /** The name that is imported, which the module may no longer have. */
  readonly name: string;
  readonly expects: TypeName;
}

export interface ModuleModel {
  readonly name: string;
  readonly exported: string;
  readonly returns: TypeName;
  readonly uses: readonly Use[];
  /** Has an error of its own. */
  readonly broken: boolean;
  /** Empty comment lines at the top: they move everything else without changing its meaning. */
  readonly shift: number;
}

/** Numbers from 0 to 1, the same for the same seed. */
export type Random = () => number;

export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export function pick<T>(items: readonly T[], random: Random): T {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error('nothing to pick from');
  return item;
}

export class Program {
  readonly #random: Random;
  readonly #names: readonly string[];
  readonly #modules = new Map<string, ModuleModel>();

  constructor(size: number, random: Random) {
    this.#random = random;
    this.#names = Array.from({ length: size }, (_, index) => `m${index}`);
    for (const name of this.#names) this.#modules.set(name, this.#fresh(name));
  }

  get modules(): readonly ModuleModel[] {
    return [...this.#modules.values()];
  }

  /** Modules that import one of these. */
  dependentsOf(names: readonly string[]): readonly ModuleModel[] {
    return this.modules.filter(({ uses }) => uses.some(({ module }) => names.includes(module)));
  }

  /** Changes one module, or several at once as a change of branch does; the names of those that changed. */
  change(): readonly string[] {
    const count = this.#random() < 0.15 ? 4 : 1;
    return [...new Set(Array.from({ length: count }, () => this.#changeOne()))];
  }

  #changeOne(): string {
    const absent = this.#names.filter((name) => !this.#modules.has(name));
    if (absent.length > 0 && this.#random() < 0.3) {
      const name = pick(absent, this.#random);
      this.#modules.set(name, this.#fresh(name));
      return name;
    }
    const module = pick(this.modules, this.#random);
    if (this.#modules.size > this.#names.length / 2 && this.#random() < 0.08)
      this.#modules.delete(module.name);
    else this.#modules.set(module.name, this.#changed(module));
    return module.name;
  }

  #changed(module: ModuleModel): ModuleModel {
    const other = `${module.name}Value`;
    switch (Math.floor(this.#random() * 6)) {
      case 0:
        return { ...module, returns: module.returns === 'number' ? 'text' : 'number' };
      case 1:
        return { ...module, exported: module.exported === other ? `${module.name}Other` : other };
      case 2:
        return { ...module, broken: !module.broken };
      case 3:
        return { ...module, shift: (module.shift + 1) % 4 };
      case 4:
        return { ...module, uses: module.uses.slice(1) };
      default:
        return { ...module, uses: this.#uses(module.name) };
    }
  }

  #fresh(name: string): ModuleModel {
    return {
      name,
      exported: `${name}Value`,
      returns: pick(TYPES, this.#random),
      uses: this.#uses(name),
      broken: false,
      shift: 0,
    };
  }

  /** Of modules before this one only, so that there are no cycles. What it expects is right most of the time. */
  #uses(name: string): readonly Use[] {
    const before = this.#names.slice(0, this.#names.indexOf(name));
    const wanted = before.filter(() => this.#random() < 2 / Math.max(2, before.length));
    return wanted.map((module) => {
      const known = this.#modules.get(module);
      const isRight = known !== undefined && this.#random() < 0.8;
      return {
        module,
        name: known?.exported ?? `${module}Value`,
        expects: isRight ? known.returns : pick(TYPES, this.#random),
      };
    });
  }
}

/** A crate without dependencies, with rust-analyzer. */
import { expect, it } from 'vitest';
import { occurrences, realWorld } from '../support/real-session.ts';
import { describeWith } from '../support/requirements.ts';

const CRATE = `
//- Cargo.toml
[package]
name = "corner_shop"
version = "0.1.0"
edition = "2021"
//- src/main.rs
mod pricing;
mod stock;

use stock::{Shelf, Store};

fn main() {
    let mut shelf = Shelf::default();
    shelf.receive("tea 🍵", 10); let sold = sell(&mut shelf, "tea 🍵", 2);
    println!("sold for {:?}", sold);
}

fn sell(store: &mut dyn Store, name: &str, quantity: u32) -> Option<u32> {
    store.take(name, quantity).then(|| pricing::total(350, quantity, pricing::Percentage(10)))
}
//- src/pricing.rs
/// Lowers a price in cents.
pub trait Discount {
    fn apply(&self, cents: u32) -> u32;
}

/// Takes off a part.
pub struct Percentage(pub u32);

impl Discount for Percentage {
    fn apply(&self, cents: u32) -> u32 {
        cents * (100 - self.0) / 100
    }
}

/// The price of several pieces after the discount.
pub fn total(each: u32, quantity: u32, discount: impl Discount) -> u32 {
    discount.apply(each * quantity)
}
//- src/stock.rs
use std::collections::HashMap;

/// A place from which goods can be taken.
pub trait Store {
    fn take(&mut self, name: &str, quantity: u32) -> bool;
}

/// A store in memory.
#[derive(Default)]
pub struct Shelf {
    items: HashMap<String, u32>,
}

impl Shelf {
    pub fn receive(&mut self, name: &str, quantity: u32) {
        *self.items.entry(name.to_string()).or_default() += quantity;
    }
}

impl Store for Shelf {
    fn take(&mut self, name: &str, quantity: u32) -> bool {
        let available = self.items.entry(name.to_string()).or_default();
        let enough = *available >= quantity;
        if enough {
            *available -= quantity;
        }
        enough
    }
}
`;

describeWith('rust-analyzer', 'Rust with rust-analyzer', () => {
  it('is navigated, searched, outlined and checked', async () => {
    await using world = realWorld(CRATE);
    const { workspace } = world;
    const session = await world.session();
    const [inMain, inPricing] = [{ file_path: 'src/main.rs' }, { file_path: 'src/pricing.rs' }];

    expect(
      await session.places('find_references', {
        ...inPricing,
        position_pattern: 'struct @@Percentage',
        include_declaration: true,
      }),
    ).toEqual(occurrences(workspace, 'Percentage', '.rs'));
    expect(
      await session.places('find_references', {
        file_path: 'src/stock.rs',
        position_pattern: 'struct @@Shelf',
        include_declaration: true,
      }),
    ).toEqual(occurrences(workspace, 'Shelf', '.rs'));
    expect(
      await session.places('go_to_definition', { ...inMain, position_pattern: 'pricing::@@total(' }),
    ).toEqual(['src/pricing.rs:16:8']);
    expect(
      await session.places('go_to_declaration', { ...inMain, position_pattern: 'pricing::@@total(' }),
    ).toEqual(['src/pricing.rs:16:8']);
    expect(
      await session.places('go_to_definition', { ...inMain, position_pattern: 'let sold = @@sell(' }),
    ).toEqual(['src/main.rs:12:4']);
    expect(
      await session.places('go_to_type_definition', { ...inMain, position_pattern: 'let mut @@shelf' }),
    ).toEqual(['src/stock.rs:10:12']);
    expect(await session.places('go_to_implementation', { ...inPricing, symbol: 'Discount' })).toEqual([
      'src/pricing.rs:9:19',
    ]);
    expect(await session.ask('inspect_symbol', { ...inPricing, symbol: 'total' })).toMatch(
      /pub fn total\(each: u32.*The price of several pieces/s,
    );
    expect(await session.outline('src/stock.rs')).toEqual(
      expect.arrayContaining(['Store.take', 'Shelf.items', 'impl Store for Shelf.take']),
    );
    expect(await session.data('find_symbol', { query: 'Percentage' })).toContainEqual(
      expect.objectContaining({ name: 'Percentage', file: workspace.file('src/pricing.rs'), line: 7 }),
    );
    expect(await session.data('get_server_capabilities')).toMatchObject({
      server_name: 'rust-analyzer',
      fallback_tools: ['format_range', 'type_hierarchy'],
      unsupported_tools: ['execute_command'],
    });

    expect(await session.problems('src/main.rs')).toEqual([]);
    world.edit('src/main.rs', 'shelf.receive(', 'shelf.receive(1, ');
    // The one is the compiler's word, the other the analyser's.
    expect(await session.problems('src/main.rs')).toEqual(['8 E0061', '8 E0107']);
    world.edit('src/main.rs', 'receive(1, ', 'receive(');
    expect(await session.problems('src/main.rs')).toEqual([]);
    // Only the compiler knows of this one, and says so some time later.
    world.edit('src/main.rs', 'println!', 'drop(shelf); shelf.receive("milk", 1); println!');
    expect(await session.problems('src/main.rs')).toEqual(['9 E0382']);

    expect(await session.ask('restart_lsp_server')).toContain('restarted successfully (rust)');
    expect(await session.outline('src/pricing.rs')).toContain('Discount.apply');
    await world.end();
  });

  it('renames a field and a variable apart where one word is both', async () => {
    const lines = [
      'struct Point { size: i32 }',
      'fn take(point: Point) -> String { let Point { size } = point; format!("{size}") }',
      'fn make(size: i32) -> Point { println!("{size}"); Point { size } }',
      'fn main() { take(make(1)); println!("{}", Point { size: 1 }.size); }',
    ];
    const manifest = '[package]\nname = "shared_words"\nversion = "0.1.0"\nedition = "2021"\n';
    await using world = realWorld(`//- Cargo.toml\n${manifest}//- src/main.rs\n${lines.join('\n')}\n`);
    const session = await world.session();
    const rename = async (line: number, column: number) => {
      const place = { file_path: 'src/main.rs', line, column };
      const trial = { new_name: 'width', dry_run: true, trial_ms: 10_000 };
      return (await session.ask('rename_symbol', { ...place, ...trial })).replaceAll('\\"', '"');
    };
    const field = await rename(1, 16);
    for (const line of [
      'struct Point { width: i32 }',
      'fn take(point: Point) -> String { let Point { width: size } = point; format!("{size}") }',
      'fn make(size: i32) -> Point { println!("{size}"); Point { width: size } }',
    ])
      expect(field).toContain(`+${line}`);
    const variable = await rename(3, 9);
    expect(variable).toContain(
      '+fn make(width: i32) -> Point { println!("{width}"); Point { size: width } }',
    );
    for (const answer of [field, variable]) {
      expect(answer).toContain('"introduced":[]');
      expect(answer).toContain('rust-analyzer also has checks that read the disk');
      expect(answer).not.toContain('shown first');
    }
    // The word itself is both: the server renames the variable, and the answer says that it leaves the field.
    const both = await rename(2, 47);
    expect(both).toContain('{ let Point { size: width } = point; format!("{width}") }');
    expect(both).not.toContain('struct Point { width');
    expect(both).toMatch(/shown first: it leaves \d references as they were, such as src\/main\.rs:1:16/);
    await world.end();
  });
});

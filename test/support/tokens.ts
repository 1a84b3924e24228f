/** How many tokens a text costs, in the encoding of current models: what budgets are counted in. */
import { encode } from 'gpt-tokenizer/encoding/o200k_base';

export function tokensIn(text: string): number {
  return encode(text).length;
}

/**
 * Reads what the server shall do. The fields are described as types in ../fake-server.ts;
 * a name that is not known there stops the server, so that a typo cannot turn a fault test into a fair-weather one.
 */
import { readFileSync } from 'node:fs';
import { STEP_NAMES } from './steps.mjs';

const FIELDS = {
  journal: undefined,
  name: 'fake-lsp',
  version: '1.0.0',
  capabilities: {},
  positionEncoding: 'utf-16',
  sync: 'incremental',
  extensions: ['.txt', '.fake', '.ts', '.js', '.py', '.go'],
  diagnostics: {},
  framing: {},
  stubborn: [],
  grandchildren: {},
  rules: [],
};
const STUBBORN = ['shutdown', 'exit', 'SIGTERM', 'stdin', 'cancel', 'encoding'];
const RULE_FIELDS = ['on', 'file', 'nth', 'every', 'instances', 'do'];

export function readScenario(file) {
  const given = file === undefined ? {} : JSON.parse(readFileSync(file, 'utf8'));
  onlyKnown(Object.keys(given), Object.keys(FIELDS), 'field');
  const scenario = { ...FIELDS, ...given };
  onlyKnown(scenario.stubborn, STUBBORN, 'stubbornness');
  for (const rule of scenario.rules) {
    onlyKnown(Object.keys(rule), RULE_FIELDS, 'field of a rule');
    for (const step of list(rule.do)) onlyKnown(Object.keys(step), STEP_NAMES, 'step');
  }
  return scenario;
}

/** Says which steps a message or event sets off; the counting of `nth` and `every` lives here. */
export class RuleBook {
  #rules;

  constructor(rules, instance) {
    this.#rules = rules
      .filter((rule) => rule.instances === undefined || rule.instances.includes(instance))
      .map((rule) => ({ ...rule, on: list(rule.on), do: list(rule.do), seen: 0 }));
  }

  /** `names` are all the names the event goes by; `params` is what `file` is looked for in. */
  stepsFor(names, params) {
    const text = JSON.stringify(params ?? null);
    return this.#rules.filter((rule) => this.#applies(rule, names, text)).flatMap((rule) => rule.do);
  }

  #applies(rule, names, text) {
    if (!rule.on.some((name) => names.includes(name))) return false;
    if (rule.file !== undefined && !text.includes(rule.file)) return false;
    rule.seen += 1;
    if (rule.nth !== undefined) return rule.seen === rule.nth;
    return rule.every === undefined || rule.seen % rule.every === 0;
  }
}

function list(value) {
  return Array.isArray(value) ? value : [value];
}

function onlyKnown(names, known, what) {
  for (const name of names) {
    if (!known.includes(name)) throw new Error(`unknown ${what} "${name}"; known are ${known.join(', ')}`);
  }
}

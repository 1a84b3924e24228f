/**
 * Which servers of others a session may talk to, since it sends them sources: those of this machine, and those that the
 * user's configuration names. A name is looked up once, after consent, and what it meant then is all that is ever dialled.
 * Decision: docs/decisions/access.md#connections-stay-on-this-machine
 */
import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import { fail, messageOf } from '../../shared/base/failure.ts';
import { type DialAddress, parseDialAddress } from '../../shared/config/dial-address.ts';
import type { Agreed, Deed } from './permission.ts';

export interface DialPlan extends Deed, DialAddress {
  /** As the agent wrote it. */
  readonly given: string;
  /** The user's configuration names it, so that it may be anywhere. */
  readonly isNamed: boolean;
}

/** Where a plan leads: all of it in numbers. */
export interface DialTarget extends DialAddress {
  readonly addresses: readonly string[];
}

export type LookUp = (host: string) => Promise<readonly string[]>;

/** Asks no network: not even a question about a name leaves this machine for what is going to be refused. */
export function planDial(given: string, allowed: readonly DialAddress[]): DialPlan {
  const { host, port } = parseDialAddress(given);
  const isNamed = allowed.some((one) => one.port === port && isSameHost(one.host, host));
  if (!isNamed && !isOfThisMachine(host)) refuse(given);
  return { given, host, port, isNamed, summary: `send sources to the language server at ${given}` };
}

export async function dialTarget(
  { plan }: Agreed<'expand', DialPlan>,
  lookUp: LookUp = addressesOf,
): Promise<DialTarget> {
  const { given, host, port, isNamed } = plan;
  const addresses = isIP(host) === 0 ? await lookUp(host) : [host];
  if (!isNamed && !addresses.every(isLoopback)) refuse(given, `which is ${addresses.join(' and ')} here`);
  return { host, port, addresses };
}

async function addressesOf(host: string): Promise<readonly string[]> {
  try {
    return (await lookup(host, { all: true })).map(({ address }) => address);
  } catch (error) {
    return fail(
      {
        kind: 'invalid-input',
        message: `${host} could not be looked up: ${messageOf(error)}`,
        next: 'Correct connect',
      },
      { cause: error },
    );
  }
}

/** Other names are not looked up to find out. */
function isOfThisMachine(host: string): boolean {
  return isIP(host) === 0 ? /(?:^|\.)localhost$/.test(host) : isLoopback(host);
}

export function isLoopback(address: string): boolean {
  const own = new BlockList();
  own.addSubnet('127.0.0.0', 8);
  own.addAddress('::1', 'ipv6');
  return isAmong(address, own);
}

export function isAddress(text: string): boolean {
  return isIP(text) !== 0;
}

/** An address has more than one spelling. */
function isSameHost(one: string, other: string): boolean {
  if (isIP(one) === 0 || isIP(other) === 0) return one === other;
  const list = new BlockList();
  list.addAddress(one, kindOf(one));
  return isAmong(other, list);
}

function isAmong(address: string, list: BlockList): boolean {
  return isIP(address) !== 0 && list.check(address, kindOf(address));
}

function kindOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}

function refuse(given: string, found?: string): never {
  fail({
    kind: 'not-permitted',
    reason: `${given}${found === undefined ? '' : `, ${found},`} is neither of this machine nor named in the user's configuration`,
    next: 'Ask the user to add it to allowed_addresses or AGENT_LSP_ALLOWED_ADDRESSES, or connect to a server on localhost',
  });
}

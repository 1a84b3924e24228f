/** The version of the product, and the number of the protocol between front end and broker. */
import packageJson from '../../package.json' with { type: 'json' };

export const VERSION: string = packageJson.version;

/** See broker-protocol.ts. It changes with the messages and not with the version. */
export const BROKER_PROTOCOL = 8;

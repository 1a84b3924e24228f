import packageJson from '../../package.json' with { type: 'json' };

/** The product's version. */
export const VERSION: string = packageJson.version;

/** The number of the front end <-> broker protocol; see broker-protocol.ts. Not the product's version. */
export const BROKER_PROTOCOL = 8;

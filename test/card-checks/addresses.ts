import type { CheckId, GuardOptions } from '../../src/index.ts';

/** Whether an address may be reached; the row of the trust check that no card alone can fail. */
export interface AddressRow {
  readonly name: string;
  readonly input: string;
  readonly network: NonNullable<GuardOptions['network']>;
  readonly want: { readonly id: CheckId; readonly allowed: boolean };
}

const row = (input: string, network: AddressRow['network'], allowed: boolean): AddressRow => {
  const flags = Object.keys(network).join(', ') || 'no flag';
  return {
    name: `${input} is ${allowed ? '' : 'not '}allowed with ${flags}`,
    input,
    network,
    want: { id: 'network-address', allowed },
  };
};

const LOOPBACK = { allowLoopback: true };
const PRIVATE = { allowPrivate: true };
const INSECURE = { allowInsecure: true };

export const ADDRESS_ROWS: readonly AddressRow[] = [
  row('https://parcels.example.com/a2a', {}, true),
  row('http://127.0.0.1:8080/a2a', {}, false),
  row('http://127.0.0.1:8080/a2a', LOOPBACK, true),
  row('http://127.0.0.1:8080/a2a', PRIVATE, false),
  row('http://127.0.0.1:8080/a2a', INSECURE, false),
  row('http://[::1]/a2a', LOOPBACK, true),
  row('http://localhost/a2a', LOOPBACK, true),
  row('https://2130706433/a2a', {}, false),
  row('https://10.1.2.3/a2a', {}, false),
  row('https://10.1.2.3/a2a', LOOPBACK, false),
  row('https://10.1.2.3/a2a', PRIVATE, true),
  row('https://169.254.169.254/a2a', {}, false),
  row('https://[::ffff:169.254.169.254]/a2a', {}, false),
  row('https://[fd00::1]/a2a', {}, false),
  row('https://0.0.0.0/a2a', {}, false),
  row('https://backend/a2a', {}, false),
  row('https://backend/a2a', PRIVATE, true),
];

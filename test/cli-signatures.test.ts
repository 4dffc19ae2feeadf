import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exportJWK, FlattenedSign, generateKeyPair } from 'jose';
import { beforeAll, describe } from 'vitest';
import { canonicalCard } from '../src/index.ts';
import { cardAt, PUBLIC, useTargets } from './support/cli-targets.ts';

const { holds, folder } = useTargets();

beforeAll(async () => {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
  const card = cardAt(PUBLIC);
  const sign = new FlattenedSign(new TextEncoder().encode(canonicalCard(card)));
  const signature = await sign.setProtectedHeader({ alg: 'ES256', kid: 'ours' }).sign(privateKey);
  const files = {
    signed: { ...card, signatures: [{ protected: signature.protected, signature: signature.signature }] },
    forged: {
      ...card,
      version: '9.9.9',
      signatures: [{ protected: signature.protected, signature: signature.signature }],
    },
    keys: { keys: [{ ...(await exportJWK(publicKey)), kid: 'ours', alg: 'ES256' }] },
    nokeys: { keys: 'ours' },
  };
  for (const [name, value] of Object.entries(files)) {
    writeFileSync(join(folder(), `${name}.json`), JSON.stringify(value));
  }
});

describe('check verifies signatures', () => {
  holds({
    'a true one is green': {
      run: 'check @signed --jwks @keys',
      status: 0,
      out: /^GREEN.*signature +verified +ES256 +ours/,
    },
    'a false one is red': {
      run: 'check @forged --jwks @keys',
      status: 1,
      out: /^RED.*signature +invalid +ES256 +ours.*error +signature-verified/,
    },
    'a key set asks for a signature': { run: 'check @green --jwks @keys', status: 1, out: /error +signature-verified/ },
    'one that is not there may be allowed': {
      run: 'check @green --jwks @keys --signatures verify-if-present',
      status: 0,
      out: /^GREEN/,
    },
    'without keys nothing can be verified': {
      run: 'check @signed --signatures require',
      status: 1,
      out: /signature +unverifiable.*no trusted source has its key/,
    },
    'by default their form is looked at': { run: 'check @forged', status: 0, out: /^GREEN/ },
    'a file that is no key set': { run: 'check @signed --jwks @nokeys', status: 2, err: /--jwks: .*Key Set/ },
    'a file that is not there': { run: 'check @signed --jwks @nothing', status: 3, err: /no such file/ },
    'a policy that does not exist': {
      run: 'check @signed --signatures all',
      status: 2,
      err: /shape, verify-if-present/,
    },
  });
});

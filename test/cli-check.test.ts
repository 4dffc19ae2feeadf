import { describe } from 'vitest';
import { cardAt, PUBLIC, useTargets } from './support/cli-targets.ts';

const { holds } = useTargets();

const bytesOf = (...values: unknown[]): Buffer[] =>
  values.map((value) => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value), 'utf8'));

describe('check judges cards from everywhere', () => {
  holds({
    'a sound card is green': { run: 'check @green', status: 0, out: /^GREEN.*next +delegate/ },
    'a card with an error is red': { run: 'check @red', status: 1, out: /^RED.*skills-tags-nonempty +§4\.4\.5/ },
    'interop reports what strict gates on': {
      run: 'check @red -p interop',
      status: 0,
      out: /warn +skills-tags-nonempty/,
    },
    'a rule changes one severity': {
      run: 'check @red -p interop --rule skills-tags-nonempty=error --rule schema-unknown-key=off',
      status: 1,
      out: /schema +not passed.*error +skills-tags-nonempty/,
    },
    'stdin is a target': { run: 'check -', stdin: bytesOf(cardAt(PUBLIC)), status: 0, out: /^GREEN +stdin/ },
    'what is no card is red': { run: 'check @text', status: 1, out: /parse-object/ },
    'a file over the limit is red': { run: 'check @large', status: 1, out: /parse-limits/ },
    'stdin over the limit is red': {
      run: 'check -',
      stdin: bytesOf('x'.repeat(200_000), 'x'.repeat(200_000)),
      status: 1,
      out: /parse-limits/,
    },
    'a base URL leads to the card': {
      run: 'check %ok',
      status: 0,
      out: /^GREEN.*\/ok\/\.well-known\/agent-card\.json/,
    },
    'the URL of a card is used as it is': { run: 'check %ok/card.json', status: 0, out: /^GREEN.*\/ok\/card\.json/ },
    'an exact URL is used as it is': { run: 'check %ok/card --exact', status: 0, out: /^GREEN.*\/ok\/card / },
    'without an origin addresses are not judged': { run: 'check @local', status: 0, out: /trust +ok/ },
    'with an origin they are': {
      run: `check @local --card-url ${PUBLIC}/card.json`,
      status: 1,
      out: /error +interface-private/,
    },
    'private networks may be allowed': {
      run: `check @local --card-url ${PUBLIC}/card.json --allow-private`,
      status: 0,
      out: /warn +interface-private/,
    },
    'http is not sound': { run: 'check @http', status: 1, out: /error interface-https/ },
    'http may be allowed': { run: 'check @http --allow-insecure', status: 0, out: /warn interface-https/ },
    'an intention that the card allows': {
      run: 'check @green --plan streaming',
      status: 0,
      out: /streaming declared; intended and allowed/,
    },
    'an intention that it does not allow': {
      run: 'check @green --plan streaming,pushNotifications,extendedAgentCard',
      status: 1,
      out: /pushNotifications not declared; intended, and would be refused.*next +fix-request/,
    },
    'a bundle of the user judges': { run: 'check @red --bundle @bundle', status: 1, out: /schema-unknown-key/ },
    'the status of several is the largest': {
      run: 'check @green nope @red',
      status: 3,
      out: /^GREEN.*RED.*3 targets: 1 hold, 1 do not, 1 could not be read\.$/,
      err: /^a2a-guard: nope: there is no such file\.$/,
    },
  });
});

describe('check judges a value at its pointer', () => {
  const at = '--pointer #/$defs/Message';
  holds({
    'a sound value': { run: `check @message ${at}`, status: 0, out: /^GREEN.*direction +outgoing/ },
    'an unknown key going out': { run: `check @unknown ${at}`, status: 1, out: /error +value-unknown-key/ },
    'an unknown key coming in': { run: `check @unknown ${at} --incoming`, status: 0, out: /warn +value-unknown-key/ },
    'a bundle of the user': { run: `check @unknown ${at} --bundle @bundle`, status: 1, out: /value-unknown-key/ },
    'text that is not JSON': { run: `check - ${at}`, stdin: bytesOf('{'), status: 1, out: /parse-json/ },
  });
});

describe('check says why a target could not be read', () => {
  holds({
    'a missing file': { run: 'check no-card.json', status: 3, err: /no-card\.json: there is no such file\.$/ },
    'a host without a scheme': { run: 'check agents.example.com', status: 3, err: /https:\/\/agents\.example\.com/ },
    'a directory': { run: 'check .', status: 3, err: /it is a directory/ },
    'a missing bundle': { run: 'check @green --bundle nope', status: 3, err: /there is no such file/ },
    'HTTP 404': { run: 'check %nothing', status: 3, err: /^failed +discovery \/ CardUnreachableError/ },
    'HTTP 500': { run: 'check %broken', status: 3, err: /discovery-status/ },
    'nobody listens': { run: 'check http://127.0.0.1:1', status: 3, err: /discovery-network/ },
    'HTTP 403': { run: 'check %forbidden', status: 4, err: /next +authenticate/ },
    'nothing comes in time': { run: 'check %silent --timeout 100', status: 5, err: /discovery-timeout/ },
    'a private address': { run: 'check http://10.0.0.1/', status: 1, err: /^refused +trust.*--allow-private/ },
    'public http': { run: 'check http://a.example.com/', status: 1, err: /^refused +trust.*--allow-insecure/ },
  });
});

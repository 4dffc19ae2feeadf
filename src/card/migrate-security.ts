import { isObject } from '../schema/scalars.ts';
import type { Draft, Note } from './migrate.ts';

/** The wrapper that 1.0 has for each `type` of 0.3 (§4.5.1). */
const WRAPPERS: Readonly<Record<string, string>> = {
  apiKey: 'apiKeySecurityScheme',
  http: 'httpAuthSecurityScheme',
  oauth2: 'oauth2SecurityScheme',
  openIdConnect: 'openIdConnectSecurityScheme',
  mutualTLS: 'mtlsSecurityScheme',
};

/** Wraps a scheme that has a `type`; one that cannot be read stays as it is. */
export function migrateScheme(scheme: unknown, path: string, note: Note): unknown {
  if (!isObject(scheme) || typeof scheme.type !== 'string') return scheme;
  const wrapper = Object.hasOwn(WRAPPERS, scheme.type) ? WRAPPERS[scheme.type] : undefined;
  if (wrapper === undefined) {
    note('unknown', `${path}/type`, 'is no type of 0.3, so the scheme stays unreadable');
    return scheme;
  }
  const { type: _type, in: location, flows, ...rest } = scheme;
  note('moved', path, `is wrapped in ${wrapper}`, `${path}/${wrapper}`);
  if (location !== undefined) note('renamed', `${path}/in`, 'is location', `${path}/${wrapper}/location`);
  return {
    [wrapper]: {
      ...rest,
      ...(location !== undefined && { location }),
      ...(flows !== undefined && { flows: oneFlow(flows, path, note) }),
    },
  };
}

/** 1.0 has exactly one flow; of several the first is kept. */
function oneFlow(flows: unknown, path: string, note: Note): unknown {
  if (!isObject(flows)) return flows;
  const [first, ...others] = Object.entries(flows).filter(([, flow]) => flow !== null && flow !== undefined);
  for (const [name] of others)
    note('dropped', `${path}/flows/${name}`, 'a scheme of 1.0 has one flow; declare another scheme for it');
  return first === undefined ? flows : Object.fromEntries([first]);
}

/** `security` of a card or skill as `securityRequirements`. One that cannot be read stays, and means "required". */
export function migrateRequirements(holder: Draft, path: string, note: Note): void {
  const { security } = holder;
  if (security === undefined || holder.securityRequirements !== undefined) return;
  if (security === null || (Array.isArray(security) && security.length === 0)) {
    delete holder.security;
    return;
  }
  const readable = Array.isArray(security) && security.every(isFlat);
  if (!readable) {
    note('unknown', `${path}/security`, 'cannot be read, so it stays and means that authentication is required');
    return;
  }
  delete holder.security;
  holder.securityRequirements = security.map((entry) => ({
    schemes: Object.fromEntries(Object.entries(entry as object).map(([name, list]) => [name, { list }])),
  }));
  note('moved', `${path}/security`, 'is securityRequirements', `${path}/securityRequirements`);
}

const isFlat = (entry: unknown): boolean =>
  isObject(entry) &&
  Object.values(entry).every((list) => Array.isArray(list) && list.every((scope) => typeof scope === 'string'));

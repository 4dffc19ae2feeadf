import { type AdmitFacts, checkCapability, checkRequest } from '../call/admit.ts';
import { httpOf, namesInPath, type Operation, shapesOfOperation } from '../call/operations.ts';
import type { Verdict } from '../call/verdict.ts';
import { type ProtocolVersion, shapesOf } from '../schema/fields.ts';
import { isObject } from '../schema/scalars.ts';
import {
  broken,
  codeOf,
  createTicket,
  type Fault,
  type Finding,
  isError,
  type TicketNext,
  toFindings,
} from '../ticket.ts';
import { checkKnownTask } from '../traffic/continuity.ts';
import { viewAtPointer, viewParams } from '../traffic/dialect.ts';
import { checkSnakeCase03 } from '../traffic/snake-case-03.ts';
import type { ResolvedCall } from './call-options.ts';
import type { AgentContext } from './context.ts';
import { UNWRITABLE } from './snapshot.ts';
import { agentFacts, requestFacts } from './ticket-facts.ts';

/** The facts that one call is judged by. */
export function admitFacts(context: AgentContext, call: ResolvedCall): AdmitFacts {
  const { profile, means, options } = context;
  return {
    profile,
    tenant: context.interface.tenant,
    extensions: call.extensions.length === 0 ? options.extensions : [...options.extensions, ...call.extensions],
    means: { credentials: means.credentials, withheld: means.withheld, headers: call.headers },
    skillId: call.skillId,
  };
}

const NO_JSON: Fault = {
  id: 'value-type',
  path: '',
  keyword: 'type',
  message: 'The params cannot be written as JSON.',
};

/** May this call be made? Address, then capability, then what goes out. `framing` was found in the request's frame. Pure. */
export function admit(
  context: AgentContext,
  operation: Operation,
  params: unknown,
  call: ResolvedCall,
  framing: readonly Finding[] = [],
): Verdict {
  const grade = context.options.grades.outgoing;
  const facts = admitFacts(context, call);
  const version = context.interface.version as ProtocolVersion;
  const unwritable = params === UNWRITABLE;
  const { params: definition } = shapesOfOperation(operation, version);
  const sent = unwritable ? {} : params;
  const view = viewParams(context.interface, definition, sent);
  const wire = viewAtPointer(context.interface, definition, sent);
  const inView = (faults: readonly Fault[]): Finding[] => toFindings(faults.map(view.locate), grade);
  const request = checkRequest(operation, view.value, facts);
  const findings = [
    ...context.standing,
    ...checkSession(context),
    ...checkMethod(context, operation),
    ...framing.filter(({ layer }) => layer === 'interface'),
    ...inView(checkCapability(operation, view.value, facts)),
    ...framing.filter(({ layer }) => layer !== 'interface'),
    ...(unwritable ? toFindings([NO_JSON], broken) : []),
    ...toFindings([...wire.faults, ...(version === '0.3' ? checkSnakeCase03(sent) : [])], grade),
    ...(definition === undefined || unwritable
      ? []
      : context.judge(definition, wire.value, 'outgoing', version).map(wire.locate)),
    ...inView(request.faults),
    ...inView(checkPathNames(context, operation, view.value)),
    ...inView(checkKnownTask(operation.name, view.value, context.ledger.find)),
    ...checkVersion(context, call),
  ];
  const notes = toFindings(request.notes, grade);
  const lead = findings.find(isError);
  if (lead === undefined) return { ok: true, findings, notes };
  const ticket = createTicket(
    {
      ...agentFacts(context),
      ...requestFacts(operation, params),
      layer: lead.layer,
      ...(lead.layer === 'traffic' && { direction: 'outgoing' as const }),
      code: codeOf(lead, 'outgoing'),
      blocked: true,
      outcome: 'not-sent',
      message: lead.message,
      findings,
      next: nextOf(lead),
    },
    context.options.limits.findings,
  );
  return { ok: false, findings, notes, ticket };
}

/** Credentials that an agent refused once are not tried again, whatever the rules. */
function checkSession({ session }: AgentContext): Finding[] {
  if (!session?.ended) return [];
  const message = 'The agent answered 401 in this session, which ended it; open a new one with fresh credentials.';
  return toFindings([{ id: 'capability-credentials', path: '', message }], broken);
}

/** 0.3 does not have this operation in a form that all agree on. */
function checkMethod({ interface: { version }, options }: AgentContext, operation: Operation): Finding[] {
  if (version === '1.0' || operation.legacy !== undefined) return [];
  const message = `${operation.name} is no operation of A2A ${version}.`;
  return toFindings([{ id: 'interface-dialect', path: '', message }], options.grades.outgoing);
}

/** Over HTTP+JSON ids and tenant are segments of the path: what is missing there, or is a dot, would lead to another path. */
function checkPathNames(
  { interface: { binding, tenant, version } }: AgentContext,
  operation: Operation,
  params: unknown,
): Fault[] {
  const path = httpOf(operation, version);
  if (binding !== 'HTTP+JSON' || path === undefined || !isObject(params)) return [];
  const names = namesInPath(path);
  const missing = names.filter((name) => !isRequired(operation, version, name) && (params[name] ?? '') === '');
  const segments = [...names.map((name) => [name, params[name]] as const), ['tenant', tenant] as const];
  const unfit = segments.filter(([, value]) => typeof value === 'string' && /^\.\.?$|\p{Surrogate}/u.test(value));
  return [
    ...missing.map((name): Fault => {
      const message = `${name} is missing, and is part of the path of ${operation.name}.`;
      return { id: 'value-required', path: `/${name}`, keyword: 'required', message };
    }),
    ...unfit.map(([name]): Fault => {
      const message = `${name} is ".", ".." or no well-formed text, which cannot be a segment of a path.`;
      return { id: 'value-pattern', path: `/${name}`, keyword: 'pattern', message };
    }),
  ];
}

/** What is REQUIRED is judged at the pointer of the params. */
function isRequired(operation: Operation, version: string, name: string): boolean {
  const { params = '' } = shapesOfOperation(operation, version);
  return (
    shapesOf(version as ProtocolVersion)
      .messages.get(params)
      ?.fields.get(name)?.required === true
  );
}

function nextOf(lead: Finding): TicketNext {
  if (lead.id === 'capability-credentials') return 'authenticate';
  return lead.layer === 'trust' ? 'choose-agent' : 'fix-request';
}

function checkVersion(context: AgentContext, call: ResolvedCall): Finding[] {
  const version = context.interface.version;
  if (call.version === undefined || call.version.trim() === version) return [];
  const message = `The caller's A2A-Version is not that of the interface, which is ${version}.`;
  return toFindings([{ id: 'version-header', path: '', message }], context.options.grades.outgoing);
}

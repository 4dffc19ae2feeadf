import type { Check, Layer, Severity } from '../checks.ts';
import type { TicketCode } from '../errors.ts';

/** Why each layer is judged at all. */
export const LAYER_REASONS: Readonly<Record<Layer, string>> = {
  discovery: 'Without the card there is nothing to judge, and nowhere to call.',
  parse: 'What two readers read in two ways, or not at all, cannot be agreed on. Nothing else is judged after it.',
  schema: 'A strict reader refuses the whole card for one member of the wrong name or type.',
  spec: 'The schema bundle has no required fields, so {} passes it. What clients rely on is in the specification alone.',
  trust: 'The other side wrote the card. Where it sends calls and credentials is decided here, not there.',
  interface: 'A call in a binding or version that one side does not speak is misread at best.',
  capability:
    'What a card does not declare is not supported. A refusal before the call costs nothing and has no effects.',
  traffic: 'A value that does not fit is understood differently by each side, often without an error.',
  transport: 'No answer says nothing about the agent: it may have acted. See outcome before you send again.',
  agent: 'The exchange was sound; the agent itself said no. Its words are the cause of the error.',
};

/** Why some checks are made, where that says more than the layer does; the first row that fits. */
const CHECK_REASONS: readonly { readonly ids: RegExp; readonly why: string }[] = [
  {
    ids: /^no-legacy-security$/,
    why: 'A 1.0 client does not read it, and would call an agent without credentials that asks for them.',
  },
  {
    ids: /^no-skill-inputSchema$/,
    why: 'A caller who reads it would send arguments; an agent takes messages.',
  },
  { ids: /^no-(?!secret$)/, why: 'A 1.0 client does not read it, so the two versions of the card may disagree.' },
  { ids: /^required-/, why: 'A2A 1.0 makes it REQUIRED, and the schema bundle does not: {} passes that.' },
  { ids: /^skills-/, why: 'Skills are what an agent is chosen by; the schema bundle does not ask for them.' },
  { ids: /^interface-/, why: 'Calls go to this entry exactly as it is written, credentials included.' },
  { ids: /^modes-/, why: 'Messages are compared with it before they are sent, and answers when they come.' },
  { ids: /^security-/, why: 'A client that does not understand it would call without credentials, or not at all.' },
  { ids: /^signatures-/, why: 'A signature that cannot be read proves nothing, and looks as if it did.' },
  {
    ids: /^(?:url-https|description-length|icon-origin|name-generic|documentation-url-root)$/,
    why: 'People and models choose agents by these texts and links. It is advice, and gates nothing.',
  },
];

export function reasonOf({ id, layer }: Check): string {
  return CHECK_REASONS.find(({ ids }) => ids.test(id))?.why ?? LAYER_REASONS[layer];
}

export const SEVERITY_MEANINGS: Readonly<Record<Severity, string>> = {
  error: 'gates',
  warn: 'is reported',
  off: 'is silent',
  entry: 'rules out that interface; gates when none is left',
};

export interface CodeFacts {
  readonly what: string;
  readonly mend: string;
}

/** What each code on a ticket means, and what to do about it. */
export const CODE_FACTS: Readonly<Record<TicketCode, CodeFacts>> = {
  TaskNotFoundError: {
    what: 'The agent knows no task with this id, or does not show it to this caller.',
    mend: 'Check the id and the credentials; the agent may have dropped the task after a while.',
  },
  TaskNotCancelableError: {
    what: 'The task is in a state in which it cannot be canceled, for example one that is final.',
    mend: 'Ask for the task with GetTask and read its state.',
  },
  PushNotificationNotSupportedError: {
    what: 'The card does not declare push notifications, which the call needs.',
    mend: 'Poll with GetTask, or choose an agent that declares pushNotifications.',
  },
  UnsupportedOperationError: {
    what: 'The operation, or one aspect of it, is not supported: by the card, or for this task.',
    mend: 'Look at the capabilities of the card and at the state of the task.',
  },
  ContentTypeNotSupportedError: {
    what: 'A part of the message has a media type that the agent or the skill does not take.',
    mend: 'Send a media type of defaultInputModes, or of the inputModes of the skill.',
  },
  InvalidAgentResponseError: {
    what: 'What the agent answered does not fit A2A, so it was not handed on.',
    mend: 'The agent has to answer otherwise; the findings name the places.',
  },
  ExtendedAgentCardNotConfiguredError: {
    what: 'The agent declares an extended card but has none.',
    mend: 'Use the public card.',
  },
  ExtensionSupportRequiredError: {
    what: 'The card requires an extension that the client does not list.',
    mend: 'List its URI in the extensions option if you implement it.',
  },
  VersionNotSupportedError: {
    what: 'The agent does not speak the protocol version of the request.',
    mend: 'Choose an interface of the card with a version that both sides speak.',
  },
  JSONParseError: { what: 'The agent could not read the request as JSON.', mend: 'Look at what stands between.' },
  InvalidRequestError: {
    what: 'The request is JSON but not a JSON-RPC request.',
    mend: 'Look at what stands between, or at the version of the interface.',
  },
  MethodNotFoundError: {
    what: 'The agent has no such method.',
    mend: 'Check the version of the interface: 0.3 has other method names than 1.0.',
  },
  InvalidParamsError: {
    what: 'The params of the call do not fit the operation.',
    mend: 'Change the request; the findings name the places.',
  },
  InternalError: { what: 'The agent failed inside.', mend: 'Ask who runs the agent.' },
  CardUnreachableError: {
    what: 'No card could be fetched from the URL.',
    mend: 'Check the URL, the status that it answers with, and the network.',
  },
  CardParseError: {
    what: 'What the URL serves cannot be read as a card.',
    mend: 'Serve one JSON object in UTF-8: the Agent Card.',
  },
  CardSchemaError: {
    what: 'The card does not pass the schema bundle.',
    mend: 'Mend the members that the findings name.',
  },
  CardSpecError: {
    what: 'The card passes the schema bundle but not the rules of the specification.',
    mend: 'Mend the members that the findings name.',
  },
  UntrustedCardError: {
    what: 'The card, or an address in it, is not one to be followed.',
    mend: 'Read the finding; allow an address only if you know whose it is.',
  },
  NoMutualInterfaceError: {
    what: 'The card is sound, but offers no binding and version that the client speaks.',
    mend: 'Choose another agent, or let the client speak what is offered.',
  },
  CredentialsMissingError: {
    what: 'The card requires authentication and the client has no credentials that fit.',
    mend: 'Give credentials for one of the schemes that the finding names.',
  },
  TransportError: {
    what: 'The exchange itself failed: connection, time, or a status without a readable error.',
    mend: 'Check the network and the server; see outcome before you send again.',
  },
  TaskFailed: { what: 'The task ended FAILED; it was delivered.', mend: 'Read the message of its status.' },
  TaskRejected: { what: 'The agent REJECTED the task; it was delivered.', mend: 'Read the message of its status.' },
  JsonRpcError: {
    what: 'The agent answered with an error whose code A2A does not define.',
    mend: 'Ask the documentation of the agent; jsonRpcCode is its code.',
  },
};

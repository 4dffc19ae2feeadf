/**
 * The layers of a delegation, in the order in which it meets them. Every check belongs to exactly one layer and a
 * ticket names the first layer that failed.
 */
export const LAYERS = [
  'discovery',
  'parse',
  'schema',
  'spec',
  'trust',
  'interface',
  'capability',
  'traffic',
  'transport',
  'agent',
] as const;

export type Layer = (typeof LAYERS)[number];

/** What a layer's failure means, and whose move it is. */
export const LAYER_FACTS: Readonly<Record<Layer, { readonly failsWhen: string; readonly move: string }>> = {
  discovery: {
    failsWhen: 'no card could be fetched: DNS, TLS, HTTP status, redirect, size, time',
    move: 'operator / agent owner',
  },
  parse: { failsWhen: 'what came is not a JSON object, or is another kind of document', move: 'agent owner' },
  schema: { failsWhen: 'pass 1: the pinned schema bundle at #/$defs/AgentCard', move: 'agent owner' },
  spec: { failsWhen: "pass 2: the specification's table of required and well-formed fields", move: 'agent owner' },
  trust: { failsWhen: 'signature policy, private addresses, foreign origins, secrets in a card', move: 'security' },
  interface: {
    failsWhen: 'no interface in common, or a call to a URL or method that the card does not declare',
    move: 'caller / agent owner',
  },
  capability: {
    failsWhen: 'a flag, a required extension or missing credentials forbid this operation',
    move: 'caller',
  },
  traffic: {
    failsWhen: 'what goes out or comes back does not fit its own pointer or the traffic rules',
    move: 'caller / agent owner',
  },
  transport: {
    failsWhen: 'the exchange itself failed: connection, TLS, time, HTTP status without a readable error',
    move: 'operator',
  },
  agent: {
    failsWhen: 'the agent answered with a well-formed error, or the task ended FAILED or REJECTED',
    move: 'agent owner',
  },
};

/**
 * What a check's failure does. `error` gates, `warn` is reported, `off` is silent. `entry` makes one interface not
 * selectable and gates the card only when no sound interface is left.
 */
export type Severity = 'error' | 'warn' | 'off' | 'entry';

/** A named set of severities. `strict` gates on everything the specification asks for; `interop` on what makes a call wrong or unsafe. */
export type Preset = 'strict' | 'interop';

/** [id, strict, interop, section, what fails it, how to mend it]; `incoming` severity follows where it differs. */
type Row = readonly [string, Severity, Severity, string, string, string, Severity?];

// biome-ignore format: a table reads as a table
const ROWS = {
  discovery: [
    ['discovery-network', 'error', 'error', '§8.2', 'The card could not be fetched: name, connection or TLS failed.', 'Check the host, the port and the certificate, and that the agent is running.'],
    ['discovery-status', 'error', 'error', '§8.2', 'The card URL answered with an HTTP status other than 200.', 'Serve the card with 200 at /.well-known/agent-card.json, or give discover() the full card URL.'],
    ['discovery-redirect', 'error', 'error', '§8.2', 'The card URL answered with a redirect that is not followed, or that leads to another origin.', 'Give discover() the URL that the redirect names, if you trust it.'],
    ['discovery-content-type', 'warn', 'warn', '§8.2', 'The card came with a content type other than application/json or application/a2a+json.', 'Serve the card as application/json.'],
    ['discovery-size', 'error', 'error', '§8.2', 'The card is larger than limits.cardBytes.', 'Serve a smaller card, or raise limits.cardBytes.'],
    ['discovery-timeout', 'error', 'error', '§8.2', 'The card did not arrive in time.', 'Check the agent, or raise limits.connectMs, headersMs, idleMs or totalMs.'],
    ['discovery-legacy-path', 'warn', 'warn', '§8.2', 'The card was found at the pre-0.3 path /.well-known/agent.json only.', 'Serve the card at /.well-known/agent-card.json.'],
  ],
  parse: [
    ['parse-json', 'error', 'error', '§8.2', 'The card is not JSON text in UTF-8.', 'Serve one JSON object, encoded as UTF-8, without comments.'],
    ['parse-object', 'error', 'error', '§4.4.1', 'The card is JSON but not an object.', 'Serve one JSON object, not a list or a text.'],
    ['parse-duplicate-key', 'error', 'error', '§5.5', 'A key stands twice in one object, so readers disagree on the card.', 'Keep one of the two members.'],
    ['parse-limits', 'error', 'error', '§8.2', 'The card is nested deeper than limits.jsonDepth or larger than limits.cardBytes.', 'Serve a flatter or smaller card, or raise the limit.'],
    ['wrong-document', 'error', 'error', '§4.4.1', 'This is another kind of document, not an Agent Card.', 'Serve an A2A Agent Card at this URL.'],
    ['parse-bom', 'warn', 'warn', '§8.2', 'The text starts with a UTF-8 byte order mark.', 'Write the file without a byte order mark.'],
  ],
  schema: [
    ['legacy-card', 'error', 'error', '§8.3.1', 'This is a 0.x card: it has no supportedInterfaces and names its endpoint at the top.', 'Move url, preferredTransport and protocolVersion into supportedInterfaces.'],
    ['schema-unknown-key', 'error', 'warn', '§4.4.1', 'The card has a member that A2A 1.0 does not define.', 'Remove the member; put your own data into the params of an extension.'],
    ['schema-type', 'error', 'error', '§4.4.1', 'A member has the wrong JSON type.', 'Write the type that the field has in A2A 1.0.'],
    ['camel-case', 'error', 'warn', '§5.5', 'A member is written by its proto name (snake_case).', 'Write the camelCase JSON name.'],
    ['null-as-unset', 'warn', 'warn', '§5.7', 'A member is null, which means unset.', 'Leave the member out.'],
  ],
  spec: [
    ['required-name', 'error', 'warn', '§4.4.1', 'The card has no name.', 'Add a name that people will recognise.'],
    ['required-description', 'error', 'warn', '§4.4.1', 'The card has no description.', 'Say in one or two sentences what the agent does.'],
    ['required-version', 'error', 'warn', '§4.4.1', 'The card has no version of its own.', 'Add the version of the agent, for example "1.4.0".'],
    ['required-capabilities', 'error', 'warn', '§4.4.1', 'The card has no capabilities object.', 'Add "capabilities": {}, and the flags that are true.'],
    ['required-defaultInputModes', 'error', 'warn', '§4.4.1', 'The card does not say what media types it takes.', 'Add "defaultInputModes", for example ["text/plain"].'],
    ['required-defaultOutputModes', 'error', 'warn', '§4.4.1', 'The card does not say what media types it answers with.', 'Add "defaultOutputModes", for example ["text/plain"].'],
    ['required-supportedInterfaces', 'error', 'error', '§8.3.1', 'The card lists no interface, so there is nowhere to call.', 'Add "supportedInterfaces" with url, protocolBinding and protocolVersion.'],
    ['skills-nonempty', 'error', 'warn', '§4.4.1', 'The card lists no skill.', 'Add at least one skill with id, name, description and tags.'],
    ['skills-id-nonempty', 'error', 'warn', '§4.4.5', 'A skill has no id.', 'Give the skill an id that is unique in the card.'],
    ['skills-name-nonempty', 'error', 'warn', '§4.4.5', 'A skill has no name.', 'Give the skill a name.'],
    ['skills-description-nonempty', 'error', 'warn', '§4.4.5', 'A skill has no description.', 'Say what the skill does.'],
    ['skills-tags-nonempty', 'error', 'warn', '§4.4.5', 'A skill has no tags.', 'Add at least one tag.'],
    ['skills-id-unique', 'error', 'warn', '§4.4.5', 'Two skills have the same id.', 'Give each skill an id of its own.'],
    ['no-skill-inputSchema', 'error', 'warn', '§4.4.5', 'A skill carries a parameter schema, which is the shape of an MCP tool.', 'Remove it: an A2A skill takes messages; say the media types in inputModes.'],
    ['no-top-level-url', 'error', 'warn', '§8.3.1', 'The card has a top-level url, left over from 0.x.', 'Move it to supportedInterfaces[0].url and remove it here.'],
    ['no-top-level-protocolVersion', 'error', 'warn', '§8.3.1', 'The card has a top-level protocolVersion, left over from 0.x.', 'Move it to supportedInterfaces[].protocolVersion and remove it here.'],
    ['no-preferredTransport', 'error', 'warn', '§8.3.1', 'The card has preferredTransport, left over from 0.x.', 'Put the preferred entry first in supportedInterfaces and remove it here.'],
    ['no-additionalInterfaces', 'error', 'warn', '§8.3.1', 'The card has additionalInterfaces, left over from 0.x.', 'Move its entries to supportedInterfaces (transport is protocolBinding there).'],
    ['no-supportsAuthenticatedExtendedCard', 'error', 'warn', '§4.4.3', 'The card has a top-level flag for the extended card, left over from 0.x.', 'Move it to capabilities.extendedAgentCard.'],
    ['no-provider-name', 'error', 'warn', '§4.4.2', 'The provider has a name, left over from 0.x.', 'Rename it to provider.organization.'],
    ['no-stateTransitionHistory', 'error', 'warn', '§4.4.3', 'capabilities.stateTransitionHistory was removed in 1.0.', 'Remove it.'],
    ['no-legacy-authentication', 'error', 'warn', '§4.5.1', 'The card has authentication, left over from 0.2.', 'Declare securitySchemes and securityRequirements instead.'],
    ['no-legacy-security', 'error', 'warn', '§4.5.1', 'security is the 0.3 name; it is read as "authentication required".', 'Write securityRequirements: [{"schemes": {"name": {"list": []}}}].'],
    ['interface-url', 'error', 'entry', '§4.4.6', 'An interface has no usable url.', 'Write an absolute URL without user name, fragment or template characters.'],
    ['interface-https', 'error', 'entry', '§7.1', 'An interface uses http on a host that is not loopback.', 'Serve the interface over https, or set network.allowInsecure for a test network.'],
    ['interface-url-form', 'warn', 'warn', '§4.4.6', 'The form of an interface url is unusual for its binding.', 'Write host:port for GRPC, and the base URL without operation path for HTTP+JSON.'],
    ['interface-binding', 'error', 'warn', '§5.8', 'An interface has no known protocolBinding.', 'Write JSONRPC, HTTP+JSON, GRPC or the URI of a custom binding.'],
    ['interface-version', 'error', 'entry', '§3.6', 'An interface has no protocolVersion of the form Major.Minor.', 'Write "1.0".'],
    ['interface-version-known', 'warn', 'warn', '§3.6', 'An interface names a protocol version that does not exist.', 'Write the A2A protocol version, for example "1.0", not the version of the agent.'],
    ['modes-media-type', 'warn', 'warn', '§4.4.1', 'A mode is not a media type.', 'Write type/subtype, for example "text/plain".'],
    ['security-scheme-shape', 'error', 'error', '§4.5.1', 'A security scheme cannot be read, so a lenient client would call without credentials.', 'Write exactly one of the five scheme objects with its required members.'],
    ['security-requirement-shape', 'error', 'error', '§4.5.1', 'A security requirement cannot be read, so a lenient client would call without credentials.', 'Write {"schemes": {"name": {"list": []}}}.'],
    ['security-requirement-declared', 'error', 'error', '§4.5.1', 'A security requirement names a scheme that is not declared.', 'Declare the scheme in securitySchemes, or correct the name.'],
    ['security-required', 'warn', 'warn', '§7.4', 'Security schemes are declared but nothing requires one.', 'Add securityRequirements, or remove the schemes.'],
    ['signatures-shape', 'error', 'error', '§8.4.2', 'A signature is not a readable JWS with an asymmetric algorithm and a key id.', 'Sign again; protected needs alg and kid, both values are base64url.'],
    ['provider-shape', 'error', 'warn', '§4.4.2', 'The provider lacks organization or url.', 'Add both, or remove the provider.'],
    ['extension-uri', 'error', 'warn', '§4.4.4', 'An extension has no uri.', 'Add the URI that identifies the extension.'],
    ['url-https', 'warn', 'off', '§7.1', 'A link in the card is not an https URL.', 'Use https.'],
    ['description-length', 'warn', 'off', '§4.4.1', 'The description is under 20 characters, too short to choose an agent by.', 'Say what the agent does, for whom, and what it does not do.'],
    ['icon-origin', 'warn', 'off', '§4.4.1', 'The icon is on a host that neither an interface nor the provider uses.', 'Serve the icon from your own host.'],
    ['name-generic', 'warn', 'off', '§4.4.1', 'The name is generic and tells this agent from no other.', 'Name the agent after what it does.'],
    ['documentation-url-root', 'warn', 'off', '§4.4.1', 'documentationUrl is a home page, not documentation.', 'Link the page that documents the agent.'],
  ],
  trust: [
    ['no-secret', 'error', 'error', '§8.4', 'The card holds something that looks like a credential.', 'Remove it and revoke it: a card is public.'],
    ['interface-private', 'error', 'entry', '§7.1', 'A public card names an interface on a private, loopback, link-local or unspecified address.', 'Name the public host, or set network.allowPrivate inside a private network.'],
    ['network-address', 'error', 'error', '§7.1', 'An address is one that the network policy does not allow.', 'Set network.allowLoopback, allowPrivate or allowInsecure if you mean to reach it.'],
    ['signature-verified', 'error', 'error', '§8.4', 'A signature of the card is not true, cannot be verified, or is missing where the signatures option requires one.', 'Give the keys in the signatures option, or have the card signed again.'],
    ['card-changed', 'warn', 'warn', '§8.6', 'The card of an agent changed where calls depend on it.', 'Look at what changed, and at the agents that you got before.'],
    ['card-version', 'warn', 'warn', '§8.6', 'The card changed, but its version is the same.', 'Count the version up with each change of the card.'],
    ['interface-origin', 'warn', 'warn', '§7.2', 'An interface is on another host than the card.', 'Serve both from one host, or list the origin in network.allowOrigins.'],
  ],
  interface: [
    ['interface-undeclared', 'error', 'error', '§8.3.2', 'The call goes to a URL that the card does not declare, or to an agent whose card is not known.', 'Call the URL of a declared interface; tell the guard the card with discover() or allow().'],
    ['interface-dialect', 'error', 'error', '§5.3', 'The method belongs to another protocol version than the interface.', 'Use the method names of the interface version.'],
    ['interface-none', 'error', 'error', '§8.3.2', 'The card and the client have no interface in common.', 'Choose another agent, or let the client speak one of the offered bindings and versions.'],
  ],
  capability: [
    ['capability-streaming', 'error', 'error', '§3.3.4', 'The card does not declare streaming.', 'Use SendMessage and GetTask, or choose an agent that streams.'],
    ['capability-push', 'error', 'error', '§3.3.4', 'The card does not declare push notifications.', 'Poll with GetTask, or choose an agent that declares pushNotifications.'],
    ['capability-extended-card', 'error', 'error', '§3.3.4', 'The card does not declare an extended card.', 'Use the public card.'],
    ['capability-extension', 'error', 'error', '§3.3.4', 'The card requires an extension that the client does not list.', 'List the URI in the extensions option if you implement it.'],
    ['capability-credentials', 'error', 'error', '§7.3', 'The card requires authentication and the client has no fitting credentials.', 'Add the named scheme to the credentials option.'],
  ],
  traffic: [
    ['media-type', 'error', 'error', '§4.4.1', 'A part has a media type that the card does not take.', 'Send a media type that the card or the skill lists.'],
    ['media-type-undeclared', 'warn', 'warn', '§4.1.6', 'A media type could not be compared exactly.', 'Set mediaType on the part, and write full media types in the card.'],
    ['accepted-output-modes', 'warn', 'warn', '§3.2.2', 'Accepted and offered output media types do not meet.', 'Accept a media type that the agent declares.'],
    ['skill-id', 'error', 'error', '§4.4.5', 'The skill that the caller names is not in the card.', 'Use the id of a skill in the card.'],
    ['tenant', 'error', 'error', '§4.4.6', 'The request names another tenant than the interface.', 'Leave tenant out; the guard sends that of the interface.'],
    ['version-header', 'error', 'error', '§3.6.1', 'A protocol header disagrees with the interface.', 'Leave A2A-Version and A2A-Extensions to the guard.'],
    ['value-required', 'error', 'error', '§5.7', 'A REQUIRED field is missing, null or empty.', 'Set the field.'],
    ['value-oneof', 'error', 'error', '§5.7', 'Exactly one member of a group must be set.', 'Set exactly one of the members.'],
    ['value-enum', 'error', 'error', '§5.5', 'A value is not one of the names of its enum.', 'Write the enum value by its full name.'],
    ['value-type', 'error', 'error', '§5.6', 'A value has the wrong JSON type.', 'Write the type that the field has.'],
    ['value-pattern', 'error', 'error', '§5.6', 'A text does not have the form that its field needs.', 'Write bytes as base64, whole numbers as digits.'],
    ['value-format', 'error', 'error', '§5.6.1', 'A timestamp is not ISO 8601 in UTC.', 'Write it like 2026-01-31T12:00:00.000Z.'],
    ['value-unknown-key', 'error', 'error', '§5.7', 'A member is not defined at this place.', 'Remove the member, or use metadata.', 'warn'],
    ['value-unset-enum', 'error', 'error', '§5.7', 'An enum has the UNSPECIFIED name, which means not set.', 'Write one of the real names.'],
    ['value-range', 'error', 'error', '§3.1', 'A number is outside the range that the operation allows.', 'Use a number in the range.'],
    ['rpc-version', 'error', 'error', '§9.1', 'The answer is not a JSON-RPC 2.0 object.', 'Answer with "jsonrpc": "2.0".'],
    ['rpc-id', 'error', 'error', '§9.3', 'The answer does not carry the id of the request.', 'Answer with the same id, same value and same JSON type.'],
    ['rpc-result-or-error', 'error', 'error', '§9.5', 'The answer must have exactly one of result and error, and an error an integer code and a message.', 'Answer with one of the two.'],
    ['rpc-batch', 'error', 'error', '§9.1', 'The answer is a batch.', 'Answer each request with one object.'],
    ['wire-content-type', 'error', 'error', '§9.1', 'The answer has the wrong content type or encoding.', 'Answer with application/json, streams with text/event-stream, as they are.'],
    ['wire-json', 'error', 'error', '§9.1', 'The answer is not JSON.', 'Answer with one JSON object in UTF-8.'],
    ['wire-size', 'error', 'error', '§9.1', 'The answer is larger or deeper than the limits allow.', 'Answer with less, or raise limits.responseBytes, eventBytes or jsonDepth.'],
    ['role', 'error', 'error', '§4.1.5', 'A message has the role of the other side.', 'Clients write ROLE_USER, agents ROLE_AGENT.', 'warn'],
    ['task-continuity', 'error', 'error', '§3.4.2', 'The answer is about another task than the request.', 'Answer with the task that was asked for.'],
    ['context-continuity', 'error', 'error', '§3.4.1', 'The answer is in another context than the request.', 'Keep the contextId of the request.'],
    ['task-terminal', 'error', 'error', '§3.4.2', 'A task that has ended is used or shown as if it had not.', 'Start a new task; a terminal one stays as it is.'],
    ['history-length', 'warn', 'warn', '§3.2.4', 'The answer has more history than was asked for.', 'Return at most historyLength messages.'],
    ['artifacts-not-asked', 'warn', 'warn', '§3.1.4', 'The list has artifacts that were not asked for.', 'Leave artifacts out unless includeArtifacts is true.'],
    ['page-token', 'error', 'error', '§3.1.4', 'The answer repeats the page token of the request, which would loop.', 'Return a new token, or "" on the last page.'],
    ['returns-early', 'warn', 'warn', '§3.2.2', 'A blocking send returned while the task is still active.', 'Return when the task is terminal or interrupted.'],
    ['stream-none', 'error', 'error', '§9.4.2', 'A streaming call was not answered with an event stream.', 'Answer with text/event-stream.'],
    ['stream-first-event', 'warn', 'warn', '§3.1.2', 'A stream does not start with a task or a lone message.', 'Start the stream with the task, or send one message and close.'],
    ['stream-after-message', 'error', 'error', '§3.1.2', 'An event follows a lone message.', 'Close the stream after the message.'],
    ['stream-after-terminal', 'warn', 'warn', '§3.5.2', 'An artifact comes after the terminal state.', 'Send all artifacts before the terminal state.'],
    ['stream-left-terminal', 'error', 'error', '§4.1.3', 'A task leaves a terminal state.', 'Start a new task; a terminal one stays as it is.'],
    ['stream-ids', 'error', 'error', '§3.5.2', 'Task or context change in the middle of a stream.', 'Keep taskId and contextId through the stream.'],
    ['stream-append', 'warn', 'warn', '§4.2.2', 'An event adds to an artifact that is not open.', 'Send the artifact first, and nothing after lastChunk.'],
    ['stream-frame', 'warn', 'warn', '§9.4.2', 'The stream carries an event that is not a response.', 'Send only JSON-RPC responses as events; keep alive with comments.'],
  ],
  transport: [
    ['wire-network', 'error', 'error', '§9.1', 'The connection failed.', 'Check that the agent is up; see outcome before you send again.'],
    ['wire-timeout', 'error', 'error', '§9.1', 'The agent did not answer in time.', 'Ask with GetTask, or raise the limit; see outcome before you send again.'],
    ['wire-aborted', 'error', 'error', '§9.1', 'The caller stopped the call.', 'Nothing to mend.'],
    ['wire-status', 'error', 'error', '§9.1', 'The HTTP status is not 2xx and the body holds no readable A2A error.', 'Look at the gateway or server in front of the agent.'],
    ['stream-incomplete', 'error', 'error', '§3.5.2', 'The stream closed before the task was terminal or interrupted.', 'Ask with GetTask or SubscribeToTask; do not send again blindly.'],
    ['stream-truncated', 'error', 'error', '§9.4.2', 'The stream ended in the middle of an event.', 'Ask with GetTask or SubscribeToTask; do not send again blindly.'],
  ],
  agent: [
    ['remote-error', 'error', 'error', '§3.3.2', 'The agent answered with a well-formed error.', 'Read the code; the agent says what it did not accept.'],
    ['remote-wrong-error', 'warn', 'warn', '§3.3.4', 'The agent answered with another error than the specification has for what its card declares.', 'Answer with the error of the specification, or correct the flag in the card.'],
    ['task-failed', 'warn', 'warn', '§4.1.3', 'The task ended FAILED.', 'Read status.message of the task.'],
    ['task-rejected', 'warn', 'warn', '§4.1.3', 'The agent REJECTED the task.', 'Read status.message of the task.'],
  ],
} as const;

const TABLE: Readonly<Record<Layer, readonly Row[]>> = ROWS;

export type CheckId = { [L in Layer]: (typeof ROWS)[L][number][0] }[Layer];

export interface Check {
  readonly id: CheckId;
  readonly layer: Layer;
  /** Section of the A2A 1.0 specification. */
  readonly section: string;
  /** One sentence: what fails this check. */
  readonly what: string;
  /** How the side that made the fault mends it. */
  readonly hint: string;
  readonly severity: Readonly<Record<Preset, Severity>>;
  /** Severity for what comes in, in either preset, where it differs from what goes out. */
  readonly incoming?: Severity;
}

/** Every check, as data, in the order of {@link LAYERS}. Ids are API; the words of messages are not. */
export const CHECKS: readonly Check[] = LAYERS.flatMap((layer) =>
  TABLE[layer].map(([id, strict, interop, section, what, hint, incoming]) => ({
    id: id as CheckId,
    layer,
    section,
    what,
    hint,
    severity: { strict, interop },
    ...(incoming !== undefined && { incoming }),
  })),
);

const BY_ID: ReadonlyMap<string, Check> = new Map(CHECKS.map((check) => [check.id, check]));

/** The check with this id; unknown ids are a programming error here, and a TypeError in options. */
export function findCheck(id: string): Check | undefined {
  return BY_ID.get(id);
}

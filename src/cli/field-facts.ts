import { OPERATIONS, type Operation } from '../call/operations.ts';
import type { CheckId } from '../checks.ts';
import { type Field, SHAPES } from '../schema/fields.ts';

/** Checks that are about one field, beside those that every field of its kind has. */
export const CHECKS_OF_FIELD: Readonly<Record<string, readonly CheckId[]>> = {
  'AgentCard.name': ['required-name', 'name-generic'],
  'AgentCard.description': ['required-description', 'description-length'],
  'AgentCard.supportedInterfaces': ['required-supportedInterfaces', 'legacy-card', 'interface-none'],
  'AgentCard.provider': ['provider-shape', 'no-provider-name'],
  'AgentCard.version': ['required-version'],
  'AgentCard.documentationUrl': ['url-https', 'documentation-url-root'],
  'AgentCard.capabilities': [
    'required-capabilities',
    'no-stateTransitionHistory',
    'no-supportsAuthenticatedExtendedCard',
  ],
  'AgentCard.securitySchemes': ['security-scheme-shape', 'security-requirement-declared', 'security-required'],
  'AgentCard.securityRequirements': [
    'security-requirement-shape',
    'security-requirement-declared',
    'security-required',
    'no-legacy-security',
    'capability-credentials',
  ],
  'AgentCard.defaultInputModes': ['required-defaultInputModes', 'modes-media-type', 'media-type'],
  'AgentCard.defaultOutputModes': ['required-defaultOutputModes', 'modes-media-type', 'accepted-output-modes'],
  'AgentCard.skills': ['skills-nonempty', 'skills-id-unique'],
  'AgentCard.signatures': ['signatures-shape'],
  'AgentCard.iconUrl': ['url-https', 'icon-origin'],
  'AgentInterface.url': [
    'interface-url',
    'interface-https',
    'interface-url-form',
    'interface-private',
    'interface-origin',
    'network-address',
  ],
  'AgentInterface.protocolBinding': ['interface-binding', 'interface-none'],
  'AgentInterface.protocolVersion': ['interface-version', 'interface-version-known', 'interface-none'],
  'AgentInterface.tenant': ['tenant'],
  'AgentProvider.url': ['provider-shape', 'url-https'],
  'AgentProvider.organization': ['provider-shape', 'no-provider-name'],
  'AgentCapabilities.streaming': ['capability-streaming'],
  'AgentCapabilities.pushNotifications': ['capability-push'],
  'AgentCapabilities.extendedAgentCard': ['capability-extended-card', 'no-supportsAuthenticatedExtendedCard'],
  'AgentCapabilities.extensions': ['extension-uri', 'capability-extension'],
  'AgentExtension.uri': ['extension-uri', 'capability-extension'],
  'AgentExtension.required': ['capability-extension'],
  'AgentSkill.id': ['skills-id-nonempty', 'skills-id-unique', 'skill-id'],
  'AgentSkill.name': ['skills-name-nonempty'],
  'AgentSkill.description': ['skills-description-nonempty'],
  'AgentSkill.tags': ['skills-tags-nonempty'],
  'AgentSkill.inputModes': ['modes-media-type', 'media-type'],
  'AgentSkill.outputModes': ['modes-media-type', 'accepted-output-modes'],
  'AgentSkill.securityRequirements': [
    'security-requirement-shape',
    'security-requirement-declared',
    'capability-credentials',
  ],
  'SecurityRequirement.schemes': ['security-requirement-shape', 'security-requirement-declared'],
  'StringList.list': ['security-requirement-shape'],
  'AgentCardSignature.protected': ['signatures-shape'],
  'AgentCardSignature.signature': ['signatures-shape'],
  'Task.id': ['task-continuity'],
  'Task.contextId': ['context-continuity'],
  'Task.history': ['history-length'],
  'Task.artifacts': ['artifacts-not-asked'],
  'TaskStatus.state': ['task-failed', 'task-rejected', 'returns-early'],
  'Message.role': ['role'],
  'Message.taskId': ['task-continuity'],
  'Message.contextId': ['context-continuity'],
  'Part.mediaType': ['media-type', 'media-type-undeclared'],
  'SendMessageConfiguration.acceptedOutputModes': ['accepted-output-modes'],
  'SendMessageConfiguration.historyLength': ['value-range', 'history-length'],
  'SendMessageConfiguration.taskPushNotificationConfig': ['capability-push'],
  'SendMessageConfiguration.returnImmediately': ['returns-early'],
  'GetTaskRequest.historyLength': ['value-range', 'history-length'],
  'ListTasksRequest.historyLength': ['value-range', 'history-length'],
  'ListTasksRequest.pageSize': ['value-range'],
  'ListTasksRequest.includeArtifacts': ['artifacts-not-asked'],
  'ListTasksResponse.nextPageToken': ['page-token'],
};

/** Rules that fields have by their kind, in a card and in traffic. */
const CHECKS_OF_KIND: readonly {
  readonly of: (field: Field) => boolean;
  readonly card?: CheckId;
  readonly traffic?: CheckId;
}[] = [
  { of: ({ required }) => required === true, traffic: 'value-required' },
  { of: ({ oneof }) => oneof !== undefined, traffic: 'value-oneof' },
  { of: ({ type }) => SHAPES.enums.has(type), traffic: 'value-enum' },
  { of: ({ type }) => type === 'Timestamp', traffic: 'value-format' },
  { of: ({ type }) => type === 'bytes' || type === 'int32', traffic: 'value-pattern' },
  { of: () => true, card: 'schema-type', traffic: 'value-type' },
  { of: ({ alias }) => alias !== undefined, card: 'camel-case', traffic: 'value-unknown-key' },
];

/** Sections of the data model (§4). */
const SECTIONS: Readonly<Record<string, string>> = {
  Task: '§4.1.1',
  TaskStatus: '§4.1.2',
  Message: '§4.1.4',
  Part: '§4.1.6',
  Artifact: '§4.1.7',
  TaskStatusUpdateEvent: '§4.2.1',
  TaskArtifactUpdateEvent: '§4.2.2',
  TaskPushNotificationConfig: '§4.3.1',
  AuthenticationInfo: '§4.3.2',
  AgentCard: '§4.4.1',
  AgentProvider: '§4.4.2',
  AgentCapabilities: '§4.4.3',
  AgentExtension: '§4.4.4',
  AgentSkill: '§4.4.5',
  AgentInterface: '§4.4.6',
  AgentCardSignature: '§4.4.7',
  SecurityScheme: '§4.5.1',
  SecurityRequirement: '§4.5.1',
  APIKeySecurityScheme: '§4.5.2',
  HTTPAuthSecurityScheme: '§4.5.3',
  OAuth2SecurityScheme: '§4.5.4',
  OpenIdConnectSecurityScheme: '§4.5.5',
  MutualTlsSecurityScheme: '§4.5.6',
  OAuthFlows: '§4.5.7',
  AuthorizationCodeOAuthFlow: '§4.5.8',
  ClientCredentialsOAuthFlow: '§4.5.9',
  DeviceCodeOAuthFlow: '§4.5.10',
  SendMessageConfiguration: '§3.2.2',
  StreamResponse: '§3.2.3',
};

/** The section that defines a message: of the data model, or of the operation that it belongs to. */
export function sectionOf(message: string): string | undefined {
  if (Object.hasOwn(SECTIONS, message)) return SECTIONS[message];
  const operations: readonly Operation[] = OPERATIONS;
  return operations.find(({ params, result }) => params === message || result === message)?.section;
}

/** Where the messages of a card are used: every field that a card can hold, by the message that it leads to. */
const USES: ReadonlyMap<string, readonly string[]> = collectUses();

function collectUses(): Map<string, string[]> {
  const uses = new Map<string, string[]>([['AgentCard', []]]);
  for (const name of uses.keys()) {
    for (const field of SHAPES.messages.get(name)?.fields.values() ?? []) {
      if (SHAPES.messages.has(field.type)) {
        uses.set(field.type, [...(uses.get(field.type) ?? []), `${name}.${field.name}`]);
      }
    }
  }
  return uses;
}

export function isCardMessage(message: string): boolean {
  return USES.has(message);
}

/** Every check that a field can fail: its own, then those of its kind. */
export function checksOfField(message: string, field: Field): readonly CheckId[] {
  const own = CHECKS_OF_FIELD[`${message}.${field.name}`] ?? [];
  const side = isCardMessage(message) ? 'card' : 'traffic';
  const byKind = CHECKS_OF_KIND.filter(({ of }) => of(field)).flatMap((kind) => kind[side] ?? []);
  return [...new Set([...own, ...byKind])];
}

/** The fields that a check is about. */
export function fieldsOfCheck(id: CheckId): readonly string[] {
  return Object.entries(CHECKS_OF_FIELD).flatMap(([field, ids]) => (ids.includes(id) ? [field] : []));
}

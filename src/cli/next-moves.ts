import type { CardReport } from '../card/report.ts';
import type { CheckId } from '../checks.ts';
import type { TicketNext } from '../ticket.ts';

/** What each `next` asks for, in words. */
export const NEXT_MOVES: Readonly<Record<CardReport['next'] | TicketNext, string>> = {
  'fix-card': 'whoever serves the card has to mend it',
  'fix-request': 'change what is asked of the agent',
  'fix-response': 'the agent should answer otherwise',
  'choose-agent': 'choose an agent that the client can and may call',
  authenticate: 'give credentials for a scheme that the card requires',
  delegate: 'nothing in the card stands against a call',
  retry: 'the same call may succeed later',
  'check-network': 'check the address, the connection and the agent behind it',
  none: 'nothing to do on this side',
};

/** Options of the command line that a ticket led by this check may call for, where its hint speaks of the API. */
export const OPTIONS_OF_CHECK: Readonly<Partial<Record<CheckId, string>>> = {
  'discovery-status': '--exact, when the URL is that of the card itself',
  'discovery-timeout': '--timeout',
  'network-address': '--allow-private for local networks, --allow-insecure for http',
  'interface-private': '--allow-private',
  'interface-https': '--allow-insecure',
  'capability-credentials': '--credential scheme=VARIABLE',
  'capability-streaming': 'leave --stream out',
  'skill-id': '--skill with the id of a skill in the card',
  'wire-timeout': '--timeout',
};

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** An agent on this machine, in a process of its own. */
export interface LocalAgent {
  readonly origin: string;
  close(): Promise<void>;
}

/** Starts the agent that is measured against. */
export async function startAgent(): Promise<LocalAgent> {
  const child = fork(fileURLToPath(new URL('server.ts', import.meta.url)));
  const [port] = (await once(child, 'message')) as [number];
  return {
    origin: `http://127.0.0.1:${port}`,
    async close() {
      const gone = once(child, 'exit');
      child.disconnect();
      await gone;
    },
  };
}

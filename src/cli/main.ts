#!/usr/bin/env node
import type { Io, Output } from './io.ts';
import { run } from './run.ts';

/** A stream of the process. When its reader goes away, what is still written is dropped, without a stack trace. */
function toOutput(stream: NodeJS.WriteStream): Output {
  let closed = false;
  stream.on('error', () => {
    closed = true;
  });
  return {
    write(text) {
      if (!closed) stream.write(text);
    },
    isTTY: stream.isTTY === true,
    get closed() {
      return closed;
    },
  };
}

const io: Io = {
  stdout: toOutput(process.stdout),
  stderr: toOutput(process.stderr),
  get stdin() {
    return process.stdin;
  },
  env: process.env,
};

process.exitCode = await run(process.argv.slice(2), io);

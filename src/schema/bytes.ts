import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';

const UTF8 = new TextEncoder();

/** Bytes of a text in UTF-8; counted only where it depends on the characters whether the limit is passed. */
export function byteLength(text: string, limit: number): number {
  return text.length > limit || text.length * 3 <= limit ? text.length : UTF8.encode(text).length;
}

/** SHA-256 of bytes, or of a text in UTF-8, in hex. */
export function sha256Hex(input: Uint8Array | string): string {
  return bytesToHex(sha256(typeof input === 'string' ? UTF8.encode(input) : input));
}

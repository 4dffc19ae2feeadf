const PLAIN = /^[a-z]+\/[a-z0-9][a-z0-9.+-]*$/;

/** The media types that are met every day: in lower case, without parameters. All others are for the parser to read. */
export function isPlainMediaType(text: string): boolean {
  return PLAIN.test(text);
}

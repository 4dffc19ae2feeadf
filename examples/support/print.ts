const WIDTH = 80;
const LABEL = 10;

/** A numbered heading. */
export function heading(text: string): void {
  console.log(`\n${text}`);
}

/** A label and a text beside it, wrapped to the width of a terminal. */
export function row(label: string, text: string): void {
  const indent = ' '.repeat(3 + LABEL);
  const lines = wrap(text, WIDTH - indent.length, ' ');
  console.log(`   ${label.padEnd(LABEL)}${lines.join(`\n${indent}`)}`);
}

/** A JSON object on as few lines as fit, broken between members only, so that it stays JSON. */
export function json(value: object): void {
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}:${JSON.stringify(member)}`);
  const lines = wrap(members.join(',\n'), WIDTH - 5, ',\n').map((line) => line.replaceAll(',\n', ','));
  console.log(`   {${lines.join(',\n    ')}}`);
}

function wrap(text: string, width: number, separator: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(separator)) {
    const last = lines.at(-1);
    const longer = last === undefined ? word : `${last}${separator}${word}`;
    if (last !== undefined && longer.length <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

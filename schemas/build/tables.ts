import type { Model } from './model.ts';

/** The field table as a module, so that no JSON has to be read at run time. */
export function makeTables(model: Model): string {
  const rows = Object.entries(model.messages).map(([name, fields]) => {
    const cells = fields.map(({ repeated, protoName, ...field }) =>
      JSON.stringify({ ...field, ...(protoName && { alias: protoName }), ...(repeated && { list: true }) }),
    );
    return `  ${name}: [\n    ${cells.join(',\n    ')},\n  ],`;
  });
  return [
    `import type { FieldTable } from '../fields.ts';`,
    `export const FIELDS: FieldTable = {`,
    `  version: '${model.version}',`,
    ...(model.open ? ['  open: true,'] : []),
    ...(model.unions ? [`  unions: ${JSON.stringify(model.unions)},`] : []),
    `  enums: ${JSON.stringify(model.enums)},`,
    `  messages: {`,
    ...rows,
    `  },`,
    `};`,
    '',
  ].join('\n');
}
